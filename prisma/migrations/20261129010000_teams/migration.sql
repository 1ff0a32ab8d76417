-- People who share sites: a role in a team holds on all its sites.
CREATE TABLE team (
  id         serial         PRIMARY KEY,
  name       text           NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE team_member (
  team_id    int            NOT NULL REFERENCES team ON DELETE CASCADE ON UPDATE CASCADE,
  person_id  int            NOT NULL REFERENCES person ON DELETE CASCADE ON UPDATE CASCADE,
  role       role           NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (team_id, person_id)
);
CREATE INDEX ON team_member (person_id);

-- A team with sites cannot be deleted: its members would keep a role that nobody gives.
ALTER TABLE site ADD COLUMN team_id int REFERENCES team ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX ON site (team_id);

-- What the site's team gives, and beside that what the site itself gives. The role is the higher one.
ALTER TABLE membership
  ADD COLUMN team_role role,
  ADD COLUMN own_role role,
  ADD CHECK (CASE WHEN team_role IS NULL THEN own_role IS NULL ELSE role = GREATEST(own_role, team_role) END);

ALTER TABLE invitation
  ALTER COLUMN site_id DROP NOT NULL,
  ADD COLUMN team_id int REFERENCES team ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CHECK (num_nonnulls(site_id, team_id) = 1);
CREATE UNIQUE INDEX invitation_team_id_email_key ON invitation (team_id, email);
