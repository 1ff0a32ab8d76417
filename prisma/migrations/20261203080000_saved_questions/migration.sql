-- The question of a saved dashboard that opens in Explore: its metrics, dimensions, order and chart. Null for one of panels.
ALTER TABLE dashboard ADD COLUMN explore jsonb;
