-- A site's retention limit reaches its dictionaries. `used` is the last UTC day of an event that a value was looked up for,
-- written once a day; values of before count as used today. A retired row is one that no fact uses and that ingest no
-- longer finds: it stays as long as it is the first with a word of a row that is used, because rollups and packed
-- days know words by their first rows. What else was in it is erased.
DO $$
DECLARE
  dictionary text;
  constraint_name text;
  columns text;
BEGIN
  FOREACH dictionary IN ARRAY ARRAY['referrer', 'campaign', 'place', 'agent', 'name', 'verdict'] LOOP
    SELECT conname, (SELECT string_agg(quote_ident(attname), ', ' ORDER BY place)
                     FROM unnest(conkey) WITH ORDINALITY AS key(attnum, place)
                     JOIN pg_attribute USING (attnum) WHERE attrelid = conrelid)
      INTO STRICT constraint_name, columns
      FROM pg_constraint WHERE conrelid = ('facts.' || dictionary)::regclass AND contype = 'u';
    EXECUTE format('ALTER TABLE facts.%I DROP CONSTRAINT %I,
                      ADD COLUMN used date NOT NULL DEFAULT CURRENT_DATE,
                      ADD COLUMN retired boolean NOT NULL DEFAULT false', dictionary, constraint_name);
    EXECUTE format('CREATE UNIQUE INDEX %I ON facts.%I (%s) WHERE NOT retired', dictionary || '_words', dictionary, columns);
  END LOOP;
END $$;

-- Pages are unique by the digest of their path.
ALTER TABLE facts.page ADD COLUMN used date NOT NULL DEFAULT CURRENT_DATE, ADD COLUMN retired boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX page_words ON facts.page (site_id, hostname, facts.digest(path)) WHERE NOT retired;
DROP INDEX facts.page_path;
