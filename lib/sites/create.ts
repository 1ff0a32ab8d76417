import { randomBytes } from "node:crypto";
import type { Principal } from "@/lib/contract/define";
import type { Db } from "@/lib/db";
import { seal } from "@/lib/secrets";
import { claimDomain } from "@/lib/sites/owned-domains";

/** Where the key of a site's user pseudonyms is sealed. */
export const userKeyPlace = (siteId: number): string => `site.user_key:${siteId}`;

/**
 * Makes a site with its primary domain. The human behind the creator becomes its owner; a client that makes it is
 * granted it, and nothing else. `host` is normal already.
 *
 * @throws Refusal `domain_taken` when another site has the domain.
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
  const { id } = await db.site.create({
    data: {
      name: site.name,
      timezone: site.timezone,
      public: site.public,
      userKey: new Uint8Array(),
      createdAt: site.now,
      memberships: creator.personId === null ? {} : { create: { personId: creator.personId, role: "owner" } },
      clients: creator.kind === "client" ? { create: { clientId: creator.clientId } } : {},
    },
  });
  await db.site.update({
    where: { id },
    data: { userKey: new Uint8Array(seal(randomBytes(32), userKeyPlace(id))) },
  });
  await claimDomain(db, id, site.host, { isPrimary: true, provedAt: site.provedAt });
  return id;
}
