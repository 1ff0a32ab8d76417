-- Administrators of the service, and what they have disabled.
ALTER TABLE person
  ADD COLUMN administrator boolean        NOT NULL DEFAULT false,
  ADD COLUMN disabled_at   timestamptz(3); -- null: can sign in
UPDATE person SET administrator = true WHERE id = (SELECT min(id) FROM person);
CREATE INDEX ON person (administrator);
ALTER TABLE site ADD COLUMN disabled_at timestamptz(3); -- null: takes events

-- The log of a person.
CREATE INDEX ON audit (person_id, id);
