-- Counts the changes of what visitors see: answers in memory carry the number that they were computed from. Whoever
-- changes such data by hand, or in a migration, counts as well: UPDATE data_version SET version = version + 1.
CREATE TABLE data_version (version BIGINT NOT NULL);
INSERT INTO data_version (version) VALUES (1);
