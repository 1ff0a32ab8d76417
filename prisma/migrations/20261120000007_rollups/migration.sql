-- Rollups: what finished local days of a site came to, by value of a dimension. A cache: it can be thrown away at any
-- time, and changes no answer.

-- Sums of one block of days: 1, 8 or 64 of them, counted from 1970-01-01. Only blocks that are marked as sealed are read.
CREATE TABLE facts.rollup (
  duration_ms   bigint   NOT NULL,
  engagement_ms bigint   NOT NULL,
  site_id       int      NOT NULL,
  block         int      NOT NULL, -- days since 1970-01-01, divided by the length
  value         int      NOT NULL, -- the first id of the value in its dictionary; 0: unknown, or no dimension
  visitors      int      NOT NULL,
  visits        int      NOT NULL,
  bounces       int      NOT NULL,
  pageviews     int      NOT NULL,
  events        int      NOT NULL,
  engaged       int      NOT NULL,
  scroll        int      NOT NULL,
  scrolled      int      NOT NULL,
  traffic       smallint NOT NULL, -- TRAFFIC_CLASSES; 0: all
  dimension     smallint NOT NULL, -- 0: none
  length        smallint NOT NULL,
  PRIMARY KEY (site_id, traffic, dimension, length, block, value)
);

-- Which blocks are complete, and in which zone their days were days.
CREATE TABLE facts.sealed (
  site_id  int      NOT NULL,
  block    int      NOT NULL,
  length   smallint NOT NULL,
  traffic  smallint NOT NULL,
  timezone text     NOT NULL,
  PRIMARY KEY (site_id, traffic, length, block)
);
