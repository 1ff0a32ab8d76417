import { randomBytes } from "node:crypto";
import { Refusal } from "@/lib/contract/errors";
import { type Db, Prisma } from "@/lib/db";
import { seal } from "@/lib/secrets";

/** Where the key of a site's user pseudonyms is sealed. */
export const userKeyPlace = (siteId: number): string => `site.user_key:${siteId}`;

/**
 * Makes a site with its primary domain and its first owner. `host` is normal already.
 *
 * @throws Refusal `domain_taken` when another site has the domain.
 */
export async function createSite(
  db: Db,
  site: { host: string; name: string | null; timezone: string; public: boolean; ownerId: number; now: Date },
): Promise<number> {
  const { id } = await db.site.create({
    data: {
      name: site.name,
      timezone: site.timezone,
      public: site.public,
      userKey: new Uint8Array(),
      createdAt: site.now,
      memberships: { create: { personId: site.ownerId, role: "owner", createdAt: site.now } },
    },
  });
  await db.site.update({
    where: { id },
    data: { userKey: new Uint8Array(seal(randomBytes(32), userKeyPlace(id))) },
  });
  await claimDomain(db, id, site.host, true);
  return id;
}

/** Gives a domain to a site. @throws Refusal `domain_taken` when another site has it. */
async function claimDomain(db: Db, siteId: number, host: string, isPrimary: boolean): Promise<void> {
  try {
    await db.siteDomain.create({ data: { siteId, host, isPrimary } });
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002")) throw error;
    throw new Refusal(
      "domain_taken",
      `${host} already belongs to a site. If it is yours, ask that site's owner for access or choose another domain.`,
      { issues: [{ path: "domain", message: "already belongs to a site" }] },
    );
  }
}
