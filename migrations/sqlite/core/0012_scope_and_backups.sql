-- The part of what people sent that an account is limited to: "edition=2025,2026 section=asian". Empty: all of it.
ALTER TABLE admin_accounts ADD COLUMN scope TEXT NOT NULL DEFAULT '';

-- When the site was backed up.
CREATE TABLE backups (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL
);
