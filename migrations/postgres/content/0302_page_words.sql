-- A page's title in Malayalam; the still of its film, and the film in words for those who do not see or hear it.
ALTER TABLE pages ADD COLUMN malayalam TEXT;
ALTER TABLE pages ADD COLUMN video_poster TEXT;
ALTER TABLE pages ADD COLUMN video_text TEXT;
