-- The order of the organisers' list, whose pages would otherwise sort every film.
CREATE INDEX films_by_position ON films (edition_id, position, id);
