-- A condition has one pattern: several that were saved become alternatives of one.
CREATE FUNCTION pg_temp.one_pattern(filters jsonb) RETURNS jsonb LANGUAGE sql AS $$
  SELECT coalesce(jsonb_object_agg(key, CASE
    WHEN jsonb_typeof(value) = 'object' AND jsonb_typeof(value -> 'matches') = 'array' AND jsonb_array_length(value -> 'matches') > 1
    THEN jsonb_set(value, '{matches}', (
      SELECT to_jsonb(string_agg('(?:' || pattern || ')', '|')) FROM jsonb_array_elements_text(value -> 'matches') AS pattern))
    ELSE value END), '{}')
  FROM jsonb_each(filters)
$$;
UPDATE segment SET filters = pg_temp.one_pattern(filters) WHERE filters::text LIKE '%"matches": [%';
UPDATE dashboard SET filters = pg_temp.one_pattern(filters) WHERE filters::text LIKE '%"matches": [%';
