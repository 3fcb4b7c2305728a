-- Identifiers by which lists refer to a film: the reference of its submission, and its IMDb id.

ALTER TABLE films ADD COLUMN reference TEXT;
ALTER TABLE films ADD COLUMN imdb_id TEXT;
