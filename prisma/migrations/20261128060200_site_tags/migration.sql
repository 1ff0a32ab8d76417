-- A member's own tags of a site.
ALTER TABLE membership ADD COLUMN tags text[] DEFAULT ARRAY[]::text[];
