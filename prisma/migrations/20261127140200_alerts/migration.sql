CREATE TYPE alert_condition AS ENUM ('above', 'below', 'unusual');
CREATE TYPE alert_span AS ENUM ('hour', 'day');
CREATE TYPE alert_channel_kind AS ENUM ('email', 'webhook', 'slack', 'teams', 'discord');

CREATE TABLE alert_rule (
  id             serial          PRIMARY KEY,
  site_id        int             NOT NULL REFERENCES site (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name           text            NOT NULL,
  metric         text            NOT NULL,
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
CREATE TRIGGER wake_job AFTER INSERT ON alert_message FOR EACH STATEMENT EXECUTE FUNCTION wake_job('send-alerts');
