import { z } from "zod";
import { scopeOf } from "@/lib/analytics/query/scope";
import {
  type SearchBucket,
  type SearchRow,
  searchesAmong,
  searchesIn,
  searchGoalOf,
} from "@/lib/analytics/reports/site-search";
import { seriesOf, seriesShape, trendOf } from "@/lib/analytics/reports/trend";
import { defineOperation } from "@/lib/contract/define";
import {
  about,
  answeredGoal,
  CONVERSION_BASES,
  chosenGoal,
  metaShape,
  reportFields,
  untrusted,
} from "@/lib/contract/fields";
import { METRICS } from "@/lib/contract/vocabulary";

const MAX_TERMS = 100;

const share = z.number().min(0).max(1).nullable();

const metricFields = {
  searches: about(z.int(), "Events named Search with a term", 31),
  visitors: about(z.int(), METRICS.visitors.about, 24),
  counted_searches: about(z.int(), "Searches that reported a number of results (`results`)", 30),
  zero_result_rate: about(share, "Share of `counted_searches` without results; null without such searches", 0.13),
  refinement_rate: about(share, "Share of searches followed by a search for a different term later in the visit", 0.1),
  exits: about(z.int(), "Searches without a later pageview in the visit", 6),
  exit_rate: about(share, "Exits divided by searches", 0.19),
  next_pages: about(
    z.array(z.object({ page: untrusted, searches: z.int() })),
    "The five most common next pages after a search in the same visit",
    [{ page: "/pricing", searches: 9 }],
  ),
  conversions: about(z.int(), "Searches followed by a conversion (see `conversion_basis`) later in the visit", 5),
  conversion_rate: about(share, "Conversions divided by searches", 0.16),
};
const totalShape = z.object({ terms: about(z.int(), "Number of different terms", 12), ...metricFields });
const termShape = z
  .object({
    term: about(untrusted, "In lower case, with collapsed whitespace, at most 200 characters"),
    ...metricFields,
  })
  .meta({
    examples: [
      {
        term: "analytics",
        searches: 8,
        visitors: 7,
        counted_searches: 8,
        zero_result_rate: 0,
        refinement_rate: 0.25,
        exits: 2,
        exit_rate: 0.25,
        next_pages: [{ page: "/pricing", searches: 3 }],
        conversions: 2,
        conversion_rate: 0.25,
      },
    ],
  });

export default defineOperation({
  id: "analytics.site_search",
  title: "Site search",
  about:
    "Search terms of visitors, from events named Search with the property term (or search_term, q, keyword). Next pages, exits and conversions are those strictly later in the same visit, even after the range.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    goal: chosenGoal("Name of a goal or event; conversions are those of this one"),
  }),
  example: { site_id: 1, period: "28d", compare: "previous_period" },
  output: z.object({
    meta: metaShape,
    conversion_basis: about(
      z.enum(CONVERSION_BASES),
      "goal: the chosen goal; goals: any goal of the site; events: any counted event except searches and refunds, for a site without goals",
    ),
    goal: answeredGoal,
    total: totalShape,
    terms: about(z.array(termShape), "Most searched terms first"),
    comparison: about(
      z.object({ total: totalShape, terms: z.array(termShape.nullable()) }).nullable(),
      "The comparison range: one entry for each of `terms`, null if it was not searched for",
    ),
    series: seriesShape(
      {
        searches: metricFields.searches.meta({ examples: [2] }),
        terms: about(z.int(), "Number of different terms", 2),
        zero_results: about(z.int(), "Searches that reported 0 `results`"),
        zero_result_rate: metricFields.zero_result_rate,
        refinement_rate: metricFields.refinement_rate,
        exit_rate: metricFields.exit_rate,
        conversion_rate: metricFields.conversion_rate,
      },
      "The range in buckets",
    ),
  }),

  async run({ input, site, now }) {
    const [{ scope, before, meta }, goal] = await Promise.all([
      scopeOf(input, site, now),
      searchGoalOf(site.id, input.goal ?? null),
    ]);
    const trend = trendOf(scope, now);
    const { rows, buckets } = await searchesIn(scope, goal, MAX_TERMS + 1, trend);
    const found = rows.flatMap(termOf);
    const terms = found.slice(0, MAX_TERMS);
    const earlier =
      before &&
      (await searchesAmong(
        before,
        goal,
        terms.map(({ term }) => term),
      ));
    const known = new Map((earlier ?? []).flatMap(termOf).map((one) => [one.term, one]));
    return {
      meta: {
        ...meta,
        conversion_unit: "searches" as const,
        interval: trend.interval,
        row_limit: MAX_TERMS,
        truncated: found.length > MAX_TERMS,
      },
      conversion_basis: goal.basis,
      goal: goal.goal,
      total: totalOf(rows),
      terms,
      comparison: earlier && { total: totalOf(earlier), terms: terms.map(({ term }) => known.get(term) ?? null) },
      series: seriesOf(trend, (index) => {
        const found = buckets.find(({ bucket }) => bucket === index);
        return {
          searches: found?.searches ?? 0,
          terms: found?.terms ?? 0,
          zero_results: found?.empty ?? 0,
          ...ratesOf(found ?? NONE),
        };
      }),
    };
  },
});

const termOf = (row: SearchRow) => (row.term === null ? [] : [{ term: row.term, ...metricsOf(row) }]);

function totalOf(rows: SearchRow[]) {
  const row = rows.find(({ term }) => term === null);
  return { terms: row?.terms ?? 0, ...metricsOf(row ?? NONE) };
}

const NONE = { searches: 0, visitors: 0, with_count: 0, empty: 0, refined: 0, exits: 0, converted: 0, next: [] };

function metricsOf(row: Omit<SearchRow, "term" | "terms">) {
  const { searches, visitors, with_count, exits, converted, next } = row;
  return {
    searches,
    visitors,
    counted_searches: with_count,
    exits,
    next_pages: next,
    conversions: converted,
    ...ratesOf(row),
  };
}

function ratesOf({ searches, with_count, empty, refined, exits, converted }: Omit<SearchBucket, "bucket" | "terms">) {
  const of = (count: number, all = searches) => (all > 0 ? count / all : null);
  return {
    zero_result_rate: of(empty, with_count),
    refinement_rate: of(refined),
    exit_rate: of(exits),
    conversion_rate: of(converted),
  };
}
