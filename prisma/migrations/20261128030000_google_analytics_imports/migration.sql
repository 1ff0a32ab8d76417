-- Imports of Google Analytics by its Data API: a run first fetches, then checks its own files like uploaded ones.
ALTER TYPE import_state ADD VALUE 'fetching' BEFORE 'checking';

ALTER TABLE import_run
  ADD questions jsonb,         -- columns whose meaning the owner has to choose
  ADD meanings  jsonb,         -- what the owner chose, by file and column
  ADD fetched   jsonb,         -- what is fetched of Google Analytics, and how far that is
  ADD next_at   timestamptz(3); -- when a fetch goes on that has to wait

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
