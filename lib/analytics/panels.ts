import { type DimensionKey, dimensionOf } from "@/lib/analytics/dimensions";
import { groups } from "@/lib/analytics/groups";
import type { Scope } from "@/lib/analytics/question";
import { Prisma } from "@/lib/db";

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
} as const satisfies Record<string, DimensionKey>;
export interface PanelRow {
  /** null: unknown, or none (a direct visit has no source). */
  value: string | null;
  visitors: number;
  visits: number;
  pageviews?: number;
}

/** The values of one dimension with the most visitors, at most `limit` of them. */
export async function panel(scope: Scope, key: DimensionKey, limit: number): Promise<PanelRow[]> {
  const ofEvents = dimensionOf(key).level === "event";
  const rows = await groups(scope, {
    by: [key],
    parts: ofEvents ? ["visits", "events"] : ["visits"],
    order: ofEvents ? Prisma.sql`visitors DESC, pageviews DESC` : Prisma.sql`visitors DESC, visits DESC`,
    having: Prisma.sql`sum(visits) > 0`,
    limit,
  });
  return rows.map(({ values: [value = null], visitors, visits, pageviews }) => ({
    value,
    visitors,
    visits,
    ...(ofEvents && { pageviews }),
  }));
}
