-- What the files of digital prints say, and the keys that open them.
ALTER TABLE prints ADD COLUMN running_seconds BIGINT;
ALTER TABLE prints ADD COLUMN is_encrypted BIGINT NOT NULL DEFAULT 0;
ALTER TABLE prints ADD COLUMN subtitles TEXT;
ALTER TABLE prints ADD COLUMN cpl_id TEXT;
ALTER TABLE prints ADD COLUMN content_title TEXT;
CREATE INDEX prints_by_cpl ON prints (cpl_id);

CREATE TABLE print_keys (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    film_id BIGINT NOT NULL REFERENCES films (id),
    device TEXT NOT NULL,
    hall_id BIGINT REFERENCES halls (id),
    valid_from TEXT NOT NULL,
    valid_until TEXT NOT NULL,
    cpl_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX print_keys_by_film ON print_keys (film_id);
CREATE INDEX print_keys_by_hall ON print_keys (hall_id);
CREATE INDEX print_keys_by_cpl ON print_keys (cpl_id);
