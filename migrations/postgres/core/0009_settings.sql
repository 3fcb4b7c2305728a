-- Settings that were changed in the browser. They lie over those of the file; what is as in the file has no row.
CREATE TABLE settings (
    -- As the file calls it: "fees.film_submission_inr".
    path TEXT PRIMARY KEY,
    -- JSON.
    value TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
