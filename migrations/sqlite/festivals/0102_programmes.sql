-- The programmes of the sister festivals: what happens when, and the packages that films come in.
-- "festival" is the name of its page in addresses: isff-2025.
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    festival TEXT NOT NULL,
    starts_at TEXT NOT NULL,
    ends_at TEXT,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    person TEXT,
    place TEXT,
    description TEXT,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, festival, starts_at, title)
);

CREATE TABLE packages (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    festival TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    films TEXT,
    film_count BIGINT,
    minutes BIGINT,
    image TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, festival, title)
);
