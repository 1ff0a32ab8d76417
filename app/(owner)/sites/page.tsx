import type { Metadata } from "next";
import { ButtonLink } from "@/components/ui/button";
import { Plus } from "@/components/ui/icons";
import { Pager } from "@/components/ui/pager";
import { db } from "@/lib/platform/db";
import { describeError, log } from "@/lib/platform/log";
import { findSites, type ListedSite, SORTS, type Sort, sortSites } from "@/lib/sites/site-list";
import { presentOf, weeksOf } from "@/lib/sites/weeks";
import { principalOf, signedInOwner } from "../access";
import { listUrl } from "./list-url";
import { NoSites } from "./no-sites";
import { PresentCounts } from "./present";
import { SiteCard } from "./site-card";
import { SiteSearch } from "./site-search";
import { SortLinks } from "./sort-links";

export const metadata: Metadata = { title: "Your sites" };

const CARDS = 24;
/** So few are seen at a glance without a search. */
const FEW = 6;
/** So few need no order. */
const FEW_TO_SORT = 3;

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SitesPage({ searchParams }: Props) {
  const asked = await searchParams;
  const owner = await signedInOwner("/sites");
  const search = typeof asked.q === "string" ? asked.q.trim() : "";
  const sort = SORTS.find((one) => one === asked.sort) ?? "name";
  const page = typeof asked.page === "string" && /^[1-9]\d{0,4}$/.test(asked.page) ? Number(asked.page) : 1;
  const now = new Date();
  const sites = await findSites(db(), owner.personId, search);
  if (sites.length === 0 && search === "") return <NoSites />;
  const { shown, weeks, present } = await readPage(principalOf(owner), sites, { sort, page, now });
  const last = Math.max(1, Math.ceil(sites.length / CARDS));
  const searchable = sites.length > FEW || search !== "";
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex items-baseline gap-2.5">
          <h1 className="text-2xl font-semibold">Your sites</h1>
          <span className="text-muted tabular-nums">{sites.length}</span>
        </div>
        <div className={`flex items-center gap-3 ${searchable ? "max-sm:w-full" : ""}`}>
          {searchable && <SiteSearch search={search} sort={sort} />}
          <ButtonLink href="/sites/new" size="normal">
            <Plus /> Add a site
          </ButtonLink>
        </div>
        {sites.length > FEW_TO_SORT && <SortLinks search={search} sort={sort} />}
      </div>
      {shown.length === 0 && <Nothing search={sites.length === 0 ? search : null} />}
      <PresentCounts siteIds={shown.map(({ siteId }) => siteId)} first={Object.fromEntries(present ?? [])}>
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {shown.map((site) => (
            <SiteCard key={site.siteId} site={site} weeks={weeks} />
          ))}
        </ul>
      </PresentCounts>
      <Pager label="Pages of sites" page={page} last={last} to={(to) => listUrl({ search, sort, page: to })} />
    </>
  );
}

/**
 * The sites of one page of the list with their numbers. Where the list is sorted by numbers, those of all sites are read;
 * where these cannot be read it is sorted by name, and each card says so.
 */
async function readPage(
  principal: ReturnType<typeof principalOf>,
  sites: ListedSite[],
  { sort, page, now }: { sort: Sort; page: number; now: Date },
) {
  const onPage = (sorted: ListedSite[]) => sorted.slice((page - 1) * CARDS, page * CARDS);
  const needsWeeks = sort === "visitors" || sort === "change";
  const byName = onPage(sortSites(sites, sort));
  const weeks = orNull(weeksOf(principal, needsWeeks ? sites : byName, now));
  const idsOf = (some: ListedSite[]) => some.map(({ siteId }) => siteId);
  const present = await orNull(presentOf(principal, idsOf(sort === "name" || sort === "created" ? byName : sites)));
  const numbers = { weeks: needsWeeks ? ((await weeks) ?? undefined) : undefined, present: present ?? undefined };
  return { shown: onPage(sortSites(sites, sort, numbers)), weeks, present };
}

/** The page is there without its numbers too. */
const orNull = <T,>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error: unknown) => {
    log.warn(describeError(error), "numbers of the list of sites could not be read");
    return null;
  });

/** @param search what found nothing; null where the page lies behind the last one. */
const Nothing = ({ search }: { search: string | null }) => (
  <div className="card px-4 py-10 text-center">
    <p className="font-medium">{search === null ? "There are no sites on this page." : "No site found"}</p>
    {search !== null && (
      <p className="mt-1 text-sm text-muted">None of your sites has “{search}” in its name or domains.</p>
    )}
    <ButtonLink href="/sites" look="quiet" size="small" className="mt-4">
      Show all sites
    </ButtonLink>
  </div>
);
