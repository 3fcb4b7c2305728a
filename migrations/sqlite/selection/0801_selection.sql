-- Selection: rounds of review, who reviews what, the reviews, and the decisions with their letters.
CREATE TABLE selection_rounds (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- Award whose entries are reviewed; NULL: all.
    award TEXT,
    -- "all", or the status that entries must have.
    entries TEXT NOT NULL DEFAULT 'all',
    starts_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    -- 1: reviewers do not see who made the films.
    is_blind BIGINT NOT NULL DEFAULT 0,
    reviews_per_film BIGINT NOT NULL DEFAULT 3,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, name)
);

CREATE TABLE selection_criteria (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    round_id BIGINT NOT NULL REFERENCES selection_rounds (id),
    name TEXT NOT NULL,
    hint TEXT,
    weight BIGINT NOT NULL DEFAULT 1,
    position BIGINT NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (round_id, name)
);

CREATE TABLE selection_jurors (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- Address of the account that the reviewer signs in with.
    email TEXT NOT NULL,
    -- What is assigned to the reviewer: a round, an award, languages separated by commas; NULL: any.
    round_id BIGINT REFERENCES selection_rounds (id),
    award TEXT,
    languages TEXT,
    has_left BIGINT NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, email)
);
CREATE INDEX selection_jurors_by_email ON selection_jurors (email);

CREATE TABLE selection_assignments (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    film_submission_id BIGINT NOT NULL REFERENCES film_submissions (id) ON DELETE CASCADE,
    round_id BIGINT NOT NULL REFERENCES selection_rounds (id),
    juror_id BIGINT NOT NULL REFERENCES selection_jurors (id),
    -- 1: made by the program, which may give it to another reviewer until it is opened.
    is_automatic BIGINT NOT NULL DEFAULT 0,
    -- When the reviewer stated that there is no conflict of interest, and opened it.
    opened_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (round_id, film_submission_id, juror_id)
);
CREATE INDEX selection_assignments_by_juror ON selection_assignments (juror_id);
CREATE INDEX selection_assignments_by_film ON selection_assignments (film_submission_id);

-- Conflicts of interest: for these reviewers the film does not exist.
CREATE TABLE selection_conflicts (
    id INTEGER PRIMARY KEY,
    film_submission_id BIGINT NOT NULL REFERENCES film_submissions (id) ON DELETE CASCADE,
    juror_id BIGINT NOT NULL REFERENCES selection_jurors (id),
    reason TEXT NOT NULL,
    declared_at TEXT NOT NULL,
    UNIQUE (film_submission_id, juror_id)
);
CREATE INDEX selection_conflicts_by_juror ON selection_conflicts (juror_id);

CREATE TABLE selection_reviews (
    id INTEGER PRIMARY KEY,
    round_id BIGINT NOT NULL REFERENCES selection_rounds (id),
    film_submission_id BIGINT NOT NULL REFERENCES film_submissions (id) ON DELETE CASCADE,
    juror_id BIGINT NOT NULL REFERENCES selection_jurors (id),
    -- yes, maybe or no.
    recommendation TEXT NOT NULL,
    committee_text TEXT NOT NULL,
    film_maker_text TEXT NOT NULL,
    saved_at TEXT NOT NULL,
    UNIQUE (round_id, film_submission_id, juror_id)
);
CREATE INDEX selection_reviews_by_film ON selection_reviews (film_submission_id);
CREATE INDEX selection_reviews_by_juror ON selection_reviews (juror_id);

CREATE TABLE selection_scores (
    id INTEGER PRIMARY KEY,
    review_id BIGINT NOT NULL REFERENCES selection_reviews (id) ON DELETE CASCADE,
    criterion_id BIGINT NOT NULL REFERENCES selection_criteria (id),
    -- 1 to 5; NULL: abstained.
    score BIGINT CHECK (score BETWEEN 1 AND 5),
    UNIQUE (review_id, criterion_id)
);
CREATE INDEX selection_scores_by_criterion ON selection_scores (criterion_id);

-- What the reviews of a film come to, in hundredths, computed when one is saved or weights change.
CREATE TABLE selection_results (
    id INTEGER PRIMARY KEY,
    round_id BIGINT NOT NULL REFERENCES selection_rounds (id) ON DELETE CASCADE,
    film_submission_id BIGINT NOT NULL REFERENCES film_submissions (id) ON DELETE CASCADE,
    reviews BIGINT NOT NULL,
    -- Of the reviews that do not abstain in everything; NULL without such reviews.
    median BIGINT,
    mean BIGINT,
    -- Highest less lowest.
    spread BIGINT,
    -- Standard deviation.
    deviation BIGINT,
    -- The weights that they were computed with: "1:2 2:1".
    weights TEXT NOT NULL,
    UNIQUE (round_id, film_submission_id)
);
CREATE INDEX selection_results_by_film ON selection_results (film_submission_id);

-- The decision about a film. Before it is released, nobody outside the selection sees any of it.
CREATE TABLE selection_decisions (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    film_submission_id BIGINT NOT NULL UNIQUE REFERENCES film_submissions (id) ON DELETE CASCADE,
    -- selected, waiting or not_selected.
    outcome TEXT NOT NULL,
    -- The award of the film when it was prepared.
    award TEXT NOT NULL,
    -- Words for the film-maker.
    message TEXT NOT NULL DEFAULT '',
    prepared_at TEXT NOT NULL,
    prepared_by TEXT NOT NULL,
    released_at TEXT,
    -- Last day on which a selected film can be confirmed.
    confirm_by TEXT,
    -- The film-maker's answer: confirmed, declined or withdrawn; '': none yet.
    answer TEXT NOT NULL DEFAULT '',
    answered_at TEXT,
    -- The letter in the outbox, and the status of the submission before the release.
    letter_id BIGINT,
    status_before TEXT NOT NULL DEFAULT ''
);
CREATE INDEX selection_decisions_by_edition ON selection_decisions (edition_id, released_at);
