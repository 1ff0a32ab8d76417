-- Agents and their owners: machine accounts, challenges, device codes, refresh tokens; second factor, resets, invitations, mail.
-- CreateEnum
CREATE TYPE "challenge_purpose" AS ENUM ('register', 'recover', 'claim');

-- CreateEnum
CREATE TYPE "proof_method" AS ENUM ('dns', 'https');

-- CreateEnum
CREATE TYPE "device_status" AS ENUM ('pending', 'approved', 'denied', 'redeemed');

-- AlterTable
ALTER TABLE "person" ADD COLUMN     "totp_last_step" INTEGER,
ADD COLUMN     "totp_seed" BYTEA,
ADD COLUMN     "totp_since" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "client" ADD COLUMN     "account_id" TEXT;

-- AlterTable
ALTER TABLE "idempotency_record" ADD COLUMN     "answer_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "recovery_code" (
    "person_id" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("person_id","hash")
);

-- CreateTable
CREATE TABLE "password_reset" (
    "hash" BYTEA NOT NULL,
    "person_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_reset_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "invitation" (
    "id" SERIAL NOT NULL,
    "hash" BYTEA NOT NULL,
    "site_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "invited_by_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail" (
    "id" UUID NOT NULL,
    "letter" BYTEA NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "send_after" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "machine_account" (
    "id" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "name" TEXT,
    "contact_email" TEXT,
    "recovery_hash" BYTEA NOT NULL,
    "owner_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "machine_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "challenge" (
    "id" TEXT NOT NULL,
    "purpose" "challenge_purpose" NOT NULL,
    "domain" TEXT NOT NULL,
    "method" "proof_method" NOT NULL,
    "value" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "recovery_hash" BYTEA,
    "client_id" TEXT,
    "person_id" INTEGER,
    "name" TEXT,
    "contact_email" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "wrong_keys" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "challenge_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refresh_token" (
    "hash" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "scopes" TEXT[],
    "family_id" UUID NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_token_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "device_code" (
    "hash" BYTEA NOT NULL,
    "user_code_hash" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "status" "device_status" NOT NULL DEFAULT 'pending',
    "interval" INTEGER NOT NULL,
    "last_polled_at" TIMESTAMPTZ(3),
    "asked_from" TEXT,
    "person_id" INTEGER,
    "consented" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "opened" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "device_code_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "password_reset_person_id_idx" ON "password_reset"("person_id");

-- CreateIndex
CREATE INDEX "password_reset_expires_at_idx" ON "password_reset"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_hash_key" ON "invitation"("hash");

-- CreateIndex
CREATE INDEX "invitation_expires_at_idx" ON "invitation"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_site_id_email_key" ON "invitation"("site_id", "email");

-- CreateIndex
CREATE INDEX "mail_send_after_idx" ON "mail"("send_after");

-- CreateIndex
CREATE INDEX "machine_account_domain_idx" ON "machine_account"("domain");

-- CreateIndex
CREATE INDEX "machine_account_owner_id_idx" ON "machine_account"("owner_id");

-- CreateIndex
CREATE INDEX "challenge_expires_at_idx" ON "challenge"("expires_at");

-- CreateIndex
CREATE INDEX "challenge_client_id_person_id_idx" ON "challenge"("client_id", "person_id");

-- CreateIndex
CREATE INDEX "refresh_token_client_id_idx" ON "refresh_token"("client_id");

-- CreateIndex
CREATE INDEX "refresh_token_family_id_idx" ON "refresh_token"("family_id");

-- CreateIndex
CREATE INDEX "refresh_token_expires_at_idx" ON "refresh_token"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "device_code_user_code_hash_key" ON "device_code"("user_code_hash");

-- CreateIndex
CREATE INDEX "device_code_client_id_idx" ON "device_code"("client_id");

-- CreateIndex
CREATE INDEX "device_code_expires_at_idx" ON "device_code"("expires_at");

-- CreateIndex
CREATE INDEX "client_account_id_idx" ON "client"("account_id");

-- AddForeignKey
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_invited_by_id_fkey" FOREIGN KEY ("invited_by_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "machine_account" ADD CONSTRAINT "machine_account_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "person"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "challenge" ADD CONSTRAINT "challenge_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client" ADD CONSTRAINT "client_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "machine_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_token" ADD CONSTRAINT "refresh_token_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_code" ADD CONSTRAINT "device_code_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_code" ADD CONSTRAINT "device_code_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;
