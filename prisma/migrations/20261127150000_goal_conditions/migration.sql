ALTER TABLE goal
  ADD COLUMN also jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN properties jsonb NOT NULL DEFAULT '[]';
