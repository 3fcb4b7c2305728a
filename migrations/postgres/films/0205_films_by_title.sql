-- Whether a section has a film already is asked for every film of a list: the title must lead there, not the section
-- alone, which a database without statistics would take. Counting a section goes the same way.
DROP INDEX films_of_section;
CREATE INDEX films_by_title ON films (edition_id, category_id, name);
