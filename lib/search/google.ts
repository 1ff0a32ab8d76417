import { z } from "zod";
import { callProvider, type ProviderAnswer, readAnswer, sentCount } from "@/lib/search/call";
import { ProviderFault, StaleToken } from "@/lib/search/faults";
import { endpointsOf } from "@/lib/search/providers";
import type { SearchRow } from "@/lib/search/store/numbers";

/** The Search Console API: https://developers.google.com/webmaster-tools/v1/api_reference_index. */

/** The most rows of one answer. */
export const ROWS_PER_CALL = 25_000;
/** Google has at most 50,000 rows a day of each kind. */
const ROWS_PER_DAY = 50_000;

const sites = z.object({
  siteEntry: z
    .array(z.object({ siteUrl: z.string().max(2048), permissionLevel: z.string() }))
    .max(10_000)
    .default([]),
});

/** Returns the properties of an account whose data it may read. */
export async function googleProperties(token: string): Promise<string[]> {
  const answer = await callProvider(`${endpointsOf("google").api}/sites`, { token });
  const { siteEntry } = readAnswer(sites, requireOk(answer));
  return siteEntry
    .filter(({ permissionLevel }) => permissionLevel !== "siteUnverifiedUser")
    .map(({ siteUrl }) => siteUrl);
}

export type GoogleDimension = "date" | "query" | "page";

export interface GoogleQuery {
  /** Days of Google, in Pacific time, such as 2026-11-20. */
  from: string;
  to: string;
  dimensions: readonly GoogleDimension[];
  /** The most rows to ask for at once; tests ask for fewer. */
  rowsPerCall?: number;
}

const numbers = { clicks: sentCount, impressions: sentCount, position: z.number().min(0).max(1e6) };
const key = z.string().max(8192);
const pageOf = (limit: number, dimensions: number) =>
  z.object({
    rows: z
      .array(z.object({ keys: z.array(key).length(dimensions), ...numbers }))
      .max(limit)
      .default([]),
  });

/** A row of Google: its keys in the order of the dimensions. */
export interface GoogleRow extends Pick<SearchRow, "clicks" | "impressions" | "positionSum"> {
  keys: string[];
}

/**
 * Returns the final numbers of a property, those with the most clicks first. Asks for more until an answer is empty, as
 * Google documents, because an answer may have fewer rows than were asked for.
 *
 * @throws StaleToken and ProviderFault as `requireOk` does.
 */
export async function searchAnalytics(
  token: string,
  property: string,
  { from, to, dimensions, rowsPerCall = ROWS_PER_CALL }: GoogleQuery,
): Promise<GoogleRow[]> {
  const url = `${endpointsOf("google").api}/sites/${encodeURIComponent(property)}/searchAnalytics/query`;
  const found: GoogleRow[] = [];
  while (found.length < ROWS_PER_DAY) {
    const asked = { startDate: from, endDate: to, dimensions, type: "web", dataState: "final" };
    const body = JSON.stringify({ ...asked, rowLimit: rowsPerCall, startRow: found.length });
    const answer = await callProvider(url, { token, post: { type: "application/json", body } });
    const { rows } = readAnswer(pageOf(rowsPerCall, dimensions.length), requireOk(answer));
    if (rows.length === 0) break;
    for (const { position, ...row } of rows) found.push({ ...row, positionSum: position * row.impressions });
  }
  return found;
}

const failure = z.object({
  error: z.object({
    status: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
    details: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});
/** Reasons of a 403 that ends by itself. */
const QUOTA = ["quotaExceeded", "dailyLimitExceeded", "rateLimitExceeded", "userRateLimitExceeded"];
/** Reasons of a 403 that the operator has to mend. */
const NOT_ENABLED = ["accessNotConfigured", "SERVICE_DISABLED"];

/**
 * Returns the body of a successful answer.
 *
 * @throws StaleToken for 401; ProviderFault `quota`, `setup` or `no_access` for 403 and 404, otherwise `malformed`.
 */
export function requireOk({ status, body, retryAfterS }: ProviderAnswer): unknown {
  if (status === 200) return body;
  if (status === 401) throw new StaleToken();
  const error = failure.safeParse(body).data?.error;
  const reasons = [...(error?.errors ?? []), ...(error?.details ?? [])].map(({ reason }) => reason ?? "");
  if (error?.status === "RESOURCE_EXHAUSTED" || reasons.some((reason) => QUOTA.includes(reason)))
    throw new ProviderFault("quota", retryAfterS);
  if (reasons.some((reason) => NOT_ENABLED.includes(reason))) throw new ProviderFault("setup");
  throw new ProviderFault(error && (status === 403 || status === 404) ? "no_access" : "malformed");
}
