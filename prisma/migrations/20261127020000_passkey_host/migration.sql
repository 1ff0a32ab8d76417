-- A passkey works on the host that it was made for alone, so those of an earlier host of the service sign nobody in.
-- Null, until its next use, for passkeys that are older than this column.
ALTER TABLE passkey ADD COLUMN rp_id text;
