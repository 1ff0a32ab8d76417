-- People can sign in without a password: with an OpenID Connect provider, and with passkeys.

ALTER TABLE person ALTER COLUMN password_hash DROP NOT NULL;

-- When the person last proved themselves at the provider for this session; used up by the next reauthentication.
ALTER TABLE owner_session ADD COLUMN provider_auth_time timestamptz(3);

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
  last_used_at timestamptz(3)
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
