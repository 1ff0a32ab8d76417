-- How long a site keeps what was counted, in whole months; all of it where it is null.
ALTER TABLE site ADD COLUMN keep_months int;
-- Of which day on something may be left, once the older has been destroyed.
ALTER TABLE site ADD COLUMN kept_from date;
