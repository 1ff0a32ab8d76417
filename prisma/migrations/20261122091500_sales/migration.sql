-- What money came in and went out on packed days, on its own: among the events each sale stands on a page of the disk
-- with a hundred others. A cache beside packed days: it is made with each of them, read only for those, and changes no answer.
CREATE TABLE facts.sale (
  ts         timestamptz NOT NULL,
  visit_id   bigint      NOT NULL,
  visitor_id bigint      NOT NULL,
  site_id    int         NOT NULL,
  block      int         NOT NULL, -- the packed day: days since 1970-01-01
  name       int         NOT NULL,
  page       int         NOT NULL,
  referrer   int         NOT NULL,
  campaign   int         NOT NULL,
  place      int         NOT NULL,
  agent      int         NOT NULL,
  type       smallint    NOT NULL,
  traffic    smallint    NOT NULL,
  revenue    numeric,
  currency   char(3),
  order_id   text
);
CREATE INDEX sale_day ON facts.sale (site_id, block);
-- Packed days are made anew with their sales, by the job that seals.
TRUNCATE facts.sealed, facts.rollup, facts.packed;
