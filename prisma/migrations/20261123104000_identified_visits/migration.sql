-- The user identified in a visit that began without one: later events that name only this user continue the visit.
ALTER TABLE facts.visit ADD user_hash bigint;
CREATE INDEX visit_user ON facts.visit (site_id, user_hash, started) WHERE user_hash IS NOT NULL;
