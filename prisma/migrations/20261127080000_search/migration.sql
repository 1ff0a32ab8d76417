-- Search data: what Google Search Console and Bing Webmaster Tools know of a site. It is theirs, not a fact about visitors.
CREATE TYPE search_provider AS ENUM ('google', 'bing');

-- A property of a site at a provider. Its numbers belong to the id, so that another property gets another id.
CREATE TABLE search_connection (
  id            serial          PRIMARY KEY,
  site_id       int             NOT NULL REFERENCES site (id) ON DELETE CASCADE ON UPDATE CASCADE,
  provider      search_provider NOT NULL,
  property      text            NOT NULL,
  properties    text[],                   -- of the account at the provider, that fit the site
  token         bytea,                    -- sealed refresh token; null once it is disconnected
  person_id     int             REFERENCES person (id) ON DELETE SET NULL ON UPDATE CASCADE, -- who connected it
  connected_at  timestamptz(3)  NOT NULL,
  problem       text,                     -- why it is broken until a person connects it again; null while it works
  fault         text,                     -- why the last fetch failed, if a later one may succeed
  failed_at     timestamptz(3),
  failures      smallint        NOT NULL DEFAULT 0,
  succeeded_at  timestamptz(3),
  asked_at      timestamptz(3),           -- when a person or an agent asked for a fetch
  next_fetch_at timestamptz(3)            -- null while it is broken or disconnected
);
CREATE UNIQUE INDEX search_connection_site_id_provider_key ON search_connection (site_id, provider);
CREATE INDEX ON search_connection (next_fetch_at);
CREATE INDEX ON search_connection (person_id);

-- A browser on its way to a provider and back.
CREATE TABLE search_authorization (
  state_hash bytea           PRIMARY KEY,
  sid_hash   bytea           NOT NULL REFERENCES owner_session (sid_hash) ON DELETE CASCADE ON UPDATE CASCADE,
  site_id    int             NOT NULL REFERENCES site (id) ON DELETE CASCADE ON UPDATE CASCADE,
  provider   search_provider NOT NULL,
  verifier   bytea           NOT NULL, -- sealed
  expires_at timestamptz(3)  NOT NULL
);
CREATE INDEX ON search_authorization (expires_at);
CREATE INDEX ON search_authorization (sid_hash);
CREATE INDEX ON search_authorization (site_id);

-- What is left of a connection: numbers to delete, and a token to revoke at the provider.
CREATE TABLE search_purge (
  id            serial          PRIMARY KEY,
  connection_id int,
  site_id       int             NOT NULL,
  provider      search_provider NOT NULL,
  person_id     int,
  token         bytea,
  created_at    timestamptz(3)  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  next_at       timestamptz(3)  NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX ON search_purge (next_at);

-- The property on a day of the provider. Rows of its queries and pages follow when the day is final.
CREATE TABLE search_day (
  connection_id int,
  day           date,
  clicks        int              NOT NULL,
  impressions   int              NOT NULL,
  position_sum  double precision, -- of all impressions; null where the provider has no position of a whole property
  fetched_at    timestamptz(3),   -- when its queries and pages were fetched; null before
  PRIMARY KEY (connection_id, day)
);

-- Kind 1: a query; 2: a page; 3: a page that a query showed. A query has fewer impressions than its pages together, as a
-- result with two pages of a property is one impression of the query.
CREATE TABLE search_number (
  connection_id int,
  kind          smallint,
  day           date,
  key           bytea, -- digest of query and page, which are longer than an index allows
  query         text             NOT NULL,
  page          text             NOT NULL,
  clicks        int              NOT NULL,
  impressions   int              NOT NULL,
  position_sum  double precision NOT NULL,
  PRIMARY KEY (connection_id, kind, day, key)
);

-- However a connection ends, also with its site, its numbers are deleted and its token is revoked.
CREATE FUNCTION purge_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_purge (connection_id, site_id, provider, person_id, token)
  VALUES (OLD.id, OLD.site_id, OLD.provider, OLD.person_id, CASE WHEN TG_OP = 'DELETE' THEN OLD.token END);
  RETURN NULL;
END $$;
CREATE TRIGGER purge_search AFTER DELETE ON search_connection FOR EACH ROW EXECUTE FUNCTION purge_search();
CREATE TRIGGER purge_search_of_property AFTER UPDATE OF id ON search_connection FOR EACH ROW
  WHEN (OLD.id <> NEW.id) EXECUTE FUNCTION purge_search();

CREATE TRIGGER wake_job AFTER INSERT OR UPDATE OF asked_at ON search_connection FOR EACH STATEMENT EXECUTE FUNCTION wake_job('fetch-search');
CREATE TRIGGER wake_job AFTER INSERT ON search_purge FOR EACH STATEMENT EXECUTE FUNCTION wake_job('fetch-search');
