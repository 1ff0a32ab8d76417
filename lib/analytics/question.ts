import { dayStarts } from "@/lib/analytics/buckets";
import { readFilters } from "@/lib/analytics/conditions";
import { type Cover, coverOf, packedCoverOf } from "@/lib/analytics/cover";
import { type Filters, resolveFilters } from "@/lib/analytics/filters";
import { importedDays } from "@/lib/analytics/imported";
import { comparisonOf, describeComparison, type Range, rangeOf } from "@/lib/analytics/period";
import { savedView } from "@/lib/analytics/saved";
import type { SiteAccess } from "@/lib/contract/define";
import type { Comparison, Meta, Question } from "@/lib/contract/fields";
import { TRAFFIC_CLASSES, type Traffic } from "@/lib/contract/vocabulary";
import { Prisma, reports } from "@/lib/db";
import { firstEvent, within } from "@/lib/fact-index";
import { firstKept } from "@/lib/sites/keeping";
import { localDay, Temporal } from "@/lib/time";

/** What a report counts: one site, one stretch of time, some classes of traffic, and what it is narrowed to. */
export interface Scope {
  siteId: number;
  /** What money is told in, as in ISO 4217. */
  currency: string;
  range: Range;
  traffic: Traffic;
  filters: Filters;
  /** What sealed days answer of it; null when none are sealed, or it is narrowed to what they do not know. */
  sealed: Cover | null;
  /** When each of the range's local days begins. */
  days: Date[];
}

export interface Asked {
  scope: Scope;
  /** The same question about the range to compare with. */
  before: Scope | null;
  compare: Comparison;
  meta: Meta;
}

/**
 * Resolves the parameters that every report shares, once.
 *
 * @param ofDays whether it is about whole days, and what is kept of these is of use.
 * @throws Refusal `invalid_input` for an impossible range or filter, `not_found` for a segment or dashboard that the
 *   site does not have.
 */
export async function ask(input: Question, site: SiteAccess, now: Date, ofDays = true): Promise<Asked> {
  const view = await savedView(site.id, input);
  const conditions = [...readFilters(input.filters), ...view.filters.flatMap((saved) => readFilters(saved))];
  const since = view.period === "all" ? await firstDay(site) : null;
  const range = rangeOf(view, site.timezone, now, since ?? localDay(now, site.timezone));
  const traffic = view.traffic ?? "human";
  const compare = view.compare ?? "none";
  const previous = comparisonOf(range, compare, now);
  const filters = await resolveFilters(site.id, conditions, spanOf(previous ? [range, previous] : [range]));
  const { id: siteId, currency } = site;
  const sealedIn = (of: Range, days: Date[]) => {
    if (!ofDays) return null;
    if (conditions.length === 0) return coverOf(siteId, of, traffic, days);
    return filters.ofIds && packedCoverOf(siteId, of, days, filters.ofIds);
  };
  const scopeOf = async (of: Range): Promise<Scope> => {
    const days = dayStarts(of);
    return { siteId, currency, range: of, traffic, filters, sealed: await sealedIn(of, days), days };
  };
  const dates = (of: Pick<Range, "from" | "to">) => ({ from: of.from.toString(), to: of.to.toString() });
  const [scope, before, imported] = await Promise.all([
    scopeOf(range),
    previous && scopeOf(previous),
    ofDays ? importedDays(site.id, range.from, range.to) : null,
  ]);
  return {
    scope,
    before,
    compare,
    meta: {
      site_id: site.id,
      ...dates(range),
      timezone: site.timezone,
      traffic,
      filters: input.filters ?? {},
      segment: input.segment ?? null,
      dashboard: input.dashboard ?? null,
      compare: previous && describeComparison(previous),
      partial: range.partial,
      visitors_basis: "daily",
      ...(imported && { imported: dates(imported) }),
      ...(ofDays && keptNote(site, now, previous ? [range.from, previous.from] : [range.from])),
    },
  };
}

/** Told only where it explains why there is nothing on days that were asked for, or looked at besides. */
export function keptNote(site: SiteAccess, now: Date, starts: Temporal.PlainDate[]): Pick<Meta, "kept_from"> | null {
  const first = firstKept(site, now);
  const isCut = first !== null && starts.some((start) => Temporal.PlainDate.compare(start, first) < 0);
  return isCut ? { kept_from: first.toString() } : null;
}

/** The first local day of which anything is known; null when nothing is. */
export async function firstDay({ id, timezone }: SiteAccess): Promise<Temporal.PlainDate | null> {
  const [rows, imported] = await Promise.all([
    reports().$queryRaw<{ ts: Date }[]>`${firstEvent(id)}`,
    importedDays(id),
  ]);
  const own = rows[0] ? localDay(rows[0].ts, timezone) : null;
  return imported && (!own || Temporal.PlainDate.compare(imported.from, own) < 0) ? imported.from : own;
}

/** The part of a scope between two of its days' beginnings, or its end. */
export const during = (scope: Scope, { start, end }: Pick<Range, "start" | "end">): Scope => ({
  ...scope,
  range: { ...scope.range, start, end },
  sealed: null,
  days: scope.days.filter((day) => day >= start && day < end),
});

/** The visits of a scope, as a condition on `facts.visit AS fact`. Visits count where they began. */
export function visitsIn(scope: Scope): Prisma.Sql {
  const { visit, visitOnly } = scope.filters;
  return all([
    between(scope, Prisma.sql`fact.started`),
    ...visit,
    ...visitOnly,
    ...containing(scope),
    ...goalsOf(scope, Prisma.sql`fact.started`),
  ]);
}

/** The events of a scope, as a condition on `facts.event AS fact`. Events count where they happened. */
export const eventsIn = (scope: Scope): Prisma.Sql =>
  all([...ofEvents(scope), ...scope.filters.event, ...ofVisitors(scope)]);

/**
 * SQL for the table `hits`, to stand after WITH: what happened in a scope and is wanted, within visits that it is narrowed
 * to, as visitor_id, ts, visit_id, mask and what is asked for besides. What follows one upon another is looked at whole,
 * so conditions on events choose visits that contain such an event. Those are read apart: each of the two has its own index.
 *
 * @param mask a number of `facts.event AS fact`, not 0 where `wanted` holds.
 * @param more further columns of `fact`, each after a comma.
 */
export function hitsTable(scope: Scope, wanted: Prisma.Sql, mask: Prisma.Sql, more = Prisma.empty): Prisma.Sql {
  // Added to, the column has no statistics: by those of all events Postgres would expect next to nobody to come twice.
  const columns = Prisma.sql`fact.visitor_id + 0 AS visitor_id, fact.ts, fact.visit_id`;
  return Prisma.sql`
    hits AS MATERIALIZED (
      SELECT ${columns}, ${mask} AS mask ${more} FROM facts.event AS fact
      WHERE ${all([...ofEvents(scope), wanted, ...containing(scope), ...ofVisitors(scope)])} AND fact.visitor_id IS NOT NULL)`;
}

/** What else happened in a scope in visits of which it has hits, as a condition on `facts.event AS fact`. */
export const besideHits = (scope: Scope): Prisma.Sql =>
  all([...ofEvents(scope), ...goalsOf(scope, Prisma.sql`fact.ts`)]);

/** The events of a scope, by what they say of themselves and their visits. */
const ofEvents = (scope: Scope): Prisma.Sql[] => [between(scope, Prisma.sql`fact.ts`), ...scope.filters.visit];

/** By what is known of their visits and visitors elsewhere. */
function ofVisitors(scope: Scope): Prisma.Sql[] {
  const { visitOnly } = scope.filters;
  return [
    ...(visitOnly.length > 0 ? [Prisma.sql`fact.visit_id IN (${visitsThat(scope, visitOnly)})`] : []),
    ...goalsOf(scope, Prisma.sql`fact.ts`),
  ];
}

/** That the visit contains an event that meets the conditions on events, when there are any. */
const containing = (scope: Scope): Prisma.Sql[] => {
  const { event } = scope.filters;
  return event.length > 0 ? [Prisma.sql`fact.visit_id IN (${visitsWith(scope, event)})`] : [];
};

const all = (conditions: Prisma.Sql[]): Prisma.Sql => Prisma.join(conditions, " AND ");

function between({ siteId, range, traffic }: Scope, moment: Prisma.Sql): Prisma.Sql {
  const classes =
    traffic === "all" ? Prisma.empty : Prisma.sql`AND fact.traffic = ${TRAFFIC_CLASSES[traffic]}::smallint`;
  return Prisma.sql`fact.site_id = ${siteId} AND ${within(moment, range)} ${classes}`;
}

/**
 * How far a visit's events may lie from its beginning: clocks of several servers differ a little, and no visit is
 * continued after two days. With these margins a day's number is the same alone and within a longer range.
 */
export const EARLIEST_MS = 30 * 60_000;
export const LATEST_MS = 49 * 3600_000;
export const moved = (at: Date, ms: number) => new Date(at.getTime() + ms);

/** The time in which all events of the visits of these ranges lie. */
const spanOf = (ranges: readonly Range[]): Pick<Range, "start" | "end"> => ({
  start: moved(new Date(Math.min(...ranges.map(({ start }) => start.getTime()))), -LATEST_MS),
  end: moved(new Date(Math.max(...ranges.map(({ end }) => end.getTime()))), LATEST_MS),
});

/** Ids of the visits that contain an event that meets all of these conditions. */
const visitsWith = (scope: Scope, conditions: Prisma.Sql[]): Prisma.Sql => Prisma.sql`
  SELECT fact.visit_id FROM facts.event AS fact WHERE ${around(scope)} AND ${all(conditions)}`;

/** The events that visits of a scope may hold, as a condition on `facts.event AS fact`. */
export const around = ({ siteId, range }: Scope): Prisma.Sql => {
  const held = { start: moved(range.start, -EARLIEST_MS), end: moved(range.end, LATEST_MS) };
  return Prisma.sql`fact.site_id = ${siteId} AND ${within(Prisma.sql`fact.ts`, held)}`;
};

/** Ids of the visits whose events may lie in the range and that meet all of these conditions. */
const visitsThat = (scope: Scope, conditions: Prisma.Sql[]): Prisma.Sql =>
  Prisma.sql`SELECT fact.visit_id FROM ${wholeVisits(scope)} AS fact WHERE ${all(conditions)}`;

/** SQL for a table of the visits that events of the scope may belong to. */
export const wholeVisits = ({ siteId, range }: Scope): Prisma.Sql => {
  const begun = { start: moved(range.start, -LATEST_MS), end: moved(range.end, EARLIEST_MS) };
  return Prisma.sql`
  (SELECT * FROM facts.visit AS visit WHERE visit.site_id = ${siteId} AND ${within(Prisma.sql`visit.started`, begun)})`;
};

/**
 * The events of a range and all that may follow them in their visits, as a condition on `facts.event AS fact`. Neither
 * traffic nor filters narrow it.
 */
export const fromThenOn = ({ siteId, range: { start, end } }: Scope): Prisma.Sql => Prisma.sql`
  fact.site_id = ${siteId} AND ${within(Prisma.sql`fact.ts`, { start, end: moved(end, LATEST_MS) })}`;

/** Whether the visitor reached each goal on the local day of the fact. */
function goalsOf(scope: Scope, moment: Prisma.Sql): Prisma.Sql[] {
  const { siteId, range, filters } = scope;
  return filters.goals.map(({ reached, event }) => {
    const those = Prisma.sql`(fact.visitor_id, ${dayOf(moment, scope)}) IN (
      SELECT fact.visitor_id, ${dayOf(Prisma.sql`fact.ts`, scope)} FROM facts.event AS fact
      WHERE fact.site_id = ${siteId} AND ${within(Prisma.sql`fact.ts`, range)} AND ${event})`;
    // Events of servers have no visitor, who could have reached a goal or not.
    return reached ? those : Prisma.sql`(fact.visitor_id IS NOT NULL AND (${those}) IS NOT TRUE)`;
  });
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
export const dayOf = (moment: Prisma.Sql, { days }: Scope): Prisma.Sql =>
  days.length > 1 ? bucketOf(moment, days) : Prisma.sql`0::int`;
