import { z } from "zod";
import type { Range } from "@/lib/analytics/calendar/period";
import { visitConverts } from "@/lib/analytics/query/conversions";
import { conversionBasis, convertingGoals } from "@/lib/analytics/query/goals";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import {
  OPPORTUNITY,
  opportunities,
  type SearchDay,
  searchByDay,
  searchTotals,
  topQueries,
  topSearchPages,
  unattributedFigures,
} from "@/lib/analytics/reports/search-queries";
import { CHANNELS, type LandingPages, landingPagesOf } from "@/lib/analytics/reports/seo";
import {
  seriesOf,
  seriesShape,
  type Trend,
  trendOf,
  type VisitsOf,
  visitsByReferrer,
  visitsByWord,
  visitsInBuckets,
} from "@/lib/analytics/reports/trend";
import { visitNumbers, visitNumbersShape } from "@/lib/analytics/reports/visit-numbers";
import { defineOperation, isPublicViewer } from "@/lib/contract/define";
import {
  about,
  answeredGoal,
  CONVERSION_BASES,
  chosenGoal,
  metaShape,
  optionalParam,
  reportFields,
  untrusted,
} from "@/lib/contract/fields";
import { localDay, Temporal } from "@/lib/platform/time";
import { connectionState, type KnownConnection, knownConnections } from "@/lib/search/connections";
import { type SearchProvider, searchProviders } from "@/lib/search/providers";

/** Source name of each provider's search engine. */
const ENGINES: Record<SearchProvider, string> = { google: "Google", bing: "Bing" };
const MAX_ROWS = 100;
const MAX_ENGINES = 5;
const MAX_OPPORTUNITIES = 20;

const source = untrusted.nullable().meta({ examples: ["Google"] });
const landingShape = z.object({
  source,
  page: untrusted.nullable().meta({ examples: ["/pricing"] }),
  ...visitNumbersShape,
});
const ASSISTED = { visitors: 8, visits: 9, bounce_rate: 0.44, conversions: 1, conversion_rate: 0.11 };
const groupShape = z.object({ ...visitNumbersShape, landing_pages: z.array(landingShape) });
const count = z.int().nullable();
const figures = z
  .object({
    clicks: about(count, "Clicks on results of the site", 212),
    impressions: about(count, "How often a result of the site was shown", 9_840),
    ctr: about(z.number().nullable(), "Clicks per impression", 0.0215),
    position: about(z.number().nullable(), "Average position over all impressions; 1 is the top", 7.3),
  })
  .meta({ id: "SearchFigures" });
const shown = { clicks: z.int(), impressions: z.int(), ctr: z.number().nullable(), position: z.number().nullable() };
const query = { ...shown, query: untrusted, page: untrusted.nullable() };
const QUERY = { query: "web analytics", page: "/pricing", clicks: 34, impressions: 1_210, ctr: 0.0281, position: 5.2 };
const { positions: PLACES, impressions: LEAST_SHOWN } = OPPORTUNITY;
const providerShape = z.object({
  provider: z.enum(searchProviders),
  state: connectionState,
  connected: z.boolean().meta({ description: "Whether `state` is connected" }),
  about: about(z.string(), "The state in a sentence, with the way out", "Fetched every night."),
  property: about(z.string().nullable(), "What the provider calls the site", "sc-domain:example.com"),
  fresh_until: about(z.string().nullable(), "The last day with numbers of the provider, which are final", "2026-11-17"),
  totals: figures.meta({ description: "The whole property; null without a day with numbers" }),
  comparison: figures.nullable().meta({
    description:
      "The same for the comparison range. If the last days of the range have no numbers yet, a comparison with as many days ends as many days earlier",
  }),
  unattributed: figures.meta({
    description:
      "What the provider attributes to no query, because few people asked it; null where it is unknown, as with Bing",
  }),
  queries: about(
    z.array(z.object(query)),
    "The 100 queries with the most clicks, each with the page that it showed most often, if the provider says",
    [QUERY],
  ),
  pages: about(z.array(z.object({ ...shown, page: untrusted })), "The 100 pages with the most clicks", [
    { page: "/pricing", clicks: 61, impressions: 2_030, ctr: 0.03, position: 6.1 },
  ]),
  opportunities: about(
    z.array(z.object({ ...query, expected_ctr: z.number(), missed_clicks: z.number() })),
    `Queries with at least ${LEAST_SHOWN} impressions, at an average position that rounds to ${PLACES.join(" to ")}, with fewer clicks than the property's own average. \`expected_ctr\` is the clicks per impression of all queries of the range at the same rounded position, \`missed_clicks\` is \`impressions\` × \`expected_ctr\` − \`clicks\` and at least ${OPPORTUNITY.missedClicks}. Those that miss the most come first`,
    [{ ...QUERY, clicks: 12, ctr: 0.0099, expected_ctr: 0.0281, missed_clicks: 22 }],
  ),
  series: seriesShape(
    {
      clicks: about(count, "Null where no day has numbers yet", 9),
      impressions: about(count, "Null like clicks", 410),
      position: about(
        z.number().nullable(),
        "Average position over the impressions; null without any, and for Bing",
        7.1,
      ),
    },
    "The range in buckets of whole days",
  ),
});

const UNKNOWN = { clicks: null, impressions: null, ctr: null, position: null };

export default defineOperation({
  id: "analytics.seo",
  title: "Search engines",
  about:
    "Visits from search engines and AI assistants by source and landing page, and search queries from connected search providers.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    goal: chosenGoal("Name of a goal or event; conversions are those of this one"),
    provider: optionalParam(z.enum(["all", ...searchProviders], "must be all, google or bing")).meta({
      description: "Limits landing pages and queries to the search engine of one provider; default all",
    }),
  }),
  example: { site_id: 1, period: "28d" },
  output: z.object({
    meta: metaShape,
    conversion_basis: z.enum(CONVERSION_BASES).meta({
      description:
        "goal: the chosen goal; goals: any goal of the site; events: any custom or commerce event, for a site without goals",
    }),
    goal: answeredGoal,
    organic: groupShape.meta({ description: "Visits of the channel Organic Search" }),
    assistants: about(groupShape, "Visits of the channel AI assistants; `provider` does not apply", {
      ...ASSISTED,
      landing_pages: [{ source: "ChatGPT", page: "/pricing", ...ASSISTED }],
    }),
    providers: z.array(providerShape).meta({
      description:
        "Google Search Console and Bing Webmaster Tools, once an owner has connected them; empty on public dashboards. Their days are those of the provider, in Pacific time, and Bing dates most numbers by the week. `traffic`, `filters` and `segment` do not apply",
    }),
    comparison: z.object({ organic: z.object(visitNumbersShape), assistants: z.object(visitNumbersShape) }).nullable(),
    series: seriesShape(
      {
        organic: about(z.int(), "Visits of the channel Organic Search", 5),
        organic_conversions: about(z.int(), "Of these, visits with a conversion", 1),
        engines: about(
          z.array(z.object({ source, visits: z.int() })),
          "Visits of the five search engines with the most visits in the range",
          [{ source: "Google", visits: 5 }],
        ),
        assistants: about(z.int(), "Visits of the channel AI assistants", 1),
        assistants_conversions: about(z.int(), "Of these, visits with a conversion", 0),
      },
      "The range in buckets; visits count when they started",
    ),
  }),

  async run({ input, site, principal, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const isChosen = (provider: SearchProvider) => (input.provider ?? "all") === "all" || input.provider === provider;
    const engine = input.provider && input.provider !== "all" ? ENGINES[input.provider] : null;
    const goals = await convertingGoals(site.id, input.goal ?? null);
    const { basis, goal } = conversionBasis(goals, input.goal ?? null);
    const trend = trendOf(scope, now);
    const connections = isPublicViewer(principal) ? [] : await knownConnections(site.id);
    const [{ organic, assistants }, earlier, visits, converted, providers] = await Promise.all([
      landingPagesOf(scope, goals, MAX_ROWS + 1, engine),
      before && landingPagesOf(before, goals, 0, engine),
      visitsByReferrer(scope, trend, ["channel", "source"]),
      visitsByReferrer(scope, trend, ["channel", "source"], visitConverts(scope, goals)),
      Promise.all(
        connections.filter(({ provider }) => isChosen(provider)).map((one) => providerOf(one, { scope, before, now })),
      ),
    ]);
    const lists = [organic.rows, assistants.rows, ...providers.flatMap(({ queries, pages }) => [queries, pages])];
    const truncated = lists.some(({ length }) => length > MAX_ROWS);
    return {
      meta: { ...meta, conversion_unit: "visits" as const, interval: trend.interval, row_limit: MAX_ROWS, truncated },
      conversion_basis: basis,
      goal,
      organic: groupOf(organic),
      assistants: groupOf(assistants),
      providers: providers.map(({ queries, pages, ...provider }) => ({
        ...provider,
        queries: queries.slice(0, MAX_ROWS),
        pages: pages.slice(0, MAX_ROWS),
      })),
      comparison: earlier && {
        organic: visitNumbers(earlier.organic.total),
        assistants: visitNumbers(earlier.assistants.total),
      },
      series: seriesOfVisits(trend, visits, converted, engine),
    };
  },
});

/** Returns what a provider knows of the range. */
async function providerOf(
  { provider, state, about: sentence, property, ...numbers }: KnownConnection,
  { scope, before, now }: { scope: Scope; before: Scope | null; now: Date },
) {
  const { connectionId, freshFrom, freshUntil } = numbers;
  const known = {
    provider,
    state,
    connected: state === "connected",
    about: sentence,
    property,
    fresh_until: freshUntil,
  };
  if (connectionId === null || freshFrom === null || freshUntil === null) {
    const nothing = { queries: [], pages: [], opportunities: [], series: [] };
    return { ...known, totals: UNKNOWN, comparison: null, unattributed: UNKNOWN, ...nothing };
  }
  const { range } = scope;
  const days = { connectionId, from: `${range.from}`, to: `${range.to}` };
  const [totals, earlier, unattributed, queries, pages, missed, byDay] = await Promise.all([
    searchTotals(days),
    before && searchTotals({ connectionId, ...comparedDays(range, before.range, freshUntil) }),
    // Bing counts queries by the week, and whole sites by the day.
    provider === "google" ? unattributedFigures(days) : null,
    topQueries(days, MAX_ROWS + 1),
    topSearchPages(days, MAX_ROWS + 1),
    opportunities(days, MAX_OPPORTUNITIES),
    searchByDay(days),
  ]);
  return {
    ...known,
    totals: totals ?? UNKNOWN,
    comparison: earlier,
    unattributed: unattributed ?? UNKNOWN,
    queries,
    pages,
    opportunities: missed,
    series: seriesOfDays(trendOf(scope, now, true), range, { freshFrom, freshUntil }, byDay),
  };
}

/** Returns the days to compare with: a range that ends before the numbers do is not compared with more days. */
function comparedDays(range: Range, before: Range, freshUntil: string): { from: string; to: string } {
  const whole = { from: `${before.from}`, to: `${before.to}` };
  const missing = Temporal.PlainDate.from(freshUntil).until(range.to).days;
  const isAligned = before.from.until(before.to).days === range.from.until(range.to).days;
  return missing > 0 && isAligned ? { ...whole, to: `${before.to.subtract({ days: missing })}` } : whole;
}

/** Adds up days in the buckets of a trend. Providers leave out days without impressions. */
function seriesOfDays(
  trend: Trend,
  { timezone, to }: Range,
  { freshFrom, freshUntil }: { freshFrom: string; freshUntil: string },
  byDay: readonly SearchDay[],
) {
  const firsts = trend.starts.map((start) => `${localDay(start, timezone)}`);
  const sums = firsts.map((first, index) => {
    const next = firsts[index + 1];
    const last = next === undefined ? `${to}` : `${Temporal.PlainDate.from(next).subtract({ days: 1 })}`;
    return first <= freshUntil && last >= freshFrom ? { clicks: 0, impressions: 0, position_sum: 0 } : null;
  });
  for (const { day, clicks, impressions, position_sum } of byDay) {
    const bucket = sums[firsts.findLastIndex((first) => first <= day)];
    if (!bucket) continue;
    bucket.clicks += clicks;
    bucket.impressions += impressions;
    bucket.position_sum += position_sum;
  }
  return seriesOf(trend, (bucket) => {
    const { clicks, impressions, position_sum } = sums[bucket] ?? { clicks: null, impressions: null, position_sum: 0 };
    return { clicks, impressions, position: position_sum > 0 && impressions ? position_sum / impressions : null };
  });
}

type Counted = readonly VisitsOf<"channel" | "source">[];

function seriesOfVisits(trend: Trend, visits: Counted, converted: Counted, engine: string | null) {
  const isOrganic = (row: Counted[number]) => row.channel === CHANNELS.organic && (!engine || row.source === engine);
  const isAssisted = (row: Counted[number]) => row.channel === CHANNELS.assistants;
  const organic = visits.filter(isOrganic);
  const totals = {
    organic: visitsInBuckets(trend, organic),
    organicConverted: visitsInBuckets(trend, converted.filter(isOrganic)),
    assistants: visitsInBuckets(trend, visits.filter(isAssisted)),
    assistantsConverted: visitsInBuckets(trend, converted.filter(isAssisted)),
  };
  const engines = visitsByWord(trend, organic, ["source"]).slice(0, MAX_ENGINES);
  return seriesOf(trend, (bucket) => ({
    organic: totals.organic[bucket] ?? 0,
    organic_conversions: totals.organicConverted[bucket] ?? 0,
    engines: engines.map(({ source, buckets }) => ({ source, visits: buckets[bucket] ?? 0 })),
    assistants: totals.assistants[bucket] ?? 0,
    assistants_conversions: totals.assistantsConverted[bucket] ?? 0,
  }));
}

const groupOf = ({ rows, total }: LandingPages) => ({
  ...visitNumbers(total),
  landing_pages: rows.slice(0, MAX_ROWS).map((row) => ({ source: row.source, page: row.page, ...visitNumbers(row) })),
});
