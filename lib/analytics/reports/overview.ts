import type { DimensionKey } from "@/lib/analytics/dimensions";
import { raw, type Sql, sql } from "@/lib/analytics/engine/sql";
import { groupsSql } from "@/lib/analytics/query/groups";
import { query, type Scope } from "@/lib/analytics/query/scope";
import { gatheredSums } from "@/lib/analytics/query/scope-sums";
import { ADDED_UP, type Part } from "@/lib/analytics/query/sums-sql";
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
  const gathered = gatheredSums(scope);
  const whole = sql`SELECT ${ADDED_UP} FROM (${gathered.sums([], ["visits", "events", "scrolls"])}) AS partial`;
  const lists = panels.map(([, key]) => panelSql(scope, key, limit, gathered));
  const answers = await query(scope, ...gathered.tables, whole, ...lists);
  const [[sums], ...rows] = answers.slice(gathered.tables.length) as unknown as [Sums[], ...PanelSums[][]];
  const told = panels.map(([panel, key], index) => [
    panel,
    (rows[index] ?? []).map(({ values: [value], visitors, visits, pageviews }) => ({
      value,
      visitors,
      visits,
      ...(key === "page" && { pageviews }),
    })),
  ]);
  return { sums: sums ?? NOTHING, panels: Object.fromEntries(told) };
}

type PanelSums = Sums & { values: [string | null] };

function panelSql(scope: Scope, key: DimensionKey, limit: number, { sums }: ReturnType<typeof gatheredSums>): Sql {
  const ofPages = key === "page";
  const parts: Part[] = ofPages ? ["visits", "events"] : ["visits"];
  const grouping = {
    by: [key],
    parts,
    order: ofPages ? raw("visitors DESC, pageviews DESC") : raw("visitors DESC, visits DESC"),
    having: ONLY_KNOWN.has(key) ? sql`sum(visitors) > 0 AND k0 IS NOT NULL` : sql`sum(visitors) > 0`,
    limit,
  };
  return groupsSql(scope, grouping, sums([key], parts));
}
