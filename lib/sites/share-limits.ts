import { rangeOf } from "@/lib/analytics/calendar/period";
import { type DimensionKey, isPublicDimension } from "@/lib/analytics/query/dimensions";
import { firstKnownDay } from "@/lib/analytics/query/first-day";
import { PANELS } from "@/lib/analytics/reports/overview";
import type { AnyOperation, SiteAccess } from "@/lib/contract/define";
import type { Period } from "@/lib/contract/fields";
import { PANEL_REPORTS, type PanelReport } from "@/lib/contract/reports";
import { type Issue, invalidInput, Refusal } from "@/lib/platform/errors";
import { PUBLIC_FILTERS } from "@/lib/platform/limits";
import { localDay } from "@/lib/platform/time";

/** What people without an account may see of a site: on pages, as JSON and as CSV. */

/** A list of the overview. */
type ListPanel = keyof typeof PANELS;

/** The panels that a link can show: the key metrics with their chart, and the lists of a public dashboard. */
export const SHARED_PANELS = [
  "metrics",
  ...(Object.keys(PANELS) as ListPanel[]).filter((panel) => isPublicDimension(PANELS[panel])),
] as const;
export type SharedPanel = (typeof SHARED_PANELS)[number];

/** The reports that a link can show. Realtime shows what single visitors do at this moment. */
export const SHARED_REPORTS = PANEL_REPORTS.filter(
  (report): report is Exclude<PanelReport, "realtime"> => report !== "realtime",
);
export type SharedReport = (typeof SHARED_REPORTS)[number];

/** A rolling period, or the local days from the first to the last. */
export type SharedPeriod = { period: Period } | { from: string; to: string };

export interface ShareLimits {
  /** Id of the only segment that is shown; null for all visitors. */
  segment: string | null;
  /** The only period that is shown; null for any. */
  period: SharedPeriod | null;
  /** Whether the dashboard is shown, and which panels of it: empty for all that a public dashboard has. */
  dashboard: boolean;
  panels: readonly SharedPanel[];
  reports: readonly SharedReport[];
  /** Whether the dashboard of a private link shows revenue and orders; a public one has a setting of its site. */
  revenue: boolean;
}

/** Reports that need days before their range. */
export const LOOKS_BACK: ReadonlySet<SharedReport> = new Set<SharedReport>(["changes"]);

/** What a public dashboard shows. */
export const PUBLIC_DASHBOARD: ShareLimits = {
  ...{ segment: null, period: null, dashboard: true, panels: [], reports: [] },
  revenue: false,
};

/** Whether the current visitors and the time of the last event are shown: they are those of the whole site. */
export const showsLive = ({ segment, period, dashboard, panels }: ShareLimits): boolean =>
  dashboard && segment === null && period === null && panels.length === 0;

/** Whether a goal only chooses among what a report shows: What changed lists conversions by event. */
export const goalIsShown = (report: SharedReport): boolean => report === "changes";

const TAGS: readonly DimensionKey[] = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"];

/**
 * Dimensions by which a report lists all that it counts, so that its own readers may filter by them. Lists of pages, events and
 * searches are parts of what a site has: filters by these would say whether a page exists that no row shows.
 */
const LISTED: Partial<Record<SharedReport, readonly DimensionKey[]>> = {
  campaigns: ["source", "channel", ...TAGS],
  ai: ["bot"],
  commerce: ["source", ...TAGS],
  vitals: ["device", "browser", "country"],
};

/** Returns whether a dimension is listed, and may be filtered by. @param report the one that is read; null for the dashboard */
export function isShown({ dashboard, panels }: ShareLimits, key: string, report: SharedReport | null): boolean {
  if (report && LISTED[report]?.some((listed) => listed === key)) return true;
  if (!dashboard || !isPublicDimension(key)) return false;
  return panels.length === 0 || panels.some((panel) => panel in PANELS && PANELS[panel as ListPanel] === key);
}

/** Whether the key metrics with their chart are shown. */
export const showsMetrics = ({ dashboard, panels }: ShareLimits): boolean =>
  dashboard && (panels.length === 0 || panels.includes("metrics"));

/** A condition of the address of a page. */
export interface SentFilter {
  key: string;
  operator: string;
  values: readonly string[];
}

export interface SharedCall {
  op: Pick<AnyOperation, "id" | "input">;
  input: Record<string, unknown>;
  /** Filters of the address, without searches in dialogs; null if they are invalid. */
  filters: readonly SentFilter[] | null;
  site: SiteAccess;
  now: Date;
}

/** Operations of the dashboard. */
const DASHBOARD: ReadonlySet<string> = new Set(
  ["chart", "overview", "explore", "filter_options"].map((name) => `analytics.${name}`),
);
/** Those that ask for the values of one dimension. */
const ASKS_BY_NAME: ReadonlySet<string> = new Set(["analytics.explore", "analytics.filter_options"]);

/** Parameters of single reports that only choose among what they show. Others would ask for what no panel lists. */
const CHOICES: ReadonlySet<string> = new Set(["event", "provider", "metric", "goal", "attribution"]);
const OF_DASHBOARD: ReadonlySet<string> = new Set(
  ["interval", "dimensions", "metrics", "sort", "limit", "page"].concat("field", "q"),
);
const OF_ALL: ReadonlySet<string> = new Set(
  ["site_id", "period", "from", "to", "traffic", "filters"].concat("compare", "compare_from", "compare_to"),
);

/**
 * Decides whether a caller without an account may ask this: the only place that does, for pages, JSON and CSV.
 *
 * @throws Refusal `insufficient_scope` for an operation beyond the limits, `invalid_input` for what else is not shown
 */
export function requireShown(limits: ShareLimits, { op, input, filters }: Omit<SharedCall, "site" | "now">): void {
  const report = reportOf(limits, op.id);
  if (!report && !isOfDashboard(limits, op.id)) {
    throw new Refusal("insufficient_scope", "This link does not show this report. Ask its owner for another link.");
  }
  if (limits.period && report && LOOKS_BACK.has(report)) {
    throw new Refusal("insufficient_scope", "This report compares with earlier days, which this link does not show.");
  }
  if (limits.period && input.attribution === "first") {
    const message = "looks at earlier days, which this link does not show; remove it";
    throw invalidInput([{ path: "attribution", message }]);
  }
  if (report && typeof input.goal === "string" && input.goal !== "" && !goalIsShown(report)) {
    throw invalidInput([{ path: "goal", message: "counts events that this link does not show; remove it" }]);
  }
  if (!asksOnlyShown(limits, op.id, input, report ? CHOICES : OF_DASHBOARD)) {
    throw new Refusal("invalid_input", "A public dashboard shows only what its panels list; remove this parameter.");
  }
  const faults = filterIssues(limits, filters ?? [], report ?? null);
  if (faults.length > 0) throw invalidInput(faults);
}

const reportOf = (limits: ShareLimits, id: string): SharedReport | undefined =>
  limits.reports.find((key) => id === `analytics.${key}`);

function isOfDashboard(limits: ShareLimits, id: string): boolean {
  return limits.dashboard && DASHBOARD.has(id) && (id !== "analytics.chart" || showsMetrics(limits));
}

/** Whether the parameters besides period and filters ask for what is shown. */
function asksOnlyShown(
  limits: ShareLimits,
  id: string,
  input: Record<string, unknown>,
  choices: ReadonlySet<string>,
): boolean {
  const sent = Object.entries(input).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const namesOne = sent.some(([key]) => key === "dimensions" || key === "field");
  if (ASKS_BY_NAME.has(id) && !namesOne) return false;
  return sent.every(([key, value]) => {
    if (key === "segment") return value === limits.segment;
    if (key === "dimensions" || key === "field") return choices.has(key) && isShown(limits, String(value), null);
    return OF_ALL.has(key) || choices.has(key);
  });
}

/** Allows only filters by whole values of what is listed. Filters that scan all values require an account. */
function filterIssues(limits: ShareLimits, filters: readonly SentFilter[], report: SharedReport | null): Issue[] {
  const { conditions, values } = PUBLIC_FILTERS;
  const issues = filters.flatMap((filter): Issue[] => {
    const path = `filters.${filter.key}`.slice(0, 120);
    if (!isShown(limits, filter.key, report)) {
      return [{ path, message: "is not shown on a public dashboard; remove this filter" }];
    }
    if (filter.operator !== "is") {
      const operatorPath = `${path}.${filter.operator}`.slice(0, 150);
      return [{ path: operatorPath, message: "is not available on a public dashboard; use is with whole values" }];
    }
    if (filter.values.length <= values) return [];
    return [{ path, message: `has ${filter.values.length} values; a public dashboard takes at most ${values}` }];
  });
  if (filters.length <= conditions) return issues;
  const message = `has ${filters.length} conditions; a public dashboard takes at most ${conditions}`;
  return [...issues, { path: "filters", message }];
}

/**
 * Returns the input that is answered: with the segment of the limits and, where they have a period, without a comparison.
 *
 * @throws Refusal `invalid_input` for days outside of the period
 */
export async function sharedInput(
  { segment, period }: ShareLimits,
  input: Record<string, unknown>,
  { site, now }: { site: SiteAccess; now: Date },
): Promise<Record<string, unknown>> {
  if (period === null) return { ...input, segment };
  const text = (key: string) => (typeof input[key] === "string" && input[key] !== "" ? `${input[key]}` : null);
  const given = { period: text("period") as Period | null, from: text("from"), to: text("to") };
  const isGiven = Object.values(given).some((value) => value !== null);
  const asked = isGiven ? given : { ...given, ...period };
  const first = (asked.period === "all" ? await firstKnownDay(site) : null) ?? localDay(now, site.timezone);
  const of = (range: Partial<typeof given>) =>
    rangeOf({ period: null, from: null, to: null, ...range }, site.timezone, now, first);
  const [wanted, shown] = [of(asked), of(period)];
  if (wanted.start < shown.start || wanted.end > shown.end) {
    const message = `must lie in the days that this link shows, ${shown.from} to ${shown.to}`;
    throw invalidInput([{ path: given.from ? "from" : "period", message }]);
  }
  return { ...input, ...asked, segment, compare: "none", compare_from: null, compare_to: null };
}

/** Returns an answer without the lists that are not shown. */
export function sharedAnswer<Data>(limits: ShareLimits, op: Pick<AnyOperation, "id">, data: Data): Data {
  if (op.id !== "analytics.overview" || limits.panels.length === 0) return data;
  const overview = data as { panels: Record<string, unknown[]>; page_hosts: unknown[] };
  const panels = Object.entries(overview.panels).map(([key, rows]) => [
    key,
    limits.panels.some((panel) => panel === key) ? rows : [],
  ]);
  const listsPages = (["pages", "entry_pages", "exit_pages"] as const).some((panel) => limits.panels.includes(panel));
  return { ...data, panels: Object.fromEntries(panels), page_hosts: listsPages ? overview.page_hosts : [] };
}
