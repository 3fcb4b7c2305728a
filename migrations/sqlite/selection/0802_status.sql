-- The status page of senders: their secret links, the corrections that they propose, and the films made of entries.

-- A link of the status page. The link itself is in one mail only.
CREATE TABLE selection_links (
    -- SHA-256 of its secret.
    key_hash TEXT PRIMARY KEY,
    -- The submission (exactly one of the two).
    film_submission_id BIGINT REFERENCES film_submissions (id) ON DELETE CASCADE,
    delegate_id BIGINT REFERENCES delegates (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    CHECK ((film_submission_id IS NULL) <> (delegate_id IS NULL))
);
CREATE INDEX selection_links_by_film ON selection_links (film_submission_id);
CREATE INDEX selection_links_by_delegate ON selection_links (delegate_id);

-- Texts that senders want in place of those that they sent.
CREATE TABLE selection_corrections (
    id INTEGER PRIMARY KEY,
    -- The submission (exactly one of the two).
    film_submission_id BIGINT REFERENCES film_submissions (id) ON DELETE CASCADE,
    delegate_id BIGINT REFERENCES delegates (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    before_text TEXT NOT NULL,
    after_text TEXT NOT NULL,
    -- open, applied or declined.
    state TEXT NOT NULL DEFAULT 'open',
    proposed_at TEXT NOT NULL,
    decided_at TEXT,
    decided_by TEXT,
    CHECK ((film_submission_id IS NULL) <> (delegate_id IS NULL))
);
CREATE INDEX selection_corrections_by_film ON selection_corrections (film_submission_id);
CREATE INDEX selection_corrections_by_delegate ON selection_corrections (delegate_id);
CREATE INDEX selection_corrections_by_state ON selection_corrections (state, id);

-- The film of the catalogue that was made of an entry.
CREATE TABLE selection_films (
    film_submission_id BIGINT PRIMARY KEY REFERENCES film_submissions (id) ON DELETE CASCADE,
    film_id BIGINT NOT NULL UNIQUE REFERENCES films (id) ON DELETE CASCADE,
    made_at TEXT NOT NULL,
    made_by TEXT NOT NULL
);
