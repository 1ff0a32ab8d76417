-- Facts are found by the slot of five minutes that their time lies in. Entries of one slot are kept as a list, of 7 bytes an
-- event where one with the moment itself takes 31; days of every zone begin with a slot, so that theirs is as exact.
CREATE INDEX event_slot ON facts.event (site_id, date_bin('5 minutes', ts, 'epoch'));
CREATE INDEX visit_slot ON facts.visit (site_id, date_bin('5 minutes', started, 'epoch'));
CREATE INDEX event_name_slot ON facts.event (site_id, name, date_bin('5 minutes', ts, 'epoch')) WHERE name <> 0;
CREATE INDEX event_money_slot ON facts.event (site_id, date_bin('5 minutes', ts, 'epoch')) WHERE revenue IS NOT NULL;
DROP INDEX facts.event_time, facts.visit_time, facts.event_named, facts.event_money;
-- What an expression holds is known only once it has been looked at.
ANALYZE facts.event, facts.visit;
