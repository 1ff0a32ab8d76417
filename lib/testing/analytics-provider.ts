import { type Account, type AnalyticsData, googleError, type Instead } from "@/lib/testing/search-provider";

/** The Admin API and the Data API of Google Analytics, computed from single sessions as their documentation describes. */

interface Limits {
  queries: Record<string, unknown>[];
  mostRows: number;
}

export function analytics({ analytics: accounts = [] }: Account, url: URL, body: string, limits: Limits): Instead {
  if (url.pathname === "/google/admin/accountSummaries") {
    const from = Number(url.searchParams.get("pageToken") ?? 0);
    const accountSummaries = accounts.slice(from, from + 2).map(({ name, properties }, index) => ({
      name: `accountSummaries/${from + index}`,
      account: `accounts/${from + index}`,
      displayName: name,
      propertySummaries: properties.map(({ property, name: displayName }) => ({ property, displayName })),
    }));
    const nextPageToken = from + 2 < accounts.length ? { nextPageToken: `${from + 2}` } : {};
    return { status: 200, body: { accountSummaries, ...nextPageToken } };
  }
  const named = /^\/google\/data\/(properties\/\d+):runReport$/.exec(url.pathname)?.[1];
  const data = accounts.flatMap(({ properties }) => properties).find(({ property }) => property === named);
  if (!data) return { status: 403, body: googleError(403, "forbidden", "PERMISSION_DENIED") };
  const asked = JSON.parse(body) as Asked;
  limits.queries.push({ ...asked });
  const rows = rowsOf(data, asked);
  const from = Number(asked.offset);
  const shown = rows.slice(from, from + Math.min(Number(asked.limit), limits.mostRows));
  return {
    status: 200,
    body: {
      dimensionHeaders: asked.dimensions,
      metricHeaders: asked.metrics.map((metric) => ({ ...metric, type: "TYPE_INTEGER" })),
      ...(shown.length > 0 && { rows: shown }),
      ...(rows.length > 0 && { rowCount: rows.length }),
      metadata: { currencyCode: "EUR", timeZone: data.timezone, ...data.metadata },
      kind: "analyticsData#runReport",
    },
  };
}

interface Asked {
  dateRanges: { startDate: string; endDate: string }[];
  dimensions: { name: string }[];
  metrics: { name: string }[];
  limit: string;
  offset: string;
}

type Session = AnalyticsData["sessions"][number];
/** What one session adds to a row. */
type Part = Session & { viewed: number; happened: number };

function rowsOf({ sessions }: AnalyticsData, { dateRanges: [range], dimensions, metrics }: Asked): object[] {
  const groups = new Map<string, Part[]>();
  for (const session of sessions) {
    if (!range || session.day < range.startDate || session.day > range.endDate) continue;
    for (const { values, ...part } of partsOf(
      session,
      dimensions.map(({ name }) => name),
    ))
      groups.set(JSON.stringify(values), [...(groups.get(JSON.stringify(values)) ?? []), { ...session, ...part }]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([values, parts]) => ({
      dimensionValues: (JSON.parse(values) as string[]).map((value) => ({ value })),
      metricValues: metrics.map(({ name }) => ({ value: `${metricOf(name, parts)}` })),
    }));
}

/** The row of a session by each value that it has of a dimension. */
function partsOf(session: Session, [dimension, ...more]: string[]) {
  const { views, events = [], dimensions = {}, day } = session;
  const whole = { viewed: views.length, happened: views.length + events.length };
  if (more.length > 0) throw new Error("the stand-in knows one dimension at a time");
  if (dimension === undefined) return [{ values: [], ...whole }];
  if (dimension === "date") return [{ values: [day.replaceAll("-", "")], ...whole }];
  const counted = (list: string[]) =>
    [...new Set(list)].map((value) => [value, list.filter((one) => one === value).length] as const);
  if (dimension === "pagePath")
    return counted(views).map(([value, viewed]) => ({ values: [value], viewed, happened: viewed }));
  if (dimension === "eventName")
    return counted([...views.map(() => "page_view"), "session_start", ...events]).map(([value, happened]) => ({
      values: [value],
      viewed: value === "page_view" ? happened : 0,
      happened,
    }));
  if (dimension === "landingPage") return [{ values: [views[0] ?? "(not set)"], ...whole }];
  return [{ values: [dimensions[dimension] ?? "(not set)"], ...whole }];
}

function metricOf(name: string, parts: readonly Part[]): number {
  const sum = (of: (part: Part) => number) => parts.reduce((all, part) => all + of(part), 0);
  if (name === "totalUsers") return new Set(parts.map(({ user }) => user)).size;
  if (name === "sessions") return parts.length;
  if (name === "screenPageViews") return sum(({ viewed }) => viewed);
  if (name === "eventCount") return sum(({ happened }) => happened);
  if (name === "bounceRate")
    return sum(({ views, seconds }) => Number(views.length < 2 && seconds < 10)) / parts.length;
  if (name === "averageSessionDuration") return sum(({ seconds }) => seconds) / parts.length;
  throw new Error(`the stand-in does not know the metric ${name}`);
}
