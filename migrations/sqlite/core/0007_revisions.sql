-- What organisers did to rows, and what the rows held afterwards (for a deletion: before it).
CREATE TABLE revisions (
    id INTEGER PRIMARY KEY,
    entity TEXT NOT NULL,
    row_id BIGINT NOT NULL,
    edition_id BIGINT,
    action TEXT NOT NULL,
    -- What people called the row then.
    title TEXT NOT NULL,
    -- A JSON object: column to text, number or null.
    record TEXT NOT NULL,
    account_id BIGINT,
    editor TEXT NOT NULL,
    at TEXT NOT NULL
);
CREATE INDEX revisions_of_row ON revisions (entity, row_id, id);
CREATE INDEX revisions_by_time ON revisions (at, id);

-- Rows that are to be published by themselves.
CREATE TABLE publications (
    entity TEXT NOT NULL,
    row_id BIGINT NOT NULL,
    publish_at TEXT NOT NULL,
    account_id BIGINT,
    editor TEXT NOT NULL,
    PRIMARY KEY (entity, row_id)
);
CREATE INDEX publications_due ON publications (publish_at);
