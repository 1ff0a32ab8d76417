-- One number per site: each fact takes the next ones, and copies of facts ask for the numbers that they lack. A transaction
-- holds the row of its site until it commits, so whoever reads a number can read all smaller ones.
CREATE TABLE facts.site_sequence (
  site_id   int    PRIMARY KEY,
  last      bigint NOT NULL,
  -- Changes up to this number are deleted: a copy that has not read them is built again.
  forgotten bigint NOT NULL DEFAULT 0
);

-- Existing events have the number 0, and all copies are built again.
ALTER TABLE facts.event ADD COLUMN seq bigint NOT NULL DEFAULT 0, DROP COLUMN written;
ALTER TABLE facts.event ALTER seq DROP DEFAULT;
CREATE INDEX event_seq ON facts.event (site_id, seq);
DROP FUNCTION facts.whole_xid;

TRUNCATE facts.change;
DROP INDEX facts.change_site;
ALTER TABLE facts.change ADD COLUMN seq bigint NOT NULL, ADD PRIMARY KEY (site_id, seq);
