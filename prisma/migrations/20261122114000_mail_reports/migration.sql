-- Who of a site's people gets its numbers by mail, how often, and up to which local day they have been told.
CREATE TYPE "report_cadence" AS ENUM ('weekly', 'monthly');

CREATE TABLE "report_subscription" (
  "site_id" INTEGER NOT NULL,
  "person_id" INTEGER NOT NULL,
  "cadence" "report_cadence" NOT NULL,
  "next_at" TIMESTAMPTZ(3) NOT NULL,
  "told_until" DATE,
  "created_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "report_subscription_pkey" PRIMARY KEY ("site_id", "person_id", "cadence")
);
CREATE INDEX "report_subscription_next_at_idx" ON "report_subscription"("next_at");
ALTER TABLE "report_subscription" ADD CONSTRAINT "report_subscription_site_id_person_id_fkey" FOREIGN KEY ("site_id", "person_id") REFERENCES "membership"("site_id", "person_id") ON DELETE CASCADE ON UPDATE CASCADE;
