-- Event names, campaigns and what converts by them are added up with finished days too: all of those are sealed anew, by
-- the job that seals.
TRUNCATE facts.sealed, facts.rollup, facts.packed;
