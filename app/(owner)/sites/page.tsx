import { Plus, Search } from "lucide-react";
import type { Metadata } from "next";
import Form from "next/form";
import { Suspense } from "react";
import { Boundary } from "@/components/ui/boundary";
import { ButtonLink } from "@/components/ui/button-link";
import { Notice } from "@/components/ui/notice";
import { Pager } from "@/components/ui/pager";
import { PillLink } from "@/components/ui/pill-link";
import { Skeleton } from "@/components/ui/skeleton";
import { Steps } from "@/components/ui/steps";
import type { Owner } from "@/lib/contract/define";
import { LONGEST_SEARCH } from "@/lib/contract/fields";
import { formatExactly } from "@/lib/contract/numbers";
import { PERIODS } from "@/lib/contract/vocabulary";
import { db } from "@/lib/platform/db";
import { describeError, log } from "@/lib/platform/log";
import { findSites, type ListedSite, SORTS, type Sort, sortSites, tagsOf } from "@/lib/sites/site-list";
import { msg, t } from "@/lib/texts/translate";
import { signedInOwner } from "../access";
import { combinedUrl } from "./combined/view";
import { dashboardUrl, LIST_PERIODS, type ListQuery, listUrl, periodText, readListQuery } from "./list-query";
import { countsIn, needsMending, numbersOfSites, outcomesOfSites, statesOf } from "./numbers";
import { PeriodMenu } from "./period-menu";
import { PresentCounts } from "./present";
import { SiteCard } from "./site-card";
import { Totals } from "./totals";

export const generateMetadata = (): Metadata => ({ title: t("Your sites") });

const CARDS = 24;
/** Up to this many sites there is no search field. */
const MAX_WITHOUT_SEARCH = 6;
/** Up to this many sites there are no sort links. */
const MAX_WITHOUT_SORT = 3;

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SitesPage({ searchParams }: Props) {
  const asked = readListQuery(await searchParams);
  const { search, tag, page } = asked;
  const owner = await signedInOwner();
  const now = new Date();
  const [sites, tags] = await Promise.all([findSites(db(), owner.personId, search, tag), tagsOf(db(), owner.personId)]);
  if (sites.length === 0 && search === "" && tag === "") return <NoSites />;
  const { shown, numbers, outcomes, states } = await readPage(owner, sites, asked, now);
  const last = Math.max(1, Math.ceil(sites.length / CARDS));
  const isSearchable = sites.length > MAX_WITHOUT_SEARCH || search !== "" || tag !== "";
  const present = countsIn(states ?? new Map());
  const period = periodText(asked.asked);
  const broken = [...(states?.values() ?? [])].filter(needsMending).length;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex items-baseline gap-2.5">
          <h1 className="text-2xl font-semibold">{t("Your sites")}</h1>
          <span className="text-muted tabular-nums">{formatExactly(sites.length)}</span>
        </div>
        <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
          {isSearchable && <SiteSearch asked={asked} />}
          <PeriodChoice asked={asked} />
          {sites.length > 1 && (
            <ButtonLink href={combinedAddress(asked)} look="quiet">
              {t("Combined report")}
            </ButtonLink>
          )}
          <ButtonLink href="/sites/new" size="normal">
            <Plus /> {t("Add a site")}
          </ButtonLink>
        </div>
        {tags.length > 0 && <TagLinks asked={asked} tags={tags} />}
        {sites.length > MAX_WITHOUT_SORT && <SortLinks asked={asked} />}
      </div>
      {broken > 0 && (
        <div className="mb-4">
          <Notice isPermanent>
            {t(
              "{count, plural, one {One site needs a look: it comes first.} other {# sites need a look: they come first.}}",
              { count: broken },
            )}
          </Notice>
        </div>
      )}
      {sites.length > 1 && (
        <Boundary what={t("the totals")}>
          <Suspense fallback={<Skeleton className="mb-4 h-18 w-full" />}>
            <Totals
              numbers={numbers}
              outcomes={outcomes}
              sites={sites.length}
              period={period}
              present={[...present.values()].reduce((sum, one) => sum + one, 0)}
            />
          </Suspense>
        </Boundary>
      )}
      {shown.length === 0 && <Nothing asked={sites.length === 0 ? asked : null} />}
      <PresentCounts siteIds={shown.map(({ siteId }) => siteId)} first={Object.fromEntries(present)}>
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {shown.map((site) => (
            <SiteCard
              key={site.siteId}
              site={site}
              numbers={numbers}
              outcomes={outcomes}
              state={states?.get(site.siteId) ?? null}
              period={period}
              href={dashboardUrl(site.siteId, asked.asked)}
              tags={tags.map((one) => one.tag)}
            />
          ))}
        </ul>
      </PresentCounts>
      <Pager label={t("Pages of sites")} page={page} last={last} to={(to) => listUrl({ ...asked, page: to })} />
    </>
  );
}

/**
 * Returns one page of the list with its numbers, and those of all sites for the totals. Sorting by a number waits for
 * them; if that fails, the list is sorted by name and each card shows the error.
 */
async function readPage(owner: Owner, sites: ListedSite[], { sort, page, asked }: ListQuery, now: Date) {
  const ids = sites.map(({ siteId }) => siteId);
  const numbers = orNull(numbersOfSites(owner, ids, asked, now));
  const states = await orNull(statesOf(owner, ids, now));
  const isByNumber = sort === "visitors" || sort === "change";
  const sorted = sortSites(sites, sort, {
    inPeriod: isByNumber ? (await numbers)?.sites : undefined,
    present: states ? countsIn(states) : undefined,
    broken: new Set([...(states ?? [])].flatMap(([siteId, state]) => (needsMending(state) ? [siteId] : []))),
  });
  const shown = sorted.slice((page - 1) * CARDS, page * CARDS);
  const places = { all: ids, shown: shown.map(({ siteId }) => siteId) };
  return { shown, numbers, outcomes: orNull(outcomesOfSites(owner, places, asked, now)), states };
}

/** Returns null and logs a warning on errors, because the list works without numbers. */
const orNull = <T,>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error: unknown) => {
    log.warn(describeError(error), "numbers of the list of sites could not be read");
    return null;
  });

/** @param asked what was not found; null if the page number is beyond the last page */
const Nothing = ({ asked }: { asked: ListQuery | null }) => (
  <div className="card px-4 py-10 text-center">
    <p className="font-medium">{asked === null ? t("There are no sites on this page.") : t("No site found")}</p>
    {asked !== null && (
      <p className="mt-1 text-sm text-muted">
        {asked.search && asked.tag
          ? t("None of your sites has “{search}” in its name or domains and the tag “{tag}”.", {
              search: asked.search,
              tag: asked.tag,
            })
          : asked.search
            ? t("None of your sites has “{search}” in its name or domains.", { search: asked.search })
            : t("None of your sites has the tag “{tag}”.", { tag: asked.tag })}
      </p>
    )}
    <ButtonLink href="/sites" look="quiet" size="small" className="mt-4">
      {t("Show all sites")}
    </ButtonLink>
  </div>
);

const STEPS = [
  [msg("Add your site"), msg("Only its domain and timezone are needed.")],
  [msg("Paste one line"), msg("A small script without cookies, so no banner is needed.")],
  [msg("See the first visit"), msg("It shows up within seconds.")],
] as const;

/** Empty state of the site list, shown after sign-up. */
function NoSites() {
  return (
    <div className="mx-auto max-w-2xl py-8 sm:py-14">
      <h1 className="text-2xl font-semibold">{t("Add your first site")}</h1>
      <p className="mt-1 text-muted">{t("Two minutes from here to your first number.")}</p>
      <Steps steps={STEPS.map(([title, about]) => [t(title), t(about)])} className="card mt-6" />
      <ButtonLink href="/sites/new" size="large" className="mt-6 w-full sm:w-auto">
        {t("Add a site")}
      </ButtonLink>
    </div>
  );
}

/** The fields of an address that a form keeps beside its own. */
const keptBy = (asked: ListQuery, own: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    [...new URLSearchParams(listUrl({ ...asked, page: 1 }).split("?")[1])].filter(([name]) => !own.includes(name)),
  );

/** Search form of the site list, by name and domain. Works without JavaScript. */
const SiteSearch = ({ asked }: { asked: ListQuery }) => (
  <Form action="/sites" role="search" className="relative min-w-0 flex-1">
    <Search className="pointer-events-none absolute top-3 left-3 size-4 text-muted" />
    <input
      key={asked.search}
      type="search"
      name="q"
      defaultValue={asked.search}
      maxLength={LONGEST_SEARCH}
      aria-label={t("Search your sites")}
      placeholder={t("Name or domain")}
      className="h-10 w-full min-w-40 rounded-lg sm:w-56 border border-line-strong bg-surface pr-3 pl-9 text-ink placeholder:text-muted/70"
    />
    {Object.entries(keptBy(asked, ["q"])).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
  </Form>
);

function PeriodChoice({ asked }: { asked: ListQuery }) {
  const { period, from, to } = asked.asked;
  return (
    <PeriodMenu
      label={from && to ? `${from} – ${to}` : t(PERIODS[period])}
      choices={LIST_PERIODS.map(({ value, label }) => ({
        label: t(label),
        href: listUrl({ ...asked, page: 1, asked: { period: value, from: null, to: null } }),
        current: value === period,
      }))}
      kept={keptBy(asked, ["period", "from", "to"])}
      from={from ?? ""}
      to={to ?? ""}
    />
  );
}

/** The combined report of the shown tag and period. */
const combinedAddress = ({ tag, asked: { period, from, to } }: ListQuery): string =>
  combinedUrl({ siteIds: null, tag: tag || null, teamId: null, period, from, to, currency: null });

/** Links to the sites of each tag. */
const TagLinks = ({ asked, tags }: { asked: ListQuery; tags: readonly { tag: string; sites: number }[] }) => (
  <nav aria-label={t("Sites with the tag")} className="flex w-full flex-wrap items-center gap-1 text-sm">
    <span className="mr-1 text-muted max-sm:sr-only" aria-hidden="true">
      {t("Tag")}
    </span>
    {[{ tag: "", sites: null }, ...tags].map(({ tag, sites }) => (
      <PillLink
        key={tag}
        href={listUrl({ ...asked, page: 1, tag })}
        scroll={false}
        aria-current={tag === asked.tag}
        className="max-w-full truncate"
      >
        {tag || t("All")}
        {sites !== null && <span className="ml-1 text-xs tabular-nums opacity-80">{formatExactly(sites)}</span>}
      </PillLink>
    ))}
  </nav>
);

const ORDERS: Record<Sort, string> = {
  name: msg("From A to Z"),
  visitors: msg("Most visitors in the period first"),
  change: msg("Largest growth over the days before first"),
  live: msg("Most visitors in the last 5 minutes first"),
  created: msg("Last added first"),
};

/** Links to sort the site list. Sites that broke and pinned ones always come first. */
const SortLinks = ({ asked }: { asked: ListQuery }) => (
  <nav aria-label={t("Sort sites by")} className="flex w-full flex-wrap items-center gap-1 text-sm">
    <span className="mr-1 text-muted max-sm:sr-only" aria-hidden="true">
      {t("Sort by")}
    </span>
    {SORTS.map((one) => (
      <PillLink
        key={one}
        href={listUrl({ ...asked, page: 1, sort: one })}
        scroll={false}
        title={t(ORDERS[one])}
        aria-current={one === asked.sort}
      >
        {t("{sort, select, name {Name} visitors {Visitors} change {Change} live {Live} other {Newest}}", { sort: one })}
      </PillLink>
    ))}
  </nav>
);
