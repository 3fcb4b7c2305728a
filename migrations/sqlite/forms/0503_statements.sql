-- Bank statements: what was imported, its lines, and the submissions that they belong to.
CREATE TABLE statement_imports (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id),
    -- The account, as organisers call it; "" if there is one.
    bank TEXT NOT NULL,
    file_name TEXT NOT NULL,
    account_id BIGINT,
    who TEXT NOT NULL,
    at TEXT NOT NULL,
    -- Lines that were new.
    new_lines BIGINT NOT NULL,
    undone_at TEXT NOT NULL DEFAULT ''
);

CREATE TABLE statement_lines (
    id INTEGER PRIMARY KEY,
    import_id BIGINT NOT NULL REFERENCES statement_imports (id),
    edition_id BIGINT NOT NULL REFERENCES editions (id),
    -- Hash of account, day, amount, words, balance and occurrence: a line of two statements is one.
    identity TEXT NOT NULL UNIQUE,
    -- Line or row in the file, from 1.
    line BIGINT NOT NULL,
    -- As the bank writes them: 2025-10-26.
    day TEXT NOT NULL,
    value_day TEXT NOT NULL,
    narration TEXT NOT NULL,
    number TEXT NOT NULL,
    -- Paise or cents, negative if it went out.
    hundredths BIGINT NOT NULL,
    currency TEXT NOT NULL,
    -- In paise or cents; "" if the statement has none.
    balance TEXT NOT NULL,
    -- Where it waits, and why.
    queue TEXT NOT NULL,
    reason TEXT NOT NULL,
    -- What a person decided: accepted or dismissed.
    decision TEXT NOT NULL DEFAULT ''
);
CREATE INDEX statement_lines_by_edition ON statement_lines (edition_id, queue, id);
CREATE INDEX statement_lines_by_import ON statement_lines (import_id);
CREATE INDEX statement_lines_by_day ON statement_lines (day);

CREATE TABLE statement_matches (
    id INTEGER PRIMARY KEY,
    line_id BIGINT NOT NULL REFERENCES statement_lines (id) ON DELETE CASCADE,
    -- The submission (exactly one of the two).
    film_submission_id BIGINT REFERENCES film_submissions (id) ON DELETE CASCADE,
    delegate_id BIGINT REFERENCES delegates (id) ON DELETE CASCADE,
    -- number, code, reference, proposal or person.
    basis TEXT NOT NULL,
    -- open, settled or refused.
    state TEXT NOT NULL,
    -- The check of the payment before this line verified it, and after it, as JSON; "" if it did not.
    before_json TEXT NOT NULL,
    after_json TEXT NOT NULL,
    CHECK ((film_submission_id IS NULL) <> (delegate_id IS NULL))
);
CREATE INDEX statement_matches_by_line ON statement_matches (line_id);
CREATE INDEX statement_matches_by_film ON statement_matches (film_submission_id);
CREATE INDEX statement_matches_by_delegate ON statement_matches (delegate_id);

-- Columns that somebody assigned for the statements of a bank.
CREATE TABLE statement_columns (
    bank TEXT NOT NULL,
    -- In lower case.
    header TEXT NOT NULL,
    field TEXT NOT NULL,
    PRIMARY KEY (bank, header)
);
