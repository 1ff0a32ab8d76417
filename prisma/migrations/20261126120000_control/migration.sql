-- The control tables: people, sites and permissions. schema.prisma describes the same tables. Constraints and indexes have the
-- names that Prisma gives them, and unique columns have an index instead of a constraint.

-- == People ==

CREATE TYPE role AS ENUM ('viewer', 'manager', 'owner');

CREATE TABLE person (
  id                 serial         PRIMARY KEY,
  email              text           NOT NULL,
  name               text,
  password_hash      text           NOT NULL,
  email_confirmed_at timestamptz(3),
  totp_seed          bytea,         -- sealed
  totp_confirmed_at  timestamptz(3), -- null until a first code has confirmed the seed
  totp_last_step     int,           -- codes of this time step and of earlier ones are refused
  created_at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX person_email_key ON person (email);

CREATE TABLE owner_session (
  sid_hash     bytea          PRIMARY KEY,
  person_id    int            NOT NULL REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  device       text,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_seen_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  auth_time    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at   timestamptz(3) NOT NULL,
  revoked_at   timestamptz(3)
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
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX ON password_reset (person_id);
CREATE INDEX ON password_reset (expires_at);

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
  revision           int            NOT NULL DEFAULT 1,
  created_at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

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
  alerts     boolean,       -- null depends on the role
  pinned     boolean        NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (site_id, person_id)
);
CREATE INDEX ON membership (person_id);

CREATE TABLE invitation (
  id            serial         PRIMARY KEY,
  hash          bytea          NOT NULL,
  site_id       int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  email         text           NOT NULL,
  role          role           NOT NULL,
  invited_by_id int            NOT NULL REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  created_at    timestamptz(3) NOT NULL,
  expires_at    timestamptz(3) NOT NULL,
  -- A link that the inviter saw does not prove who reads the email address.
  link_shown    boolean        NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX invitation_hash_key ON invitation (hash);
CREATE UNIQUE INDEX invitation_site_id_email_key ON invitation (site_id, email);
CREATE INDEX ON invitation (expires_at);

-- A deleted site whose facts are still to be deleted.
CREATE TABLE site_purge (
  site_id      int            PRIMARY KEY,
  requested_at timestamptz(3) NOT NULL
);

-- == What a site receives ==

CREATE TYPE exclusion_kind AS ENUM ('address', 'country', 'path', 'hostname');

CREATE TABLE site_exclusion (
  id         serial         PRIMARY KEY,
  site_id    int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  kind       exclusion_kind NOT NULL,
  pattern    text           NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX site_exclusion_site_id_kind_pattern_key ON site_exclusion (site_id, kind, pattern);

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
  created_by_id int,
  created_at    timestamptz(3) NOT NULL,
  updated_at    timestamptz(3) NOT NULL,
  CONSTRAINT dashboard_comparison CHECK (num_nonnulls(compare_from, compare_to) IN (0, 2))
);
CREATE UNIQUE INDEX dashboard_site_id_name_key ON dashboard (site_id, name);

CREATE TYPE goal_kind AS ENUM ('event', 'page');

CREATE TABLE goal (
  id            serial         PRIMARY KEY,
  site_id       int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  name          text           NOT NULL,
  kind          goal_kind      NOT NULL,
  pattern       text           NOT NULL,
  created_by_id int,
  created_at    timestamptz(3) NOT NULL,
  updated_at    timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX goal_site_id_name_key ON goal (site_id, name);

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

-- == Monitoring and email reports ==

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

CREATE TYPE report_cadence AS ENUM ('weekly', 'monthly');

CREATE TABLE report_subscription (
  site_id        int            NOT NULL,
  person_id      int            NOT NULL,
  cadence        report_cadence NOT NULL,
  next_at        timestamptz(3) NOT NULL,
  reported_until date,          -- the last local day that was reported
  created_at     timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, person_id, cadence),
  FOREIGN KEY (site_id, person_id) REFERENCES membership ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX ON report_subscription (next_at);

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

CREATE TYPE client_kind AS ENUM ('machine', 'delegated');

CREATE TABLE client (
  id               text           PRIMARY KEY,
  kind             client_kind    NOT NULL,
  name             text           NOT NULL,
  secret_hash      bytea          NOT NULL,
  account_id       text           REFERENCES machine_account ON DELETE CASCADE ON UPDATE CASCADE,
  owner_id         int            REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  requested_scopes text[],
  granted_scopes   text[]         DEFAULT ARRAY[]::text[],
  created_at       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at     timestamptz(3),
  revoked_at       timestamptz(3)
);
CREATE INDEX ON client (owner_id);
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

CREATE TYPE device_status AS ENUM ('pending', 'approved', 'denied', 'redeemed');

CREATE TABLE device_code (
  hash             bytea          PRIMARY KEY,
  user_code_hash   bytea          NOT NULL, -- HMAC: a plain digest of 35 bits could be reversed
  client_id        text           NOT NULL REFERENCES client ON DELETE CASCADE ON UPDATE CASCADE,
  scopes           text[],
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
