-- The website ids of another product whose events belong to a site.
CREATE TABLE site_alias (
  alias      text           NOT NULL PRIMARY KEY,
  site_id    int            NOT NULL REFERENCES site (id) ON UPDATE CASCADE ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX site_alias_site ON site_alias (site_id);
