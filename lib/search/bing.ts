import { z } from "zod";
import { callProvider, type ProviderAnswer, readAnswer, sentCount } from "@/lib/search/call";
import { ProviderFault, StaleToken } from "@/lib/search/faults";
import { endpointsOf } from "@/lib/search/providers";
import type { SearchDay } from "@/lib/search/store/numbers";

/** The Bing Webmaster API, as JSON: https://learn.microsoft.com/bingwebmaster. */

const MAX_ROWS = 200_000;

const sites = z.array(z.object({ Url: z.string().max(2048), IsVerified: z.boolean() })).max(10_000);

/** Returns the verified sites of an account. */
export async function bingProperties(token: string): Promise<string[]> {
  const found = readAnswer(sites, await ask(token, "GetUserSites"));
  return found.filter(({ IsVerified }) => IsVerified).map(({ Url }) => Url);
}

/** `/Date(1316156400000-0700)/`: milliseconds, and the offset in which they are a day. */
const DATE = /^\/Date\((-?\d{1,15})(?:([+-])(\d{2})(\d{2}))?\)\/$/;

/** Returns the day that a date of Bing is; null for other text. */
export function dayOfBing(text: string): string | null {
  const [, ms, sign, hours, minutes] = DATE.exec(text) ?? [];
  if (ms === undefined) return null;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === "-" ? -60_000 : 60_000);
  const at = new Date(Number(ms) + offset);
  return at.getTime() >= 0 && at.getUTCFullYear() <= 2100 ? at.toISOString().slice(0, 10) : null;
}

const day = z.string().transform((text, check) => {
  const found = dayOfBing(text);
  if (found === null) check.addIssue("must be a date of Bing");
  return found ?? "";
});

const totals = z.array(z.object({ Date: day, Clicks: sentCount, Impressions: sentCount })).max(10_000);

/** Returns the numbers of a whole site by day, for the days that Bing still has. It has no position of a whole site. */
export async function bingDays(token: string, property: string): Promise<SearchDay[]> {
  const rows = readAnswer(totals, await ask(token, "GetRankAndTrafficStats", property));
  return rows.map((row) => ({ day: row.Date, clicks: row.Clicks, impressions: row.Impressions, positionSum: null }));
}

export interface BingRow extends SearchDay {
  positionSum: number;
  /** A query, or the address of a page. */
  text: string;
}

// Bing names a page `Query` too. A position is 0 or -1 where it is unknown.
const rows = z
  .array(
    z.object({
      Query: z.string().max(8192),
      Date: day,
      Clicks: sentCount,
      Impressions: sentCount,
      AvgImpressionPosition: z.number().min(-1).max(1e6),
    }),
  )
  .max(MAX_ROWS);

/** Returns the top queries or pages of a site, by day or by week as Bing has them, for all that it still has. */
export async function bingRows(token: string, property: string, of: "query" | "page"): Promise<BingRow[]> {
  const found = readAnswer(rows, await ask(token, of === "query" ? "GetQueryStats" : "GetPageStats", property));
  return found.map((row) => ({
    day: row.Date,
    text: row.Query,
    clicks: row.Clicks,
    impressions: row.Impressions,
    positionSum: Math.max(0, row.AvgImpressionPosition) * row.Impressions,
  }));
}

async function ask(token: string, method: string, siteUrl?: string): Promise<unknown> {
  const query = siteUrl === undefined ? "" : `?${new URLSearchParams({ siteUrl })}`;
  return contentOf(await callProvider(`${endpointsOf("bing").api}/${method}${query}`, { token }));
}

const failure = z.object({ ErrorCode: z.int(), Message: z.string().optional() });
const content = z.object({ d: z.unknown() });

/** The error codes of Bing that tell something (Microsoft.Bing.Webmaster.Api.Interfaces.ApiErrorCode). */
const CODES = { internal: [1, 2], invalidKey: 3, throttled: [4, 5], denied: [6, 10, 11, 13, 14] };

/**
 * Returns what an answer holds. Errors are in its body, whatever its status is.
 *
 * @throws StaleToken for an invalid token; ProviderFault `quota`, `unreachable`, `no_access` or `malformed`.
 */
function contentOf({ status, body, retryAfterS }: ProviderAnswer): unknown {
  if (status === 401) throw new StaleToken();
  const error = failure.safeParse(body).data ?? failure.safeParse(content.safeParse(body).data?.d).data;
  if (error) {
    const { ErrorCode: code, Message: message = "" } = error;
    if (code === CODES.invalidKey || /InvalidToken|ExpiredToken/i.test(message)) throw new StaleToken();
    if (CODES.throttled.includes(code)) throw new ProviderFault("quota", retryAfterS);
    if (CODES.internal.includes(code)) throw new ProviderFault("unreachable");
    throw new ProviderFault(CODES.denied.includes(code) ? "no_access" : "malformed");
  }
  if (status !== 200) throw new ProviderFault(status === 403 ? "no_access" : "malformed");
  const read = content.safeParse(body);
  if (!read.success) throw new ProviderFault("malformed");
  return read.data.d ?? [];
}
