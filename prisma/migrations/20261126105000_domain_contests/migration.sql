-- The published proof of a registration, so that it can be looked for again.
ALTER TABLE "site_domain" ADD COLUMN "proof_value" TEXT, ADD COLUMN "proof_token" TEXT;

UPDATE "site_domain" AS domain SET "proof_value" = challenge."value", "proof_token" = challenge."token"
FROM "challenge"
WHERE challenge."purpose" = 'register' AND challenge."used_at" = domain."verified_at" AND challenge."domain" = domain."host";

-- A verified domain that someone else has proven, while the proof of its site is missing.
CREATE TABLE "domain_contest" (
    "host" TEXT NOT NULL,
    "missing_since" TIMESTAMPTZ(3) NOT NULL,
    "looked_at" TIMESTAMPTZ(3) NOT NULL,
    "proven_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "domain_contest_pkey" PRIMARY KEY ("host")
);

-- CreateIndex
CREATE INDEX "domain_contest_looked_at_idx" ON "domain_contest"("looked_at");

-- AddForeignKey
ALTER TABLE "domain_contest" ADD CONSTRAINT "domain_contest_host_fkey" FOREIGN KEY ("host") REFERENCES "site_domain"("host") ON DELETE CASCADE ON UPDATE CASCADE;
