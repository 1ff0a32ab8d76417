-- Whether a person keeps a site at the top of their list of sites.
ALTER TABLE "membership" ADD COLUMN "pinned" BOOLEAN NOT NULL DEFAULT false;
