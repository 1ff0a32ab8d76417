-- Facts and their dictionaries: a star schema. Facts hold the integer ids of dictionary rows. Every key begins with site_id
-- and nothing refers to the control tables, so that these tables can be distributed by site.

CREATE SCHEMA facts;

-- == Events and visits ==
-- Columns are in the order of their width, so that rows have no padding. What most rows lack is null, which takes no space.

-- Rows are appended; only their class of traffic changes.
CREATE TABLE facts.event (
  ts            timestamptz NOT NULL,
  visit_id      bigint      NOT NULL,
  seq           bigint      NOT NULL, -- its number in facts.site_sequence
  site_id       int         NOT NULL,
  page          int         NOT NULL, -- 0: none
  referrer      int         NOT NULL,
  place         int         NOT NULL,
  agent         int         NOT NULL,
  type          smallint    NOT NULL, -- EVENT_TYPES
  traffic       smallint    NOT NULL, -- TRAFFIC_CLASSES
  visitor_id    bigint,               -- null for an event of a server: its visit_id names no row of facts.visit
  user_hash     bigint,
  name          int,                  -- null for a pageview or an engagement
  campaign      int,
  engagement_ms int,
  scroll        smallint,
  status        smallint,             -- the HTTP status of a page; null for everything that browsers send
  revenue       numeric,
  currency      char(3),
  props         jsonb
) PARTITION BY RANGE (ts);
CREATE INDEX event_time ON facts.event (site_id, ts);
CREATE INDEX event_seq ON facts.event (site_id, seq);

-- The events of one visitor with at most 30 minutes between them. Events refer to a visit by visit_id.
CREATE TABLE facts.visit (
  started       timestamptz NOT NULL,
  visit_id      bigint      NOT NULL,
  visitor_id    bigint      NOT NULL,
  site_id       int         NOT NULL,
  duration_ms   int         NOT NULL, -- from the first activity to the last
  entry_page    int         NOT NULL, -- 0: no pageview
  exit_page     int         NOT NULL,
  referrer      int         NOT NULL,
  campaign      int         NOT NULL,
  place         int         NOT NULL,
  agent         int         NOT NULL,
  verdict       int         NOT NULL DEFAULT 0, -- 0: a human visit
  pageviews     smallint    NOT NULL,
  interactions  smallint    NOT NULL, -- events that end a bounce, counted up to 100
  traffic       smallint    NOT NULL,
  user_hash     bigint,               -- the user identified in a visit that began without one
  PRIMARY KEY (site_id, visitor_id, started)
) PARTITION BY RANGE (started);
-- Ingest looks up the visits of visitors with a plan that it keeps. While a month has a few hundred visits, this index costs
-- as little as the primary key, and such a plan would read all visits of the site for each visitor. The condition holds for
-- every row, and lets only queries that name their site use this index.
CREATE INDEX visit_time ON facts.visit (site_id, started) WHERE site_id > 0;
-- Events that name only a user continue the visit in which the user was identified.
CREATE INDEX visit_user ON facts.visit (site_id, user_hash, started) WHERE user_hash IS NOT NULL;

-- Creates the two partitions of one month (UTC). Safe to call again and from many processes at once. Visits come before events, as
-- all writers lock them: on Citus, a new partition locks its table against writes.
CREATE FUNCTION facts.add_month(month date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first date := date_trunc('month', month)::date;
  upper date := (first + interval '1 month')::date;
  fact  text;
  part  text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('facts.add_month', 0));
  FOREACH fact IN ARRAY ARRAY['visit', 'event'] LOOP
    part := fact || '_' || to_char(first, 'YYYY_MM');
    CONTINUE WHEN to_regclass('facts.' || part) IS NOT NULL;
    EXECUTE format('CREATE TABLE facts.%I (LIKE facts.%I INCLUDING ALL)%s', part, fact,
                   CASE fact WHEN 'visit' THEN ' WITH (fillfactor = 90)' ELSE '' END);
    EXECUTE format('ALTER TABLE facts.%I ATTACH PARTITION facts.%I FOR VALUES FROM (%L) TO (%L)', fact, part,
                   first::text || ' 00:00:00+00', upper::text || ' 00:00:00+00');
  END LOOP;
END $$;

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

-- Ids that senders chose, as 128 bits of their SHA-256: a repeated event is a duplicate.
CREATE TABLE facts.event_key (
  key     uuid NOT NULL,
  site_id int  NOT NULL,
  day     date NOT NULL,
  PRIMARY KEY (site_id, key)
);
-- A retention limit finds what it deletes without reading the ids of all sites.
CREATE INDEX event_key_day ON facts.event_key (site_id, day);

-- Ids that the browser script generated. Only the page that generated one sends it again, so that a few days of them are enough.
CREATE TABLE facts.page_key (
  key     uuid NOT NULL,
  site_id int  NOT NULL,
  day     date NOT NULL,
  PRIMARY KEY (site_id, key)
);
-- Those of expired days are found without reading the others.
CREATE INDEX page_key_day ON facts.page_key (day);

-- == Copies of facts ==

-- One number per site: each fact takes the next ones, and copies of facts ask for the numbers that they lack. A transaction
-- holds the row of its site until it commits, so whoever reads a number can read all smaller ones.
CREATE TABLE facts.site_sequence (
  site_id            int    PRIMARY KEY,
  last               bigint NOT NULL,
  -- Changes up to this number are deleted: a copy that has not read them is built again.
  changes_deleted_to bigint NOT NULL DEFAULT 0
);

-- Spans of time in which facts were changed or deleted, or arrived late: copies read them again. The transaction of the change
-- writes the row, which is kept for longer than a copy goes without reading.
CREATE TABLE facts.change (
  at      timestamptz NOT NULL DEFAULT now(),
  start   timestamptz NOT NULL, -- -infinity: from the beginning
  "end"   timestamptz NOT NULL, -- exclusive; infinity: without end
  seq     bigint      NOT NULL,
  site_id int         NOT NULL,
  PRIMARY KEY (site_id, seq)
);

-- == Dictionaries ==
-- `first_seen` is a local day, on which the daily cap on new values counts, by an index: a batch waits for it. `last_used` is the UTC day of the last event with the
-- value. Ingest does not find a retired row, and the retention job deletes it in the same transaction. '' is unknown.

CREATE TABLE facts.page (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, first_seen date NOT NULL,
  last_used date NOT NULL DEFAULT CURRENT_DATE, retired boolean NOT NULL DEFAULT false,
  hostname text NOT NULL, path text NOT NULL, title text,
  PRIMARY KEY (site_id, id)
);
-- Paths take up to 8 KB and a row of an index at most 2.7 KB, so pages are unique by the digest of their path. convert_to()
-- is only STABLE because of other encodings; this database is always UTF-8.
CREATE FUNCTION facts.digest(value text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN sha256(convert_to(value, 'UTF8'));
CREATE UNIQUE INDEX page_value ON facts.page (site_id, hostname, facts.digest(path)) WHERE NOT retired;
CREATE INDEX page_first_seen ON facts.page (site_id, first_seen);

CREATE TABLE facts.referrer (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, first_seen date NOT NULL,
  last_used date NOT NULL DEFAULT CURRENT_DATE, retired boolean NOT NULL DEFAULT false,
  source text NOT NULL, channel text NOT NULL, url text NOT NULL,
  rule text NOT NULL DEFAULT '', -- that chose the channel
  PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX referrer_value ON facts.referrer (site_id, source, channel, url, rule) WHERE NOT retired;
CREATE INDEX referrer_first_seen ON facts.referrer (site_id, first_seen);

CREATE TABLE facts.campaign (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, first_seen date NOT NULL,
  last_used date NOT NULL DEFAULT CURRENT_DATE, retired boolean NOT NULL DEFAULT false,
  source text NOT NULL, medium text NOT NULL, campaign text NOT NULL, term text NOT NULL, content text NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX campaign_value ON facts.campaign (site_id, source, medium, campaign, term, content) WHERE NOT retired;
CREATE INDEX campaign_first_seen ON facts.campaign (site_id, first_seen);

CREATE TABLE facts.place (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, first_seen date NOT NULL,
  last_used date NOT NULL DEFAULT CURRENT_DATE, retired boolean NOT NULL DEFAULT false,
  country text NOT NULL, region text NOT NULL, city text NOT NULL, language text NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX place_value ON facts.place (site_id, country, region, city, language) WHERE NOT retired;
CREATE INDEX place_first_seen ON facts.place (site_id, first_seen);

CREATE TABLE facts.agent (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, first_seen date NOT NULL,
  last_used date NOT NULL DEFAULT CURRENT_DATE, retired boolean NOT NULL DEFAULT false,
  browser text NOT NULL, browser_version text NOT NULL, os text NOT NULL, os_version text NOT NULL,
  device text NOT NULL, screen text NOT NULL, bot text NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX agent_value ON facts.agent
  (site_id, browser, browser_version, os, os_version, device, screen, bot) WHERE NOT retired;
CREATE INDEX agent_first_seen ON facts.agent (site_id, first_seen);

-- Names of events.
CREATE TABLE facts.name (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, first_seen date NOT NULL,
  last_used date NOT NULL DEFAULT CURRENT_DATE, retired boolean NOT NULL DEFAULT false,
  name text NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX name_value ON facts.name (site_id, name) WHERE NOT retired;
CREATE INDEX name_first_seen ON facts.name (site_id, first_seen);

-- Why a visit has its class of traffic: the rule or list that decided, and its version.
CREATE TABLE facts.verdict (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, first_seen date NOT NULL,
  last_used date NOT NULL DEFAULT CURRENT_DATE, retired boolean NOT NULL DEFAULT false,
  traffic text NOT NULL, reason text NOT NULL, bot text NOT NULL, operator text NOT NULL, purpose text NOT NULL,
  verified text NOT NULL, version text NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX verdict_value ON facts.verdict
  (site_id, traffic, reason, bot, operator, purpose, verified, version) WHERE NOT retired;
CREATE INDEX verdict_first_seen ON facts.verdict (site_id, first_seen);

-- == Counts, imports and tests ==

-- Events of a site and UTC day by their outcome: stored, filtered and why, refused and why. Of replaced pieces, the reason is
-- kind:place:name, and the example is the last text that was stored with one.
CREATE TABLE facts.intake (
  site_id int NOT NULL, day date NOT NULL, outcome text NOT NULL, reason text NOT NULL, events bigint NOT NULL, example text,
  PRIMARY KEY (site_id, day, outcome, reason)
);

-- The version of the lists by which the visits of a site were last classified.
CREATE TABLE facts.reclassified (
  site_id int  PRIMARY KEY,
  version text NOT NULL
);

-- Daily sums that another service counted, by one dimension. Null is what its export lacks.
CREATE TABLE facts.imported (
  site_id     int      NOT NULL,
  dimension   smallint NOT NULL, -- 0: none, the totals
  day         date     NOT NULL,
  value       text     NOT NULL, -- '' where it is unknown, and for totals
  source      text     NOT NULL, -- the service
  visitors    int      NOT NULL,
  visits      int,
  bounces     int,
  duration_ms bigint,
  pageviews   int,
  events      int,
  PRIMARY KEY (site_id, dimension, day, value)
);

-- The local days on which a visitor of a month was active, by the salt of the month. A row has the values of the day's first
-- event, and cannot be linked to visits or events.
CREATE TABLE facts.returning_visitor (
  pseudonym bigint   NOT NULL,
  site_id   int      NOT NULL,
  month     date     NOT NULL,
  day       date     NOT NULL,
  referrer  int      NOT NULL,
  campaign  int      NOT NULL,
  place     int      NOT NULL,
  agent     int      NOT NULL,
  traffic   smallint NOT NULL,
  PRIMARY KEY (site_id, month, pseudonym, day)
);

-- The newest events of an open live test, and the counts of all of them. `started_at` names the test. Both are deleted an hour
-- after its end.
CREATE TABLE facts.tracking_event (
  site_id    int            NOT NULL,
  id         bigint         GENERATED ALWAYS AS IDENTITY,
  started_at timestamptz(3) NOT NULL,
  at         timestamptz(3) NOT NULL,
  record     jsonb          NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE TABLE facts.tracking_count (
  site_id    int            NOT NULL,
  started_at timestamptz(3) NOT NULL,
  outcome    text           NOT NULL,
  traffic    text           NOT NULL, -- '' for an event that was not classified
  events     bigint         NOT NULL,
  PRIMARY KEY (site_id, started_at, outcome, traffic)
);
