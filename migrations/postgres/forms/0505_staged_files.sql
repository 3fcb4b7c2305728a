-- Files that arrived before the form that they belong to. Each waits under a ticket that only its sender knows; the
-- submission that names the ticket takes the file over, and what nobody names in time is swept.
CREATE TABLE staged_files (
    -- The hash of the ticket.
    ticket_hash TEXT PRIMARY KEY,
    -- The table of the submissions that may take it, and the field that it was sent for.
    submission_table TEXT NOT NULL,
    field TEXT NOT NULL,
    -- Where it is in the private media store.
    key TEXT NOT NULL UNIQUE,
    -- What it was called on the sender's machine, cleaned: to be shown only.
    name TEXT NOT NULL,
    mime TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    -- The hash of what was sent, before it was cleaned.
    sent_sha256 TEXT NOT NULL,
    -- What to know before opening it, separated by blanks.
    flags TEXT NOT NULL,
    -- When its upload began, and when it was stored.
    began_at TEXT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE INDEX staged_files_by_age ON staged_files (created_at);
