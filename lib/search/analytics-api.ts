import { z } from "zod";
import { callProvider, readAnswer } from "@/lib/search/call";
import { ProviderFault } from "@/lib/search/faults";
import { requireOk } from "@/lib/search/google";
import { analyticsEndpoints } from "@/lib/search/providers";

/**
 * The Admin API and the Data API of Google Analytics 4: https://developers.google.com/analytics/devguides/config/admin/v1 and
 * https://developers.google.com/analytics/devguides/reporting/data/v1.
 */

/** A property of Google Analytics that an account may read. */
export const analyticsProperty = z.object({
  /** Such as `properties/123456`. */
  property: z.string().regex(/^properties\/\d{1,20}$/),
  name: z.string().max(1000),
  account: z.string().max(1000),
});
export type AnalyticsProperty = z.output<typeof analyticsProperty>;

const MOST_PAGES = 50;
/** Properties that a choice shows. */
const MOST_PROPERTIES = 1_000;
/** Rows of one answer, of at most 250,000 that Google allows. */
export const ROWS_PER_REPORT = 50_000;
/** Values of one dimension on one day. */
const MOST_ROWS = 1_000_000;

const summaries = z.object({
  accountSummaries: z
    .array(
      z.object({
        displayName: z.string().default(""),
        propertySummaries: z.array(z.object({ property: z.string(), displayName: z.string().default("") })).default([]),
      }),
    )
    .default([]),
  nextPageToken: z.string().max(8192).optional(),
});

/** Returns the properties of all accounts that the person of a token may read. */
export async function analyticsProperties(token: string): Promise<AnalyticsProperty[]> {
  const found: AnalyticsProperty[] = [];
  let next = "";
  for (let page = 0; page < MOST_PAGES && found.length < MOST_PROPERTIES; page++) {
    const query = new URLSearchParams({ pageSize: "200", ...(next && { pageToken: next }) });
    const answer = await callProvider(`${analyticsEndpoints().admin}/accountSummaries?${query}`, { token });
    const { accountSummaries, nextPageToken = "" } = readAnswer(summaries, requireOk(answer));
    for (const { displayName: account, propertySummaries } of accountSummaries)
      for (const { property, displayName: name } of propertySummaries) {
        const read = analyticsProperty.safeParse({ property, name: name || property, account });
        if (read.success) found.push(read.data);
      }
    next = nextPageToken;
    if (next === "") break;
  }
  return found.slice(0, MOST_PROPERTIES);
}

const report = z.object({
  rows: z
    .array(
      z.object({
        dimensionValues: z.array(z.object({ value: z.string().max(16_384).default("") })).default([]),
        metricValues: z.array(z.object({ value: z.string().max(100).default("") })).default([]),
      }),
    )
    .max(250_000)
    .default([]),
  rowCount: z.int().min(0).default(0),
  metadata: z
    .object({
      timeZone: z.string().max(100).optional(),
      subjectToThresholding: z.boolean().optional(),
      dataLossFromOtherRow: z.boolean().optional(),
      samplingMetadatas: z.array(z.unknown()).optional(),
    })
    .default({}),
});

export interface ReportQuestion {
  property: string;
  /** Days of the property, such as 2026-11-20. */
  from: string;
  to: string;
  dimensions: readonly string[];
  metrics: readonly string[];
}

/** What Google says about an answer that is not exact. */
export interface Inexact {
  /** Google has counted a sample of the events. */
  sampled: boolean;
  /** Rows of few users are left out. */
  thresholded: boolean;
  /** Rare values are in the row (other). */
  other: boolean;
}

export interface AnalyticsReport extends Inexact {
  /** Values of the dimensions, then of the metrics. */
  rows: string[][];
  timezone: string | null;
}

/**
 * Runs a report, page by page.
 *
 * @throws StaleToken and ProviderFault as `requireOk` does
 */
export async function runReport(
  token: string,
  { property, from, to, dimensions, metrics }: ReportQuestion,
  rowsPerCall = ROWS_PER_REPORT,
): Promise<AnalyticsReport> {
  const url = `${analyticsEndpoints().data}/${property}:runReport`;
  const asked = {
    dateRanges: [{ startDate: from, endDate: to }],
    dimensions: dimensions.map((name) => ({ name })),
    metrics: metrics.map((name) => ({ name })),
    // Without an order, the pages of one report could overlap.
    orderBys: dimensions.map((dimensionName) => ({ dimension: { dimensionName } })),
  };
  const found: AnalyticsReport = { rows: [], timezone: null, sampled: false, thresholded: false, other: false };
  for (;;) {
    const body = JSON.stringify({ ...asked, limit: `${rowsPerCall}`, offset: `${found.rows.length}` });
    const answer = await callProvider(url, { token, post: { type: "application/json", body } });
    const { rows, rowCount, metadata } = readAnswer(report, requireOk(answer));
    for (const { dimensionValues, metricValues } of rows) {
      const values = [...dimensionValues, ...metricValues].map(({ value }) => value);
      if (values.length !== dimensions.length + metrics.length) throw new ProviderFault("malformed");
      found.rows.push(values);
    }
    found.timezone ??= metadata.timeZone ?? null;
    found.sampled ||= (metadata.samplingMetadatas ?? []).length > 0;
    found.thresholded ||= metadata.subjectToThresholding ?? false;
    found.other ||= metadata.dataLossFromOtherRow ?? false;
    if (found.rows.length > MOST_ROWS) throw new ProviderFault("malformed");
    if (rows.length === 0 || found.rows.length >= rowCount) return found;
  }
}
