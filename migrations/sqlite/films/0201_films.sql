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
    subtitle_language TEXT,
    duration_minutes BIGINT,
    poster TEXT,
    poster_alt TEXT,
    still_one TEXT,
    still_one_alt TEXT,
    still_two TEXT,
    still_two_alt TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX films_by_category ON films (category_id, position, id);
CREATE INDEX films_by_name ON films (edition_id, name);
-- The organisers' list of a long edition, whose pages would otherwise sort every film. A search, or a filter by "published",
-- reads these columns of every film in the list's order: here without the long texts between them. A second index for
-- the order alone would be shorter, and SQLite would choose it for searches.
CREATE INDEX films_for_search
    ON films (edition_id, position, id, name, original_title, director_name, writer_name, is_published);
-- Imports look up every film of a list by section and title. Without the title in the index, a database without statistics
-- would choose one on the section alone. Counting the films of a section uses this index, too.
CREATE INDEX films_by_title ON films (edition_id, category_id, name);
