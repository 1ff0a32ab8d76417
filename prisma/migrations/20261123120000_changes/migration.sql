-- When facts of a site were changed, removed or written late: spans of time that copies of them read again. The writer of
-- such a change says so in its own transaction. Rows are kept for longer than any copy goes without looking.
CREATE TABLE facts.change (
  at      timestamptz NOT NULL DEFAULT now(),
  start   timestamptz NOT NULL, -- -infinity: from the beginning
  "end"   timestamptz NOT NULL, -- infinity: without end; not one of its moments
  site_id int         NOT NULL
);
CREATE INDEX change_site ON facts.change (site_id, at);
