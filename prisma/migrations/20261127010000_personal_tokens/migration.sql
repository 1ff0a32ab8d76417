-- A personal token is the client of a script. It has one access token, which a person made, and ends with it.
ALTER TYPE client_kind ADD VALUE 'personal';
ALTER TABLE client
  ADD COLUMN expires_at timestamptz(3), -- of a personal token: the end of its access token; null for every other client
  ADD COLUMN warned_at  timestamptz(3); -- when its person was told that it ends soon
