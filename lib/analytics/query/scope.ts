import { dayNumber, dayStarts } from "@/lib/analytics/calendar/buckets";
import {
  type ComparedDays,
  comparedDays,
  comparisonOf,
  describeComparison,
  type Range,
  rangeOf,
} from "@/lib/analytics/calendar/period";
import { analytics } from "@/lib/analytics/engine/analytics";
import type { Row } from "@/lib/analytics/engine/statement";
import { completeQuery } from "@/lib/analytics/query/complete-query";
import { type Condition, readFilters } from "@/lib/analytics/query/conditions";
import { type Filters, filtersOf } from "@/lib/analytics/query/filters";
import { firstKnownDay } from "@/lib/analytics/query/first-day";
import type { SiteAccess } from "@/lib/contract/define";
import type { Comparison, Meta, ReportQuery } from "@/lib/contract/fields";
import { firstRetainedDay } from "@/lib/contract/retained-days";
import { type Attribution, TRAFFIC_CLASSES, type Traffic } from "@/lib/contract/vocabulary";
import { VISIT_SPAN_MS } from "@/lib/ingest/event/catalogue";
import { importedDays } from "@/lib/ingest/store/imported-facts";
import { reportWork } from "@/lib/platform/reports";
import { empty, join, type Sql, sql } from "@/lib/platform/sql";
import { localDay, startOfDay, Temporal } from "@/lib/platform/time";

/** What a report counts: one site, one range, some classes of traffic, and filters. */
export interface Scope {
  siteId: number;
  /** The reporting currency, as in ISO 4217. */
  currency: string;
  /** Whether slashes at the end of a path make no other page. */
  mergeSlashes: boolean;
  range: Range;
  traffic: Traffic;
  filters: Filters;
  /** Which visit conversions and revenue are given to. */
  attribution: Attribution;
  /** When each of the range's local days begins. */
  days: Date[];
  /** Whether imported days may answer it: they have no filters, and human traffic only. */
  imported: boolean;
}

interface ResolvedQuery {
  scope: Scope;
  /** The same scope in the range to compare with. */
  before: Scope | null;
  /** All filters: those of the query, its segment and its dashboard. */
  conditions: readonly Condition[];
  compare: Comparison | ComparedDays;
  meta: Meta;
}

/**
 * Resolves the parameters that every report shares, once.
 *
 * @param ofDays whether imported days and the retention limit concern it.
 * @throws Refusal `invalid_input` for an impossible range or filter, `not_found` for a segment or dashboard that the
 *   site does not have.
 */
export async function scopeOf(
  input: ReportQuery & { attribution?: Attribution | null | undefined },
  site: SiteAccess,
  now: Date,
  ofDays = true,
): Promise<ResolvedQuery> {
  const query = await completeQuery(site.id, input);
  const { pageQuery, mergeSlashes } = site;
  const conditions = [
    ...readFilters(input.filters, { pageQuery }),
    ...query.filters.flatMap(({ of, sent }) => readFilters(sent, { name: of, pageQuery })),
  ];
  const since = query.period === "all" ? await firstKnownDay(site) : null;
  const range = rangeOf(query, site.timezone, now, since ?? localDay(now, site.timezone));
  const traffic = query.traffic ?? "human";
  const compare = comparedDays(query) ?? query.compare ?? "none";
  const previous = comparisonOf(range, compare, now);
  const { id: siteId, currency } = site;
  const filters = await filtersOf(siteId, conditions);
  const everImported = ofDays ? await importedDays(siteId) : null;
  const isOpen = conditions.length === 0 && (traffic === "all" || traffic === "human");
  const attribution = input.attribution ?? "last";
  const shared = {
    siteId,
    currency,
    mergeSlashes,
    traffic,
    filters,
    attribution,
    imported: isOpen && everImported !== null,
  };
  const inRange = (of: Range): Scope => ({ ...shared, range: of, days: dayStarts(of) });
  const dates = (of: Pick<Range, "from" | "to">) => ({ from: of.from.toString(), to: of.to.toString() });
  const imported = everImported && (await importedDays(siteId, range.from, range.to));
  return {
    scope: inRange(range),
    before: previous && inRange(previous),
    conditions,
    compare,
    meta: {
      site_id: siteId,
      ...dates(range),
      ...(range.byHours && { start: range.start.toISOString(), end: range.end.toISOString() }),
      timezone: site.timezone,
      traffic,
      filters: input.filters ?? {},
      segment: input.segment ?? null,
      dashboard: input.dashboard ?? null,
      compare: previous && describeComparison(previous),
      partial: range.partial,
      visitors_basis: "daily",
      ...(input.attribution && { attribution: input.attribution }),
      ...(imported && { imported: dates(imported) }),
      ...(ofDays && retentionNote(site, now, previous ? [range.from, previous.from] : [range.from])),
    },
  };
}

/** The first day whose events a site retains, when a range starts before it. */
export function retentionNote(
  site: SiteAccess,
  now: Date,
  starts: Temporal.PlainDate[],
): Pick<Meta, "kept_from"> | null {
  const first = firstRetainedDay(site, now);
  const isCut = first !== null && starts.some((start) => Temporal.PlainDate.compare(start, first) < 0);
  return isCut ? { kept_from: first.toString() } : null;
}

/**
 * Queries the copy of the scope's site. All statements see one snapshot; later ones see the temporary tables of earlier
 * ones.
 *
 * @returns the rows of each statement.
 */
export function queryCopy<Rows extends unknown[][] = Row[][]>(scope: Scope, ...statements: Sql[]): Promise<Rows> {
  const { siteId, mergeSlashes, range } = scope;
  const site = { siteId, mergeSlashes, timezone: range.timezone };
  const plain = statements.map((statement) => ({ sql: statement.sql, values: statement.values as never }));
  return reportWork().inTurn((signal) => analytics().query(site, plain, signal)) as Promise<Rows>;
}

export const isFiltered = ({ filters }: Scope): boolean => Object.values(filters).some(({ length }) => length > 0);

/** The visits of a scope, as a condition on `visit AS fact`. Visits count where they began. */
export const visitsIn = (scope: Scope): Sql =>
  all([
    between(scope, sql`fact.started`),
    ...scope.filters.visit,
    ...scope.filters.visitOnly,
    ...containing(scope),
    ...reachedGoals(scope),
  ]);

/** The events of a scope, as a condition on `event AS fact`. Events count where they happened. */
export const eventsIn = (scope: Scope): Sql => all([...ofEvents(scope), ...scope.filters.event, ...ofVisitors(scope)]);

/**
 * All events of the visits that match the filters, as a condition on `event AS fact`: conditions on events choose
 * visits that contain such an event. For reports about sequences of events.
 */
export const eventsOfVisitsIn = (scope: Scope): Sql =>
  all([...ofEvents(scope), ...containing(scope), ...ofVisitors(scope)]);

/** Other events of a scope in visits that are chosen already, as a condition on `event AS fact`. */
export const otherEventsOfVisits = (scope: Scope): Sql => all([...ofEvents(scope), ...reachedGoals(scope)]);

/**
 * The events, also after the range, of visits of a scope that meet its conditions on events, as a condition on
 * `event AS fact`. The caller joins the visits.
 */
export const eventsOfVisits = (scope: Scope): Sql =>
  all([around(scope), ...scope.filters.shared, ...scope.filters.event]);

/** The events of a scope, by their own columns. */
const ofEvents = (scope: Scope): Sql[] => [between(scope, sql`fact.ts`), ...scope.filters.visit];

/** By what only their visits and visitors know. */
function ofVisitors(scope: Scope): Sql[] {
  const { visitOnly } = scope.filters;
  if (visitOnly.length === 0) return reachedGoals(scope);
  const visits = sql`SELECT fact.visit_id FROM ${wholeVisits(scope)} AS fact WHERE ${all(visitOnly)}`;
  return [sql`fact.visit_id IN (${visits})`, ...reachedGoals(scope)];
}

/** That the visit contains an event that meets the conditions on events, if there are any. */
const containing = (scope: Scope): Sql[] => {
  const { event } = scope.filters;
  if (event.length === 0) return [];
  return [sql`fact.visit_id IN (SELECT fact.visit_id FROM event AS fact WHERE ${around(scope)} AND ${all(event)})`];
};

const all = (conditions: Sql[]): Sql => join(conditions, " AND ");

function between({ range, traffic }: Scope, moment: Sql): Sql {
  const classes = traffic === "all" ? empty : sql`AND fact.traffic = ${TRAFFIC_CLASSES[traffic]}`;
  return sql`${withinRange(moment, range)} ${classes}`;
}

/**
 * SQL for whether a fact, called `fact`, lies in a range. Facts are stored by local day, so comparing days skips most
 * of them; where a range begins or ends within a day, the moment is compared too.
 */
function withinRange(moment: Sql, range: Pick<Range, "start" | "end" | "timezone">): Sql {
  const { start, end, timezone } = range;
  const [starts, ends] = [isMidnight(start, timezone), isMidnight(end, timezone)];
  return sql`${inDays(range)} ${starts ? empty : sql`AND ${moment} >= ${start}`} ${ends ? empty : sql`AND ${moment} < ${end}`}`;
}

/** SQL for whether a fact, called `fact`, lies on one of the local days of a range. */
export const inDays = ({ start, end, timezone }: Pick<Range, "start" | "end" | "timezone">): Sql => {
  const numberOf = (at: Date) => dayNumber(localDay(at, timezone));
  return sql`fact.day BETWEEN ${numberOf(start)} AND ${numberOf(shifted(end, -1))}`;
};

const isMidnight = (at: Date, timezone: string): boolean =>
  startOfDay(localDay(at, timezone), timezone).getTime() === at.getTime();

/**
 * How far a visit's events may lie from its beginning. With these margins a day has the same numbers alone and within a
 * longer range.
 */
export const EARLIEST_MS = 30 * 60_000;
export const LATEST_MS = VISIT_SPAN_MS;
export const shifted = (at: Date, ms: number) => new Date(at.getTime() + ms);

/** All events on the days of events that visits of a scope may contain, as a condition on `event AS fact`. */
export const around = ({ range }: Scope): Sql =>
  inDays({ ...range, start: shifted(range.start, -EARLIEST_MS), end: shifted(range.end, LATEST_MS) });

/**
 * SQL for a table of all visits that events of the scope may belong to. By first touch, an event may be given to a source
 * that its own visit does not have.
 */
export const wholeVisits = ({ range, filters, attribution }: Scope): Sql => sql`
  (SELECT * FROM visit AS fact WHERE ${all([
    inDays({ ...range, start: shifted(range.start, -LATEST_MS), end: shifted(range.end, EARLIEST_MS) }),
    ...(attribution === "last" ? filters.shared : []),
  ])})`;

/**
 * The events of a range and all that may follow them in their visits, as a condition on `event AS fact`, regardless of
 * traffic and filters.
 */
export const eventsFromStart = ({ range }: Scope): Sql =>
  withinRange(sql`fact.ts`, { ...range, end: shifted(range.end, LATEST_MS) });

/** Whether the visitor reached each goal on the local day of the fact. */
function reachedGoals({ range, filters }: Scope): Sql[] {
  return filters.goals.map(({ reached, event }) => {
    const reachers = sql`(fact.visitor_id, fact.day) IN (
      SELECT fact.visitor_id, fact.day FROM event AS fact
      WHERE ${withinRange(sql`fact.ts`, range)} AND fact.visitor_id IS NOT NULL AND ${event})`;
    // Events of servers have no visitor, who could have reached a goal or not.
    return reached ? reachers : sql`(fact.visitor_id IS NOT NULL AND NOT ${reachers})`;
  });
}

/** The same scope with other ends of its range. */
export const withRange = (scope: Scope, ends: Partial<Range>): Scope => {
  const range = { ...scope.range, ...ends };
  return { ...scope, range, days: dayStarts(range) };
};

/** SQL for a table `buckets(number, start, "end")`, from 0, of buckets that begin at these moments; the last one ends with the scope. */
export const bucketsTable = ({ range }: Scope, starts: readonly Date[]): Sql => {
  const times = (moments: readonly Date[]) => sql`${moments.map((at) => at.getTime())}::BIGINT[]`;
  return sql`(
    SELECT unnest(range(${starts.length})) AS number, make_timestamp(unnest(${times(starts)}) * 1000) AS start,
           make_timestamp(unnest(${times([...starts.slice(1), range.end])}) * 1000) AS "end")`;
};
