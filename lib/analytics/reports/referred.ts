import { noMoney, rounded } from "@/lib/analytics/money/amounts";
import { ratesFor } from "@/lib/analytics/money/rates";
import { revenueBy, salesTable, unconvertedOf, unconvertedSql } from "@/lib/analytics/money/sales";
import { visitConverts } from "@/lib/analytics/query/conversions";
import type { Goal } from "@/lib/analytics/query/goals";
import { groupsSql } from "@/lib/analytics/query/groups";
import type { Sums } from "@/lib/analytics/query/metrics";
import { queryCopy, type Scope, visitsIn } from "@/lib/analytics/query/scope";
import { partialSums } from "@/lib/analytics/query/scope-sums";
import { ADDED_UP } from "@/lib/analytics/query/sums-sql";
import type { VisitSums } from "@/lib/analytics/reports/visit-numbers";
import type { Money } from "@/lib/contract/fields";
import { raw, type Sql, sql } from "@/lib/platform/sql";

/** What the visits of one channel brought, by source. */

export interface Brought extends VisitSums {
  /** Decimal text in the reporting currency. */
  revenue: string;
}

interface BroughtBySource extends Brought {
  source: string | null;
  /** The first pages of the most visits. */
  landings: { page: string | null; visits: number }[];
}

export interface Referred {
  total: Brought;
  /** Those with the most visits first. */
  sources: BroughtBySource[];
  unconverted: Money[];
}

/** More pages of all sources together are not looked at. */
const MOST_PAGES = 10_000;

const idsOf = (channel: string): Sql => sql`SELECT id FROM referrer WHERE channel = ${channel}`;

/** The same scope of the visits that came by a channel. */
export function ofChannel(scope: Scope, channel: string): Scope {
  const condition = sql`fact.referrer IN (${idsOf(channel)})`;
  const { visit, shared } = scope.filters;
  return {
    ...scope,
    imported: false,
    filters: { ...scope.filters, visit: [...visit, condition], shared: [...shared, condition] },
  };
}

/**
 * @param all the scope of all channels: an order that is sent again counts for the channel that brought it first.
 * @param goals of the site; what converts.
 * @param limits of the sources, and of the landing pages of each.
 */
export async function referredOf(
  all: Scope,
  channel: string,
  goals: readonly Goal[],
  limits: { sources: number; landings: number },
): Promise<Referred> {
  const scope = ofChannel(all, channel);
  const rates = await ratesFor(all);
  const source = sql`nullif(led.source, '')`;
  const led = sql`JOIN referrer AS led ON led.id = fact.referrer`;
  const [, , totals, sources, landings, converted, earned, unconverted] = (await queryCopy(
    scope,
    salesTable(all),
    sql`DELETE FROM sale WHERE referrer NOT IN (${idsOf(channel)})`,
    sql`SELECT ${ADDED_UP} FROM (${partialSums(scope, [], ["visits"])}) AS partial`,
    groupsSql(scope, { by: ["source"], parts: ["visits"], order: MOST_VISITS, limit: limits.sources }),
    sql`FROM (${groupsSql(scope, { by: ["source", "entry_page"], parts: ["visits"], order: MOST_VISITS, limit: MOST_PAGES, having: sql`sum(visits) > 0` })})
      QUALIFY row_number() OVER (PARTITION BY values[1] ORDER BY visits DESC, values[2] NULLS LAST) <= ${limits.landings}
      ORDER BY visits DESC, values[2] NULLS LAST`,
    sql`SELECT nullif(led.source, '') AS source, count(*) AS conversions FROM visit AS fact ${led}
      WHERE ${visitsIn(scope)} AND ${visitConverts(scope, goals)} GROUP BY ALL`,
    sql`SELECT true AS whole, NULL AS source, revenue::VARCHAR AS revenue FROM ${revenueBy(scope, rates, sql`1`)}
      UNION ALL SELECT false, key, revenue::VARCHAR FROM ${revenueBy(scope, rates, source, led)}`,
    unconvertedSql(scope, rates),
  )) as unknown as Rows;
  const money = (whole: boolean, of: string | null) => {
    const found = earned.find((row) => row.whole === whole && row.source === of);
    return found ? rounded(found.revenue, scope.currency) : noMoney(scope.currency);
  };
  const numbers = ({ visitors = 0, visits = 0, bounces = 0 }: Partial<Sums>) => ({ visitors, visits, bounces });
  return {
    total: {
      ...numbers(totals[0] ?? {}),
      conversions: converted.reduce((sum, row) => sum + row.conversions, 0),
      revenue: money(true, null),
    },
    sources: sources.map(({ values: [name], ...sums }) => ({
      source: name,
      ...numbers(sums),
      conversions: converted.find((row) => row.source === name)?.conversions ?? 0,
      revenue: money(false, name),
      landings: landings.flatMap(({ values: [of, page], visits }) => (of === name ? [{ page, visits }] : [])),
    })),
    unconverted: unconvertedOf(unconverted),
  };
}

const MOST_VISITS = raw("visits DESC, visitors DESC");

type Rows = [
  unknown[],
  unknown[],
  Sums[],
  (Sums & { values: [string | null] })[],
  (Sums & { values: [string | null, string | null] })[],
  { source: string | null; conversions: number }[],
  { whole: boolean; source: string | null; revenue: string | null }[],
  { currency: string; amount: string }[],
];
