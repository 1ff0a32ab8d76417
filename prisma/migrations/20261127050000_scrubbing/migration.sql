-- A site's own rules of what is replaced before storage, and what is not.
CREATE TYPE scrub_rule_kind AS ENUM ('pattern', 'key', 'kept_key', 'kept_path');

CREATE TABLE site_scrub_rule (
  id         serial          PRIMARY KEY,
  site_id    int             NOT NULL REFERENCES site ON DELETE CASCADE ON UPDATE CASCADE,
  kind       scrub_rule_kind NOT NULL,
  pattern    text            NOT NULL,
  created_at timestamptz(3)  NOT NULL
);
CREATE UNIQUE INDEX site_scrub_rule_site_id_kind_pattern_key ON site_scrub_rule (site_id, kind, pattern);

-- Of replaced pieces, the reason is kind:place:name, and the example is the last text that was stored with one.
ALTER TABLE facts.intake ADD COLUMN example text;
