-- Whether a site is set up as it should be: tests of its snippet, and domains that it says are its own.
-- CreateEnum
CREATE TYPE "installation_test_status" AS ENUM ('queued', 'fetching', 'waiting', 'passed', 'failed', 'stopped', 'expired');

-- CreateTable
CREATE TABLE "installation_test" (
    "id" UUID NOT NULL,
    "site_id" INTEGER NOT NULL,
    "status" "installation_test_status" NOT NULL DEFAULT 'queued',
    "address" TEXT NOT NULL,
    "page" JSONB,
    "findings" JSONB NOT NULL DEFAULT '[]',
    "event" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "installation_test_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wanted_domain" (
    "site_id" INTEGER NOT NULL,
    "host" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "wanted_domain_pkey" PRIMARY KEY ("site_id","host")
);

-- CreateIndex
CREATE INDEX "installation_test_site_id_created_at_idx" ON "installation_test"("site_id", "created_at");

-- CreateIndex
CREATE INDEX "installation_test_created_at_idx" ON "installation_test"("created_at");

-- AddForeignKey
ALTER TABLE "installation_test" ADD CONSTRAINT "installation_test_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wanted_domain" ADD CONSTRAINT "wanted_domain_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;
