import { z } from "zod";
import { conversionRate } from "@/lib/analytics/query/conversions";
import { goalsOf } from "@/lib/analytics/query/goals";
import { scopeOf } from "@/lib/analytics/query/scope";
import { CHANNELS, type Landing, type Landings, landingsOf } from "@/lib/analytics/reports/seo";
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
import { defineOperation } from "@/lib/contract/define";
import { about, metaShape, optionalParam, reportFields, untrusted } from "@/lib/contract/fields";

const PROVIDERS = {
  google: "Not connected. Google Search Console will add search queries, clicks, impressions and positions.",
  bing: "Not connected. Bing Webmaster Tools will add search queries, clicks, impressions and positions.",
} as const;
type Provider = keyof typeof PROVIDERS;
const providers = Object.keys(PROVIDERS) as [Provider, ...Provider[]];
/** Source name of each provider's search engine. */
const ENGINES: Record<Provider, string> = { google: "Google", bing: "Bing" };
const MAX_ROWS = 100;
const MAX_ENGINES = 5;

const numbers = {
  visitors: z.int().meta({ examples: [64] }),
  visits: z.int().meta({ examples: [71] }),
  bounce_rate: z
    .number()
    .nullable()
    .meta({ examples: [0.41] }),
  conversions: about(
    z.int(),
    "Visits that reached a goal or, on a site without goals, had any custom or commerce event except a refund",
    5,
  ),
  conversion_rate: z
    .number()
    .nullable()
    .meta({ examples: [0.07] }),
};
const source = untrusted.nullable().meta({ examples: ["Google"] });
const landingShape = z.object({ source, page: untrusted.nullable().meta({ examples: ["/pricing"] }), ...numbers });
const ASSISTED = { visitors: 8, visits: 9, bounce_rate: 0.41, conversions: 1, conversion_rate: 0.11 };
const groupShape = z.object({ ...numbers, landing_pages: z.array(landingShape) });
const figures = z.object({
  clicks: z.int().nullable(),
  impressions: z.int().nullable(),
  ctr: z.number().nullable(),
  position: z.number().nullable(),
});
const providerShape = z.object({
  provider: z.enum(providers),
  connected: z.boolean(),
  about: z.string().meta({ examples: [PROVIDERS.google] }),
  fresh_until: z.string().nullable().meta({ description: "Last day with data from the provider" }),
  totals: figures,
  unattributed: figures.meta({
    description: "Numbers that the provider does not attribute to a query; null if unknown",
  }),
  queries: z.array(figures.extend({ query: untrusted, page: untrusted.nullable() })).meta({ examples: [[]] }),
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
    provider: optionalParam(z.enum(["all", ...providers], "must be all, google or bing")).meta({
      description: "Limits landing pages and queries to the search engine of one provider; default all",
    }),
  }),
  example: { site_id: 1, period: "28d" },
  output: z.object({
    meta: metaShape,
    conversion_basis: z.enum(["goals", "events"]).meta({
      description: "goals: any goal of the site; events: any custom or commerce event, for a site without goals",
    }),
    organic: groupShape.meta({ description: "Visits of the channel Organic Search" }),
    assistants: about(groupShape, "Visits of the channel AI assistants; `provider` does not apply", {
      ...ASSISTED,
      landing_pages: [{ source: "ChatGPT", page: "/pricing", ...ASSISTED }],
    }),
    providers: z.array(providerShape),
    comparison: z.object({ organic: z.object(numbers), assistants: z.object(numbers) }).nullable(),
    series: seriesShape(
      {
        organic: about(z.int(), "Visits of the channel Organic Search", 5),
        engines: about(
          z.array(z.object({ source, visits: z.int() })),
          "Visits of the five search engines with the most visits in the range",
          [{ source: "Google", visits: 5 }],
        ),
        assistants: about(z.int(), "Visits of the channel AI assistants", 1),
      },
      "The range in buckets; visits count when they started",
    ),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const chosen = providers.filter((provider) => (input.provider ?? "all") === "all" || input.provider === provider);
    const engine = input.provider && input.provider !== "all" ? ENGINES[input.provider] : null;
    const goals = await goalsOf(site.id);
    const trend = trendOf(scope, now);
    const [{ organic, assistants }, earlier, visits] = await Promise.all([
      landingsOf(scope, goals, MAX_ROWS + 1, engine),
      before && landingsOf(before, goals, 0, engine),
      visitsByReferrer(scope, trend, ["channel", "source"]),
    ]);
    const truncated = organic.rows.length > MAX_ROWS || assistants.rows.length > MAX_ROWS;
    return {
      meta: { ...meta, conversion_unit: "visits" as const, interval: trend.interval, row_limit: MAX_ROWS, truncated },
      conversion_basis: goals.length > 0 ? ("goals" as const) : ("events" as const),
      organic: groupOf(organic),
      assistants: groupOf(assistants),
      providers: chosen.map((provider) => ({
        provider,
        connected: false,
        about: PROVIDERS[provider],
        fresh_until: null,
        totals: UNKNOWN,
        unattributed: UNKNOWN,
        queries: [],
      })),
      comparison: earlier && {
        organic: figuresOf(earlier.organic.total),
        assistants: figuresOf(earlier.assistants.total),
      },
      series: seriesOfVisits(trend, visits, engine),
    };
  },
});

function seriesOfVisits(trend: Trend, visits: readonly VisitsOf<"channel" | "source">[], engine: string | null) {
  const organic = visits.filter((row) => row.channel === CHANNELS.organic && (!engine || row.source === engine));
  const assistants = visits.filter((row) => row.channel === CHANNELS.assistants);
  const totals = { organic: visitsInBuckets(trend, organic), assistants: visitsInBuckets(trend, assistants) };
  const engines = visitsByWord(trend, organic, ["source"]).slice(0, MAX_ENGINES);
  return seriesOf(trend, (bucket) => ({
    organic: totals.organic[bucket] ?? 0,
    engines: engines.map(({ source, buckets }) => ({ source, visits: buckets[bucket] ?? 0 })),
    assistants: totals.assistants[bucket] ?? 0,
  }));
}

const groupOf = ({ rows, total }: Landings) => ({
  ...figuresOf(total),
  landing_pages: rows.slice(0, MAX_ROWS).map((row) => ({ source: row.source, page: row.page, ...figuresOf(row) })),
});

const figuresOf = ({ visitors, visits, bounces, conversions }: Landing) => ({
  visitors,
  visits,
  bounce_rate: visits > 0 ? bounces / visits : null,
  conversions,
  conversion_rate: conversionRate(conversions, visits),
});
