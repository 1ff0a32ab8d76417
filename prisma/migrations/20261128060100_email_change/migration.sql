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

-- The former address of the account, which the link gives back to it; null for a link that only sets a password.
ALTER TABLE password_reset ADD COLUMN restores text;
