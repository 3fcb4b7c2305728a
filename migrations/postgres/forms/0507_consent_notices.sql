-- The notices on personal data that people agreed to, as they were shown. Submissions name them by version.
CREATE TABLE consent_notices (
    version TEXT PRIMARY KEY,
    -- Title and items, a paragraph each.
    text TEXT NOT NULL,
    created_at TEXT NOT NULL
);
