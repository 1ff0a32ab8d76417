-- People, sites and rights; modelled in schema.prisma.
-- CreateEnum
CREATE TYPE "role" AS ENUM ('viewer', 'manager', 'owner');

-- CreateTable
CREATE TABLE "person" (
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "person_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "owner_session" (
    "sid_hash" BYTEA NOT NULL,
    "person_id" INTEGER NOT NULL,
    "device" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "auth_time" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "owner_session_pkey" PRIMARY KEY ("sid_hash")
);

-- CreateTable
CREATE TABLE "site" (
    "id" SERIAL NOT NULL,
    "name" TEXT,
    "timezone" TEXT NOT NULL,
    "reporting_currency" CHAR(3) NOT NULL DEFAULT 'EUR',
    "public" BOOLEAN NOT NULL DEFAULT false,
    "honour_gpc" BOOLEAN NOT NULL DEFAULT true,
    "user_key" BYTEA NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "site_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "site_domain" (
    "id" SERIAL NOT NULL,
    "site_id" INTEGER NOT NULL,
    "host" TEXT NOT NULL,
    "is_primary" BOOLEAN NOT NULL DEFAULT false,
    "verified_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "site_domain_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "membership" (
    "site_id" INTEGER NOT NULL,
    "person_id" INTEGER NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("site_id","person_id")
);

-- CreateTable
CREATE TABLE "site_salt" (
    "site_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "salt" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "site_salt_pkey" PRIMARY KEY ("site_id","day")
);

-- CreateTable
CREATE TABLE "rate_count" (
    "key" TEXT NOT NULL,
    "hits" INTEGER NOT NULL,
    "resets_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_count_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "person_email_key" ON "person"("email");

-- CreateIndex
CREATE INDEX "owner_session_person_id_idx" ON "owner_session"("person_id");

-- CreateIndex
CREATE UNIQUE INDEX "site_domain_host_key" ON "site_domain"("host");

-- CreateIndex
CREATE INDEX "site_domain_site_id_idx" ON "site_domain"("site_id");

-- CreateIndex
CREATE INDEX "membership_person_id_idx" ON "membership"("person_id");

-- CreateIndex
CREATE INDEX "site_salt_expires_at_idx" ON "site_salt"("expires_at");

-- CreateIndex
CREATE INDEX "rate_count_resets_at_idx" ON "rate_count"("resets_at");

-- AddForeignKey
ALTER TABLE "owner_session" ADD CONSTRAINT "owner_session_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "site_domain" ADD CONSTRAINT "site_domain_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "site_salt" ADD CONSTRAINT "site_salt_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- One primary domain a site.
CREATE UNIQUE INDEX "site_domain_primary" ON "site_domain"("site_id") WHERE "is_primary";
