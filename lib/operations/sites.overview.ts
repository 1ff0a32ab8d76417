import pLimit from "p-limit";
import { z } from "zod";
import type { RangeInput } from "@/lib/analytics/calendar/period";
import { goalsOf } from "@/lib/analytics/query/goals";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import { sumsOf } from "@/lib/analytics/query/scope-sums";
import {
  addLed,
  commonCurrency,
  currencyOfSites,
  type Led,
  ledIn,
  NOTHING_LED,
  outcomesLed,
  summedOutcomeFields,
} from "@/lib/analytics/reports/outcomes-of-sites";
import { defineOperation, type Principal } from "@/lib/contract/define";
import {
  about,
  currencyCode,
  keysOf,
  optionalParam,
  reportFields,
  type SiteShape,
  siteId,
  tagName,
} from "@/lib/contract/fields";
import { MEASURES, METRICS, type Outcome, PERIODS, SUMMED_OUTCOMES } from "@/lib/contract/vocabulary";
import { countActiveVisitors } from "@/lib/ingest/store/site-events";
import { CAUSES } from "@/lib/monitoring/causes";
import { openIncidents } from "@/lib/monitoring/incidents";
import type { Db } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";
import { canonicalTag, listSites, readSites, siteFor } from "@/lib/sites/access";
import { COUNTED_METRICS, type CountedMetric, type Counts, countsOfSites, type SiteNumbers } from "@/lib/sites/numbers";
import { silentSites } from "@/lib/sites/silence";
import { teamId } from "@/lib/sites/team-access";

const MAX_SITES = 1_000;
/** What visits led to is counted in the copy of each site. */
export const MAX_LED = 50;
/** So many copies are asked at once, so that there is room for others. */
const AT_ONCE = 4;
/** At most 366 days: longer ranges are for the reports of each site, which read copies of its facts. */
const RANGES = [
  ...(["today", "yesterday", "7d", "28d", "30d", "90d"] as const),
  ...(["month", "last_month", "6mo", "12mo", "year", "custom"] as const),
] as const;

const period = z.enum(RANGES, `must be one of ${RANGES.join(", ")}`);
const counts = z.object(
  Object.fromEntries(
    COUNTED_METRICS.map((metric) => [metric, z.int().optional().meta({ description: METRICS[metric].about })]),
  ) as Record<(typeof COUNTED_METRICS)[number], z.ZodOptional<z.ZodInt>>,
);
const numbersShape = counts.extend(summedOutcomeFields);
type NumbersShape = z.output<typeof numbersShape>;
const ANSWERED = [...COUNTED_METRICS, ...SUMMED_OUTCOMES] as const;

export default defineOperation({
  id: "sites.overview",
  title: "Numbers of all sites",
  about:
    "Human visitors, visits and pageviews of your sites with their totals, and conversions and revenue where asked for, compared with the days before; the visitors active now, and which site broke. They equal the numbers of each site's reports.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    site_ids: optionalParam(
      z.array(siteId, "must be a list of site ids").max(MAX_SITES, `must have at most ${MAX_SITES} ids`),
    ).meta({ description: `Only these sites; default all, the oldest ${MAX_SITES}`, examples: [[1, 2]] }),
    tag: optionalParam(tagName).meta({ description: "Only sites with this tag of yours", examples: ["shops"] }),
    team_id: optionalParam(teamId).meta({ description: "Only sites of this team" }),
    period: optionalParam(period).meta({
      description: "Default 7d",
    }),
    from: reportFields.from,
    to: reportFields.to,
    metrics: optionalParam(
      z.array(z.enum(ANSWERED, `must be one of ${ANSWERED.join(", ")}`), "must be a list of metrics"),
    ).meta({
      description: `Default ${COUNTED_METRICS.join(", ")}; an empty list counts active visitors only. Conversions of any goal and revenue are for at most ${MAX_LED} sites at once`,
    }),
    currency: currencyOfSites,
  }),
  example: { period: "today" },
  output: z.object({
    period: z.enum(keysOf(PERIODS)),
    sites: z
      .array(
        z.object({
          site_id: siteId,
          domain: z.string().meta({ examples: ["example.com"] }),
          name: z
            .string()
            .nullable()
            .meta({ examples: ["Example"] }),
          tags: z.array(z.string()).meta({ description: "Your own tags of the site", examples: [["shops"]] }),
          disabled: about(z.boolean(), "Whether an administrator of the service has disabled it", false),
          silent_since: z.iso
            .date()
            .nullable()
            .meta({
              description:
                "Last UTC day with an event, if none came since for a whole day, against the week before: the tracking probably broke",
              examples: [null],
            }),
          incidents: z.array(z.enum(keysOf(CAUSES))).meta({
            description: "Open incidents; sites.monitoring.get has more",
            examples: [[]],
          }),
          active_visitors: about(z.int(), "Visitors active within the last five minutes", 4),
          numbers: z
            .object({
              from: z.iso.date().meta({ description: "First local day of the site, inclusive" }),
              to: z.iso.date().meta({ description: "Last local day, inclusive" }),
              metrics: numbersShape,
              previous: numbersShape.meta({
                description:
                  "The same number of days directly before; if the range includes now, up to the same local time of day",
              }),
              days: z
                .array(counts.extend({ date: z.iso.date() }))
                .meta({ description: "Without gaps, in order; empty for ranges of more than 100 days" }),
            })
            .nullable()
            .meta({
              description: "Null if this server does not know the timezone of the site",
              examples: [
                {
                  from: "2026-11-20",
                  to: "2026-11-20",
                  metrics: { visitors: 6, visits: 7, pageviews: 18 },
                  previous: { visitors: 5, visits: 5, pageviews: 12 },
                  days: [{ date: "2026-11-20", visitors: 6, visits: 7, pageviews: 18 }],
                },
              ],
            }),
        }),
      )
      .meta({ description: "Oldest site first" }),
    totals: z.object({ metrics: numbersShape, previous: numbersShape, active_visitors: z.int() }).meta({
      description:
        "Sums of these sites; who visits two of them is counted on each. The conversion rate is that of the sites with goals",
      examples: [
        {
          metrics: { visitors: 6, visits: 7, pageviews: 18 },
          previous: { visitors: 5, visits: 5, pageviews: 12 },
          active_visitors: 4,
        },
      ],
    }),
    currency: currencyCode
      .nullable()
      .meta({ description: "The currency of `revenue` and `average_order_value`; null where neither was asked for" }),
    truncated: z.boolean().meta({ description: "Whether there are more sites, to ask for by `site_ids`" }),
  }),

  async run({ input, principal, db, now }) {
    const { site_ids: ids, tag, team_id: team, from, to } = input;
    const { sites, total } = ids
      ? { sites: withTag(await readSites(db, principal, ids), tag), total: 0 }
      : await listSites(db, principal, 1, MAX_SITES, { tag, team });
    const zoned = sites
      .filter(({ disabled }) => !disabled)
      .map(({ site_id, timezone }) => ({ siteId: site_id, timezone }));
    const siteIds = zoned.map(({ siteId }) => siteId);
    const metrics = COUNTED_METRICS.filter((metric) => input.metrics?.includes(metric) ?? true);
    const period = from || to ? "custom" : (input.period ?? "7d");
    const outcomes = SUMMED_OUTCOMES.filter((outcome) => input.metrics?.includes(outcome));
    if (outcomes.length > 0 && zoned.length > MAX_LED) throw tooManyForOutcomes(outcomes);
    const currency = input.currency ?? commonCurrency(sites);
    const [numbers, active, silent, incidents] = await Promise.all([
      countsOfSites(zoned, { period, from, to }, metrics, now),
      countActiveVisitors(siteIds),
      silentSites(siteIds, now),
      openIncidents(db, siteIds),
    ]);
    const known = [...numbers.values()];
    const led =
      outcomes.length > 0
        ? await ledOf([...numbers.keys()], { asked: { period, from, to }, currency }, { principal, db, now })
        : null;
    const inFull = (counted: Counts, of: Led | undefined): NumbersShape => {
      const all = of ? outcomesLed(of, currency) : {};
      return { ...counted, ...Object.fromEntries(outcomes.flatMap((one) => (one in all ? [[one, all[one]]] : []))) };
    };
    const withOutcomes = (counted: SiteNumbers | undefined, of: ComparedLed | undefined) =>
      counted
        ? { ...counted, metrics: inFull(counted.metrics, of?.now), previous: inFull(counted.previous, of?.before) }
        : null;
    const allLed = (which: keyof ComparedLed) => (led ? addLed([...led.values()].map((one) => one[which])) : undefined);
    return {
      period,
      sites: sites.map(({ site_id, domain, name, tags, disabled }) => ({
        ...{ site_id, domain, name, tags, disabled },
        silent_since: silent.get(site_id) ?? null,
        incidents: incidents.get(site_id) ?? [],
        active_visitors: active.get(site_id) ?? 0,
        numbers: withOutcomes(numbers.get(site_id), led?.get(site_id)),
      })),
      totals: {
        metrics: inFull(
          sumOf(
            known.map((one) => one.metrics),
            metrics,
          ),
          allLed("now"),
        ),
        previous: inFull(
          sumOf(
            known.map((one) => one.previous),
            metrics,
          ),
          allLed("before"),
        ),
        active_visitors: [...active.values()].reduce((all, one) => all + one, 0),
      },
      currency: outcomes.some((one) => MEASURES[one].unit === "money") ? currency : null,
      truncated: total > MAX_SITES,
    };
  },
});

const tooManyForOutcomes = (outcomes: readonly Outcome[]) =>
  invalidInput([
    {
      path: "site_ids",
      message: `must name at most ${MAX_LED} sites for ${outcomes.join(", ")}; ask for others in another call`,
    },
  ]);

/** What the visits of a site led to in a range, and in the one before. */
interface ComparedLed {
  now: Led;
  before: Led;
}

async function ledOf(
  siteIds: readonly number[],
  { asked, currency }: { asked: RangeInput; currency: string },
  { principal, db, now }: { principal: Principal; db: Db; now: Date },
): Promise<Map<number, ComparedLed>> {
  const inTurn = pLimit(AT_ONCE);
  const read = async (siteId: number): Promise<[number, ComparedLed]> => {
    const site = await siteFor(db, principal, siteId, "viewer");
    const question = { site_id: siteId, ...asked, compare: "previous_period" as const };
    const { scope, before } = await scopeOf(question, { ...site, currency }, now);
    const goals = await goalsOf(siteId);
    const led = (of: Scope) => ledIn(of, goals, sumsOf(of, ["visitors"]));
    const [ofNow, ofBefore] = await Promise.all([led(scope), before ? led(before) : NOTHING_LED]);
    return [siteId, { now: ofNow, before: ofBefore }];
  };
  return new Map(await Promise.all(siteIds.map((siteId) => inTurn(() => read(siteId)))));
}

const withTag = (sites: SiteShape[], tag: string | null | undefined): SiteShape[] =>
  tag ? sites.filter(({ tags }) => tags.includes(canonicalTag(tag))) : sites;

const sumOf = (parts: readonly Counts[], metrics: readonly CountedMetric[]): Counts =>
  Object.fromEntries(
    metrics.map((metric) => [metric, parts.reduce((sum, counts) => sum + (counts[metric] ?? 0), 0)] as const),
  );
