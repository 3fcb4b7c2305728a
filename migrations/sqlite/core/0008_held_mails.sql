-- 1: somebody holds the mail back; it is not tried until it is released.
ALTER TABLE outbox ADD COLUMN is_held BIGINT NOT NULL DEFAULT 0;
