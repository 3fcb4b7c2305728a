-- Editions of the festival, and what seeding wrote.
CREATE TABLE editions (
    id INTEGER PRIMARY KEY,
    year BIGINT NOT NULL UNIQUE,
    ordinal BIGINT NOT NULL,
    name TEXT NOT NULL,
    starts_on TEXT NOT NULL,
    ends_on TEXT NOT NULL,
    submission_deadline TEXT,
    countdown_at TEXT,
    logo TEXT,
    is_current BIGINT NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

-- One row for each row that a seed file brought: so that seeding again doubles nothing, brings back nothing
-- that was deleted, and overwrites nothing that an organiser changed.
CREATE TABLE seeds (
    entity TEXT NOT NULL,
    edition_id BIGINT NOT NULL,
    key TEXT NOT NULL,
    row_id BIGINT NOT NULL,
    source_hash TEXT NOT NULL,
    stored_hash TEXT NOT NULL,
    PRIMARY KEY (entity, edition_id, key)
);
