-- The door: agents' clients and tokens, what they may reach, approvals, idempotency, audit; modelled in schema.prisma.
-- CreateEnum
CREATE TYPE "client_kind" AS ENUM ('machine', 'delegated');

-- CreateEnum
CREATE TYPE "approval_status" AS ENUM ('pending', 'approved', 'denied', 'consumed', 'superseded');

-- AlterTable
ALTER TABLE "site" ADD COLUMN     "previous_key" BYTEA,
ADD COLUMN     "previous_key_until" TIMESTAMPTZ(3),
ADD COLUMN     "require_signature" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "signing_key" BYTEA,
ADD COLUMN     "trusted_proxy_ips" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "client" (
    "id" TEXT NOT NULL,
    "kind" "client_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "owner_id" INTEGER,
    "requested_scopes" TEXT[],
    "granted_scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "client_site" (
    "client_id" TEXT NOT NULL,
    "site_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "client_site_pkey" PRIMARY KEY ("client_id","site_id")
);

-- CreateTable
CREATE TABLE "access_token" (
    "hash" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "owner_id" INTEGER,
    "scopes" TEXT[],
    "family_id" UUID,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "access_token_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "approval" (
    "id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "site_id" INTEGER,
    "operation" TEXT NOT NULL,
    "risk" TEXT NOT NULL,
    "binding_code" TEXT NOT NULL,
    "document" JSONB NOT NULL,
    "lines" JSONB NOT NULL,
    "payload_hash" BYTEA NOT NULL,
    "status" "approval_status" NOT NULL DEFAULT 'pending',
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),
    "approver_id" INTEGER,
    "consumed_at" TIMESTAMPTZ(3),
    "request_id" TEXT,

    CONSTRAINT "approval_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_record" (
    "scope" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "operation" TEXT NOT NULL,
    "status" INTEGER,
    "answer" BYTEA,
    "lease_until" TIMESTAMPTZ(3),
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("scope","key_hash")
);

-- CreateTable
CREATE TABLE "audit" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "site_id" INTEGER,
    "client_id" TEXT,
    "person_id" INTEGER,
    "operation" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "approval_id" TEXT,
    "detail" JSONB NOT NULL,

    CONSTRAINT "audit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "site_purge" (
    "site_id" INTEGER NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "site_purge_pkey" PRIMARY KEY ("site_id")
);

-- CreateIndex
CREATE INDEX "client_owner_id_idx" ON "client"("owner_id");

-- CreateIndex
CREATE INDEX "client_site_site_id_idx" ON "client_site"("site_id");

-- CreateIndex
CREATE INDEX "access_token_client_id_idx" ON "access_token"("client_id");

-- CreateIndex
CREATE INDEX "access_token_family_id_idx" ON "access_token"("family_id");

-- CreateIndex
CREATE INDEX "access_token_expires_at_idx" ON "access_token"("expires_at");

-- CreateIndex
CREATE INDEX "approval_client_id_status_idx" ON "approval"("client_id", "status");

-- CreateIndex
CREATE INDEX "approval_site_id_status_idx" ON "approval"("site_id", "status");

-- CreateIndex
CREATE INDEX "idempotency_record_expires_at_idx" ON "idempotency_record"("expires_at");

-- CreateIndex
CREATE INDEX "audit_site_id_at_idx" ON "audit"("site_id", "at");

-- CreateIndex
CREATE INDEX "audit_client_id_at_idx" ON "audit"("client_id", "at");

-- AddForeignKey
ALTER TABLE "client" ADD CONSTRAINT "client_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_site" ADD CONSTRAINT "client_site_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_site" ADD CONSTRAINT "client_site_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_token" ADD CONSTRAINT "access_token_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approval" ADD CONSTRAINT "approval_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approval" ADD CONSTRAINT "approval_approver_id_fkey" FOREIGN KEY ("approver_id") REFERENCES "person"("id") ON DELETE SET NULL ON UPDATE CASCADE;

