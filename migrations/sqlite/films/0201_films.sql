-- Competition categories (sections) and the films in them.
CREATE TABLE categories (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_selection BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, slug)
);

CREATE TABLE films (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    category_id BIGINT NOT NULL REFERENCES categories (id),
    name TEXT NOT NULL,
    original_title TEXT,
    director_name TEXT,
    writer_name TEXT,
    producer_name TEXT,
    cast_details TEXT,
    crew_details TEXT,
    synopsis TEXT,
    year BIGINT,
    country TEXT,
    language TEXT,
    duration_minutes BIGINT,
    poster TEXT,
    still_one TEXT,
    still_two TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX films_by_category ON films (category_id, position, id);
CREATE INDEX films_by_name ON films (edition_id, name);
