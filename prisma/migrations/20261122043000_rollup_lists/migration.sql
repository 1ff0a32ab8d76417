-- Rollups as packed lists. Nearly all the time of a report over sealed days went into taking arrays apart, a row for each
-- value of each block. Deflated lists of the ids in their order are added up where they are read, and are a third as large.

DROP TABLE facts.rollup;
-- Its days are sealed anew, by the job that seals.
TRUNCATE facts.sealed;

-- Sums of one block of days: 1, 8 or 64 of them, counted from 1970-01-01. The columns from `value` on are lists of the same
-- length, one place for each value of the dimension; lib/analytics/packed/layout.ts has how they are written. A report
-- reads only those it needs. Only blocks that are marked as sealed are read.
CREATE TABLE facts.rollup (
  site_id       int      NOT NULL,
  block         int      NOT NULL, -- days since 1970-01-01, divided by the length
  traffic       smallint NOT NULL, -- TRAFFIC_CLASSES; 0: all
  dimension     smallint NOT NULL, -- 0: none
  length        smallint NOT NULL,
  value         bytea    NOT NULL, -- the first id of each value in its dictionary, each as what it adds to the one before;
                                   -- 0: unknown, or no dimension
  visitors      bytea    NOT NULL,
  visits        bytea    NOT NULL,
  bounces       bytea    NOT NULL,
  duration_ms   bytea    NOT NULL,
  pageviews     bytea    NOT NULL,
  events        bytea    NOT NULL,
  engagement_ms bytea    NOT NULL,
  engaged       bytea    NOT NULL,
  scroll        bytea    NOT NULL,
  scrolled      bytea    NOT NULL,
  PRIMARY KEY (site_id, traffic, dimension, length, block)
);
-- What is deflated cannot be made smaller again.
ALTER TABLE facts.rollup
  ALTER value SET STORAGE EXTERNAL, ALTER visitors SET STORAGE EXTERNAL, ALTER visits SET STORAGE EXTERNAL,
  ALTER bounces SET STORAGE EXTERNAL, ALTER duration_ms SET STORAGE EXTERNAL, ALTER pageviews SET STORAGE EXTERNAL,
  ALTER events SET STORAGE EXTERNAL, ALTER engagement_ms SET STORAGE EXTERNAL, ALTER engaged SET STORAGE EXTERNAL,
  ALTER scroll SET STORAGE EXTERNAL, ALTER scrolled SET STORAGE EXTERNAL;
