-- Issues of the festival's magazine, of all editions.
CREATE TABLE magazines (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    vol TEXT,
    issue TEXT,
    image TEXT,
    image_alt TEXT,
    magazine TEXT NOT NULL,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (name)
);
