-- Paths have up to 2,048 characters, in UTF-8 up to 8 KB, and an index row holds at most 2.7 KB: pages are unique by the
-- SHA-256 of their path. convert_to() is only STABLE because of other encodings; this database is always UTF-8.
CREATE FUNCTION facts.digest(value text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN sha256(convert_to(value, 'UTF8'));
CREATE UNIQUE INDEX page_path ON facts.page (site_id, hostname, facts.digest(path));
ALTER TABLE facts.page DROP CONSTRAINT page_site_id_hostname_path_key;
