-- Reviews of the first round in the demonstration: two of three assignments, with scores that differ.
INSERT INTO selection_reviews (round_id, film_submission_id, juror_id, recommendation, committee_text, film_maker_text, saved_at)
SELECT a.round_id, a.film_submission_id, a.juror_id,
    CASE (a.film_submission_id * 3 + a.juror_id) % 4 WHEN 0 THEN 'no' WHEN 1 THEN 'maybe' ELSE 'yes' END,
    CASE a.film_submission_id % 2 WHEN 0 THEN 'The middle is long, the end is not.' ELSE 'Sure of its images.' END,
    CASE a.film_submission_id % 3 WHEN 0 THEN 'We remember the sound of the first minutes.' ELSE '' END,
    a.created_at
FROM selection_assignments a WHERE (a.film_submission_id + a.juror_id) % 3 <> 0;

INSERT INTO selection_scores (review_id, criterion_id, score)
SELECT v.id, c.id, CASE WHEN (v.id + c.id) % 11 = 0 THEN NULL ELSE 1 + (v.film_submission_id * 5 + v.juror_id * 2 + c.id * 3) % 5 END
FROM selection_reviews v JOIN selection_criteria c ON c.round_id = v.round_id;

UPDATE selection_assignments SET opened_at = created_at WHERE (film_submission_id + juror_id) % 3 <> 0;
