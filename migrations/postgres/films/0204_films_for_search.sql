-- The organisers' list of a long edition: the films of a section, counted and turned over.
CREATE INDEX films_of_section ON films (edition_id, category_id, position, id);

-- A search looks for parts of words in these columns. The extension belongs to every usual Postgres; where it is
-- missing, or the account may not switch it on, a search reads every film.
DO $$
BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX films_for_search ON films USING gin
        (name gin_trgm_ops, original_title gin_trgm_ops, director_name gin_trgm_ops, writer_name gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
    RAISE NOTICE 'films are searched without an index: %', SQLERRM;
END $$;
