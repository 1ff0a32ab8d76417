import { randomInt } from "node:crypto";
import { firstRetainedDay } from "@/lib/contract/retained-days";
import { workFairly } from "@/lib/monitoring/fair-work";
import { db } from "@/lib/platform/db";
import { HOUR_MS } from "@/lib/platform/durations";
import { log } from "@/lib/platform/log";
import { laterOf, localDay, type Temporal } from "@/lib/platform/time";
import { bingDays, bingRows } from "@/lib/search/bing";
import { breakConnection } from "@/lib/search/broken";
import { isProblem, ProviderFault, providerFaultOf, StaleToken, type TemporaryFault } from "@/lib/search/faults";
import { type GoogleDimension, ROWS_PER_CALL, searchAnalytics } from "@/lib/search/google";
import { type SearchProvider, searchClient, searchProviders } from "@/lib/search/providers";
import { mergeRows, type SearchSite, storedPage, storedQuery } from "@/lib/search/rows";
import {
  ConnectionEnded,
  daysToFetch,
  type RowKind,
  type SearchRow,
  storeDays,
  storeRows,
} from "@/lib/search/store/numbers";
import { type Ask, askAs } from "@/lib/search/tokens";
import { ofEnabledSite } from "@/lib/sites/access";

/** Fetches search data: of each connection once a night, and at once after it was connected or somebody asked. */

/** How long a connection is not fetched by another process after its fetch began. */
const LEASE_MS = 15 * 60_000;
/** How long one fetch of a connection goes on to its next day, and how long all go on to the next connection. */
const FETCH_MS = 60_000;
const RUN_MS = 5 * 60_000;
const CONCURRENCY = { all: 4, ofAccount: 1 };
/** How long Google has data: 16 months. */
const MONTHS_AT_GOOGLE = 16;
/** Days of both providers begin at midnight there. */
const ZONE = "America/Los_Angeles";

const NIGHT = { beginsAtMs: 26 * HOUR_MS, lastsMs: 4 * HOUR_MS };
const CONTINUE_AFTER_MS = 60_000;
/** Google asks to wait 15 minutes after a quota error. */
const FIRST_RETRY_MS: Partial<Record<TemporaryFault, number>> = { quota: 15 * 60_000, unreachable: 5 * 60_000 };
const MAX_RETRY_MS = 6 * HOUR_MS;

interface Due {
  id: number;
  siteId: number;
  provider: SearchProvider;
  property: string;
  token: Uint8Array;
  personId: number | null;
  failures: number;
  account: string;
}

/** Limits that tests set. */
export interface FetchLimits {
  rowsPerCall?: number;
  fetchMs?: number;
  /** Only these connections. */
  only?: readonly number[];
}

/** Fetches all connections that are due. Safe to run in several processes at once. */
export async function fetchDue(now: Date, limits: FetchLimits = {}): Promise<void> {
  const until = Date.now() + RUN_MS;
  await workFairly(
    CONCURRENCY,
    async (busy) => (Date.now() < until ? lease(now, busy, limits.only ?? null) : undefined),
    (due) => fetchOne(due, now, limits),
  );
}

/** Returns when the next fetch is due; null when none is planned. */
export async function nextFetchAt(): Promise<Date | null> {
  const { _min } = await db().searchConnection.aggregate({
    where: { provider: { in: configured() }, site: { disabledAt: null } },
    _min: { nextFetchAt: true },
  });
  return _min.nextFetchAt;
}

const configured = () => searchProviders.filter((provider) => searchClient(provider) !== null);

async function lease(now: Date, busy: string[], only: readonly number[] | null): Promise<Due | undefined> {
  const [due] = await db().$queryRaw<Due[]>`
    UPDATE search_connection SET next_fetch_at = ${new Date(now.getTime() + LEASE_MS)}
    WHERE id IN (
      SELECT id FROM search_connection
      WHERE next_fetch_at <= ${now} AND token IS NOT NULL AND provider::text = ANY (${configured()})
        AND ${ofEnabledSite}
        AND account_of_site(site_id) <> ALL (${busy}) AND (${only === null} OR id = ANY (${[...(only ?? [])]}::int[]))
      ORDER BY next_fetch_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, site_id AS "siteId", provider::text, property, token, person_id AS "personId", failures::int,
      account_of_site(site_id) AS account`;
  return due;
}

async function fetchOne(due: Due, now: Date, limits: FetchLimits): Promise<void> {
  try {
    await requireMember(due);
    const isWhole = await read(due, now, limits);
    const next = isWhole ? nextNight(now) : new Date(now.getTime() + CONTINUE_AFTER_MS);
    const data = { fault: null, failedAt: null, failures: 0, succeededAt: now, nextFetchAt: next };
    await db().searchConnection.updateMany({ where: { id: due.id, token: { not: null } }, data });
  } catch (error) {
    if (error instanceof ConnectionEnded) return;
    const fault = providerFaultOf(error, "search data could not be fetched");
    if (fault.code === "setup" || fault.code === "malformed") log.warn({ provider: due.provider }, fault.message);
    if (isProblem(fault.code)) await breakConnection(due, fault.code, now);
    else await postpone(due, fault.code, fault.retryAfterS, now);
    if (!(error instanceof ProviderFault || error instanceof StaleToken)) throw error;
  }
}

async function postpone(due: Due, fault: TemporaryFault, retryAfterS: number | null, now: Date): Promise<void> {
  const firstMs = FIRST_RETRY_MS[fault];
  const waitMs = Math.max(Math.min((firstMs ?? 0) * 2 ** due.failures, MAX_RETRY_MS), (retryAfterS ?? 0) * 1000);
  const next = firstMs === undefined ? nextNight(now) : new Date(now.getTime() + waitMs);
  const failures = Math.min(due.failures + 1, 20);
  await db().searchConnection.updateMany({
    where: { id: due.id, token: { not: null } },
    data: { fault, failedAt: now, failures, nextFetchAt: next },
  });
}

/** Returns a moment of the next night: connections are spread over it. */
function nextNight(now: Date): Date {
  const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return new Date(day + NIGHT.beginsAtMs + randomInt(NIGHT.lastsMs));
}

/** A consent ends with the membership of its person. @throws ProviderFault `left` */
async function requireMember({ siteId, personId }: Due): Promise<void> {
  const membership = personId !== null && (await db().membership.count({ where: { siteId, personId } })) > 0;
  if (!membership) throw new ProviderFault("left");
}

/** Replaces the refresh token of a connection that still has one. */
const keepToken =
  ({ id }: Due) =>
  (token: Uint8Array<ArrayBuffer>) =>
    db().searchConnection.updateMany({ where: { id, token: { not: null } }, data: { token } });

interface Read {
  ask: Ask;
  due: Due;
  site: SearchSite;
  first: Temporal.PlainDate;
  now: Date;
}

/** Reads what is new of a connection. @returns whether nothing is left */
async function read(due: Due, now: Date, { rowsPerCall = ROWS_PER_CALL, fetchMs = FETCH_MS }: FetchLimits) {
  const row = await db().site.findUnique({
    where: { id: due.siteId },
    include: { domains: { orderBy: [{ isPrimary: "desc" }, { id: "asc" }] } },
  });
  if (!row) throw new ConnectionEnded();
  const site = { hosts: row.domains.map(({ host }) => host), pageQuery: row.pageQuery };
  const retention = { months: row.keepMonths, from: row.keptFrom };
  const kept = firstRetainedDay({ retention, timezone: row.timezone }, now);
  const known = localDay(now, ZONE).subtract({ months: MONTHS_AT_GOOGLE });
  const reading = { ask: await askAs(due, keepToken(due)), due, site, first: kept ? laterOf(kept, known) : known, now };
  return due.provider === "google" ? readGoogle(reading, rowsPerCall, Date.now() + fetchMs) : readBing(reading);
}

/** The rows of a day at Google, by the dimensions that make them. */
const DIMENSIONS: Record<RowKind, readonly GoogleDimension[]> = {
  query: ["date", "query"],
  page: ["date", "page"],
  pair: ["date", "query", "page"],
};

/**
 * Reads the final days of Google, and then the rows of those that have none yet, newest first: the last 16 months are read
 * in steps, and a fetch continues where an earlier one stopped.
 */
async function readGoogle({ ask, due, site, first, now }: Read, rowsPerCall: number, until: number): Promise<boolean> {
  const today = localDay(now, ZONE);
  const period = { from: first.toString(), to: today.toString(), rowsPerCall };
  const days = await ask((token) => searchAnalytics(token, due.property, { ...period, dimensions: ["date"] }));
  const named = days.map(({ keys, ...numbers }) => ({ ...numbers, day: keys[0] ?? "" }));
  const isDay = (day: string) => /^\d{4}-\d{2}-\d{2}$/.test(day) && day >= period.from && day <= period.to;
  const isOnce = new Set(named.map(({ day }) => day)).size === named.length;
  if (!isOnce || !named.every(({ day }) => isDay(day))) throw new ProviderFault("malformed");
  await storeDays(due.id, named);
  for (const day of await daysToFetch(due.id)) {
    if (Date.now() >= until) return false;
    const found: Partial<Record<RowKind, SearchRow[]>> = {};
    for (const [kind, dimensions] of Object.entries(DIMENSIONS) as [RowKind, readonly GoogleDimension[]][]) {
      const rows = await ask((token) =>
        searchAnalytics(token, due.property, { from: day, to: day, dimensions, rowsPerCall }),
      );
      found[kind] = mergeRows(rows.flatMap(({ keys, ...numbers }) => rowOf(kind, keys.slice(1), numbers, site)));
    }
    await storeRows(due.id, day, found, now);
  }
  return true;
}

/** Returns a row as it is stored; none for a page of another site. @param keys of Google, without the day */
function rowOf(
  kind: RowKind,
  keys: readonly string[],
  numbers: Pick<SearchRow, "clicks" | "impressions" | "positionSum">,
  site: SearchSite,
): SearchRow[] {
  const page = kind === "query" ? "" : storedPage(keys.at(-1) ?? "", site);
  return page === null ? [] : [{ ...numbers, query: kind === "page" ? "" : storedQuery(keys[0] ?? ""), page }];
}

/** Reads all that Bing still has: its API has no ranges, and no pages of queries. */
async function readBing({ ask, due, site, first, now }: Read): Promise<boolean> {
  const isKept = ({ day }: { day: string }) => day >= first.toString();
  const days = await ask((token) => bingDays(token, due.property));
  const [queries, pages] = [
    await ask((token) => bingRows(token, due.property, "query")),
    await ask((token) => bingRows(token, due.property, "page")),
  ];
  await storeDays(due.id, [...new Map(days.filter(isKept).map((day) => [day.day, day])).values()]);
  const byDay = new Map<string, Record<"query" | "page", SearchRow[]>>();
  for (const [kind, found] of [
    ["query", queries],
    ["page", pages],
  ] as const)
    for (const { day, text, ...numbers } of found.filter(isKept)) {
      const rows = byDay.get(day) ?? { query: [], page: [] };
      rows[kind].push(...rowOf(kind, [text], numbers, site));
      byDay.set(day, rows);
    }
  for (const [day, { query, page }] of byDay)
    await storeRows(due.id, day, { query: mergeRows(query), page: mergeRows(page) }, now);
  return true;
}
