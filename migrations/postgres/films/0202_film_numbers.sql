-- Numbers by which lists name a film: that of its submission, and its id in the Internet Movie Database.

ALTER TABLE films ADD COLUMN reference TEXT;
ALTER TABLE films ADD COLUMN imdb_id TEXT;
