-- Locks visits before events, like all writers: on Citus, a new partition locks its table against writes, and could deadlock.
CREATE OR REPLACE FUNCTION facts.add_month(month date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first date := date_trunc('month', month)::date;
  upper date := (first + interval '1 month')::date;
  fact  text;
  part  text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('facts.add_month', 0));
  FOREACH fact IN ARRAY ARRAY['visit', 'event'] LOOP
    part := fact || '_' || to_char(first, 'YYYY_MM');
    CONTINUE WHEN to_regclass('facts.' || part) IS NOT NULL;
    EXECUTE format('CREATE TABLE facts.%I (LIKE facts.%I INCLUDING ALL)%s', part, fact,
                   CASE fact WHEN 'visit' THEN ' WITH (fillfactor = 90)' ELSE '' END);
    EXECUTE format('ALTER TABLE facts.%I ATTACH PARTITION facts.%I FOR VALUES FROM (%L) TO (%L)', fact, part,
                   first::text || ' 00:00:00+00', upper::text || ' 00:00:00+00');
  END LOOP;
END $$;
