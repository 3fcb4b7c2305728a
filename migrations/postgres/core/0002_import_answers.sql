-- Answers to the questions of imports, for the next list that raises the same ones.
CREATE TABLE import_answers (
    entity TEXT NOT NULL,
    -- 0 for entities that belong to no edition.
    edition_id BIGINT NOT NULL,
    -- SHA-256 of its text and of the rows that it may be about, in hexadecimal.
    question TEXT NOT NULL,
    -- same-<id>, new or skip.
    decision TEXT NOT NULL,
    -- RFC 3339.
    answered_at TEXT NOT NULL,
    PRIMARY KEY (entity, edition_id, question)
);
