-- The control tables: people, sites and permissions. schema.prisma describes the same tables. Constraints and indexes have the
-- names that Prisma gives them, and unique columns have an index instead of a constraint.

-- == People ==

CREATE TYPE role AS ENUM ('viewer', 'manager', 'owner');

CREATE TABLE person (
  id                 serial         PRIMARY KEY,
  email              text           NOT NULL,
  name               text,
  password_hash      text,          -- null without a password
  email_confirmed_at timestamptz(3),
  totp_seed          bytea,         -- sealed
  totp_confirmed_at  timestamptz(3), -- null until a first code has confirmed the seed
  totp_last_step     int,           -- codes of this time step and of earlier ones are refused
  administrator      boolean        NOT NULL DEFAULT false, -- of the service
  disabled_at        timestamptz(3), -- null: can sign in
  language           text,          -- of pages and emails; null for who never chose one
  created_at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX person_email_key ON person (email);
CREATE INDEX ON person (administrator);

CREATE TABLE owner_session (
  sid_hash     bytea          PRIMARY KEY,
  person_id    int            NOT NULL REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  device       text,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_seen_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  auth_time    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at   timestamptz(3) NOT NULL,
  revoked_at   timestamptz(3),
  -- When the person last proved themselves at the provider for this session; used up by the next reauthentication.
  provider_auth_time timestamptz(3)
);
CREATE INDEX ON owner_session (person_id);

CREATE TABLE recovery_code (
  person_id int            NOT NULL REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  hash      bytea          NOT NULL,
  used_at   timestamptz(3),
  PRIMARY KEY (person_id, hash)
);

CREATE TABLE password_reset (
  hash       bytea          PRIMARY KEY,
  person_id  int            NOT NULL REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  restores   text,           -- the former address of the account, which the link gives back to it
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX ON password_reset (person_id);
CREATE INDEX ON password_reset (expires_at);

-- A person's identity at a provider. The subject identifies it: an address can change, and pass to somebody else.
CREATE TABLE provider_account (
  issuer       text           NOT NULL,
  subject      text           NOT NULL,
  person_id    int            NOT NULL REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  email        text,          -- as the provider last named it
  created_at   timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX provider_account_person_id_issuer_key ON provider_account (person_id, issuer);

CREATE TABLE passkey (
  id           text           PRIMARY KEY, -- the credential's id in base64url
  person_id    int            NOT NULL REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  name         text           NOT NULL,
  public_key   bytea          NOT NULL,
  counter      bigint         NOT NULL, -- of the last signature; 0 forever if the authenticator has none
  transports   text[],
  created_at   timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  rp_id        text           -- the host that it was made for: on another one it signs nobody in
);
CREATE INDEX ON passkey (person_id);

-- Single use: deleted when it is answered.
CREATE TABLE passkey_challenge (
  hash       bytea          PRIMARY KEY,
  holder     bytea          NOT NULL, -- hash of the session's id, or of a cookie of a browser without one
  purpose    text           NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX ON passkey_challenge (expires_at);

-- A new address of a person, until the link that was sent to it is used.
CREATE TABLE email_change (
  person_id  int            PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE ON UPDATE CASCADE,
  hash       bytea          NOT NULL, -- of the link's secret
  email      text           NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX email_change_hash_key ON email_change (hash);
CREATE INDEX ON email_change (expires_at);

-- A sign-up becomes an account once the link in its email is opened.
CREATE TABLE pending_signup (
  hash       bytea          PRIMARY KEY,
  email      text           NOT NULL,
  next       text           NOT NULL, -- the path to open afterwards
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX ON pending_signup (email);
CREATE INDEX ON pending_signup (expires_at);

-- == Sites and their members ==

-- People who share sites: a role in a team holds on all its sites.
CREATE TABLE team (
  id         serial         PRIMARY KEY,
  name       text           NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE team_member (
  team_id    int            NOT NULL REFERENCES team ON DELETE CASCADE ON UPDATE CASCADE,
  person_id  int            NOT NULL REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  role       role           NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (team_id, person_id)
);
CREATE INDEX ON team_member (person_id);

CREATE TYPE geo_precision AS ENUM ('none', 'country', 'region', 'city');

CREATE TABLE site (
  id                 serial         PRIMARY KEY,
  name               text,
  timezone           text           NOT NULL,
  reporting_currency char(3)        NOT NULL DEFAULT 'EUR',
  public             boolean        NOT NULL DEFAULT false,
  honour_gpc         boolean        NOT NULL DEFAULT true,
  anonymise_ip       boolean        NOT NULL DEFAULT false,
  geo_precision      geo_precision  NOT NULL DEFAULT 'city',
  retention_salt     boolean        NOT NULL DEFAULT false,
  keep_months        int,           -- null keeps everything
  kept_from          date,          -- the first day that may still have data
  merge_slashes      boolean        NOT NULL DEFAULT false,
  page_query         text[]         DEFAULT ARRAY[]::text[],
  user_key           bytea          NOT NULL, -- sealed
  trusted_proxy_ips  text[]         DEFAULT ARRAY[]::text[],
  require_signature  boolean        NOT NULL DEFAULT false,
  signing_key        bytea,         -- sealed, as is the previous one
  previous_key       bytea,
  previous_key_until timestamptz(3),
  monitoring         boolean        NOT NULL DEFAULT false,
  public_credit      boolean        NOT NULL DEFAULT true, -- whether a public dashboard says what counted it
  public_revenue     boolean        NOT NULL DEFAULT false, -- whether a public dashboard shows revenue and orders
  local_pages        boolean        NOT NULL DEFAULT false, -- whether pages on localhost count, while its owner tries the tracker
  disabled_at        timestamptz(3), -- null: takes events
  -- A team with sites cannot be deleted: its members would keep a role that nobody gives.
  team_id            int            REFERENCES team ON DELETE RESTRICT ON UPDATE CASCADE,
  revision           int            NOT NULL DEFAULT 1,
  created_at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX ON site (team_id);

CREATE TABLE site_domain (
  id             serial         PRIMARY KEY,
  site_id        int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  host           text           NOT NULL,
  is_primary     boolean        NOT NULL DEFAULT false,
  verified_at    timestamptz(3),
  proof_value    text,          -- kept so that the published proof can be looked up again
  proof_token    text,
  -- Emails link to a domain that only an agent has named once it is verified.
  named_by_agent boolean        NOT NULL DEFAULT false,
  created_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX site_domain_host_key ON site_domain (host);
CREATE INDEX ON site_domain (site_id);
-- One primary domain per site.
CREATE UNIQUE INDEX site_domain_primary ON site_domain (site_id) WHERE is_primary;

-- A verified domain that someone else has proven, while the proof of its site is missing.
CREATE TABLE domain_contest (
  host          text           PRIMARY KEY REFERENCES site_domain (host) ON DELETE CASCADE ON UPDATE CASCADE,
  missing_since timestamptz(3) NOT NULL,
  checked_at    timestamptz(3) NOT NULL,
  proven_at     timestamptz(3) NOT NULL
);
CREATE INDEX ON domain_contest (checked_at);

-- A domain that a site claims while another site has it.
CREATE TABLE wanted_domain (
  site_id    int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  host       text           NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, host)
);

CREATE TABLE membership (
  site_id    int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  person_id  int            NOT NULL REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  role       role           NOT NULL,
  -- What the site's team gives, and beside that what the site itself gives. The role is the higher one.
  team_role  role,
  own_role   role,
  alerts     boolean,       -- null depends on the role
  pinned     boolean        NOT NULL DEFAULT false,
  tags       text[]         DEFAULT ARRAY[]::text[], -- the member's own
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (site_id, person_id),
  CHECK (CASE WHEN team_role IS NULL THEN own_role IS NULL ELSE role = GREATEST(own_role, team_role) END)
);
CREATE INDEX ON membership (person_id);

CREATE TABLE invitation (
  id            serial         PRIMARY KEY,
  hash          bytea          NOT NULL,
  site_id       int            REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE, -- to a site, or to a team
  team_id       int            REFERENCES team ON DELETE CASCADE ON UPDATE CASCADE,
  email         text           NOT NULL,
  role          role           NOT NULL,
  invited_by_id int            NOT NULL REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  created_at    timestamptz(3) NOT NULL,
  expires_at    timestamptz(3) NOT NULL,
  -- A link that the inviter saw does not prove who reads the email address.
  link_shown    boolean        NOT NULL DEFAULT false,
  CHECK (num_nonnulls(site_id, team_id) = 1)
);
CREATE UNIQUE INDEX invitation_hash_key ON invitation (hash);
CREATE UNIQUE INDEX invitation_site_id_email_key ON invitation (site_id, email);
CREATE UNIQUE INDEX invitation_team_id_email_key ON invitation (team_id, email);
CREATE INDEX ON invitation (expires_at);

-- A deleted site whose facts are still to be deleted.
CREATE TABLE site_purge (
  site_id      int            PRIMARY KEY,
  requested_at timestamptz(3) NOT NULL
);

-- == What a site receives ==

-- The website ids of another product whose events belong to a site.
CREATE TABLE site_alias (
  alias      text           NOT NULL PRIMARY KEY,
  site_id    int            NOT NULL REFERENCES site (id) ON UPDATE CASCADE ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX site_alias_site ON site_alias (site_id);

CREATE TYPE exclusion_kind AS ENUM ('address', 'country', 'path', 'hostname');

CREATE TABLE site_exclusion (
  id         serial         PRIMARY KEY,
  site_id    int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  kind       exclusion_kind NOT NULL,
  pattern    text           NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX site_exclusion_site_id_kind_pattern_key ON site_exclusion (site_id, kind, pattern);

-- A site's own rules of what is replaced before storage, and what is not.
CREATE TYPE scrub_rule_kind AS ENUM ('pattern', 'key', 'kept_key', 'kept_path');

CREATE TABLE site_scrub_rule (
  id         serial          PRIMARY KEY,
  site_id    int             NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  kind       scrub_rule_kind NOT NULL,
  pattern    text            NOT NULL,
  created_at timestamptz(3)  NOT NULL
);
CREATE UNIQUE INDEX site_scrub_rule_site_id_kind_pattern_key ON site_scrub_rule (site_id, kind, pattern);

CREATE TABLE ingest_key (
  id            serial         PRIMARY KEY,
  site_id       int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  name          text           NOT NULL,
  hash          bytea          NOT NULL,
  hint          text           NOT NULL, -- its last four characters
  created_by_id int            REFERENCES person ON DELETE SET NULL ON UPDATE CASCADE,
  created_at    timestamptz(3) NOT NULL,
  expires_at    timestamptz(3),
  last_used_at  timestamptz(3),
  revoked_at    timestamptz(3)
);
CREATE UNIQUE INDEX ingest_key_hash_key ON ingest_key (hash);
CREATE INDEX ON ingest_key (site_id);

-- Turns addresses into the visitor ids of one local day. Deleted within 48 hours.
CREATE TABLE site_salt (
  site_id    int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  day        date           NOT NULL,
  salt       bytea          NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, day)
);
CREATE INDEX ON site_salt (expires_at);

-- Recognises visitors within one local month, on sites that opt in. Deleted after the month.
CREATE TABLE site_month_salt (
  site_id    int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  month      date           NOT NULL,
  salt       bytea          NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, month)
);
CREATE INDEX ON site_month_salt (expires_at);

-- Public keys of agents that sign their requests, as their operators' hosts publish them.
CREATE TABLE signature_directory (
  host text PRIMARY KEY,
  -- [{"x": "<Ed25519 key, base64url>", "nbf": <epoch seconds>?, "exp": <epoch seconds>?}]
  keys jsonb NOT NULL DEFAULT '[]',
  -- When the keys were last read; null until they have been.
  read_at timestamptz,
  -- When reading them was last tried.
  tried_at timestamptz NOT NULL
);

CREATE TYPE installation_test_status AS ENUM ('queued', 'fetching', 'waiting', 'passed', 'failed', 'stopped', 'expired');

CREATE TABLE installation_test (
  id         uuid                     PRIMARY KEY,
  site_id    int                      NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  status     installation_test_status NOT NULL DEFAULT 'queued',
  address    text                     NOT NULL,
  page       jsonb,
  findings   jsonb                    NOT NULL DEFAULT '[]',
  event      jsonb,
  created_at timestamptz(3)           NOT NULL,
  expires_at timestamptz(3)           NOT NULL,
  ended_at   timestamptz(3)
);
CREATE INDEX ON installation_test (site_id, created_at);
CREATE INDEX ON installation_test (created_at);

-- A live test shows the outcome of each event while it is open. A site has only its newest one.
CREATE TABLE tracking_test (
  site_id    int            PRIMARY KEY REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  started_at timestamptz(3) NOT NULL,
  ends_at    timestamptz(3) NOT NULL,
  stopped_at timestamptz(3)
);

-- == What owners save ==
-- The saved items of a site outlive the account of the person who created them, so `created_by_id` refers to no row.

CREATE TABLE segment (
  id            uuid           PRIMARY KEY,
  site_id       int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  name          text           NOT NULL,
  filters       jsonb          NOT NULL,
  created_by_id int,
  created_at    timestamptz(3) NOT NULL,
  updated_at    timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX segment_site_id_name_key ON segment (site_id, name);

CREATE TYPE goal_kind AS ENUM ('event', 'page');

CREATE TABLE goal (
  id            serial         PRIMARY KEY,
  site_id       int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  name          text           NOT NULL,
  kind          goal_kind      NOT NULL,
  pattern       text           NOT NULL,
  also          jsonb          NOT NULL DEFAULT '[]',
  properties    jsonb          NOT NULL DEFAULT '[]',
  value         jsonb          NOT NULL DEFAULT '{}', -- what reaching it is worth
  created_by_id int,
  created_at    timestamptz(3) NOT NULL,
  updated_at    timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX goal_site_id_name_key ON goal (site_id, name);

CREATE TABLE dashboard (
  id            uuid           PRIMARY KEY,
  site_id       int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  name          text           NOT NULL,
  filters       jsonb          NOT NULL,
  period        text,
  "from"        text,
  "to"          text,
  traffic       text,
  compare       text,
  compare_from  text,
  compare_to    text,
  panels        text[]         DEFAULT ARRAY[]::text[],
  -- The goal whose conversions it shows, and the visit that they are given to; null for that in which they happened.
  goal_id       int            REFERENCES goal ON DELETE SET NULL ON UPDATE CASCADE,
  attribution   text,
  explore       jsonb, -- its question, if it opens in Explore: metrics, dimensions, order and chart; null for one of panels
  created_by_id int,
  created_at    timestamptz(3) NOT NULL,
  updated_at    timestamptz(3) NOT NULL,
  CONSTRAINT dashboard_comparison CHECK (num_nonnulls(compare_from, compare_to) IN (0, 2))
);
CREATE UNIQUE INDEX dashboard_site_id_name_key ON dashboard (site_id, name);

CREATE TABLE funnel (
  id             uuid           PRIMARY KEY,
  site_id        int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  name           text           NOT NULL,
  steps          jsonb          NOT NULL,
  window_minutes int            NOT NULL DEFAULT 1440,
  created_by_id  int,
  created_at     timestamptz(3) NOT NULL,
  updated_at     timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX funnel_site_id_name_key ON funnel (site_id, name);

CREATE TABLE experiment (
  id            uuid           PRIMARY KEY,
  site_id       int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  name          text           NOT NULL,
  variants      jsonb          NOT NULL,
  goal          text           NOT NULL,
  created_by_id int,
  created_at    timestamptz(3) NOT NULL,
  updated_at    timestamptz(3) NOT NULL,
  ended_at      timestamptz(3)
);
CREATE UNIQUE INDEX experiment_site_id_name_key ON experiment (site_id, name);

CREATE TYPE annotation_kind AS ENUM ('deploy', 'campaign', 'incident', 'note');

CREATE TABLE annotation (
  id            serial          PRIMARY KEY,
  site_id       int             NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  day           date,
  at            timestamptz(3),
  kind          annotation_kind NOT NULL,
  text          text            NOT NULL,
  url           text,
  created_by_id int             REFERENCES person ON DELETE SET NULL ON UPDATE CASCADE,
  created_at    timestamptz(3)  NOT NULL,
  updated_at    timestamptz(3)  NOT NULL,
  CONSTRAINT annotation_day_or_moment CHECK (num_nonnulls(day, at) = 1)
);
CREATE INDEX ON annotation (site_id);

-- Site 0 has the reference rates.
CREATE TABLE exchange_rate (
  site_id  int            NOT NULL,
  currency char(3)        NOT NULL,
  day      date           NOT NULL,
  per_euro numeric(20, 8) NOT NULL,
  PRIMARY KEY (site_id, currency, day)
);

-- The value of one euro on a day, as a site sees it; null when it is unknown. A rate of the site itself is valid until its
-- next one; a reference rate covers weekends and holidays, at most ten days.
CREATE FUNCTION units_per_euro(site int, code text, asked date) RETURNS numeric LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN code = 'EUR' THEN 1 ELSE coalesce(
    (SELECT per_euro FROM exchange_rate WHERE site_id = site AND site <> 0 AND currency = code AND day <= asked
     ORDER BY day DESC LIMIT 1),
    (SELECT per_euro FROM exchange_rate WHERE site_id = 0 AND currency = code AND day <= asked AND day > asked - 10
     ORDER BY day DESC LIMIT 1)) END
$$;

-- == Private links ==

-- With a private link, anyone sees a part of a site. Revoking one deletes its row.
CREATE TABLE share_link (
  id            serial         PRIMARY KEY,
  site_id       int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  name          text           NOT NULL,
  hash          bytea          NOT NULL, -- SHA-256 of the secret in the address
  secret        bytea          NOT NULL, -- sealed with APP_SECRETS
  password_hash text,
  segment_id    uuid           REFERENCES segment ON DELETE NO ACTION ON UPDATE CASCADE, -- the segment cannot be deleted before the link
  period        text,
  "from"        text,
  "to"          text,
  dashboard     boolean        NOT NULL,
  panels        text[],        -- empty for all of a public dashboard
  reports       text[],
  embeds        boolean        NOT NULL,
  credit        boolean        NOT NULL,
  revenue       boolean        NOT NULL DEFAULT false, -- whether readers without an account see revenue and orders
  created_by_id int            REFERENCES person ON DELETE SET NULL ON UPDATE CASCADE,
  created_at    timestamptz(3) NOT NULL,
  expires_at    timestamptz(3),
  last_used_at  timestamptz(3),
  uses          int            NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX share_link_hash_key ON share_link (hash);
CREATE INDEX ON share_link (site_id);
CREATE INDEX ON share_link (segment_id);

-- == Search data and imports ==

-- What Google Search Console and Bing Webmaster Tools know of a site. It is theirs, not a fact about visitors.
CREATE TYPE search_provider AS ENUM ('google', 'bing');

-- A property of a site at a provider. Its numbers belong to the id, so that another property gets another id.
CREATE TABLE search_connection (
  id            serial          PRIMARY KEY,
  site_id       int             NOT NULL REFERENCES site (id) ON DELETE CASCADE ON UPDATE CASCADE,
  provider      search_provider NOT NULL,
  property      text            NOT NULL,
  properties    text[],          -- of the account at the provider, that fit the site
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

-- Imports that people and agents upload. The files themselves are in DATA_DIR/uploads, by their ids; a job deletes them after a day.
CREATE TYPE import_state AS ENUM ('fetching', 'checking', 'ready', 'importing', 'done', 'failed');

CREATE TABLE import_run (
  id          uuid           PRIMARY KEY,
  site_id     int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  state       import_state   NOT NULL,
  names       text[],        -- of the files, which are deleted
  source      text,          -- the service, once it is recognised
  preview     jsonb,         -- what would be imported
  result      jsonb,         -- what was imported
  problem     text,          -- why nothing, or not all, was imported
  questions   jsonb,         -- columns whose meaning the owner has to choose
  meanings    jsonb,         -- what the owner chose, by file and column
  fetched     jsonb,         -- what is fetched of Google Analytics, and how far that is: such a run checks its own files then
  next_at     timestamptz(3), -- when a fetch goes on that has to wait
  read_bytes  bigint         NOT NULL DEFAULT 0,
  total_bytes bigint         NOT NULL,
  attempts    int            NOT NULL DEFAULT 0, -- of the present state; a restart of the server continues
  created_at  timestamptz(3) NOT NULL,
  started_at  timestamptz(3),
  ended_at    timestamptz(3)
);
CREATE INDEX import_run_site_id_created_at_idx ON import_run (site_id, created_at);
CREATE INDEX import_run_created_at_idx ON import_run (created_at);

CREATE TABLE import_file (
  id            uuid           PRIMARY KEY,
  site_id       int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  import_id     uuid           REFERENCES import_run ON DELETE CASCADE ON UPDATE CASCADE,
  name          text           NOT NULL,
  size_bytes    bigint         NOT NULL,
  arrived_bytes bigint         NOT NULL DEFAULT 0,
  created_at    timestamptz(3) NOT NULL
);
CREATE INDEX import_file_site_id_idx ON import_file (site_id);
CREATE INDEX import_file_import_id_idx ON import_file (import_id);

-- The consent of a Google account to read its Google Analytics for imports.
CREATE TABLE import_connection (
  site_id      int            PRIMARY KEY REFERENCES site (id) ON DELETE CASCADE ON UPDATE CASCADE,
  token        bytea          NOT NULL, -- sealed refresh token
  properties   jsonb          NOT NULL, -- those that the account may read
  person_id    int            REFERENCES person (id) ON DELETE SET NULL ON UPDATE CASCADE, -- who connected it
  connected_at timestamptz(3) NOT NULL
);
CREATE INDEX import_connection_person_id_idx ON import_connection (person_id);

-- However a connection ends, also with its site, its token is revoked.
CREATE FUNCTION purge_import_connection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_purge (site_id, provider, person_id, token) VALUES (OLD.site_id, 'google', OLD.person_id, OLD.token);
  RETURN NULL;
END $$;
CREATE TRIGGER purge_import_connection AFTER DELETE ON import_connection FOR EACH ROW EXECUTE FUNCTION purge_import_connection();

-- == Monitoring, email reports and alerts ==

CREATE TABLE monitor (
  site_id           int            PRIMARY KEY REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  host              text,
  next_check_at     timestamptz(3) NOT NULL,
  checked_at        timestamptz(3),
  problem           text,
  bad_checks        int            NOT NULL DEFAULT 0,
  slow_checks       smallint       NOT NULL DEFAULT 0,
  status            int,
  took_ms           int,
  secure            boolean        NOT NULL DEFAULT false,
  certificate_until timestamptz(3),
  hour              jsonb,
  intake            jsonb
);
CREATE INDEX ON monitor (next_check_at);

CREATE TYPE incident_cause AS ENUM ('unreachable', 'certificate', 'no_data', 'spike', 'drop', 'refused_events');

CREATE TABLE incident (
  id         serial         PRIMARY KEY,
  site_id    int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  cause      incident_cause NOT NULL,
  started_at timestamptz(3) NOT NULL,
  ended_at   timestamptz(3),
  seen       text           NOT NULL,
  notified   boolean        NOT NULL -- false beyond the daily limit
);
CREATE INDEX ON incident (site_id, started_at);
-- One open incident per cause, whichever process finds it.
CREATE UNIQUE INDEX incident_open ON incident (site_id, cause) WHERE ended_at IS NULL;

CREATE TABLE webhook (
  site_id         int            PRIMARY KEY REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  url             text           NOT NULL,
  secret          bytea          NOT NULL, -- sealed, as is the previous one
  previous_secret bytea,
  previous_until  timestamptz(3),
  created_at      timestamptz(3) NOT NULL
);

CREATE TABLE webhook_delivery (
  id           uuid           PRIMARY KEY,
  site_id      int            NOT NULL REFERENCES webhook (site_id) ON DELETE CASCADE ON UPDATE CASCADE,
  type         text           NOT NULL,
  body         text           NOT NULL,
  created_at   timestamptz(3) NOT NULL,
  attempts     int            NOT NULL DEFAULT 0,
  attempted_at timestamptz(3),
  outcome      text,
  send_after   timestamptz(3), -- null when no attempt is due
  delivered_at timestamptz(3)
);
CREATE INDEX ON webhook_delivery (send_after);
CREATE INDEX ON webhook_delivery (site_id, created_at);

CREATE TYPE report_cadence AS ENUM ('daily', 'weekly', 'monthly');

CREATE TABLE report_subscription (
  site_id        int            NOT NULL,
  person_id      int            NOT NULL,
  cadence        report_cadence NOT NULL,
  next_at        timestamptz(3) NOT NULL,
  reported_until date,          -- the last local day that was reported
  weekday        smallint       NOT NULL DEFAULT 1 CHECK (weekday BETWEEN 1 AND 7), -- of weekly reports; 1 is Monday
  month_day      smallint       NOT NULL DEFAULT 1 CHECK (month_day BETWEEN 1 AND 28), -- of monthly ones
  hour           smallint       NOT NULL DEFAULT 7 CHECK (hour BETWEEN 0 AND 23),
  timezone       text,          -- null: that of the site
  created_at     timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, person_id, cadence),
  FOREIGN KEY (site_id, person_id) REFERENCES membership ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX ON report_subscription (next_at);

-- An address that may get emails of a site after it has confirmed by a link.
CREATE TABLE recipient (
  id           serial         PRIMARY KEY,
  site_id      int            NOT NULL REFERENCES site (id) ON DELETE CASCADE ON UPDATE CASCADE,
  email        text           NOT NULL,
  token_hash   bytea,         -- of the link; null once it is used
  token_until  timestamptz(3),
  confirmed_at timestamptz(3),
  added_by_id  int            REFERENCES person (id) ON DELETE SET NULL ON UPDATE CASCADE,
  created_at   timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX recipient_site_id_email_key ON recipient (site_id, email);
CREATE UNIQUE INDEX recipient_token_hash_key ON recipient (token_hash);
CREATE INDEX ON recipient (added_by_id);

CREATE TABLE recipient_report (
  recipient_id   int            NOT NULL REFERENCES recipient (id) ON DELETE CASCADE ON UPDATE CASCADE,
  cadence        report_cadence NOT NULL,
  weekday        smallint       NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  month_day      smallint       NOT NULL CHECK (month_day BETWEEN 1 AND 28),
  hour           smallint       NOT NULL CHECK (hour BETWEEN 0 AND 23),
  timezone       text,          -- null: that of the site
  next_at        timestamptz(3) NOT NULL,
  reported_until date,
  PRIMARY KEY (recipient_id, cadence)
);
CREATE INDEX ON recipient_report (next_at);

CREATE TYPE alert_condition AS ENUM ('above', 'below', 'unusual');
CREATE TYPE alert_span AS ENUM ('hour', 'day');
CREATE TYPE alert_channel_kind AS ENUM ('email', 'webhook', 'slack', 'teams', 'discord');

CREATE TABLE alert_rule (
  id             serial          PRIMARY KEY,
  site_id        int             NOT NULL REFERENCES site (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name           text            NOT NULL,
  metric         text            NOT NULL,
  goal           text,           -- whose conversions it is about; null for any
  filters        jsonb           NOT NULL,
  segment        uuid,           -- may be deleted: then the rule has a problem, instead of fewer filters
  condition      alert_condition NOT NULL,
  threshold      double precision,
  span           alert_span      NOT NULL,
  cooldown_hours smallint        NOT NULL,
  judged_until   timestamptz(3),  -- end of the last full hour or day that was judged
  fired_at       timestamptz(3),
  problem        text,
  created_by_id  int             REFERENCES person (id) ON DELETE SET NULL ON UPDATE CASCADE,
  created_at     timestamptz(3)  NOT NULL,
  updated_at     timestamptz(3)  NOT NULL,
  CHECK ((threshold IS NULL) = (condition = 'unusual'))
);
CREATE UNIQUE INDEX alert_rule_site_id_name_key ON alert_rule (site_id, name);
CREATE INDEX ON alert_rule (created_by_id);

CREATE TABLE alert_channel (
  id      serial             PRIMARY KEY,
  rule_id int                NOT NULL REFERENCES alert_rule (id) ON DELETE CASCADE ON UPDATE CASCADE,
  kind    alert_channel_kind NOT NULL,
  email   text,
  host    text,  -- of the URL, which is a secret
  url     bytea, -- sealed
  CHECK ((email IS NOT NULL) = (kind = 'email')),
  CHECK ((url IS NOT NULL) = (kind IN ('slack', 'teams', 'discord')) AND (host IS NULL) = (url IS NULL))
);
CREATE INDEX ON alert_channel (rule_id);

-- A rule that was met. Once for an hour or day.
CREATE TABLE alert (
  id       serial           PRIMARY KEY,
  rule_id  int              NOT NULL REFERENCES alert_rule (id) ON DELETE CASCADE ON UPDATE CASCADE,
  site_id  int              NOT NULL,
  start_at timestamptz(3)   NOT NULL,
  end_at   timestamptz(3)   NOT NULL,
  value    double precision NOT NULL,
  seen     text             NOT NULL,
  fired_at timestamptz(3)   NOT NULL
);
CREATE UNIQUE INDEX alert_rule_id_start_at_key ON alert (rule_id, start_at);
CREATE INDEX ON alert (site_id, fired_at);

-- A message to a chat. The URL is that of its channel.
CREATE TABLE alert_message (
  id           uuid           PRIMARY KEY,
  channel_id   int            NOT NULL REFERENCES alert_channel (id) ON DELETE CASCADE ON UPDATE CASCADE,
  body         text           NOT NULL,
  created_at   timestamptz(3) NOT NULL,
  attempts     int            NOT NULL DEFAULT 0,
  outcome      text,
  send_after   timestamptz(3), -- null when there is no further attempt
  delivered_at timestamptz(3)
);
CREATE INDEX ON alert_message (send_after);
CREATE INDEX ON alert_message (channel_id);

-- == Agents ==

-- Outlives its clients.
CREATE TABLE machine_account (
  id            text           PRIMARY KEY,
  domain        text           NOT NULL,
  name          text,
  contact_email text,
  recovery_hash bytea          NOT NULL, -- SHA-256: the key itself is never stored
  owner_id      int            REFERENCES person ON DELETE SET NULL ON UPDATE CASCADE,
  created_at    timestamptz(3) NOT NULL
);
CREATE INDEX ON machine_account (domain);
CREATE INDEX ON machine_account (owner_id);

CREATE TYPE client_kind AS ENUM ('machine', 'delegated', 'personal');

-- Assistants ask for access by the authorization code grant. Many people may connect the same one: each of them has a client of
-- their own for it.
CREATE TABLE assistant (
  id            text           PRIMARY KEY, -- the client_id that it sends: the URL of its metadata, or the id of its registration
  name          text           NOT NULL,
  redirect_uris text[],        -- for one with metadata, as its document was read last: used while it cannot be read
  jwks_uri      text,          -- its keys, if it signs its requests for tokens
  must_sign     boolean        NOT NULL DEFAULT false,
  read_at       timestamptz(3) NOT NULL,
  created_at    timestamptz(3) NOT NULL
);

-- A personal token is the client of a script. It has one access token, which a person made, and ends with it.
CREATE TABLE client (
  id               text           PRIMARY KEY,
  kind             client_kind    NOT NULL,
  name             text           NOT NULL,
  secret_hash      bytea          NOT NULL,
  account_id       text           REFERENCES machine_account ON DELETE CASCADE ON UPDATE CASCADE,
  owner_id         int            REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  assistant_id     text           REFERENCES assistant ON DELETE CASCADE ON UPDATE CASCADE,
  requested_scopes text[],
  granted_scopes   text[]         DEFAULT ARRAY[]::text[],
  created_at       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at     timestamptz(3),
  revoked_at       timestamptz(3),
  expires_at       timestamptz(3), -- of a personal token: the end of its access token; null for every other client
  warned_at        timestamptz(3)  -- when its person was told that it ends soon
);
CREATE INDEX ON client (owner_id);
CREATE INDEX ON client (assistant_id);
CREATE INDEX ON client (account_id);

CREATE TABLE client_site (
  client_id  text           NOT NULL REFERENCES client ON DELETE CASCADE ON UPDATE CASCADE,
  site_id    int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (client_id, site_id)
);
CREATE INDEX ON client_site (site_id);

CREATE TYPE challenge_purpose AS ENUM ('register', 'recover', 'claim');
CREATE TYPE proof_method AS ENUM ('dns', 'https');

CREATE TABLE challenge (
  id            text              PRIMARY KEY,
  purpose       challenge_purpose NOT NULL,
  domain        text              NOT NULL,
  method        proof_method      NOT NULL,
  value         text              NOT NULL,
  token         text              NOT NULL,
  recovery_hash bytea,
  client_id     text,
  person_id     int               REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  name          text,
  contact_email text,
  attempts      int               NOT NULL DEFAULT 0,
  wrong_keys    int               NOT NULL DEFAULT 0,
  created_at    timestamptz(3)    NOT NULL,
  expires_at    timestamptz(3)    NOT NULL,
  used_at       timestamptz(3)
);
CREATE INDEX ON challenge (expires_at);
CREATE INDEX ON challenge (client_id, person_id);

CREATE TABLE access_token (
  hash       bytea          PRIMARY KEY,
  client_id  text           NOT NULL REFERENCES client ON DELETE CASCADE ON UPDATE CASCADE,
  issuer     text           NOT NULL,
  audience   text           NOT NULL,
  owner_id   int,
  scopes     text[],
  family_id  uuid,
  issued_at  timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
);
CREATE INDEX ON access_token (client_id);
CREATE INDEX ON access_token (family_id);
CREATE INDEX ON access_token (expires_at);

CREATE TABLE refresh_token (
  hash              bytea          PRIMARY KEY,
  client_id         text           NOT NULL REFERENCES client ON DELETE CASCADE ON UPDATE CASCADE,
  issuer            text           NOT NULL,
  audience          text           NOT NULL,
  owner_id          int            NOT NULL,
  scopes            text[],
  family_id         uuid           NOT NULL,
  issued_at         timestamptz(3) NOT NULL,
  expires_at        timestamptz(3) NOT NULL,
  family_expires_at timestamptz(3) NOT NULL, -- however often the token is rotated
  used_at           timestamptz(3),
  revoked_at        timestamptz(3)
);
CREATE INDEX ON refresh_token (client_id);
CREATE INDEX ON refresh_token (family_id);
CREATE INDEX ON refresh_token (expires_at);

CREATE TABLE authorization_code (
  hash           bytea          PRIMARY KEY,
  client_id      text           NOT NULL REFERENCES client ON DELETE CASCADE ON UPDATE CASCADE,
  person_id      int            NOT NULL REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  redirect_uri   text           NOT NULL,
  resource       text           NOT NULL,
  code_challenge text           NOT NULL,
  scopes         text[],
  family_id      uuid,          -- the tokens that came of it; null until it is redeemed
  created_at     timestamptz(3) NOT NULL,
  expires_at     timestamptz(3) NOT NULL
);
CREATE INDEX ON authorization_code (client_id);
CREATE INDEX ON authorization_code (expires_at);

CREATE TYPE device_status AS ENUM ('pending', 'approved', 'denied', 'redeemed');

CREATE TABLE device_code (
  hash             bytea          PRIMARY KEY,
  user_code_hash   bytea          NOT NULL, -- HMAC: a plain digest of 35 bits could be reversed
  client_id        text           NOT NULL REFERENCES client ON DELETE CASCADE ON UPDATE CASCADE,
  scopes           text[],
  resource         text,          -- it gives a token for no other one (RFC 8707); null when the request named none
  status           device_status  NOT NULL DEFAULT 'pending',
  interval         int            NOT NULL, -- minimum seconds between polls
  last_polled_at   timestamptz(3),
  asked_from       text,
  person_id        int            REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  consented_scopes text[]         DEFAULT ARRAY[]::text[],
  openings         int            NOT NULL DEFAULT 0,
  created_at       timestamptz(3) NOT NULL,
  expires_at       timestamptz(3) NOT NULL,
  decided_at       timestamptz(3)
);
CREATE UNIQUE INDEX device_code_user_code_hash_key ON device_code (user_code_hash);
CREATE INDEX ON device_code (client_id);
CREATE INDEX ON device_code (expires_at);

-- == Calls: approvals, idempotency, rate limits, audit ==

CREATE TYPE approval_status AS ENUM ('pending', 'approved', 'denied', 'consumed', 'superseded', 'withdrawn');

CREATE TABLE approval (
  id           text            PRIMARY KEY,
  client_id    text            NOT NULL REFERENCES client ON DELETE CASCADE ON UPDATE CASCADE,
  site_id      int,
  operation    text            NOT NULL,
  risk         text            NOT NULL,
  binding_code text            NOT NULL,
  document     jsonb           NOT NULL,
  lines        jsonb           NOT NULL,
  payload_hash bytea           NOT NULL,
  status       approval_status NOT NULL DEFAULT 'pending',
  requested_at timestamptz(3)  NOT NULL,
  expires_at   timestamptz(3)  NOT NULL,
  decided_at   timestamptz(3),
  approver_id  int             REFERENCES person ON DELETE SET NULL ON UPDATE CASCADE,
  consumed_at  timestamptz(3),
  request_id   text
);
CREATE INDEX ON approval (client_id, status);
CREATE INDEX ON approval (site_id, status);

CREATE TABLE idempotency_record (
  scope        text           NOT NULL,
  key_hash     bytea          NOT NULL,
  fingerprint  bytea          NOT NULL,
  operation    text           NOT NULL,
  status       int,           -- null while a call holds the lease
  answer       bytea,         -- sealed
  lease_until  timestamptz(3),
  answer_until timestamptz(3), -- the record may exist longer, so that no new call reuses the key
  attempt      int            NOT NULL DEFAULT 1,
  created_at   timestamptz(3) NOT NULL,
  expires_at   timestamptz(3) NOT NULL,
  PRIMARY KEY (scope, key_hash)
);
CREATE INDEX ON idempotency_record (expires_at);

CREATE TABLE rate_count (
  key       text           PRIMARY KEY,
  hits      int            NOT NULL,
  resets_at timestamptz(3) NOT NULL
);
CREATE INDEX ON rate_count (resets_at);

-- Rows outlive the site and the actor, so they refer to no other table.
CREATE TABLE audit (
  id          bigserial      PRIMARY KEY,
  at          timestamptz(3) NOT NULL,
  site_id     int,
  client_id   text,
  person_id   int,
  operation   text           NOT NULL,
  request_id  text           NOT NULL,
  approval_id text,
  detail      jsonb          NOT NULL
);
CREATE INDEX ON audit (site_id, at);
CREATE INDEX ON audit (client_id, at);
CREATE INDEX ON audit (person_id, id);

-- == Jobs and email ==

CREATE TABLE job (
  name        text           PRIMARY KEY,
  every_ms    int            NOT NULL,
  next_at     timestamptz(3) NOT NULL,
  lease_until timestamptz(3),
  process     text,
  runs        int            NOT NULL DEFAULT 0, -- distinguishes a run from one that took over its lease
  started_at  timestamptz(3),
  finished_at timestamptz(3),
  took_ms     int,
  failures    int            NOT NULL DEFAULT 0,
  failed_at   timestamptz(3),
  failure     text
);

CREATE TABLE mail (
  id         uuid           PRIMARY KEY,
  content    bytea          NOT NULL, -- sealed, because it may contain a secret link
  attempts   int            NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  send_after timestamptz(3) NOT NULL
);
CREATE INDEX ON mail (send_after);

-- New work wakes its job, so that idle jobs need not look for work every few seconds. Postgres sends the notification when the
-- transaction commits.
CREATE FUNCTION wake_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('wake_job', TG_ARGV[0]);
  RETURN NULL;
END $$;

CREATE TRIGGER wake_job AFTER INSERT ON mail FOR EACH STATEMENT EXECUTE FUNCTION wake_job('send-mail');
CREATE TRIGGER wake_job AFTER INSERT ON webhook_delivery FOR EACH STATEMENT EXECUTE FUNCTION wake_job('send-webhooks');
CREATE TRIGGER wake_job AFTER INSERT ON monitor FOR EACH STATEMENT EXECUTE FUNCTION wake_job('check-pages');
CREATE TRIGGER wake_job AFTER INSERT ON site_purge FOR EACH STATEMENT EXECUTE FUNCTION wake_job('purge-sites');
CREATE TRIGGER wake_job AFTER INSERT ON alert_message FOR EACH STATEMENT EXECUTE FUNCTION wake_job('send-alerts');
CREATE TRIGGER wake_job AFTER INSERT OR UPDATE OF asked_at ON search_connection FOR EACH STATEMENT EXECUTE FUNCTION wake_job('fetch-search');
CREATE TRIGGER wake_job AFTER INSERT ON search_purge FOR EACH STATEMENT EXECUTE FUNCTION wake_job('fetch-search');
CREATE TRIGGER wake_job AFTER INSERT ON import_run FOR EACH STATEMENT EXECUTE FUNCTION wake_job('run-imports');
CREATE TRIGGER wake_job_again AFTER UPDATE OF state ON import_run FOR EACH ROW WHEN (NEW.state = 'importing')
  EXECUTE FUNCTION wake_job('run-imports');

-- The account that the work for a site is charged to, where accounts take turns: its first owner, else the machine account
-- that created it, else the site itself. Null for a site that does not exist. The report role may call it without access to
-- the tables that it reads.
CREATE FUNCTION account_of_site(site int) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT coalesce(
    (SELECT 'person ' || min(person_id) FROM membership WHERE site_id = $1 AND role = 'owner'),
    (SELECT 'machine ' || min(client.account_id) FROM client_site JOIN client ON client.id = client_site.client_id
      WHERE client_site.site_id = $1),
    'site ' || $1)
  WHERE EXISTS (SELECT FROM site WHERE id = $1)
$$;
