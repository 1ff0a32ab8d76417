-- Of which class the events of a sender's own users are: who was there when is read from the index alone. It stands where
-- the alignment of the key left room, so that no entry grows.
DROP INDEX facts.event_user;
CREATE INDEX event_user ON facts.event (site_id, traffic, ts) INCLUDE (user_hash) WHERE user_hash IS NOT NULL;
