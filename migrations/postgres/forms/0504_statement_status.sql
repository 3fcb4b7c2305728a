-- Lists divide their rows by the column "status".
ALTER TABLE statement_lines RENAME COLUMN queue TO status;
