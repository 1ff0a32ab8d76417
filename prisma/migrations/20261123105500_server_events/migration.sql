-- An event that a server sends about its own work has no visitor. Its visit_id is its own and names no row of facts.visit.
ALTER TABLE facts.event ALTER visitor_id DROP NOT NULL;
ALTER TABLE facts.sale ALTER visitor_id DROP NOT NULL;

-- Packed days have a new flag. The background job closes the days again; until then reports read the events.
TRUNCATE facts.sealed, facts.rollup, facts.packed, facts.sale;
