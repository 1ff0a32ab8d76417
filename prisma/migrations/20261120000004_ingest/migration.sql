-- Ingest, complete: keys of servers, exclusions, how exactly places are kept, and why a visit has its class.
-- CreateEnum
CREATE TYPE "geo_precision" AS ENUM ('none', 'country', 'region', 'city');

-- CreateEnum
CREATE TYPE "exclusion_kind" AS ENUM ('address', 'country', 'path', 'hostname');

-- AlterTable
ALTER TABLE "site" ADD COLUMN     "anonymise_ip" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "geo_precision" "geo_precision" NOT NULL DEFAULT 'city';

-- CreateTable
CREATE TABLE "site_exclusion" (
    "id" SERIAL NOT NULL,
    "site_id" INTEGER NOT NULL,
    "kind" "exclusion_kind" NOT NULL,
    "pattern" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "site_exclusion_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ingest_key" (
    "id" SERIAL NOT NULL,
    "site_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "ingest_key_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "site_exclusion_site_id_kind_pattern_key" ON "site_exclusion"("site_id", "kind", "pattern");

-- CreateIndex
CREATE UNIQUE INDEX "ingest_key_hash_key" ON "ingest_key"("hash");

-- CreateIndex
CREATE INDEX "ingest_key_site_id_idx" ON "ingest_key"("site_id");

-- AddForeignKey
ALTER TABLE "site_exclusion" ADD CONSTRAINT "site_exclusion_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ingest_key" ADD CONSTRAINT "ingest_key_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ingest_key" ADD CONSTRAINT "ingest_key_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "person"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Why a visit has its class of traffic: the rule or list that decided, and which version of it.
CREATE TABLE facts.verdict (
  id int GENERATED ALWAYS AS IDENTITY, site_id int NOT NULL, since date NOT NULL,
  traffic text NOT NULL, reason text NOT NULL, bot text NOT NULL, operator text NOT NULL, purpose text NOT NULL,
  verified text NOT NULL, version text NOT NULL, -- '' where there is none
  PRIMARY KEY (site_id, id), UNIQUE (site_id, traffic, reason, bot, operator, purpose, verified, version)
);
ALTER TABLE facts.visit ADD COLUMN verdict int NOT NULL DEFAULT 0; -- 0: nothing spoke against a person

-- Which rule chose a visit's channel.
ALTER TABLE facts.referrer ADD COLUMN rule text NOT NULL DEFAULT '',
DROP CONSTRAINT referrer_site_id_source_channel_url_key,
ADD UNIQUE (site_id, source, channel, url, rule);

-- By which version of the lists a site's visits have been decided anew.
CREATE TABLE facts.reclassified (site_id int PRIMARY KEY, version text NOT NULL);
