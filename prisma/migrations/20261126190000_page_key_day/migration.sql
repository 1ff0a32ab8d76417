-- Ids of events from pages are deleted after a few days: those of expired days are found without reading the others.
CREATE INDEX page_key_day ON facts.page_key (day);
