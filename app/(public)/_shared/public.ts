import { notFound } from "next/navigation";
import { cache } from "react";
import type { Filter } from "@/components/reports/filters";
import { queryPublicSite, type RunQuery } from "@/lib/gateway/execute";
import { countedAddress } from "@/lib/platform/counted-address";
import { Refusal } from "@/lib/platform/errors";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { PUBLIC_RATE } from "@/lib/platform/limits";
import { takeRate } from "@/lib/platform/rate";
import { anonymousShares } from "@/lib/platform/report-shares";
import { type LastEvent, lastEventOf } from "@/lib/sites/last-event";
import { type SharedSite, sharedSite } from "@/lib/sites/shared";
import { t } from "@/lib/texts/translate";

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
export const queryOfPublic = ({ ip, filters }: AnonymousCaller): RunQuery =>
  rateLimited(ip, queryPublicSite(ip, filters));

/** The same query, within the rate limit of an address. */
export const rateLimited =
  (ip: string, query: RunQuery): RunQuery =>
  async (op, call) => {
    await limitSharedReads(ip, call.now);
    return query(op, call);
  };

/** Counts one request of an address. @throws Refusal `rate_limited` */
export async function limitSharedReads(ip: string, now: Date): Promise<void> {
  const { limit, seconds } = PUBLIC_RATE;
  const { allowed, retryAfter } = await takeRate(`share:${countedAddress(ip)}`, limit, seconds * 1000, now);
  if (allowed) return;
  throw new Refusal(
    "rate_limited",
    t("The limit is {limit} requests per minute from your address; continue in {seconds} seconds.", {
      limit,
      seconds: retryAfter,
    }),
    undefined,
    retryAfter,
  );
}

export const addressOfCaller = (request: Request): string => request.headers.get(CALLER_HEADERS.address) || "unknown";

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
  if (!site) throw new Refusal("not_found", t("This site does not exist or is not public."));
  return site;
}
