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

ALTER TABLE client ADD COLUMN assistant_id text REFERENCES assistant ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX ON client (assistant_id);

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
