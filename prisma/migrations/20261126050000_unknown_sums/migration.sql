-- Null is what an export does not tell. It was stored as 0, and reports took 0 % bounces and 0 s for facts. Where all rows of a
-- service have 0 in a column, its export lacked the column.
ALTER TABLE facts.imported
  ALTER visits DROP NOT NULL, ALTER bounces DROP NOT NULL, ALTER duration_ms DROP NOT NULL, ALTER pageviews DROP NOT NULL;

UPDATE facts.imported AS old SET
  bounces = CASE WHEN lacking.bounces THEN NULL ELSE old.bounces END,
  duration_ms = CASE WHEN lacking.durations THEN NULL ELSE old.duration_ms END,
  visits = CASE WHEN lacking.visits THEN NULL ELSE old.visits END,
  pageviews = CASE WHEN lacking.pageviews THEN NULL ELSE old.pageviews END
FROM (
  SELECT site_id, source, dimension, bool_and(bounces = 0) AS bounces, bool_and(duration_ms = 0) AS durations,
         bool_and(visits = 0) AS visits, bool_and(pageviews = 0) AS pageviews
  FROM facts.imported GROUP BY site_id, source, dimension) AS lacking
WHERE lacking.site_id = old.site_id AND lacking.source = old.source AND lacking.dimension = old.dimension
  AND (lacking.bounces OR lacking.durations OR lacking.visits OR lacking.pageviews);
