-- An event that a server sends may belong to no visit, and so to no visitor.
ALTER TABLE facts.event ALTER visit_id DROP NOT NULL, ALTER visitor_id DROP NOT NULL;
ALTER TABLE facts.sale ALTER visit_id DROP NOT NULL, ALTER visitor_id DROP NOT NULL;
