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
}

export const SORTS = ["name", "visitors", "change", "live", "created"] as const;
export type Sort = (typeof SORTS)[number];

/** Returns all sites of a person that match a search, unsorted. */
export async function findSites(on: Db, personId: number, search: string): Promise<ListedSite[]> {
  const rows = await on.site.findMany({
    where: sitesMatching({ kind: "owner", personId }, search),
    select: {
      id: true,
      name: true,
      timezone: true,
      createdAt: true,
      domains: { where: { isPrimary: true }, select: { host: true } },
      memberships: { where: { personId }, select: { pinned: true } },
    },
  });
  return rows.map(({ id, name, timezone, createdAt, domains, memberships }) => ({
    siteId: id,
    name,
    timezone,
    createdAt,
    domain: domains[0]?.host ?? "",
    pinned: memberships[0]?.pinned ?? false,
  }));
}

/** Returns which of these sites the person is a member of. */
export async function ownSitesOf(on: Db, personId: number, siteIds: readonly number[]): Promise<number[]> {
  const rows = await on.membership.findMany({
    where: { personId, siteId: { in: [...siteIds] } },
    select: { siteId: true },
  });
  return rows.map(({ siteId }) => siteId);
}

/** The visitors of a site's last seven local days, as shown on its card. */
export interface Week {
  visitors: number;
  /** Visitors of the seven days before, up to the same time of day. */
  before: number;
  /** Visitors per day; the last one is today. */
  days: number[];
}

/** Returns the relative change of visitors from the week before; null if that had no visitors. */
export const changeOfWeek = ({ visitors, before }: Week): number | null =>
  before > 0 ? (visitors - before) / before : null;

/** The metrics that sites are sorted by. A site without metrics sorts last. */
export interface SiteNumbers {
  weeks?: ReadonlyMap<number, Week> | undefined;
  present?: ReadonlyMap<number, number> | undefined;
}

const BY_NAME = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Sorts sites: pinned ones first, then by the given order (highest or newest first), then by name. */
export function sortSites(sites: readonly ListedSite[], sort: Sort, numbers: SiteNumbers = {}): ListedSite[] {
  const rank = rankOf(sort, numbers);
  const ranked = sites.map((site) => ({ site, pinned: Number(site.pinned), rank: rank(site), title: siteTitle(site) }));
  ranked.sort(
    (a, b) =>
      b.pinned - a.pinned ||
      (a.rank === b.rank ? 0 : b.rank - a.rank) ||
      BY_NAME.compare(a.title, b.title) ||
      a.site.siteId - b.site.siteId,
  );
  return ranked.map(({ site }) => site);
}

const LAST = Number.NEGATIVE_INFINITY;

function rankOf(sort: Sort, { weeks, present }: SiteNumbers): (site: ListedSite) => number {
  if (sort === "created") return ({ createdAt }) => createdAt.getTime();
  if (sort === "live") return ({ siteId }) => present?.get(siteId) ?? 0;
  if (sort === "name") return () => 0;
  return ({ siteId }) => {
    const week = weeks?.get(siteId);
    if (!week) return LAST;
    return sort === "visitors" ? week.visitors : (changeOfWeek(week) ?? LAST);
  };
}

/** Pins a site to the top of a person's list, or unpins it. @throws Refusal `site_not_granted` for non-members */
export async function pinSite(personId: number, siteId: number, pinned: boolean): Promise<void> {
  await siteFor(db(), { kind: "owner", personId }, siteId, "viewer");
  await db().membership.updateMany({ where: { siteId, personId }, data: { pinned } });
}
