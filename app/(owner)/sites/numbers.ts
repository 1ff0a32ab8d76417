import type { z } from "zod";
import type { Owner } from "@/lib/contract/define";
import { SUMMED_OUTCOMES } from "@/lib/contract/vocabulary";
import { CAUSES, type Cause } from "@/lib/monitoring/causes";
import sitesOverview, { MAX_LED } from "@/lib/operations/sites.overview";
import type { PeriodNumbers } from "@/lib/sites/site-list";
import { capitalise } from "@/lib/texts/capitalise";
import { t } from "@/lib/texts/translate";
import { ask } from "../access";

/** As many sites as `sites.overview` takes at once. */
const AT_ONCE = 1_000;

/** A period of the list of sites, as its address names it. */
export interface AskedPeriod {
  period: z.output<typeof sitesOverview.output>["period"];
  from: string | null;
  to: string | null;
}

/** The numbers of sites by id, without sites whose timezone is unknown to this server, and their sums. */
export interface Numbers {
  sites: ReadonlyMap<number, PeriodNumbers>;
  totals: Pick<PeriodNumbers, "visitors" | "visits" | "before">;
}

/** Returns the visitors and visits of sites in a period. */
export async function numbersOfSites(
  owner: Owner,
  siteIds: readonly number[],
  asked: AskedPeriod,
  now: Date,
): Promise<Numbers> {
  const answers = await readOverview(owner, siteIds, { ...asked, metrics: ["visitors", "visits"] }, now);
  const sites = answers.flatMap(({ sites }) => sites);
  const sum = (of: "metrics" | "previous", metric: "visitors" | "visits") =>
    answers.reduce((all, { totals }) => all + (totals[of][metric] ?? 0), 0);
  return {
    sites: new Map(
      sites.flatMap(({ site_id, numbers }) => {
        if (!numbers) return [];
        const { metrics, previous, days } = numbers;
        const inPeriod: PeriodNumbers = {
          ...counted(metrics),
          before: counted(previous),
          days: days.map(({ visitors = 0 }) => visitors),
        };
        return [[site_id, inPeriod] as const];
      }),
    ),
    totals: {
      ...{ visitors: sum("metrics", "visitors"), visits: sum("metrics", "visits") },
      before: { visitors: sum("previous", "visitors"), visits: sum("previous", "visits") },
    },
  };
}

/** What visits led to; left out where a site has neither goals nor sales. */
export type Outcomes = Partial<Record<(typeof SUMMED_OUTCOMES)[number], number | null | undefined>>;

/** What the visits of sites led to by id, and their sums, with those of as many days before. */
export interface SitesOutcomes {
  sites: ReadonlyMap<number, Outcomes>;
  /** Null for more sites than are counted at once. */
  totals: { metrics: Outcomes; previous: Outcomes } | null;
  /** The currency of all money. */
  currency: string;
}

/** Returns what visits led to in a period: of all sites if they are few, otherwise of those that are shown. */
export async function outcomesOfSites(
  owner: Owner,
  { all, shown }: Record<"all" | "shown", readonly number[]>,
  asked: AskedPeriod,
  now: Date,
): Promise<SitesOutcomes> {
  const areFew = all.length <= MAX_LED;
  const input = { ...asked, site_ids: [...(areFew ? all : shown)], metrics: [...SUMMED_OUTCOMES] };
  const { sites, totals, currency } = await ask(sitesOverview, owner, input, now);
  return {
    sites: new Map(sites.flatMap(({ site_id, numbers }) => (numbers ? [[site_id, numbers.metrics] as const] : []))),
    totals: areFew ? totals : null,
    currency: currency ?? "EUR",
  };
}

const counted = ({ visitors = 0, visits = 0 }: { visitors?: number | undefined; visits?: number | undefined }) => ({
  visitors,
  visits,
});

/** How a site is now. */
export interface SiteState {
  present: number;
  /** The last UTC day with an event, if the site has gone silent since. */
  silentSince: string | null;
  incidents: readonly Cause[];
}

/** Causes of incidents that people must mend. */
const BROKEN: ReadonlySet<Cause> = new Set<Cause>(["unreachable", "no_data", "refused_events"]);

export const needsMending = ({ silentSince, incidents }: SiteState): boolean =>
  silentSince !== null || incidents.some((cause) => BROKEN.has(cause));

/** Returns what is wrong with a site, in a few words; null for nothing. */
export function problemOf({ silentSince, incidents }: SiteState): string | null {
  if (silentSince !== null) return t("No events since {day}", { day: silentSince });
  const cause = incidents.find((one) => BROKEN.has(one));
  return cause === undefined ? null : capitalise(t(CAUSES[cause].started));
}

/** Returns the state of each of these sites, by id. */
export async function statesOf(owner: Owner, siteIds: readonly number[], now: Date): Promise<Map<number, SiteState>> {
  const answers = await readOverview(owner, siteIds, { metrics: [] }, now);
  return new Map(
    answers
      .flatMap(({ sites }) => sites)
      .map((site) => [
        site.site_id,
        { present: site.active_visitors, silentSince: site.silent_since, incidents: site.incidents as Cause[] },
      ]),
  );
}

/** Returns the visitors active on each of these sites, by id; no entry for none. */
export async function presentOf(owner: Owner, siteIds: readonly number[], now: Date): Promise<Map<number, number>> {
  return countsIn(await statesOf(owner, siteIds, now));
}

export const countsIn = (states: ReadonlyMap<number, SiteState>): Map<number, number> =>
  new Map([...states].flatMap(([siteId, { present }]) => (present > 0 ? [[siteId, present] as const] : [])));

type Input = Omit<z.input<typeof sitesOverview.input>, "site_ids">;

function readOverview(owner: Owner, siteIds: readonly number[], input: Input, now: Date) {
  const parts = Array.from({ length: Math.ceil(siteIds.length / AT_ONCE) }, (_, part) =>
    siteIds.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  );
  return Promise.all(parts.map((part) => ask(sitesOverview, owner, { ...input, site_ids: part }, now)));
}
