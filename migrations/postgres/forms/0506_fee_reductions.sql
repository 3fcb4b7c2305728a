-- Waivers and discounts: what is taken off the fee of a submission, in whole rupees and dollars, and why. The fee of the day stays.
-- The code is as its sender wrote it. A payment of which nothing is due any more is 'waived'.
ALTER TABLE delegates ADD COLUMN fee_code TEXT NOT NULL DEFAULT '';
ALTER TABLE delegates ADD COLUMN fee_reduction_inr BIGINT NOT NULL DEFAULT 0;
ALTER TABLE delegates ADD COLUMN fee_reduction_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE film_submissions ADD COLUMN fee_code TEXT NOT NULL DEFAULT '';
ALTER TABLE film_submissions ADD COLUMN fee_reduction_inr BIGINT NOT NULL DEFAULT 0;
ALTER TABLE film_submissions ADD COLUMN fee_reduction_usd BIGINT NOT NULL DEFAULT 0;
ALTER TABLE film_submissions ADD COLUMN fee_reduction_reason TEXT NOT NULL DEFAULT '';
