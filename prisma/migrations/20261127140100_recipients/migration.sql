-- When a report is sent: `weekday` of weekly ones (1 is Monday), `month_day` of monthly ones.
ALTER TABLE report_subscription
  ADD COLUMN weekday   smallint NOT NULL DEFAULT 1 CHECK (weekday BETWEEN 1 AND 7),
  ADD COLUMN month_day smallint NOT NULL DEFAULT 1 CHECK (month_day BETWEEN 1 AND 28),
  ADD COLUMN hour      smallint NOT NULL DEFAULT 7 CHECK (hour BETWEEN 0 AND 23),
  ADD COLUMN timezone  text;    -- null: that of the site

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
