-- What other services counted before a site came here, as daily sums by one dimension: all that their exports tell. Days
-- that have no facts are sealed from it, again and again: unlike rollups this is no cache.
CREATE TABLE facts.imported (
  site_id     int      NOT NULL,
  dimension   smallint NOT NULL, -- as in facts.rollup; 0: everything
  day         date     NOT NULL,
  word        text     NOT NULL, -- '' where it is unknown, and for everything
  source      text     NOT NULL, -- the service
  visitors    int      NOT NULL,
  visits      int      NOT NULL,
  bounces     int      NOT NULL,
  duration_ms bigint   NOT NULL,
  pageviews   int      NOT NULL,
  events      int      NOT NULL,
  PRIMARY KEY (site_id, dimension, day, word)
);
