import { notFound } from "next/navigation";
import { cache } from "react";
import { FILTER_FIELDS } from "@/components/reports/filter-fields";
import type { Filter } from "@/components/reports/filters";
import { isPublicDimension } from "@/lib/analytics/query/dimensions";
import { queryPublicSite, type RunQuery } from "@/lib/gateway/execute";
import { countedAddress } from "@/lib/platform/counted-address";
import { type Issue, invalidInput, Refusal } from "@/lib/platform/errors";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { PUBLIC_FILTERS, PUBLIC_RATE } from "@/lib/platform/limits";
import { takeRate } from "@/lib/platform/rate";
import { anonymousShares } from "@/lib/platform/report-shares";
import { type LastEvent, lastEventOf } from "@/lib/sites/last-event";
import { type SharedSite, sharedSite } from "@/lib/sites/shared";

export const SHARED_FIELDS = FILTER_FIELDS.filter(({ value }) => isPublicDimension(value));

/** Returns the public site of a URL segment, read once per request; null if there is none. */
export const siteAt = cache(async (segment: string): Promise<SharedSite | null> => sharedSite(decoded(segment)));

/** Decodes a URL segment: pages get it encoded, routes decoded. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The same for pages; shows "not found" without a site. */
export const siteAtOrNotFound = async (segment: string): Promise<SharedSite> => (await siteAt(segment)) ?? notFound();

/** A caller without sign-in. */
interface AnonymousCaller {
  /** IP address, used for the rate limit and the report time budget. */
  ip: string;
  /** Filters of the URL, without searches in dialogs; null if they are invalid. */
  filters: readonly Filter[] | null;
}

/** Returns a function that queries what a public dashboard shows, within the limits of anonymous callers. */
export const queryShared =
  ({ ip, filters }: AnonymousCaller): RunQuery =>
  async (op, call) => {
    const { segment, dimensions, field } = call.input as Record<string, unknown>;
    if (segment || [dimensions, field].some((name) => name !== undefined && !isPublicDimension(String(name)))) {
      throw new Refusal("invalid_input", "A public dashboard shows only what its panels list; remove this parameter.");
    }
    const faults = filterIssues(filters ?? []);
    if (faults.length > 0) throw invalidInput(faults);
    await limitRate(ip, call.now);
    return queryPublicSite(ip)(op, call);
  };

/** Allows only filters by whole values, which use an index. Filters that scan all values require an account. */
function filterIssues(filters: readonly Filter[]): Issue[] {
  const { conditions, values } = PUBLIC_FILTERS;
  const issues = filters.flatMap((filter): Issue[] => {
    const path = `filters.${filter.key}`.slice(0, 120);
    if (!isPublicDimension(filter.key)) {
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

async function limitRate(ip: string, now: Date): Promise<void> {
  const { limit, seconds } = PUBLIC_RATE;
  const { allowed, retryAfter } = await takeRate(`share:${countedAddress(ip)}`, limit, seconds * 1000, now);
  if (allowed) return;
  throw new Refusal(
    "rate_limited",
    `The limit is ${limit} requests per minute from your address; continue in ${retryAfter} seconds.`,
    undefined,
    retryAfter,
  );
}

export const addressOf = (request: Request): string => request.headers.get(CALLER_HEADERS.address) || "unknown";

/** Time of the last event and current visitors of a public site. */
export const sharedLastEvent = (siteId: number, ip: string): Promise<LastEvent> =>
  lastEventOf(siteId, anonymousShares(ip));

/** The same for a page, which is also shown if the query is refused. */
export const initialLastEvent = (siteId: number, ip: string): Promise<LastEvent> =>
  sharedLastEvent(siteId, ip).catch((error) => {
    if (error instanceof Refusal) return { last_event_at: null, active_visitors: 0 };
    throw error;
  });

/** @throws Refusal `not_found` */
export async function siteOf(params: Promise<{ domain: string }>): Promise<SharedSite> {
  const site = await siteAt((await params).domain);
  if (!site) throw new Refusal("not_found", "This site does not exist or is not public.");
  return site;
}
