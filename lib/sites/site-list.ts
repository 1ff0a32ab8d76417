import { type Db, db } from "@/lib/platform/db";
import { siteTitle } from "@/lib/platform/legible-host";
import { siteFor, sitesMatching } from "@/lib/sites/access";

/** The site list of a person: search, sorting and pins. */

/** A site in the list, without its metrics. */
export interface ListedSite {
  siteId: number;
  name: string | null;
  /** The primary domain. */
  domain: string;
  timezone: string;
  createdAt: Date;
  /** Whether this person pinned it to the top. */
  pinned: boolean;
  /** The person's own tags of it. */
  tags: readonly string[];
  /** Whether an administrator of the service has disabled it. */
  disabled: boolean;
}

export const SORTS = ["name", "visitors", "change", "live", "created"] as const;
export type Sort = (typeof SORTS)[number];

/** Returns all sites of a person that match a search and have a tag, unsorted. */
export async function findSites(on: Db, personId: number, search: string, tag = ""): Promise<ListedSite[]> {
  const rows = await on.site.findMany({
    where: sitesMatching({ kind: "owner", personId }, { search, tag }),
    select: {
      id: true,
      name: true,
      timezone: true,
      createdAt: true,
      disabledAt: true,
      domains: { where: { isPrimary: true }, select: { host: true } },
      memberships: { where: { personId }, select: { pinned: true, tags: true } },
    },
  });
  return rows.map(({ id, name, timezone, createdAt, disabledAt, domains, memberships }) => ({
    siteId: id,
    name,
    timezone,
    createdAt,
    domain: domains[0]?.host ?? "",
    pinned: memberships[0]?.pinned ?? false,
    tags: memberships[0]?.tags ?? [],
    disabled: disabledAt !== null,
  }));
}

/** Returns a person's tags with their number of sites, in order. */
export async function tagsOf(on: Db, personId: number): Promise<{ tag: string; sites: number }[]> {
  const rows = await on.membership.findMany({ where: { personId, tags: { isEmpty: false } }, select: { tags: true } });
  const counts = new Map<string, number>();
  for (const tag of rows.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].map(([tag, sites]) => ({ tag, sites })).sort((one, other) => (one.tag < other.tag ? -1 : 1));
}

/** Returns which of these sites the person is a member of. */
export async function ownSitesOf(on: Db, personId: number, siteIds: readonly number[]): Promise<number[]> {
  const rows = await on.membership.findMany({
    where: { personId, siteId: { in: [...siteIds] } },
    select: { siteId: true },
  });
  return rows.map(({ siteId }) => siteId);
}

/** The visitors of a site in the local days of a period, as shown on its card. */
export interface PeriodNumbers {
  visitors: number;
  visits: number;
  /** Those of as many days before, up to the same time of day. */
  before: { visitors: number; visits: number };
  /** Visitors per day; empty for a long period. */
  days: number[];
}

/** Returns the relative change of visitors from the days before; null if those had no visitors. */
const changeOf = ({ visitors, before: { visitors: before } }: PeriodNumbers): number | null =>
  before > 0 ? (visitors - before) / before : null;

/** The metrics that sites are sorted by. A site without metrics sorts last. */
export interface SortMetrics {
  inPeriod?: ReadonlyMap<number, PeriodNumbers> | undefined;
  present?: ReadonlyMap<number, number> | undefined;
  /** The sites that broke: they come before all others, also before pinned ones. */
  broken?: ReadonlySet<number> | undefined;
}

const BY_NAME = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Sorts sites: those that broke first, then pinned ones, then by the given order (highest or newest first), then by name. */
export function sortSites(sites: readonly ListedSite[], sort: Sort, numbers: SortMetrics = {}): ListedSite[] {
  const rank = rankOf(sort, numbers);
  const isBroken = ({ siteId }: ListedSite) => Number(numbers.broken?.has(siteId) ?? false);
  const ranked = sites.map((site) => ({
    site,
    broken: isBroken(site),
    pinned: Number(site.pinned),
    rank: rank(site),
    title: siteTitle(site),
  }));
  ranked.sort(
    (a, b) =>
      b.broken - a.broken ||
      b.pinned - a.pinned ||
      (a.rank === b.rank ? 0 : b.rank - a.rank) ||
      BY_NAME.compare(a.title, b.title) ||
      a.site.siteId - b.site.siteId,
  );
  return ranked.map(({ site }) => site);
}

const LAST = Number.NEGATIVE_INFINITY;

function rankOf(sort: Sort, { inPeriod, present }: SortMetrics): (site: ListedSite) => number {
  if (sort === "created") return ({ createdAt }) => createdAt.getTime();
  if (sort === "live") return ({ siteId }) => present?.get(siteId) ?? 0;
  if (sort === "name") return () => 0;
  return ({ siteId }) => {
    const numbers = inPeriod?.get(siteId);
    if (!numbers) return LAST;
    return sort === "visitors" ? numbers.visitors : (changeOf(numbers) ?? LAST);
  };
}

/** Pins a site to the top of a person's list, or unpins it. @throws Refusal `site_not_granted` for non-members */
export async function pinSite(personId: number, siteId: number, pinned: boolean): Promise<void> {
  await siteFor(db(), { kind: "owner", personId }, siteId, "viewer");
  await db().membership.updateMany({ where: { siteId, personId }, data: { pinned } });
}
