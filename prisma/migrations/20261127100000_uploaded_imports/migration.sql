-- Imports that people and agents upload. The files themselves are in DATA_DIR/uploads, by their ids; a job deletes them after a day.
CREATE TYPE import_state AS ENUM ('checking', 'ready', 'importing', 'done', 'failed');

CREATE TABLE import_run (
  id          uuid           PRIMARY KEY,
  site_id     int            NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  state       import_state   NOT NULL,
  names       text[],                 -- of the files, which are deleted
  source      text,          -- the service, once it is recognised
  preview     jsonb,         -- what would be imported
  result      jsonb,         -- what was imported
  problem     text,          -- why nothing, or not all, was imported
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

CREATE TRIGGER wake_job AFTER INSERT ON import_run FOR EACH STATEMENT EXECUTE FUNCTION wake_job('run-imports');
CREATE TRIGGER wake_job_again AFTER UPDATE OF state ON import_run FOR EACH ROW WHEN (NEW.state = 'importing')
  EXECUTE FUNCTION wake_job('run-imports');
