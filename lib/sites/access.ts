import type { Principal, SiteAccess } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";
import { manages, ROLES, type Role } from "@/lib/contract/vocabulary";
import { LARGEST_ID, siteNotGranted } from "@/lib/gateway/changes/site-revision";
import type { Db, Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { clip, plainText } from "@/lib/platform/text";

/** The sites a principal may act on, as a condition: those a client was granted, and of these those its human belongs to now. */
function reachable(principal: Principal): Prisma.SiteWhereInput {
  const member = (personId: number) => ({ memberships: { some: { personId } } });
  if (principal.kind === "owner") return member(principal.personId);
  const granted = { clients: { some: { clientId: principal.clientId } } };
  if (principal.personId !== null) return { ...granted, ...member(principal.personId) };
  return principal.clientKind === "machine" ? granted : { id: { in: [] } };
}

/**
 * The site as this principal may act on it, by the grant and the membership of this moment.
 *
 * @throws Refusal `site_not_granted` when it is missing or not the caller's (the two answer alike),
 *   `role_denied` when the caller's role on it is below `least`.
 */
export async function siteFor(db: Db, principal: Principal, siteId: number, least: Role): Promise<SiteAccess> {
  const site =
    siteId <= LARGEST_ID &&
    (await db.site.findFirst({ where: { id: siteId, ...reachable(principal) }, include: partsFor(principal) }));
  const role = site ? roleOn(site, principal) : null;
  if (!site || !role) throw siteNotGranted(siteId);
  if (ROLES[role].rank < ROLES[least].rank) {
    throw new Refusal(
      "role_denied",
      `This needs the role ${least} on site ${siteId}; yours is ${role}. An owner of the site can change it.`,
    );
  }
  return accessTo(site, role);
}

/**
 * A public site, as anyone may look at it.
 *
 * @throws Refusal `site_not_granted` when it is missing or not public.
 */
export async function publicSite(db: Db, siteId: number): Promise<SiteAccess> {
  const where = { id: siteId, public: true };
  const site = siteId <= LARGEST_ID && (await db.site.findFirst({ where, include: WITH_DOMAINS }));
  if (!site) throw siteNotGranted(siteId);
  return accessTo(site, "viewer");
}

function accessTo(site: Omit<SiteRow, "memberships" | "_count">, role: Role): SiteAccess {
  const { id, timezone, reportingCurrency: currency, revision, keepMonths: months, keptFrom: from } = site;
  return { id, domain: primaryOf(site), timezone, currency, retention: { months, from }, revision, role };
}

const WITH_DOMAINS = {
  domains: { orderBy: [{ isPrimary: "desc" }, { id: "asc" }] },
} satisfies Prisma.SiteInclude;

/** What is read of a site for one caller: its domains, primary first, and the caller's own membership. */
const partsFor = (principal: Principal) =>
  ({
    ...WITH_DOMAINS,
    memberships: { where: { personId: principal.personId ?? -1 }, select: { role: true } },
    _count: { select: { memberships: true } },
  }) satisfies Prisma.SiteInclude;

type SiteRow = Prisma.SiteGetPayload<{ include: ReturnType<typeof partsFor> }>;

/**
 * The role a principal has on a site: a human's membership of this moment, or null when it is gone. A machine on its own
 * has nobody above it: on a site without people it is the owner, elsewhere it manages.
 */
function roleOn(site: SiteRow, principal: Principal): Role | null {
  if (principal.personId !== null) return site.memberships[0]?.role ?? null;
  return site._count.memberships === 0 ? "owner" : "manager";
}

const primaryOf = (site: Pick<SiteRow, "domains">): string =>
  site.domains.find((domain) => domain.isPrimary)?.host ?? "";

/** The whole site as its operations answer it. */
export async function describeSite(db: Db, siteId: number, principal: Principal): Promise<SiteShape> {
  return shapeSite(await db.site.findUniqueOrThrow({ where: { id: siteId }, include: partsFor(principal) }), principal);
}

/**
 * The whole site for one who may act on it in whatever role.
 *
 * @throws Refusal as `siteFor` does.
 */
export async function readSite(db: Db, principal: Principal, siteId: number): Promise<SiteShape> {
  await siteFor(db, principal, siteId, "viewer");
  return describeSite(db, siteId, principal);
}

/**
 * One page of the sites a principal may act on, oldest first, with the number of all of them.
 *
 * @param search words, each of which is part of a site's name or of one of its domains; all sites when empty.
 */
export async function listSites(
  db: Db,
  principal: Principal,
  page: number,
  perPage: number,
  search = "",
): Promise<{ sites: SiteShape[]; total: number }> {
  const where = sitesMatching(principal, search);
  const [total, sites] = await Promise.all([
    db.site.count({ where }),
    db.site.findMany({
      where,
      orderBy: { id: "asc" },
      skip: (page - 1) * perPage,
      take: perPage,
      include: partsFor(principal),
    }),
  ]);
  return { total, sites: sites.map((site) => shapeSite(site, principal)) };
}

/** The sites of a principal that match a search, as a condition. */
export const sitesMatching = (principal: Principal, search: string): Prisma.SiteWhereInput => ({
  AND: [reachable(principal), ...searchConditions(search)],
});

const MOST_SEARCH_WORDS = 10;

function searchConditions(search: string): Prisma.SiteWhereInput[] {
  const words = clip(plainText(search), 255).split(/\s+/).filter(Boolean).slice(0, MOST_SEARCH_WORDS);
  return words.map((word) => {
    // Prisma leaves the wildcards of LIKE as they are.
    const text = { contains: word.replace(/[\\%_]/g, "\\$&"), mode: "insensitive" } as const;
    return { OR: [{ name: text }, { domains: { some: { host: text } } }] };
  });
}

function shapeSite(site: SiteRow, principal: Principal): SiteShape {
  // Whoever has lost every role in this very moment is shown what anyone of the site may see.
  const role = roleOn(site, principal) ?? "viewer";
  const forManagers = <T>(value: T): T | null => (manages(role) ? value : null);
  return {
    site_id: site.id,
    domain: primaryOf(site),
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
    trusted_proxy_ips: forManagers(site.trustedProxyIps),
    require_signature: forManagers(site.requireSignature),
    monitoring: site.monitoring,
    role,
    created_at: site.createdAt.toISOString(),
  };
}
