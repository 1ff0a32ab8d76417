-- How many checks in a row ended late and without an answer.
ALTER TABLE monitor ADD COLUMN slow_checks smallint NOT NULL DEFAULT 0;
