import type { SentQuestion } from "@/lib/analytics/query/explore-question";
import { COMPARISONS, type Comparison, type Period, type ReportQuery } from "@/lib/contract/fields";
import { ATTRIBUTIONS, type Attribution, PERIODS, TRAFFIC, type Traffic } from "@/lib/contract/vocabulary";
import { db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";

/** A query completed by its segment and dashboard. */
interface CompleteQuery {
  /** The filters of the segment and the dashboard, besides those of the query itself. */
  filters: { of: "segment" | "dashboard"; sent: Record<string, unknown> }[];
  period: Period | null;
  from: string | null;
  to: string | null;
  traffic: Traffic | null;
  compare: Comparison | null;
  compare_from: string | null;
  compare_to: string | null;
}

/**
 * Completes a query by its segment and dashboard. Their filters are AND-ed with those of the query; the range, traffic
 * and comparison of the dashboard apply where the query names none.
 *
 * @throws Refusal `not_found` for a segment or dashboard that is not this site's.
 */
export async function completeQuery(siteId: number, query: ReportQuery): Promise<CompleteQuery> {
  const [segment, dashboard] = await Promise.all([
    query.segment ? db().segment.findFirst({ where: { id: query.segment, siteId } }) : null,
    query.dashboard ? db().dashboard.findFirst({ where: { id: query.dashboard, siteId } }) : null,
  ]);
  if (query.segment && !segment) throw missing("segment");
  if (query.dashboard && !dashboard) throw missing("dashboard");
  const { period = null, from = null, to = null, compare = null, compare_from = null, compare_to = null } = query;
  const ownRange = period ?? from ?? to;
  const ownComparison = compare ?? compare_from ?? compare_to;
  return {
    filters: Object.entries({ segment, dashboard }).flatMap(([of, saved]) =>
      saved ? [{ of: of as "segment" | "dashboard", sent: saved.filters as Record<string, unknown> }] : [],
    ),
    period: ownRange ? period : known(PERIODS, dashboard?.period),
    from: ownRange ? from : (dashboard?.from ?? null),
    to: ownRange ? to : (dashboard?.to ?? null),
    traffic: query.traffic ?? known(TRAFFIC, dashboard?.traffic),
    compare: ownComparison ? compare : known(COMPARISONS, dashboard?.compare),
    compare_from: ownComparison ? compare_from : (dashboard?.compareFrom ?? null),
    compare_to: ownComparison ? compare_to : (dashboard?.compareTo ?? null),
  };
}

/** What a report with a chosen goal counts. */
export interface Chosen {
  goal?: string | null | undefined;
  attribution?: Attribution | null | undefined;
}

/** The goal and the attribution of a query; those of its dashboard where it names none. */
export async function chosenIn(
  siteId: number,
  { goal, attribution, dashboard: id }: Chosen & Pick<ReportQuery, "dashboard">,
): Promise<Chosen> {
  const select = { goal: { select: { name: true } }, attribution: true } as const;
  const dashboard = id ? await db().dashboard.findFirst({ where: { id, siteId }, select }) : null;
  return {
    goal: goal ?? dashboard?.goal?.name,
    attribution: attribution ?? known(ATTRIBUTIONS, dashboard?.attribution),
  };
}

/** The question of Explore that a dashboard has; null for one of panels. */
export async function savedQuestion(siteId: number, id: string): Promise<SentQuestion | null> {
  const dashboard = await db().dashboard.findFirst({ where: { id, siteId }, select: { explore: true } });
  return (dashboard?.explore ?? null) as SentQuestion | null;
}

/** A stored value, if it is still one of the allowed ones; else null. */
const known = <Values extends object>(values: Values, value: string | null | undefined): keyof Values | null =>
  value && Object.hasOwn(values, value) ? (value as keyof Values) : null;

const missing = (what: "segment" | "dashboard") =>
  new Refusal("not_found", `The site has no ${what} of this id; leave ${what} out, or take one of the site's own.`);
