-- Which site this database is of; the media folder says the same (site-id). One row.
CREATE TABLE site_identity (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    site_id TEXT NOT NULL
);
