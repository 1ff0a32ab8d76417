import { randomBytes } from "node:crypto";
import type { Principal } from "@/lib/contract/define";
import { userKeyPlace } from "@/lib/ingest/site/sites";
import type { Db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { seal } from "@/lib/platform/secrets";
import { claimDomain } from "@/lib/sites/owned-domains";
import { requireRoomForMachineSite, requireRoomForSite } from "@/lib/sites/site-limits";

/**
 * Makes a site with its primary domain. The human behind the creator becomes its owner; a client that makes it is
 * granted it, and nothing else. `host` is normal already.
 *
 * @throws Refusal `domain_taken` when another site has the domain, `invalid_input` when the account has no room for
 *   another site, `invalid_token` for a client that has ended.
 */
export async function createSite(
  db: Db,
  site: {
    host: string;
    name: string | null;
    timezone: string;
    public: boolean;
    creator: Principal;
    /** When the creator proved the domain, if they did. */
    provedAt?: Date;
    now: Date;
  },
): Promise<number> {
  const { creator } = site;
  const personId = await humanBehind(db, creator);
  if (personId !== null) await requireRoomForSite(db, personId, null, null);
  else if (creator.kind === "client") await requireRoomForMachineSite(db, creator.clientId);
  const { id } = await db.site.create({
    data: {
      name: site.name,
      timezone: site.timezone,
      public: site.public,
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
  await claimDomain(db, id, site.host, { isPrimary: true, provedAt: site.provedAt });
  return id;
}

/**
 * The creator's client is held until the site is made. Whoever takes it over, replaces it or ends it meanwhile waits and
 * finds the site, or was first and is seen here: a site is never made that nobody has. Its calls are serialized, so that
 * they can be counted.
 */
async function humanBehind(db: Db, creator: Principal): Promise<number | null> {
  if (creator.kind === "owner") return creator.personId;
  const [client] = await db.$queryRaw<{ ownerId: number | null }[]>`
    SELECT owner_id AS "ownerId" FROM client WHERE id = ${creator.clientId} AND revoked_at IS NULL FOR NO KEY UPDATE`;
  if (!client) throw new Refusal("invalid_token", "This client was ended or replaced just now; get a new token.");
  return client.ownerId;
}
