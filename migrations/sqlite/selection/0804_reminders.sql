-- When the sender of a selected film was asked once more to confirm it.
ALTER TABLE selection_decisions ADD COLUMN reminded_at TEXT;
