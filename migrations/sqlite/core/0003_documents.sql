-- Documents to read and to take away: rules, schedules, programmes of earlier years.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    slug TEXT NOT NULL,
    title TEXT NOT NULL,
    -- Paths of the pages that show it, with blanks between them.
    pages TEXT,
    file TEXT,
    href TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, slug)
);
