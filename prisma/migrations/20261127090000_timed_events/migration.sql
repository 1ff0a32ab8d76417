-- The events of the last days whose sender gave their time, once for each visitor that they may be of. A later arrival between
-- them is put into its place by assigning them to visits again, which needs what a row of facts.event no longer tells: the values
-- of the event itself instead of those of its visit. Rows are deleted after four days.
CREATE TABLE facts.timed_visitor (
  ts         timestamptz NOT NULL,
  visitor_id bigint      NOT NULL,
  seq        bigint      NOT NULL, -- of the event
  site_id    int         NOT NULL,
  referrer   int         NOT NULL,
  campaign   int         NOT NULL,
  place      int         NOT NULL,
  agent      int         NOT NULL,
  verdict    int         NOT NULL,
  traffic    smallint    NOT NULL,
  visitors   bigint[]    NOT NULL, -- all of them, most likely first
  PRIMARY KEY (site_id, seq, visitor_id)
);
CREATE INDEX timed_visitor_events ON facts.timed_visitor (site_id, visitor_id, ts);
CREATE INDEX timed_visitor_time ON facts.timed_visitor (ts);
