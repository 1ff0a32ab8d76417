-- What has a name or brings money in is rare among the events, and much is asked of it: goals, steps of funnels, sales.
CREATE INDEX event_named ON facts.event (site_id, name, ts) WHERE name <> 0;
CREATE INDEX event_money ON facts.event (site_id, ts) WHERE revenue IS NOT NULL;
