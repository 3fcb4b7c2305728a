-- Challenges whose solution let a form pass, until they expire: each is good for one.
CREATE TABLE spent_challenges (
    -- The SHA-256 that was searched for.
    hash TEXT PRIMARY KEY,
    expires_at TEXT NOT NULL
);
CREATE INDEX spent_challenges_by_age ON spent_challenges (expires_at);
