-- Rollups: what finished local days of a site came to, by value of a dimension. A cache: it can be thrown away at any
-- time, and changes no answer.

-- Sums of one block of days: 1, 8 or 64 of them, counted from 1970-01-01. The columns from `value` on are lists of the same
-- length, one place for each value of the dimension: as lists they take a seventh of the room of rows, and a report
-- reads only those it needs. Only blocks that are marked as sealed are read.
CREATE TABLE facts.rollup (
  site_id       int      NOT NULL,
  block         int      NOT NULL, -- days since 1970-01-01, divided by the length
  traffic       smallint NOT NULL, -- TRAFFIC_CLASSES; 0: all
  dimension     smallint NOT NULL, -- 0: none
  length        smallint NOT NULL,
  value         int[]    NOT NULL, -- the first id of each value in its dictionary; 0: unknown, or no dimension
  visitors      int[]    NOT NULL,
  visits        int[]    NOT NULL,
  bounces       int[]    NOT NULL,
  duration_ms   bigint[] NOT NULL,
  pageviews     int[]    NOT NULL,
  events        int[]    NOT NULL,
  engagement_ms bigint[] NOT NULL,
  engaged       int[]    NOT NULL,
  scroll        int[]    NOT NULL,
  scrolled      int[]    NOT NULL,
  PRIMARY KEY (site_id, traffic, dimension, length, block)
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
