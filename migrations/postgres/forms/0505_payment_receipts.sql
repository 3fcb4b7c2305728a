-- The receipt of a verified payment: its number in the series of the edition, and when it was issued; '' without one. It stays
-- if the payment is rejected later.
ALTER TABLE delegates ADD COLUMN payment_receipt TEXT NOT NULL DEFAULT '';
ALTER TABLE delegates ADD COLUMN payment_receipt_at TEXT NOT NULL DEFAULT '';
ALTER TABLE film_submissions ADD COLUMN payment_receipt TEXT NOT NULL DEFAULT '';
ALTER TABLE film_submissions ADD COLUMN payment_receipt_at TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX delegates_by_receipt ON delegates (payment_receipt) WHERE payment_receipt <> '';
CREATE UNIQUE INDEX film_submissions_by_receipt ON film_submissions (payment_receipt) WHERE payment_receipt <> '';
-- Those that wait for a number.
CREATE INDEX delegates_without_receipt ON delegates (id) WHERE payment = 'verified' AND payment_receipt_at = '';
CREATE INDEX film_submissions_without_receipt ON film_submissions (id)
WHERE payment = 'verified' AND payment_receipt_at = '';
