import { manages, ROLES, type Role } from "@/lib/contract/access";
import type { Principal, SiteAccess } from "@/lib/contract/define";
import { LONGEST_SEARCH, type SiteShape } from "@/lib/contract/fields";
import { settingsIn } from "@/lib/contract/site-settings";
import { LARGEST_ID, siteNotGranted } from "@/lib/gateway/changes/site-revision";
import { canonicalHostPart } from "@/lib/platform/canonical";
import { type Db, Prisma } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { clip, plainText } from "@/lib/platform/text";

/** Returns a filter for the sites a principal may access: granted to the client, and its person is a member. */
function reachable(principal: Principal): Prisma.SiteWhereInput {
  const member = (personId: number) => ({ memberships: { some: { personId } } });
  if (principal.kind === "owner") return member(principal.personId);
  const granted = { clients: { some: { clientId: principal.clientId } } };
  if (principal.personId !== null) return { ...granted, ...member(principal.personId) };
  return principal.clientKind === "machine" ? granted : { id: { in: [] } };
}

/**
 * Returns the site if the principal may access it now.
 *
 * @param least the minimum role
 * @param whileDisabled whether it may be one that an administrator has disabled
 * @throws Refusal `site_not_granted` if it does not exist or is not granted (indistinguishable for the caller), or is
 *   disabled; `role_denied` if the caller's role is below `least`
 */
export async function siteFor(
  db: Db,
  principal: Principal,
  siteId: number,
  least: Role,
  whileDisabled = false,
): Promise<SiteAccess> {
  const site =
    siteId <= LARGEST_ID &&
    (await db.site.findFirst({ where: { id: siteId, ...reachable(principal) }, include: partsFor(principal) }));
  const role = site ? roleOn(site, principal) : null;
  if (!site || !role) throw siteNotGranted(siteId);
  if (site.disabledAt && !whileDisabled) throw siteDisabled(siteId);
  if (ROLES[role].rank < ROLES[least].rank) {
    throw new Refusal(
      "role_denied",
      `This needs the role ${least} on site ${siteId}; yours is ${role}. An owner of the site can change it.`,
    );
  }
  return accessTo(site, role);
}

/**
 * Returns a site for callers without an account.
 *
 * @param isPublic whether it must be public; otherwise a private link gives access to it
 * @throws Refusal `site_not_granted` if it does not exist, is disabled or is not public
 */
export async function sharedSiteAccess(
  db: Db,
  siteId: number,
  isPublic: boolean,
): Promise<SiteAccess & { publicRevenue: boolean }> {
  const where = { id: siteId, disabledAt: null, ...(isPublic && { public: true }) };
  const site = siteId <= LARGEST_ID && (await db.site.findFirst({ where, include: WITH_DOMAINS }));
  if (!site) throw siteNotGranted(siteId);
  return { ...accessTo(site, "viewer"), publicRevenue: site.publicRevenue };
}

/** SQL for whether a row belongs, by its `site_id`, to a site that no administrator has disabled. */
export const ofEnabledSite = Prisma.sql`EXISTS (SELECT FROM site WHERE site.id = site_id AND disabled_at IS NULL)`;

const siteDisabled = (siteId: number) =>
  new Refusal(
    "site_not_granted",
    `The administrator of this service has disabled site ${siteId}. Its data is kept: sites.export returns it, and sites.delete deletes the site. Ask them to enable it.`,
  );

function accessTo(site: Omit<SiteRow, "memberships">, role: Role): SiteAccess {
  const { id, timezone, reportingCurrency: currency, revision, keepMonths: months, keptFrom: from } = site;
  const { mergeSlashes, pageQuery } = site;
  return {
    id,
    domain: primaryOf(site),
    timezone,
    currency,
    retention: { months, from },
    mergeSlashes,
    pageQuery,
    revision,
    role,
  };
}

const WITH_DOMAINS = {
  domains: { orderBy: [{ isPrimary: "desc" }, { id: "asc" }] },
} satisfies Prisma.SiteInclude;

/** Relations to load for a caller: the domains, primary first, and the caller's own membership. */
const partsFor = (principal: Principal) =>
  ({
    ...WITH_DOMAINS,
    memberships: { where: { personId: principal.personId ?? -1 }, select: { role: true, tags: true } },
  }) satisfies Prisma.SiteInclude;

type SiteRow = Prisma.SiteGetPayload<{ include: ReturnType<typeof partsFor> }>;

/**
 * Returns the role of a principal on a site: the person's current role, or null if they are no longer a member. A
 * machine account without a person is an owner of its sites, and whoever has taken one over approves its risky changes.
 */
const roleOn = (site: SiteRow, principal: Principal): Role | null =>
  principal.personId === null ? "owner" : (site.memberships[0]?.role ?? null);

const primaryOf = (site: Pick<SiteRow, "domains">): string =>
  site.domains.find((domain) => domain.isPrimary)?.host ?? "";

/** Returns the site as shown in API responses. */
export async function describeSite(db: Db, siteId: number, principal: Principal): Promise<SiteShape> {
  return shapeSite(await db.site.findUniqueOrThrow({ where: { id: siteId }, include: partsFor(principal) }), principal);
}

/**
 * Returns several sites as shown in API responses, oldest first.
 *
 * @throws Refusal `site_not_granted` for the first one that does not exist or is not granted
 */
export async function readSites(db: Db, principal: Principal, siteIds: readonly number[]): Promise<SiteShape[]> {
  const id = { in: siteIds.filter((siteId) => siteId <= LARGEST_ID) };
  const where = { AND: [reachable(principal), { id }] };
  const sites = await db.site.findMany({ where, orderBy: { id: "asc" }, include: partsFor(principal) });
  const found = new Set(sites.map((site) => site.id));
  const missing = siteIds.find((siteId) => !found.has(siteId));
  if (missing !== undefined) throw siteNotGranted(missing);
  return sites.map((site) => shapeSite(site, principal));
}

/**
 * Lists one page of the sites a principal may access, oldest first, with their total number.
 *
 * @param found which of them; all by default
 */
export async function listSites(
  db: Db,
  principal: Principal,
  page: number,
  perPage: number,
  found: SiteSearch = {},
): Promise<{ sites: SiteShape[]; total: number }> {
  const where = sitesMatching(principal, found);
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

/** Which sites are asked for. */
export interface SiteSearch {
  /** Words that must all occur in the name or a domain of a site. */
  search?: string | null | undefined;
  /** A tag that the person has given the site, in any case. */
  tag?: string | null | undefined;
  /** The id of their team. */
  team?: number | null | undefined;
}

/** Returns a filter for the sites of a principal that match a search. */
export const sitesMatching = (principal: Principal, { search, tag, team }: SiteSearch): Prisma.SiteWhereInput => ({
  AND: [
    reachable(principal),
    ...searchConditions(search ?? ""),
    ...(team ? [{ teamId: team }] : []),
    ...(tag
      ? [{ memberships: { some: { personId: principal.personId ?? -1, tags: { has: canonicalTag(tag) } } } }]
      : []),
  ],
});

/** Tags are stored in lower case, so that one is found in any. */
export const canonicalTag = (tag: string): string => tag.trim().normalize("NFC").toLowerCase();

const MAX_SEARCH_WORDS = 10;

function searchConditions(search: string): Prisma.SiteWhereInput[] {
  const words = clip(plainText(search), LONGEST_SEARCH).split(/\s+/).filter(Boolean).slice(0, MAX_SEARCH_WORDS);
  return words.map((word) => {
    const text = { contains: likeOf(word), mode: "insensitive" } as const;
    const host = { ...text, contains: likeOf(canonicalHostPart(word)) };
    return { OR: [{ name: text }, { domains: { some: { host } } }] };
  });
}

/** Escapes the wildcards of LIKE, which Prisma does not. */
export const likeOf = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

function shapeSite(site: SiteRow, principal: Principal): SiteShape {
  // Fall back to the lowest role if the membership was removed since the access check.
  const role = roleOn(site, principal) ?? "viewer";
  const forManagers = <T>(value: T): T | null => (manages(role) ? value : null);
  return {
    site_id: site.id,
    domain: primaryOf(site),
    name: site.name,
    timezone: site.timezone,
    ...settingsIn("dashboard", site),
    ...settingsIn("general", site),
    public_url: `${env().BASE_URL}/share/${primaryOf(site)}`,
    reporting_currency: site.reportingCurrency,
    page_query: site.pageQuery,
    domains: site.domains.map((domain) => ({
      domain_id: domain.id,
      domain: domain.host,
      primary: domain.isPrimary,
      verified: domain.verifiedAt !== null,
    })),
    trusted_proxy_ips: forManagers(site.trustedProxyIps),
    require_signature: forManagers(site.requireSignature),
    monitoring: settingsIn("monitoring", site).enabled,
    tags: site.memberships[0]?.tags ?? [],
    disabled: site.disabledAt !== null,
    role,
    created_at: site.createdAt.toISOString(),
  };
}
