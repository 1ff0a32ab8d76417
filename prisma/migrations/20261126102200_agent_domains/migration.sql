-- Whether only an agent named the domain: emails to the site's people then do not let it become a link, unless it is verified.
ALTER TABLE "site_domain" ADD COLUMN "named_by_agent" BOOLEAN NOT NULL DEFAULT false;
UPDATE "site_domain" SET "named_by_agent" = true FROM "audit"
WHERE "audit"."site_id" = "site_domain"."site_id" AND "audit"."operation" = 'sites.create' AND "audit"."client_id" IS NOT NULL;
