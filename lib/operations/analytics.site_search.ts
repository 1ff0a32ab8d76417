import { z } from "zod";
import { scopeOf } from "@/lib/analytics/query/scope";
import { type SearchRow, searchesBy, searchesIn, searchGoalOf } from "@/lib/analytics/reports/site-search";
import { seriesOf, seriesShape, trendOf } from "@/lib/analytics/reports/trend";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, reportFields, untrusted } from "@/lib/contract/fields";
import { METRICS } from "@/lib/contract/vocabulary";

const MAX_TERMS = 100;

const about = <T extends z.ZodType>(type: T, description: string) => type.meta({ description });
const share = z.number().min(0).max(1).nullable();

const told = {
  searches: about(z.int(), "Events called Search with a term"),
  visitors: about(z.int(), METRICS.visitors.about),
  zero_result_rate: about(
    share,
    "Searches without results, out of those that told how many they had (`results`); null when none did",
  ),
  refinement_rate: about(share, "Share of searches that another one of a different term follows later in the visit"),
  exits: about(z.int(), "Searches that no pageview follows later in the visit"),
  exit_rate: about(share, "Exits divided by searches"),
  next_pages: about(
    z.array(z.object({ page: untrusted, searches: z.int() })),
    "The five most frequent pages seen next after a search, in its visit",
  ),
  conversions: about(z.int(), "Searches that a conversion, as by `conversion_basis`, follows later in the visit"),
  conversion_rate: about(share, "Conversions divided by searches"),
};
const totalShape = z.object({ terms: about(z.int(), "How many different terms"), ...told });
const termShape = z.object({
  term: about(untrusted, "In small letters, without needless space, at most 200 characters"),
  ...told,
});

export default defineOperation({
  id: "analytics.site_search",
  title: "Site search",
  about:
    "What visitors searched for: events called Search with the property term (or search_term, q, keyword). What follows a search is what happens strictly later in its visit, even after the range.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(reportFields),
  example: { site_id: 1, period: "28d", compare: "previous_period" },
  output: z.object({
    meta: metaShape,
    conversion_basis: about(
      z.enum(["goals", "events"]),
      "goals: any goal of the site; events: any counted event but searches and refunds, for a site without goals",
    ),
    total: totalShape,
    terms: about(z.array(termShape), "The most searched first"),
    comparison: about(
      z.object({ total: totalShape, terms: z.array(termShape.nullable()) }).nullable(),
      "The comparison range: a term beside each of `terms`, null where nobody searched for it",
    ),
    series: seriesShape(
      { searches: told.searches, zero_results: about(z.int(), "Searches that reported `results` of 0") },
      "The range bucket by bucket",
    ),
  }),

  async run({ input, site, now }) {
    const [{ scope, before, meta }, goal] = await Promise.all([scopeOf(input, site, now), searchGoalOf(site.id)]);
    const trend = trendOf(scope, now);
    const [rows, buckets] = await Promise.all([
      searchesIn(scope, goal, MAX_TERMS + 1, null),
      searchesBy(scope, goal, trend),
    ]);
    const found = rows.flatMap(termOf);
    const terms = found.slice(0, MAX_TERMS);
    const earlier =
      before &&
      (await searchesIn(
        before,
        goal,
        MAX_TERMS,
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
      total: totalOf(rows),
      terms,
      comparison: earlier && { total: totalOf(earlier), terms: terms.map(({ term }) => known.get(term) ?? null) },
      series: seriesOf(trend, (index) => {
        const found = buckets.find(({ bucket }) => bucket === index);
        return { searches: found?.searches ?? 0, zero_results: found?.empty ?? 0 };
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
  const { searches, visitors, with_count, empty, refined, exits, converted, next } = row;
  const of = (count: number, all = searches) => (all > 0 ? count / all : null);
  return {
    searches,
    visitors,
    zero_result_rate: of(empty, with_count),
    refinement_rate: of(refined),
    exits,
    exit_rate: of(exits),
    next_pages: next,
    conversions: converted,
    conversion_rate: of(converted),
  };
}
