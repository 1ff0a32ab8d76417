-- Pages on localhost are counted as pages of the site while its owner tries the tracker.
ALTER TABLE site ADD COLUMN local_pages boolean NOT NULL DEFAULT false;
