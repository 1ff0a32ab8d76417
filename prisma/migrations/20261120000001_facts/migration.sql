-- Facts and dimensions: a star on Postgres. Facts carry integer ids of small dictionary rows; every key begins
-- with site_id and nothing refers to the control tables, so that these tables can be distributed by site.

CREATE SCHEMA facts;

-- What happened. Appended, never changed. Columns are ordered by width so that a row has no padding.
CREATE TABLE facts.event (
  ts            timestamptz NOT NULL,
  visit_id      bigint      NOT NULL,
  visitor_id    bigint      NOT NULL,
  site_id       int         NOT NULL,
  name          int         NOT NULL, -- 0: a pageview or an engagement
  page          int         NOT NULL, -- 0: none
  referrer      int         NOT NULL,
  campaign      int         NOT NULL,
  place         int         NOT NULL,
  agent         int         NOT NULL,
  type          smallint    NOT NULL, -- EVENT_TYPES
  traffic       smallint    NOT NULL, -- TRAFFIC_CLASSES
  engagement_ms int,
  scroll        smallint,
  user_hash     bigint,
  revenue       numeric,
  currency      char(3),
  props         jsonb
) PARTITION BY RANGE (ts);
CREATE INDEX event_time ON facts.event (site_id, ts);

-- What belonged together: the events of one visitor with silences of at most 30 minutes.
-- (site_id, visitor_id, started) names a visit; visit_id is its short name in the events.
CREATE TABLE facts.visit (
  started       timestamptz NOT NULL,
  visit_id      bigint      NOT NULL,
  visitor_id    bigint      NOT NULL,
  site_id       int         NOT NULL,
  duration_ms   int         NOT NULL, -- from the first activity to the last
  entry_page    int         NOT NULL, -- 0: no page was seen
  exit_page     int         NOT NULL,
  referrer      int         NOT NULL,
  campaign      int         NOT NULL,
  place         int         NOT NULL,
  agent         int         NOT NULL,
  pageviews     int         NOT NULL,
  events        int         NOT NULL,
  engagement_ms int         NOT NULL,
  interactions  smallint    NOT NULL, -- events that end a bounce, counted up to 100
  traffic       smallint    NOT NULL,
  PRIMARY KEY (site_id, visitor_id, started)
) PARTITION BY RANGE (started);
CREATE INDEX visit_time ON facts.visit (site_id, started);

-- Makes the two partitions of one month (UTC). Safe to call again and from many processes at once.
CREATE FUNCTION facts.add_month(month date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first date := date_trunc('month', month)::date;
  upper date := (first + interval '1 month')::date;
  fact  text;
  part  text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('facts.add_month', 0));
  FOREACH fact IN ARRAY ARRAY['event', 'visit'] LOOP
    part := fact || '_' || to_char(first, 'YYYY_MM');
    CONTINUE WHEN to_regclass('facts.' || part) IS NOT NULL;
    EXECUTE format('CREATE TABLE facts.%I (LIKE facts.%I INCLUDING ALL)%s', part, fact,
                   CASE fact WHEN 'visit' THEN ' WITH (fillfactor = 90)' ELSE '' END);
    EXECUTE format('ALTER TABLE facts.%I ATTACH PARTITION facts.%I FOR VALUES FROM (%L) TO (%L)', fact, part,
                   first::text || ' 00:00:00+00', upper::text || ' 00:00:00+00');
  END LOOP;
END $$;

-- Ids that senders chose, as 128 bits of their SHA-256: what makes a repeated event a duplicate.
CREATE TABLE facts.event_key (
  key     uuid NOT NULL,
  site_id int  NOT NULL,
  day     date NOT NULL,
  PRIMARY KEY (site_id, key)
);

-- Dictionaries. `since` is the day a value was first seen; the cap on new values a day reads it.
CREATE TABLE facts.page (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, since date NOT NULL,
  hostname text NOT NULL, path text NOT NULL, title text,
  PRIMARY KEY (site_id, id), UNIQUE (site_id, hostname, path)
);
CREATE TABLE facts.referrer (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, since date NOT NULL,
  source text NOT NULL, channel text NOT NULL, url text NOT NULL, -- '' where there is none
  PRIMARY KEY (site_id, id), UNIQUE (site_id, source, channel, url)
);
CREATE TABLE facts.campaign (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, since date NOT NULL,
  source text NOT NULL, medium text NOT NULL, campaign text NOT NULL, term text NOT NULL, content text NOT NULL,
  PRIMARY KEY (site_id, id), UNIQUE (site_id, source, medium, campaign, term, content)
);
CREATE TABLE facts.place (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, since date NOT NULL,
  country text NOT NULL, region text NOT NULL, city text NOT NULL, language text NOT NULL,
  PRIMARY KEY (site_id, id), UNIQUE (site_id, country, region, city, language)
);
CREATE TABLE facts.agent (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, since date NOT NULL,
  browser text NOT NULL, browser_version text NOT NULL, os text NOT NULL, os_version text NOT NULL,
  device text NOT NULL, screen text NOT NULL, bot text NOT NULL,
  PRIMARY KEY (site_id, id), UNIQUE (site_id, browser, browser_version, os, os_version, device, screen, bot)
);
CREATE TABLE facts.name (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, since date NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (site_id, id), UNIQUE (site_id, name)
);

-- How many hits came to what, a site and UTC day: what was stored, what was filtered and why, what was refused.
CREATE TABLE facts.intake (
  site_id int NOT NULL, day date NOT NULL, outcome text NOT NULL, reason text NOT NULL, hits bigint NOT NULL,
  PRIMARY KEY (site_id, day, outcome, reason)
);
