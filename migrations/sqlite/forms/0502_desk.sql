-- What the desk decides: payments that are checked, states, notes; and who decided what when.
-- The payment of a film: unchecked, verified or rejected, why, and what its proof says.
ALTER TABLE film_submissions ADD COLUMN payment TEXT NOT NULL DEFAULT 'unchecked';
ALTER TABLE film_submissions ADD COLUMN payment_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE film_submissions ADD COLUMN payment_transaction TEXT NOT NULL DEFAULT '';
ALTER TABLE film_submissions ADD COLUMN payment_amount TEXT NOT NULL DEFAULT '';
-- The payment of a registration: unchecked, verified or rejected, why, and what its proof says.
ALTER TABLE delegates ADD COLUMN payment TEXT NOT NULL DEFAULT 'unchecked';
ALTER TABLE delegates ADD COLUMN payment_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE delegates ADD COLUMN payment_transaction TEXT NOT NULL DEFAULT '';
ALTER TABLE delegates ADD COLUMN payment_amount TEXT NOT NULL DEFAULT '';

-- Lists are filtered by these and begin with the newest.
CREATE INDEX film_submissions_newest ON film_submissions (edition_id, is_quarantined, id);
CREATE INDEX film_submissions_by_status ON film_submissions (edition_id, is_quarantined, status, id);
CREATE INDEX delegates_by_status ON delegates (edition_id, is_quarantined, status, id);
CREATE INDEX contact_messages_by_status ON contact_messages (edition_id, is_quarantined, status, id);

-- One row for each thing that somebody decided or noted about a submission.
CREATE TABLE submission_events (
    id INTEGER PRIMARY KEY,
    submission_table TEXT NOT NULL,
    submission_id BIGINT NOT NULL,
    -- status, award, payment, quarantine or note.
    kind TEXT NOT NULL,
    -- In words for people; of a note only the second.
    before_text TEXT NOT NULL,
    after_text TEXT NOT NULL,
    -- The name is kept with what was done: accounts come and go.
    account_id BIGINT,
    who TEXT NOT NULL,
    at TEXT NOT NULL
);
CREATE INDEX submission_events_by_submission ON submission_events (submission_table, submission_id, id);
