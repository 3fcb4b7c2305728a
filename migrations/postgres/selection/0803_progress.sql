-- Counts of a reviewer's assignments and reviews in a round read these indexes alone.
DROP INDEX selection_assignments_by_juror;
CREATE INDEX selection_assignments_by_juror ON selection_assignments (juror_id, round_id);
DROP INDEX selection_reviews_by_juror;
CREATE INDEX selection_reviews_by_juror ON selection_reviews (juror_id, round_id);
