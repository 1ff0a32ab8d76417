-- The goal whose conversions a saved dashboard shows, and the visit that they are given to; null for that in which they happened.
ALTER TABLE dashboard
  ADD COLUMN goal_id int REFERENCES goal ON DELETE SET NULL ON UPDATE CASCADE,
  ADD COLUMN attribution text;
