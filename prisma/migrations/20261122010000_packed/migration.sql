-- Packed days: what happened on a finished local day of a site, column by column. A cache beside the rollups: those answer
-- what was thought of beforehand, these whatever else is asked of ids. It can be thrown away at any time, and changes no
-- answer.

-- Visits that began on the day or did something on it, those of one visitor next to each other; and their events, visit
-- by visit. Each column is a list of numbers in as few bytes as the largest takes, deflated. Ids stand in dictionaries of
-- the day, and the columns hold places in those. lib/analytics/packed/layout.ts has the meaning of each.
CREATE TABLE facts.packed (
  site_id    int      NOT NULL,
  block      int      NOT NULL, -- days since 1970-01-01
  chunk      smallint NOT NULL, -- visitors are spread over so many that none is large
  timezone   text     NOT NULL, -- in which the day was a day
  flags      bytea    NOT NULL, hits     bytea NOT NULL, duration  bytea NOT NULL,
  referrer   bytea    NOT NULL, campaign bytea NOT NULL, place     bytea NOT NULL, agent bytea NOT NULL,
  entry_page bytea    NOT NULL, exit_page bytea NOT NULL,
  kind       bytea    NOT NULL, page     bytea NOT NULL, name      bytea NOT NULL,
  engagement bytea    NOT NULL, scroll   bytea NOT NULL,
  referrers  bytea    NOT NULL, campaigns bytea NOT NULL, places   bytea NOT NULL, agents bytea NOT NULL,
  pages      bytea    NOT NULL, names    bytea NOT NULL,
  PRIMARY KEY (site_id, block, chunk)
);
-- What is deflated cannot be made smaller again.
ALTER TABLE facts.packed
  ALTER flags SET STORAGE EXTERNAL, ALTER hits SET STORAGE EXTERNAL, ALTER duration SET STORAGE EXTERNAL,
  ALTER referrer SET STORAGE EXTERNAL, ALTER campaign SET STORAGE EXTERNAL, ALTER place SET STORAGE EXTERNAL,
  ALTER agent SET STORAGE EXTERNAL, ALTER entry_page SET STORAGE EXTERNAL, ALTER exit_page SET STORAGE EXTERNAL,
  ALTER kind SET STORAGE EXTERNAL, ALTER page SET STORAGE EXTERNAL, ALTER name SET STORAGE EXTERNAL,
  ALTER engagement SET STORAGE EXTERNAL, ALTER scroll SET STORAGE EXTERNAL, ALTER referrers SET STORAGE EXTERNAL,
  ALTER campaigns SET STORAGE EXTERNAL, ALTER places SET STORAGE EXTERNAL, ALTER agents SET STORAGE EXTERNAL,
  ALTER pages SET STORAGE EXTERNAL, ALTER names SET STORAGE EXTERNAL;
