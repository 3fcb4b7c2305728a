-- The programme: halls, screenings, and the releases to visitors.
CREATE TABLE halls (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    venue TEXT,
    capacity BIGINT,
    wheelchair_seats BIGINT,
    changeover_minutes BIGINT NOT NULL DEFAULT 15,
    closing_time TEXT,
    map_link TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, name)
);

CREATE TABLE hall_walks (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    hall_id BIGINT NOT NULL REFERENCES halls (id),
    other_hall_id BIGINT NOT NULL REFERENCES halls (id),
    minutes BIGINT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE TABLE prints (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    film_id BIGINT NOT NULL REFERENCES films (id),
    format TEXT NOT NULL,
    location TEXT,
    available_from TEXT,
    available_until TEXT,
    transport_minutes BIGINT NOT NULL DEFAULT 60,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX prints_by_film ON prints (film_id);

CREATE TABLE guest_stays (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    film_id BIGINT REFERENCES films (id),
    arrives_at TEXT,
    leaves_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX guest_stays_by_film ON guest_stays (film_id);

CREATE TABLE certificates (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    film_id BIGINT NOT NULL REFERENCES films (id),
    status TEXT NOT NULL,
    number TEXT,
    issued_on TEXT,
    file TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX certificates_by_film ON certificates (film_id);

CREATE TABLE screenings (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    code TEXT,
    kind TEXT NOT NULL DEFAULT 'film',
    film_id BIGINT REFERENCES films (id),
    title TEXT,
    hall_id BIGINT NOT NULL REFERENCES halls (id),
    starts_at TEXT NOT NULL,
    minutes BIGINT,
    talk_minutes BIGINT NOT NULL DEFAULT 0,
    guests TEXT,
    with_guests BIGINT NOT NULL DEFAULT 0,
    language TEXT,
    subtitles TEXT,
    audience TEXT NOT NULL DEFAULT 'all',
    is_cancelled BIGINT NOT NULL DEFAULT 0,
    notes TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX screenings_by_time ON screenings (edition_id, starts_at);
CREATE INDEX screenings_by_film ON screenings (film_id);

-- Further films of a screening after its first: those of a package.
CREATE TABLE screening_films (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    screening_id BIGINT NOT NULL REFERENCES screenings (id),
    film_id BIGINT NOT NULL REFERENCES films (id),
    position BIGINT NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX screening_films_by_screening ON screening_films (screening_id, position);
CREATE INDEX screening_films_by_film ON screening_films (film_id);

-- The whole programme of each release, as JSON. Visitors see the newest release.
CREATE TABLE programme_releases (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    released_at TEXT NOT NULL,
    released_by TEXT NOT NULL,
    -- Films without a certificate that an owner takes responsibility for.
    signed_for TEXT,
    note TEXT,
    document TEXT NOT NULL,
    UNIQUE (edition_id, number)
);
