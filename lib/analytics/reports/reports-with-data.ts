import { ofKinds } from "@/lib/analytics/query/commerce-events";
import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { COUNTED_EVENTS } from "@/lib/analytics/query/event-types";
import { eventsIn, queryCopy, type Scope } from "@/lib/analytics/query/scope";
import { exposuresIn } from "@/lib/analytics/reports/experiments";
import { cohortIdentity } from "@/lib/analytics/reports/retention";
import { searchesWithTerm } from "@/lib/analytics/reports/site-search";
import { COMMERCE_KINDS } from "@/lib/contract/commerce";
import { REPORTS, type ReportKey } from "@/lib/contract/reports";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { type Sql, sql } from "@/lib/platform/sql";

/**
 * Returns the reports that have something to show in a scope, in the order of the menu: those about all traffic once there is
 * any, the others once it has what they are about.
 *
 * @param monthly whether the site recognises visitors within a month
 * @param planned whether the site has a planned experiment
 */
export async function reportsWithData(
  scope: Scope,
  { monthly, planned }: { monthly: boolean; planned: boolean },
): Promise<ReportKey[]> {
  const any = (condition: Sql) => sql`EXISTS (FROM event AS fact WHERE ${eventsIn(scope)} AND ${condition})`;
  const [[[found]], identity] = await Promise.all([
    queryCopy<[Record<"any" | "events" | "site_search" | "commerce" | "experiments" | "vitals", boolean>[]]>(
      scope,
      sql`SELECT ${any(sql`true`)} AS any, ${any(ofTypes(COUNTED_EVENTS))} AS events, ${any(searchesWithTerm())} AS site_search,
        (${any(ofKinds(...COMMERCE_KINDS))} OR EXISTS (FROM money AS fact WHERE ${eventsIn(scope)})) AS commerce,
        EXISTS (FROM event AS fact WHERE ${exposuresIn(scope)}) AS experiments,
        ${any(ofTypes([EVENT_TYPES.vitals]))} AS vitals`,
    ),
    cohortIdentity(scope, monthly),
  ]);
  if (!found?.any) return [];
  const own: Partial<Record<ReportKey, boolean>> = {
    ...found,
    experiments: found.experiments || planned,
    retention: identity !== "none",
  };
  return (Object.keys(REPORTS) as ReportKey[]).filter((key) => own[key] ?? true);
}
