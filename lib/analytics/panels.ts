import { type Candidate, MOST_CANDIDATES, pageCandidates, visitCandidates } from "@/lib/analytics/candidates";
import { type DimensionKey, dimensionOf } from "@/lib/analytics/dimensions";
import { groups } from "@/lib/analytics/groups";
import { partials } from "@/lib/analytics/partials";
import type { Scope } from "@/lib/analytics/question";
import { addedUp } from "@/lib/analytics/series";
import { type AskedOfDays, sealedOrFacts, unsealed } from "@/lib/analytics/sources";
import { add, NOTHING, type Sums } from "@/lib/analytics/sums";
import { visitorsBy, visitorsByPage } from "@/lib/analytics/visitors-by";
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
  utm_campaigns: "utm_campaign",
  utm_sources: "utm_source",
  utm_mediums: "utm_medium",
  event_names: "event",
} as const satisfies Record<string, DimensionKey>;
/** Most visits have none of these: that is no row. */
const TOLD_IF_KNOWN: ReadonlySet<DimensionKey> = new Set(["utm_campaign", "utm_source", "utm_medium", "event"]);
export interface PanelRow {
  /** null: unknown, or none (a direct visit has no source). */
  value: string | null;
  visitors: number;
  visits: number;
  pageviews?: number;
}

/**
 * What a scope comes to, and the values with the most visitors of every panel, at most `limit` of each.
 *
 * @param mostGroups how many values sealed days tell apart before the facts answer; the usual limit when not given.
 */
export async function overviewOf(
  asked: Scope,
  limit: number,
  mostGroups?: number,
): Promise<{ sums: Sums; panels: Record<keyof typeof PANELS, PanelRow[]> }> {
  // Without facts beside them, no value of the sealed days comes to more than they say.
  const most = unsealed(asked).length === 0 ? MOST_CANDIDATES + 1 : undefined;
  // Sealed days are read once for all of them.
  const lists: AskedOfDays[] = [
    { by: [], parts: ["visits", "events", "scrolls"] },
    { by: ["page"], parts: ["visits", "events"], sums: ["visitors", "visits", "pageviews"], most },
    { by: ["event"], parts: ["visits"], sums: ["visitors", "visits"] },
    ...OF_VISITS.map((key): AskedOfDays => ({ by: [key], parts: ["visits"], sums: ["visitors", "visits"], most })),
  ];
  const { sealed, scope } = await sealedOrFacts(asked, lists, mostGroups);
  const [whole = [], ofPages = [], ofNames = [], ...ofVisits] = sealed;
  const parts = await Promise.all([
    visitPanels(scope, limit, ofVisits),
    pagePanel(scope, limit, ofPages),
    namePanel(scope, limit, ofNames),
    restOf(scope, whole),
  ]);
  const sums = parts.map((part) => part.sums).reduce<Sums>((sum, part) => add(sum, { ...NOTHING, ...part }), NOTHING);
  const rows = new Map(parts.flatMap((part) => part.panels));
  const panels = Object.entries(PANELS).map(([panel, key]) => [panel, rows.get(key)]);
  return { sums, panels: Object.fromEntries(panels) };
}

interface Part {
  sums: Partial<Sums>;
  panels: [DimensionKey, PanelRow[]][];
}

const OF_VISITS: readonly DimensionKey[] = Object.values(PANELS).filter((key) => dimensionOf(key).level === "visit");

async function visitPanels(scope: Scope, limit: number, sealed: readonly Prisma.Sql[][]): Promise<Part> {
  const { candidates, sums } = await visitCandidates(scope, OF_VISITS, sealed);
  const chosen = OF_VISITS.map((key) => {
    const { rows = [] } = candidates.get(key) ?? {};
    return { key, values: TOLD_IF_KNOWN.has(key) ? rows.filter(({ value }) => value !== null) : rows };
  });
  const { visitors, by } = await visitorsBy(scope, chosen);
  const panels = chosen.map(async ({ key, values }, index): Promise<[DimensionKey, PanelRow[]]> => {
    const rows = values.map(({ fresh, ...row }, bit) => ({
      ...row,
      visitors: row.visitors + (by[index]?.[bit] ?? 0),
      visits: row.visits + fresh,
    }));
    const first = firstOf(rows, ({ visits }) => visits, candidates.get(key)?.others ?? 0, limit);
    const told = first?.map(({ value, visitors, visits }) => ({ value, visitors, visits }));
    return [key, told ?? (await panel(scope, key, limit))];
  });
  return { sums: { ...sums, visitors }, panels: await Promise.all(panels) };
}

async function pagePanel(scope: Scope, limit: number, sealed: readonly Prisma.Sql[]): Promise<Part> {
  const { candidates, sums } = await pageCandidates(scope, sealed);
  const { rows: pages = [], others = 0 } = candidates.get("page") ?? {};
  const counted = await visitorsByPage(scope, pages);
  const rows = pages.map(({ fresh, ...row }, bit) => ({
    ...row,
    visitors: row.visitors + (counted[bit]?.visitors ?? 0),
    visits: row.visits + (counted[bit]?.visits ?? 0),
    pageviews: row.pageviews + fresh,
  }));
  const first = firstOf(rows, ({ pageviews }) => pageviews, others, limit);
  const told = first?.map(({ value, visitors, visits, pageviews }) => ({ value, visitors, visits, pageviews }));
  return { sums, panels: [["page", told ?? (await panel(scope, "page", limit))]] };
}

/** Events have few names: all of them are compared. */
async function namePanel(scope: Scope, limit: number, sealed: readonly Prisma.Sql[]): Promise<Part> {
  const fresh = unsealed(scope).map((piece) => partials(piece, ["event"], ["visits"]));
  return { sums: {}, panels: [["event", await panel(scope, "event", limit, [...sealed, ...fresh])]] };
}

type Counted = Omit<Candidate, "fresh">;

/** The first of the candidates, once they are counted; null when there may be others among them. */
function firstOf(rows: Counted[], second: (row: Counted) => number, others: number, limit: number): Counted[] | null {
  rows.sort((a, b) => b.visitors - a.visitors || second(b) - second(a) || a.place - b.place);
  const first = rows.slice(0, limit);
  return others > 0 && (first.at(-1)?.visitors ?? 0) <= others ? null : first;
}

/** The values of one dimension with the most visitors, all of them compared. @param rows of partial sums, where they are known. */
async function panel(
  scope: Scope,
  key: DimensionKey,
  limit: number,
  rows?: readonly Prisma.Sql[],
): Promise<PanelRow[]> {
  const ofPages = key === "page";
  const known = TOLD_IF_KNOWN.has(key) ? Prisma.sql`AND k0 IS NOT NULL` : Prisma.empty;
  const found = await groups(scope, {
    by: [key],
    parts: ofPages ? ["visits", "events"] : ["visits"],
    order: ofPages ? Prisma.sql`visitors DESC, pageviews DESC` : Prisma.sql`visitors DESC, visits DESC`,
    having: Prisma.sql`sum(visitors) > 0 ${known}`,
    limit,
    rows,
  });
  return found.map(({ values: [value = null], visitors, visits, pageviews }) => ({
    value,
    visitors,
    visits,
    ...(ofPages && { pageviews }),
  }));
}

/** What the sealed days come to, and how far pages were scrolled on the others. */
async function restOf(scope: Scope, sealed: readonly Prisma.Sql[]): Promise<Part> {
  const scrolls = unsealed(scope).map((piece) => partials(piece, [], ["scrolls"]));
  return { sums: await addedUp([...sealed, ...scrolls]), panels: [] };
}
