-- Odd values are kept: what was noted about single values, and numbers that could not be read.
-- The fields that somebody should look at, separated by blanks; and as JSON: field, sent, read, reason.
ALTER TABLE delegates ADD COLUMN flagged TEXT NOT NULL DEFAULT '';
ALTER TABLE delegates ADD COLUMN findings TEXT NOT NULL DEFAULT '[]';
ALTER TABLE film_submissions ADD COLUMN flagged TEXT NOT NULL DEFAULT '';
ALTER TABLE film_submissions ADD COLUMN findings TEXT NOT NULL DEFAULT '[]';
ALTER TABLE contact_messages ADD COLUMN flagged TEXT NOT NULL DEFAULT '';
ALTER TABLE contact_messages ADD COLUMN findings TEXT NOT NULL DEFAULT '[]';

-- SQLite cannot take NOT NULL from a column: a new one takes the old one's place.
ALTER TABLE delegates ADD COLUMN age_read BIGINT;
UPDATE delegates SET age_read = age;
ALTER TABLE delegates DROP COLUMN age;
ALTER TABLE delegates RENAME COLUMN age_read TO age;
ALTER TABLE film_submissions ADD COLUMN duration_read BIGINT;
UPDATE film_submissions SET duration_read = duration_minutes;
ALTER TABLE film_submissions DROP COLUMN duration_minutes;
ALTER TABLE film_submissions RENAME COLUMN duration_read TO duration_minutes;
ALTER TABLE film_submissions ADD COLUMN year_read BIGINT;
UPDATE film_submissions SET year_read = year_of_production;
ALTER TABLE film_submissions DROP COLUMN year_of_production;
ALTER TABLE film_submissions RENAME COLUMN year_read TO year_of_production;

-- When the sending of forms that close began, by the hash of the Idempotency-Key.
CREATE TABLE submission_starts (
    key_hash TEXT PRIMARY KEY,
    began_at TEXT NOT NULL
);
CREATE INDEX submission_starts_by_age ON submission_starts (began_at);
