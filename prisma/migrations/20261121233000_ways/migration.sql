-- Ways of visits and steps of funnels, for many at once.

-- Where a page was seen: four bytes an event, for the steps of funnels and the starts of ways. Without the time in it a
-- page is one entry for hundreds of rows. That a page is asked for is part of the condition, or Postgres would take the
-- index for all views, row by row across the table.
CREATE INDEX event_viewed ON facts.event (site_id, page) WHERE type IN (1, 5) AND page <> 0; -- EVENT_TYPES pageview, screen

-- The first steps of a visit, so many at most; a step that only repeats the one before it is told once.
CREATE FUNCTION facts.way(steps int[], most int) RETURNS int[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 10 AS $$
DECLARE
  told int[] := '{}';
  step int;
BEGIN
  FOREACH step IN ARRAY steps LOOP
    CONTINUE WHEN step = told[cardinality(told)];
    told := told || step;
    EXIT WHEN cardinality(told) = most;
  END LOOP;
  RETURN told;
END $$;

-- Whatever asks for money may be answered by several workers at once.
ALTER FUNCTION units_per_euro(int, text, date) PARALLEL SAFE;
