import type { DimensionKey } from "@/lib/analytics/dimensions";
import { raw, type Sql, sql } from "@/lib/analytics/engine/sql";
import { groupsSql } from "@/lib/analytics/query/groups";
import { query, type Scope } from "@/lib/analytics/query/scope";
import { ADDED_UP, partialSums } from "@/lib/analytics/query/sums-sql";
import { NOTHING, type Sums } from "@/lib/analytics/sums";

/** The panels of the overview and the dimension each one shows. */
export const PANELS = {
  pages: "page",
  entry_pages: "entry_page",
  exit_pages: "exit_page",
  sources: "source",
  channels: "channel",
  countries: "country",
  regions: "region",
  cities: "city",
  devices: "device",
  browsers: "browser",
  os: "os",
  utm_campaigns: "utm_campaign",
  utm_sources: "utm_source",
  utm_mediums: "utm_medium",
  event_names: "event",
} as const satisfies Record<string, DimensionKey>;
const panels = Object.entries(PANELS) as [keyof typeof PANELS, DimensionKey][];
/** Most visits have none of these: that is no row. */
const ONLY_KNOWN: ReadonlySet<DimensionKey> = new Set(["utm_campaign", "utm_source", "utm_medium", "event"]);

export interface PanelRow {
  /** null: unknown, or none (a direct visit has no source). */
  value: string | null;
  visitors: number;
  visits: number;
  pageviews?: number;
}

/** What a scope comes to, and the values with the most visitors of every panel, at most `limit` of each. */
export async function overviewOf(
  scope: Scope,
  limit: number,
): Promise<{ sums: Sums; panels: Record<keyof typeof PANELS, PanelRow[]> }> {
  const whole = sql`SELECT ${ADDED_UP} FROM (${partialSums(scope, [], ["visits", "events", "scrolls"])}) AS partial`;
  const [[sums], ...lists] = (await query(
    scope,
    whole,
    ...panels.map(([, key]) => panelSql(scope, key, limit)),
  )) as unknown as [Sums[], ...(Sums & { values: [string | null] })[][]];
  const told = panels.map(([panel, key], index) => [
    panel,
    (lists[index] ?? []).map(({ values: [value], visitors, visits, pageviews }) => ({
      value,
      visitors,
      visits,
      ...(key === "page" && { pageviews }),
    })),
  ]);
  return { sums: sums ?? NOTHING, panels: Object.fromEntries(told) };
}

function panelSql(scope: Scope, key: DimensionKey, limit: number): Sql {
  const ofPages = key === "page";
  return groupsSql(scope, {
    by: [key],
    parts: ofPages ? ["visits", "events"] : ["visits"],
    order: ofPages ? raw("visitors DESC, pageviews DESC") : raw("visitors DESC, visits DESC"),
    having: ONLY_KNOWN.has(key) ? sql`sum(visitors) > 0 AND k0 IS NOT NULL` : sql`sum(visitors) > 0`,
    limit,
  });
}
