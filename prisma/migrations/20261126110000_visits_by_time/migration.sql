-- Ingest looks up the visits of visitors with a plan that it keeps. While a month has a few hundred visits, this index cost
-- no more than the primary key, and the kept plan then read all visits of the site for each visitor. The condition holds
-- for every row, and lets only queries that name their site use this index.
DROP INDEX facts.visit_time;
CREATE INDEX visit_time ON facts.visit (site_id, started) WHERE site_id > 0;
