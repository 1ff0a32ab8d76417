import { comparisonOf, dayStarts, type Range, rangeOf } from "@/lib/analytics/period";
import type { SiteAccess } from "@/lib/contract/define";
import type { Meta, Question } from "@/lib/contract/fields";
import { TRAFFIC_CLASSES, type Traffic } from "@/lib/contract/vocabulary";
import { Prisma, reports } from "@/lib/db";
import { localDay } from "@/lib/time";

/** What a report counts: one site, one stretch of time, some classes of traffic. */
export interface Scope {
  siteId: number;
  range: Range;
  traffic: Traffic;
  /** When each of the range's local days begins. */
  days: Date[];
}

export interface Asked {
  scope: Scope;
  /** The same question about the range to compare with. */
  before: Scope | null;
  meta: Meta;
}

/** Resolves the parameters that every report shares, once. @throws Refusal `invalid_input` for an impossible range. */
export async function ask(input: Question, site: SiteAccess, now: Date): Promise<Asked> {
  const since = input.period === "all" ? await firstEvent(site.id) : null;
  const range = rangeOf(input, site.timezone, now, localDay(since ?? now, site.timezone));
  const traffic = input.traffic ?? "human";
  const previous = comparisonOf(range, input.compare ?? "none", now);
  const scopeOf = (of: Range): Scope => ({ siteId: site.id, range: of, traffic, days: dayStarts(of) });
  const dates = (of: Range) => ({ from: of.from.toString(), to: of.to.toString() });
  return {
    scope: scopeOf(range),
    before: previous && scopeOf(previous),
    meta: {
      site_id: site.id,
      ...dates(range),
      timezone: site.timezone,
      traffic,
      filters: {},
      segment: null,
      dashboard: null,
      compare: previous && dates(previous),
      partial: range.partial,
      visitors_basis: "daily",
    },
  };
}

async function firstEvent(siteId: number): Promise<Date | null> {
  const rows = await reports().$queryRaw<{ first: Date | null }[]>`
    SELECT min(ts) AS first FROM facts.event WHERE site_id = ${siteId}`;
  return rows[0]?.first ?? null;
}

/** The rows of a fact that are in scope; `moment` is the fact's own time. */
export function inScope(scope: Scope, moment: "ts" | "started"): Prisma.Sql {
  const time = Prisma.raw(moment);
  const classes =
    scope.traffic === "all" ? Prisma.empty : Prisma.sql`AND traffic = ${TRAFFIC_CLASSES[scope.traffic]}::smallint`;
  return Prisma.sql`fact.site_id = ${scope.siteId} AND fact.${time} >= ${scope.range.start} AND fact.${time} < ${scope.range.end} ${classes}`;
}

/**
 * SQL for the number of the bucket that a moment falls into, from 0. The boundaries are given as moments, so that
 * the zone rules of this process decide and those of Postgres need not agree.
 */
export function bucketOf(moment: Prisma.Sql, starts: Date[]): Prisma.Sql {
  const bounds = starts.map((start) => start.toISOString());
  return Prisma.sql`(width_bucket(${moment}, ${bounds}::timestamptz[]) - 1)`;
}

/** SQL for the local day of a moment, as a number: the unit in which a visitor is one visitor. */
export const dayOf = (moment: Prisma.Sql, scope: Scope): Prisma.Sql => bucketOf(moment, scope.days);
