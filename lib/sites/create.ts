import { randomBytes } from "node:crypto";
import type { Principal } from "@/lib/contract/define";
import { userKeyPlace } from "@/lib/ingest/site/sites";
import type { Db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { lockRow } from "@/lib/platform/lock-row";
import { seal } from "@/lib/platform/secrets";
import { assignDomain, type PublishedProof } from "@/lib/sites/owned-domains";
import { requireRoomForMachineSite, requireRoomForSite } from "@/lib/sites/site-limits";

/**
 * Creates a site with its primary domain. The creator, or the person that the client acts for, becomes its owner; a
 * client is granted the new site. `host` must be normalised.
 *
 * @throws Refusal `domain_taken` if another site has the domain, `invalid_input` if the account has reached its site
 *   limit, `invalid_token` for a revoked client
 */
export async function createSite(
  db: Db,
  site: {
    host: string;
    name: string | null;
    timezone: string;
    public: boolean;
    creator: Principal;
    /** When the creator verified the domain; undefined if they did not. */
    provedAt?: Date;
    /** What they published, if the proof was that of a challenge. */
    proof?: PublishedProof;
    now: Date;
  },
): Promise<number> {
  const { creator } = site;
  const personId = await lockCreator(db, creator);
  if (personId !== null) await requireRoomForSite(db, personId, null, null);
  else if (creator.kind === "client") await requireRoomForMachineSite(db, creator.clientId);
  const { id } = await db.site.create({
    data: {
      name: site.name,
      timezone: site.timezone,
      public: site.public,
      mergeSlashes: true,
      userKey: new Uint8Array(),
      createdAt: site.now,
      clients: creator.kind === "client" ? { create: { clientId: creator.clientId } } : {},
    },
  });
  if (personId !== null) await db.membership.create({ data: { siteId: id, personId, role: "owner" } });
  await db.site.update({
    where: { id },
    data: { userKey: new Uint8Array(seal(randomBytes(32), userKeyPlace(id))) },
  });
  await assignDomain(db, id, site.host, {
    isPrimary: true,
    namedByAgent: creator.kind === "client",
    provedAt: site.provedAt,
    proof: site.proof,
  });
  return id;
}

/**
 * Returns the person that the creator acts for, and locks the creator's client until the site is created. The lock
 * keeps concurrent takeovers and revocations from leaving the site without an owner, and makes the site limit exact.
 */
async function lockCreator(db: Db, creator: Principal): Promise<number | null> {
  if (creator.kind === "owner") return creator.personId;
  await lockRow(db, "client", creator.clientId);
  const client = await db.client.findUnique({ where: { id: creator.clientId, revokedAt: null } });
  if (!client) throw new Refusal("invalid_token", "This client was just revoked or replaced. Get a new token.");
  return client.ownerId;
}
