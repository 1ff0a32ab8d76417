-- Private links, with which anyone sees a part of a site. Revoking one deletes its row.
CREATE TABLE share_link (
  id            serial         PRIMARY KEY,
  site_id       int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  name          text           NOT NULL,
  hash          bytea          NOT NULL, -- SHA-256 of the secret in the address
  secret        bytea          NOT NULL,        -- sealed with APP_SECRETS
  password_hash text,
  segment_id    uuid           REFERENCES segment ON DELETE NO ACTION ON UPDATE CASCADE, -- the segment cannot be deleted before the link
  period        text,
  "from"        text,
  "to"          text,
  dashboard     boolean        NOT NULL,
  panels        text[],                 -- empty for all of a public dashboard
  reports       text[],
  embeds        boolean        NOT NULL,
  credit        boolean        NOT NULL,
  created_by_id int            REFERENCES person ON DELETE SET NULL ON UPDATE CASCADE,
  created_at    timestamptz(3) NOT NULL,
  expires_at    timestamptz(3),
  last_used_at  timestamptz(3),
  uses          int            NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX share_link_hash_key ON share_link (hash);
CREATE INDEX ON share_link (site_id);
CREATE INDEX ON share_link (segment_id);
ALTER TABLE site ADD COLUMN public_credit boolean NOT NULL DEFAULT true;
