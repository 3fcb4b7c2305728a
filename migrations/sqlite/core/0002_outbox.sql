-- Mails that are to be sent, and those that were.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    to_name TEXT NOT NULL,
    to_address TEXT NOT NULL,
    reply_to_name TEXT,
    reply_to_address TEXT,
    subject TEXT NOT NULL,
    body_text TEXT NOT NULL,
    -- The same at every attempt, so that a mail that arrives twice is known as one.
    message_id TEXT UNIQUE,
    created_at TEXT NOT NULL,
    -- Nobody tries before: the pause after a failure, or the lease of the process that is sending it.
    not_before TEXT NOT NULL,
    -- Which attempt is under way; null while none is.
    claim TEXT,
    attempts BIGINT NOT NULL DEFAULT 0,
    last_error TEXT,
    -- 1: the last answer was a refusal that waiting alone does not mend.
    is_refused BIGINT NOT NULL DEFAULT 0,
    sent_at TEXT
);
CREATE INDEX outbox_due ON outbox (not_before, id) WHERE sent_at IS NULL;
