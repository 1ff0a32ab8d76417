-- Ids that the browser script made: they are sent again by the page that made them or never, so that a few days of
-- them are enough. Those that a sender chose stay in facts.event_key as long as their events.
CREATE TABLE facts.page_key (
  key     uuid NOT NULL,
  site_id int  NOT NULL,
  day     date NOT NULL,
  PRIMARY KEY (site_id, key)
);
