-- What happens at the festival, and the people and supporters behind it.
CREATE TABLE upcoming_events (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    event TEXT NOT NULL,
    event_datetime TEXT NOT NULL,
    location TEXT NOT NULL,
    image TEXT,
    image_alt TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, event)
);

-- Several posters may lack a title: NULLs are distinct in a unique constraint.
CREATE TABLE posters (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    title TEXT,
    image TEXT NOT NULL,
    image_alt TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, title)
);

CREATE TABLE schedule_items (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    image TEXT NOT NULL,
    image_alt TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, title)
);

CREATE TABLE daily_events (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    title TEXT,
    image TEXT NOT NULL,
    image_alt TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, title)
);

CREATE TABLE venues (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    place TEXT,
    description TEXT,
    image TEXT,
    image_alt TEXT,
    map_url TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, name)
);

CREATE TABLE guests (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    role TEXT,
    portrait TEXT,
    portrait_alt TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, name)
);

CREATE TABLE partners (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    kind TEXT,
    logo TEXT,
    logo_alt TEXT,
    href TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, name)
);

CREATE TABLE organisers (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    role TEXT,
    logo TEXT,
    logo_alt TEXT,
    href TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, name)
);

CREATE TABLE namesakes (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    award TEXT,
    life TEXT,
    biography TEXT,
    portrait TEXT,
    portrait_alt TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, slug)
);

CREATE TABLE awards (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    amount BIGINT NOT NULL,
    description TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, name)
);

CREATE TABLE team_members (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    name TEXT NOT NULL,
    note TEXT,
    portrait TEXT,
    portrait_alt TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, role, name)
);

CREATE TABLE history_years (
    id INTEGER PRIMARY KEY,
    year BIGINT NOT NULL,
    ordinal BIGINT,
    dates TEXT,
    venue TEXT,
    director TEXT,
    chair TEXT,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (year)
);

CREATE TABLE winners (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    award TEXT NOT NULL,
    film TEXT NOT NULL,
    person TEXT NOT NULL,
    citation TEXT,
    image TEXT,
    image_alt TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, award, film, person)
);

-- Programmes of the sister festivals: sessions, and packages of films. "festival" is the slug of the festival's page, such
-- as isff-2025.
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
    image_alt TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, festival, title)
);
