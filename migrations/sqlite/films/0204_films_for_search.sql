-- The organisers' list of a long edition. A search, or a filter by "published", looks at these columns of every film in
-- the list's order: here without the long texts between them.
CREATE INDEX films_for_search
    ON films (edition_id, position, id, name, original_title, director_name, writer_name, is_published);
-- The films of a section, counted and turned over.
CREATE INDEX films_of_section ON films (edition_id, category_id, position, id);
