-- When a person proved that the mailbox of their address is theirs. From now on every new account has done so.
ALTER TABLE person ADD COLUMN email_confirmed_at timestamptz(3);

-- Older accounts: the first belongs to the operator, and an invitation was accepted with a link that arrived by email.
-- Of the others nobody knows: they confirm by email, and give way to a password reset by email until they have.
UPDATE person SET email_confirmed_at = now()
WHERE id = (SELECT min(id) FROM person)
  OR id IN (SELECT person_id FROM audit WHERE operation = 'invitations.accept');

-- A sign-up that waits for the link in its email to be opened; the SHA-256 of the link's secret. It is no account yet.
CREATE TABLE pending_signup (
  hash bytea PRIMARY KEY,
  email text NOT NULL,
  -- The path to go to afterwards.
  next text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX pending_signup_email_idx ON pending_signup (email);
CREATE INDEX pending_signup_expires_at_idx ON pending_signup (expires_at);
