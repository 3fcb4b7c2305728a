-- Odd values are kept: what was noted about single values, and numbers that could not be read.
-- The fields that somebody should look at, separated by blanks; and as JSON: field, sent, read, reason.
ALTER TABLE delegates ADD COLUMN flagged TEXT NOT NULL DEFAULT '';
ALTER TABLE delegates ADD COLUMN findings TEXT NOT NULL DEFAULT '[]';
ALTER TABLE film_submissions ADD COLUMN flagged TEXT NOT NULL DEFAULT '';
ALTER TABLE film_submissions ADD COLUMN findings TEXT NOT NULL DEFAULT '[]';
ALTER TABLE contact_messages ADD COLUMN flagged TEXT NOT NULL DEFAULT '';
ALTER TABLE contact_messages ADD COLUMN findings TEXT NOT NULL DEFAULT '[]';


ALTER TABLE delegates ALTER COLUMN age DROP NOT NULL;
ALTER TABLE film_submissions ALTER COLUMN duration_minutes DROP NOT NULL;
ALTER TABLE film_submissions ALTER COLUMN year_of_production DROP NOT NULL;

-- When the sending of forms that close began, by the hash of the Idempotency-Key.
CREATE TABLE submission_starts (
    key_hash TEXT PRIMARY KEY,
    began_at TEXT NOT NULL
);
CREATE INDEX submission_starts_by_age ON submission_starts (began_at);
