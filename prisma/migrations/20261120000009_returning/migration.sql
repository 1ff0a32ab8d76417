-- Which transaction wrote an event: what a reader who follows the events in order of commit goes by. It stays what it
-- is when the event's class is decided anew. Events of before have that of this migration.
ALTER TABLE facts.event ADD COLUMN written xid8 NOT NULL DEFAULT pg_current_xact_id();

-- Events of the senders' own users: whether a site has such at all, and when each of them was there.
CREATE INDEX event_user ON facts.event (site_id, ts) INCLUDE (user_hash) WHERE user_hash IS NOT NULL;

-- Sites that know visitors again within one month, by a salt that lives no longer.
-- AlterTable
ALTER TABLE "site" ADD COLUMN     "retention_salt" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "site_month_salt" (
    "site_id" INTEGER NOT NULL,
    "month" DATE NOT NULL,
    "salt" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "site_month_salt_pkey" PRIMARY KEY ("site_id","month")
);

-- CreateIndex
CREATE INDEX "site_month_salt_expires_at_idx" ON "site_month_salt"("expires_at");

-- AddForeignKey
ALTER TABLE "site_month_salt" ADD CONSTRAINT "site_month_salt_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- On which local days somebody was there, as told by the month's salt. A row is that day's first hit and says where
-- it came from; nothing leads from here to visits or events.
CREATE TABLE facts.returning_visitor (
  who      bigint   NOT NULL,
  site_id  int      NOT NULL,
  month    date     NOT NULL,
  day      date     NOT NULL,
  referrer int      NOT NULL,
  campaign int      NOT NULL,
  place    int      NOT NULL,
  agent    int      NOT NULL,
  traffic  smallint NOT NULL,
  PRIMARY KEY (site_id, month, who, day)
);
