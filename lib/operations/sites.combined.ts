import pLimit from "p-limit";
import { z } from "zod";
import { BUCKET_LABEL, BUCKET_PARTIAL, bucketsOf, naturalInterval } from "@/lib/analytics/calendar/buckets";
import { goalsOf } from "@/lib/analytics/query/goals";
import {
  add,
  changeOf,
  changeShape,
  metricsOf,
  metricsOfBuckets,
  metricsShape,
  NOTHING,
  previousShape,
  type Sums,
} from "@/lib/analytics/query/metrics";
import { scopeOf } from "@/lib/analytics/query/scope";
import { sumsOf } from "@/lib/analytics/query/scope-sums";
import { outcomeFields, outcomesOfLists, outcomesOfRows, siteOutcomes } from "@/lib/analytics/reports/outcomes";
import {
  addLed,
  addMoney,
  commonCurrency,
  currencyOfSites,
  type Led,
  ledIn,
  ledTo,
  NOTHING_LED,
  outcomesLed,
  summedOutcomeFields,
  unconvertedIn,
} from "@/lib/analytics/reports/outcomes-of-sites";
import { overviewOf, PANELS } from "@/lib/analytics/reports/overview";
import { seriesTotals } from "@/lib/analytics/reports/series";
import { defineOperation, type Principal } from "@/lib/contract/define";
import {
  about,
  currencyCode,
  INTERVALS,
  type Interval,
  moneyShape,
  optionalParam,
  reportFields,
  type SiteShape,
  siteId,
  tagName,
  untrusted,
} from "@/lib/contract/fields";
import type { Db } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";
import { isTimezone } from "@/lib/platform/time";
import { listSites, readSites, siteFor } from "@/lib/sites/access";
import { teamId } from "@/lib/sites/team-access";

/** Each site is asked for its whole overview. */
const MOST_SITES = 50;
/** So many sites are asked at once, so that the report leaves room for others. */
const AT_ONCE = 4;
const ROWS = 20;
const LISTS = ["sources", "pages", "countries"] as const satisfies (keyof typeof PANELS)[];

const withOutcomes = <Shape extends z.ZodRawShape>(shape: z.ZodObject<Shape>) => shape.extend(summedOutcomeFields);
const exampleOf = (shape: z.ZodType) => ({ examples: (shape.meta()?.examples ?? []) as [] });

const listShape = (what: string, value: string) =>
  z
    .array(
      z.object({
        site_id: siteId,
        domain: z.string().meta({ examples: ["example.com"] }),
        value: about(untrusted.nullable(), "Null: unknown, or a direct visit", value),
        visitors: about(z.int(), "Visitors of this site", 128),
        conversions: outcomeFields.conversions,
        conversion_rate: outcomeFields.conversion_rate,
        revenue: outcomeFields.revenue,
      }),
    )
    .meta({ description: `The ${what} with the most visitors, each of one site; at most ${ROWS}` });

export default defineOperation({
  id: "sites.combined",
  title: "Combined report",
  about:
    "One report over chosen sites, a tag or a team: metrics, conversions and revenue in one currency, their course, each site, and top sources, pages and countries. Visitors are summed: who visits two sites counts on each.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    site_ids: optionalParam(
      z
        .array(siteId, "must be a list of site ids")
        .min(1, "must have at least one id")
        .max(MOST_SITES, `must have at most ${MOST_SITES} ids`),
    ).meta({ description: `These sites; default all, the oldest ${MOST_SITES}`, examples: [[1, 2]] }),
    tag: optionalParam(tagName).meta({ description: "Only sites with this tag of yours", examples: ["shops"] }),
    team_id: optionalParam(teamId).meta({ description: "Only sites of this team" }),
    period: reportFields.period,
    from: reportFields.from,
    to: reportFields.to,
    compare: reportFields.compare,
    currency: currencyOfSites,
  }),
  example: { period: "28d", compare: "previous_period" },
  output: z.object({
    from: z.iso.date().nullable().meta({ description: "First local day of the sites; null without any" }),
    to: z.iso.date().nullable().meta({ description: "Last local day" }),
    interval: z.enum(INTERVALS).meta({ description: "Width of the buckets" }),
    metrics: withOutcomes(metricsShape).meta({
      description:
        "Of all these sites: counts and revenue are summed, rates are of all their visits. Conversions are those of any goal, and their rate is of the sites with goals",
    }),
    previous: withOutcomes(previousShape.unwrap()).nullable().meta(exampleOf(previousShape)),
    change: withOutcomes(changeShape).nullable().meta(exampleOf(changeShape)),
    currency: currencyCode.meta({ description: "The currency of `revenue` and `average_order_value`" }),
    unconverted: z
      .array(moneyShape)
      .meta({ description: "Revenue that is left out: no rate is known for its day", examples: [[]] }),
    buckets: z.array(
      z.object({
        label: z.string().meta({ description: `${BUCKET_LABEL}, of each site`, examples: ["2026-11-20"] }),
        partial: z.boolean().meta({ description: BUCKET_PARTIAL }),
        ...metricsOfBuckets.shape,
        ...summedOutcomeFields,
      }),
    ),
    sites: z
      .array(
        z.object({
          site_id: siteId,
          domain: z.string().meta({ examples: ["example.com"] }),
          name: z.string().nullable(),
          disabled: about(z.boolean(), "Whether an administrator of the service has disabled it", false),
          metrics: withOutcomes(metricsShape).nullable().meta({
            description:
              "Null for a site that was left out. Conversions only with goals, revenue only with sales of the site",
          }),
          previous: withOutcomes(previousShape.unwrap()).nullable().meta(exampleOf(previousShape)),
          change: withOutcomes(changeShape).nullable().meta(exampleOf(changeShape)),
        }),
      )
      .meta({ description: "Those with the most visitors first. Disabled ones are left out of all sums" }),
    sources: listShape("sources", "Google"),
    pages: listShape("pages", "/pricing"),
    countries: listShape("countries", "DE"),
    truncated: z.boolean().meta({ description: `Whether there are more than ${MOST_SITES} such sites` }),
  }),

  async run({ input, principal, db, now }) {
    const { sites, truncated } = await chosenSites(db, principal, input);
    const { period, from, to, compare } = input;
    const currency = input.currency ?? commonCurrency(sites);
    const asked = await Promise.all(
      sites.map(async (site) => {
        if (site.disabled || !isTimezone(site.timezone)) return null;
        const access = await siteFor(db, principal, site.site_id, "viewer");
        return scopeOf({ site_id: site.site_id, period, from, to, compare }, { ...access, currency }, now);
      }),
    );
    const longest = asked.flatMap((one) => one ?? []).sort((a, b) => b.scope.range.days - a.scope.range.days)[0];
    const interval = longest ? naturalInterval(longest.scope.range) : "day";
    const inTurn = pLimit(AT_ONCE);
    const found = await Promise.all(
      sites.map((site, index) => {
        const query = asked[index];
        return query ? inTurn(() => reportOf(site, query, interval, now)) : null;
      }),
    );
    const known = found.filter((one) => one !== null);
    const compared = known.some(({ earlier }) => earlier !== null);
    const all = addCounted(known.map((one) => one.counted));
    const before = compared ? addCounted(known.map((one) => one.earlier ?? NOTHING_COUNTED)) : null;
    return {
      from: known.map((one) => one.from).sort()[0] ?? null,
      to:
        known
          .map((one) => one.to)
          .sort()
          .at(-1) ?? null,
      interval,
      ...withChange(all, before, currency),
      currency,
      unconverted: addMoney(known.flatMap((one) => one.unconverted)),
      buckets: bucketsIn(known, currency),
      sites: sites
        .map((site, index) => ({ site, of: found[index] ?? null }))
        .sort((one, other) => visitorsOf(other.of) - visitorsOf(one.of))
        .map(({ site: { site_id, domain, name, disabled }, of }) => ({
          site_id,
          domain,
          name,
          disabled,
          ...(of ? withChange(of.counted, of.earlier, currency) : { metrics: null, previous: null, change: null }),
        })),
      sources: topOf(known, "sources", currency),
      pages: topOf(known, "pages", currency),
      countries: topOf(known, "countries", currency),
      truncated,
    };
  },
});

/** The sums of visits and events, and what they led to. */
interface Counted {
  sums: Sums;
  led: Led;
}

const NOTHING_COUNTED: Counted = { sums: NOTHING, led: NOTHING_LED };

const addCounted = (parts: readonly Counted[]): Counted => ({
  sums: parts.reduce((all, { sums }) => add(all, sums), NOTHING),
  led: addLed(parts.map(({ led }) => led)),
});

type List = (typeof LISTS)[number];

/** What a site adds to the report. */
interface SiteReport {
  site: SiteShape;
  from: string;
  to: string;
  counted: Counted;
  earlier: Counted | null;
  /** The rows of each list, with what their visits led to. */
  lists: Record<List, { value: string | null; visitors: number; led: Led }[]>;
  buckets: ReturnType<typeof bucketsOf>;
  /** One for each of the buckets. */
  totals: readonly Counted[];
  unconverted: { currency: string; amount: string }[];
}

const visitorsOf = (report: SiteReport | null): number => report?.counted.sums.visitors ?? -1;

type Asked = Pick<Awaited<ReturnType<typeof scopeOf>>, "scope" | "before">;

async function reportOf(site: SiteShape, { scope, before }: Asked, interval: Interval, now: Date): Promise<SiteReport> {
  const buckets = bucketsOf(scope.range, interval, now);
  const starts = buckets.map(({ start }) => start);
  const goals = await goalsOf(site.site_id);
  const sumsBefore = before && sumsOf(before);
  const [{ sums, panels }, earlier, ledBefore, { totals }, question] = await Promise.all([
    overviewOf(scope, ROWS),
    sumsBefore,
    before && sumsBefore && ledIn(before, goals, sumsBefore),
    seriesTotals(scope, interval, starts),
    siteOutcomes(scope, goals),
  ]);
  const [led, [inBuckets = []] = [], unconverted] = await Promise.all([
    question &&
      outcomesOfLists(
        question,
        LISTS.map((list) => ({ key: PANELS[list], values: panels[list].map(({ value }) => value) })),
      ),
    question ? outcomesOfRows(question, { interval, buckets, starts }, [], [[]]) : undefined,
    question?.rates ? unconvertedIn(scope) : [],
  ]);
  const rowsOf = (list: List, index: number) =>
    panels[list].map(({ value, visitors }) => ({
      ...{ value, visitors, led: ledTo(question, led?.lists[index]?.get(value), visitors) },
    }));
  return {
    site,
    from: scope.range.from.toString(),
    to: scope.range.to.toString(),
    counted: { sums, led: ledTo(question, led?.total, sums.visitors) },
    earlier: earlier && { sums: earlier, led: ledBefore ?? NOTHING_LED },
    lists: Object.fromEntries(LISTS.map((list, index) => [list, rowsOf(list, index)])) as SiteReport["lists"],
    buckets,
    totals: totals.map((one, index) => ({ sums: one, led: ledTo(question, inBuckets[index], one.visitors) })),
    unconverted,
  };
}

interface Chosen {
  site_ids?: number[] | null | undefined;
  tag?: string | null | undefined;
  team_id?: number | null | undefined;
}

/** @throws Refusal `site_not_granted` for an id without access, `invalid_input` for ids beside a tag or team */
async function chosenSites(on: Db, principal: Principal, { site_ids: ids, tag, team_id: team }: Chosen) {
  if (!ids) {
    const { sites, total } = await listSites(on, principal, 1, MOST_SITES, { tag, team });
    return { sites, truncated: total > MOST_SITES };
  }
  const other = tag ? "tag" : team ? "team_id" : null;
  if (other) throw invalidInput([{ path: other, message: "must not stand beside site_ids; leave one of them out" }]);
  return { sites: await readSites(on, principal, ids), truncated: false };
}

const numbersOf = ({ sums, led }: Counted, currency: string) => ({ ...metricsOf(sums), ...outcomesLed(led, currency) });

const withChange = (counted: Counted, before: Counted | null, currency: string) => {
  const metrics = numbersOf(counted, currency);
  const previous = before && numbersOf(before, currency);
  return { metrics, previous, change: previous && changeOf(metrics, previous) };
};

/** The sums of the buckets of the same local time, in order. */
function bucketsIn(known: readonly SiteReport[], currency: string) {
  const found = new Map<string, { partial: boolean; parts: Counted[] }>();
  for (const { buckets, totals } of known)
    for (const [index, { label, partial }] of buckets.entries()) {
      const one = found.get(label) ?? { partial: false, parts: [] };
      found.set(label, {
        partial: one.partial || partial,
        parts: [...one.parts, totals[index] ?? NOTHING_COUNTED],
      });
    }
  return [...found]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([label, { partial, parts }]) => ({ label, partial, ...numbersOf(addCounted(parts), currency) }));
}

/** The rows of a list of all sites, those with the most visitors first. */
const topOf = (known: readonly SiteReport[], list: List, currency: string) =>
  known
    .flatMap(({ site: { site_id, domain }, lists }) =>
      lists[list].map(({ led, ...row }) => {
        const { conversions, conversion_rate, revenue } = outcomesLed(led, currency);
        return { site_id, domain, ...row, conversions, conversion_rate, revenue };
      }),
    )
    .sort((one, other) => other.visitors - one.visitors || one.site_id - other.site_id)
    .slice(0, ROWS);
