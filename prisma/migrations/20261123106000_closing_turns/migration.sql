-- When the closing of each site's days last began and how often it has failed in a row, so that the job takes the site
-- that has waited longest and a site that fails waits longer each time. A site without a row has never been tried.
CREATE TABLE "closing_turn" (
  "site_id" INTEGER NOT NULL,
  "tried_at" TIMESTAMPTZ(3) NOT NULL,
  "failures" INTEGER NOT NULL DEFAULT 0,
  "retry_at" TIMESTAMPTZ(3),

  CONSTRAINT "closing_turn_pkey" PRIMARY KEY ("site_id")
);

ALTER TABLE "closing_turn" ADD CONSTRAINT "closing_turn_site_id_fkey"
  FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;
