import { Plus, Search } from "lucide-react";
import type { Metadata } from "next";
import Form from "next/form";
import Link from "next/link";
import { ButtonLink } from "@/components/ui/button";
import { Pager } from "@/components/ui/pager";
import { Steps } from "@/components/ui/steps";
import type { Owner } from "@/lib/contract/define";
import { LONGEST_SEARCH } from "@/lib/contract/fields";
import { db } from "@/lib/platform/db";
import { describeError, log } from "@/lib/platform/log";
import { findSites, type ListedSite, SORTS, type Sort, sortSites } from "@/lib/sites/site-list";
import { signedInOwner } from "../access";
import { presentOf, weeksOf } from "./numbers";
import { PresentCounts } from "./present";
import { SiteCard } from "./site-card";

export const metadata: Metadata = { title: "Your sites" };

const CARDS = 24;
/** Up to this many sites there is no search field. */
const MAX_WITHOUT_SEARCH = 6;
/** Up to this many sites there are no sort links. */
const MAX_WITHOUT_SORT = 3;

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SitesPage({ searchParams }: Props) {
  const query = await searchParams;
  const owner = await signedInOwner();
  const search = typeof query.q === "string" ? query.q.trim() : "";
  const sort = SORTS.find((one) => one === query.sort) ?? "name";
  const page = typeof query.page === "string" && /^[1-9]\d{0,4}$/.test(query.page) ? Number(query.page) : 1;
  const now = new Date();
  const sites = await findSites(db(), owner.personId, search);
  if (sites.length === 0 && search === "") return <NoSites />;
  const { shown, weeks, present } = await readPage(owner, sites, { sort, page, now });
  const last = Math.max(1, Math.ceil(sites.length / CARDS));
  const searchable = sites.length > MAX_WITHOUT_SEARCH || search !== "";
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
        {sites.length > MAX_WITHOUT_SORT && <SortLinks search={search} sort={sort} />}
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
 * Returns one page of the list with its numbers. Sorting by a number reads the numbers of all sites; if that fails, the
 * list is sorted by name and each card shows the error.
 */
async function readPage(
  owner: Owner,
  sites: ListedSite[],
  { sort, page, now }: { sort: Sort; page: number; now: Date },
) {
  const onPage = (sorted: ListedSite[]) => sorted.slice((page - 1) * CARDS, page * CARDS);
  const idsOf = (some: ListedSite[]) => some.map(({ siteId }) => siteId);
  const needsWeeks = sort === "visitors" || sort === "change";
  const byName = onPage(sortSites(sites, sort));
  const weeks = orNull(weeksOf(owner, idsOf(needsWeeks ? sites : byName), now));
  const present = await orNull(presentOf(owner, idsOf(sort === "name" || sort === "created" ? byName : sites), now));
  const numbers = { weeks: needsWeeks ? ((await weeks) ?? undefined) : undefined, present: present ?? undefined };
  return { shown: onPage(sortSites(sites, sort, numbers)), weeks, present };
}

/** Returns null and logs a warning on errors, because the list works without numbers. */
const orNull = <T,>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error: unknown) => {
    log.warn(describeError(error), "numbers of the list of sites could not be read");
    return null;
  });

/** @param search the text that was not found; null if the page number is beyond the last page */
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

const STEPS = [
  ["Add your site", "Only its domain and timezone are needed."],
  ["Paste one line", "A small script without cookies, so no banner is needed."],
  ["See the first visit", "It shows up within seconds."],
] as const;

/** Empty state of the site list, shown after sign-up. */
function NoSites() {
  return (
    <div className="mx-auto max-w-2xl py-8 sm:py-14">
      <h1 className="text-2xl font-semibold">Add your first site</h1>
      <p className="mt-1 text-muted">Two minutes from here to your first number.</p>
      <Steps steps={STEPS} className="card mt-6" />
      <ButtonLink href="/sites/new" size="large" className="mt-6 w-full sm:w-auto">
        Add a site
      </ButtonLink>
    </div>
  );
}

/** Search form of the site list, by name and domain. Works without JavaScript. */
const SiteSearch = ({ search, sort }: { search: string; sort: Sort }) => (
  <Form action="/sites" role="search" className="relative min-w-0 flex-1">
    <Search className="pointer-events-none absolute top-3 left-3 size-4 text-muted" />
    <input
      key={search}
      type="search"
      name="q"
      defaultValue={search}
      maxLength={LONGEST_SEARCH}
      aria-label="Search your sites"
      placeholder="Name or domain"
      className="h-10 w-full rounded-lg sm:w-56 border border-line-strong bg-surface pr-3 pl-9 text-ink placeholder:text-muted/70"
    />
    {sort !== "name" && <input type="hidden" name="sort" value={sort} />}
  </Form>
);

const LABELS: Record<Sort, [label: string, about: string]> = {
  name: ["Name", "From A to Z"],
  visitors: ["Visitors", "Most visitors in 7 days first"],
  change: ["Change", "Largest growth over the previous 7 days first"],
  live: ["Live", "Most visitors in the last 5 minutes first"],
  created: ["Newest", "Last added first"],
};

/** Links to sort the site list. Pinned sites always come first. */
const SortLinks = ({ search, sort }: { search: string; sort: Sort }) => (
  <nav aria-label="Sort sites by" className="flex w-full flex-wrap items-center gap-1 text-sm">
    <span className="mr-1 text-muted max-sm:sr-only" aria-hidden="true">
      Sort by
    </span>
    {SORTS.map((one) => (
      <Link
        key={one}
        href={listUrl({ search, sort: one })}
        prefetch={false}
        scroll={false}
        title={LABELS[one][1]}
        aria-current={one === sort}
        className="rounded-md px-2.5 py-1 text-muted hover:bg-sunken hover:text-ink aria-[current=true]:bg-accent-soft aria-[current=true]:font-medium aria-[current=true]:text-accent"
      >
        {LABELS[one][0]}
      </Link>
    ))}
  </nav>
);

/** URL of a page of the site list. */
function listUrl({ search, sort, page = 1 }: { search: string; sort: Sort; page?: number }): string {
  const query = new URLSearchParams({
    ...(search && { q: search }),
    ...(sort !== "name" && { sort }),
    ...(page > 1 && { page: `${page}` }),
  });
  return query.size > 0 ? `/sites?${query}` : "/sites";
}
