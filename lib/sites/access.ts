import type { SiteAccess } from "@/lib/contract/define";
import { Refusal } from "@/lib/contract/errors";
import type { SiteShape } from "@/lib/contract/fields";
import { ROLES, type Role } from "@/lib/contract/vocabulary";
import type { Db, Prisma } from "@/lib/db";

/** Postgres keeps site ids as 32-bit integers: a larger one is nobody's. */
const LARGEST_ID = 2 ** 31 - 1;

/**
 * The site as this person may act on it.
 *
 * @throws Refusal `site_not_granted` when it is missing or someone else's (the two answer alike),
 *   `role_denied` when the person's role on it is below `least`.
 */
export async function siteFor(db: Db, personId: number, siteId: number, least: Role): Promise<SiteAccess> {
  const membership =
    siteId <= LARGEST_ID &&
    (await db.membership.findUnique({
      where: { siteId_personId: { siteId, personId } },
      select: { role: true, site: { select: { timezone: true } } },
    }));
  if (!membership) {
    throw new Refusal("site_not_granted", `Site ${siteId} is not one of yours; sites.list shows those that are.`);
  }
  if (ROLES[membership.role].rank < ROLES[least].rank) {
    throw new Refusal(
      "role_denied",
      `This needs the role ${least} on site ${siteId}; yours is ${membership.role}. An owner of the site can change it.`,
    );
  }
  return { id: siteId, timezone: membership.site.timezone, role: membership.role };
}

const siteParts = { domains: { orderBy: [{ isPrimary: "desc" }, { id: "asc" }] } } satisfies Prisma.SiteInclude;

/** The whole site as its operations answer it, for one member. */
export async function describeSite(db: Db, siteId: number, role: Role): Promise<SiteShape> {
  const site = await db.site.findUniqueOrThrow({ where: { id: siteId }, include: siteParts });
  return shapeSite(site, role);
}

/** One page of the sites a person belongs to, by name of the primary domain, with the number of all of them. */
export async function listSites(
  db: Db,
  personId: number,
  page: number,
  perPage: number,
): Promise<{ sites: SiteShape[]; total: number }> {
  const [total, memberships] = await Promise.all([
    db.membership.count({ where: { personId } }),
    db.membership.findMany({
      where: { personId },
      orderBy: { siteId: "asc" },
      skip: (page - 1) * perPage,
      take: perPage,
      include: { site: { include: siteParts } },
    }),
  ]);
  return { total, sites: memberships.map(({ site, role }) => shapeSite(site, role)) };
}

interface SiteRow {
  id: number;
  name: string | null;
  timezone: string;
  public: boolean;
  reportingCurrency: string;
  createdAt: Date;
  domains: { id: number; host: string; isPrimary: boolean; verifiedAt: Date | null }[];
}

function shapeSite(site: SiteRow, role: Role): SiteShape {
  return {
    site_id: site.id,
    domain: site.domains.find((domain) => domain.isPrimary)?.host ?? "",
    name: site.name,
    timezone: site.timezone,
    public: site.public,
    reporting_currency: site.reportingCurrency,
    domains: site.domains.map((domain) => ({
      domain_id: domain.id,
      domain: domain.host,
      primary: domain.isPrimary,
      verified: domain.verifiedAt !== null,
    })),
    role,
    created_at: site.createdAt.toISOString(),
  };
}
