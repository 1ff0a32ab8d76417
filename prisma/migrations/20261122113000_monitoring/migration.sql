-- Monitoring of a site: whether its page answers, its certificate, and what it usually counts; what went wrong, and who is told.
CREATE TYPE "incident_cause" AS ENUM ('unreachable', 'certificate', 'no_data', 'spike', 'drop', 'refused_events');

ALTER TABLE "site" ADD COLUMN "monitoring" BOOLEAN NOT NULL DEFAULT false;

-- Whether a member gets letters about incidents; null: by their role.
ALTER TABLE "membership" ADD COLUMN "alerts" BOOLEAN;

-- What was seen last of a site that is monitored.
CREATE TABLE "monitor" (
  "site_id" INTEGER NOT NULL,
  "host" TEXT,
  "next_check_at" TIMESTAMPTZ(3) NOT NULL,
  "checked_at" TIMESTAMPTZ(3),
  "problem" TEXT,
  "bad_checks" INTEGER NOT NULL DEFAULT 0,
  "status" INTEGER,
  "took_ms" INTEGER,
  "secure" BOOLEAN NOT NULL DEFAULT false,
  "certificate_until" TIMESTAMPTZ(3),
  "hour" JSONB,
  "intake" JSONB,

  CONSTRAINT "monitor_pkey" PRIMARY KEY ("site_id")
);
CREATE INDEX "monitor_next_check_at_idx" ON "monitor"("next_check_at");
ALTER TABLE "monitor" ADD CONSTRAINT "monitor_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "incident" (
  "id" SERIAL NOT NULL,
  "site_id" INTEGER NOT NULL,
  "cause" "incident_cause" NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  "seen" TEXT NOT NULL,
  "told" BOOLEAN NOT NULL,

  CONSTRAINT "incident_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "incident_site_id_started_at_idx" ON "incident"("site_id", "started_at");
-- Of one cause only one goes on at a time, whoever finds it.
CREATE UNIQUE INDEX "incident_open" ON "incident"("site_id", "cause") WHERE "ended_at" IS NULL;
ALTER TABLE "incident" ADD CONSTRAINT "incident_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "webhook" (
  "site_id" INTEGER NOT NULL,
  "url" TEXT NOT NULL,
  "secret" BYTEA NOT NULL,
  "previous_secret" BYTEA,
  "previous_until" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "webhook_pkey" PRIMARY KEY ("site_id")
);
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "webhook_delivery" (
  "id" UUID NOT NULL,
  "site_id" INTEGER NOT NULL,
  "type" TEXT NOT NULL,
  "body" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "attempted_at" TIMESTAMPTZ(3),
  "outcome" TEXT,
  "send_after" TIMESTAMPTZ(3),
  "delivered_at" TIMESTAMPTZ(3),

  CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "webhook_delivery_send_after_idx" ON "webhook_delivery"("send_after");
CREATE INDEX "webhook_delivery_site_id_created_at_idx" ON "webhook_delivery"("site_id", "created_at");
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "webhook"("site_id") ON DELETE CASCADE ON UPDATE CASCADE;
