-- Finds submissions with the same proof of payment or poster.

CREATE INDEX submission_files_by_content ON submission_files (sha256);
