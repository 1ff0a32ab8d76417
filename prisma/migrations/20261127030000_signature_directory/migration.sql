-- Public keys of agents that sign their requests, as their operators' hosts publish them.
CREATE TABLE signature_directory (
  host text PRIMARY KEY,
  -- [{"x": "<Ed25519 key, base64url>", "nbf": <epoch seconds>?, "exp": <epoch seconds>?}]
  keys jsonb NOT NULL DEFAULT '[]',
  -- When the keys were last read; null until they have been.
  read_at timestamptz,
  -- When reading them was last tried.
  tried_at timestamptz NOT NULL
);
