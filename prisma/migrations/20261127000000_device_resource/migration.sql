-- A device code that was requested for one resource gives a token for no other one (RFC 8707).
ALTER TABLE device_code ADD COLUMN resource text; -- null when the request named none
