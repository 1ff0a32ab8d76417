-- What reaching a goal is worth.
ALTER TABLE goal ADD COLUMN value jsonb NOT NULL DEFAULT '{}';
