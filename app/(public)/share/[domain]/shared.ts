import { notFound } from "next/navigation";
import { cache } from "react";
import { answer } from "@/app/_dashboard/answer";
import type { QueryContext } from "@/app/_dashboard/queries";
import { FILTER_FIELDS } from "@/components/reports/filter-fields";
import { type Filter, paramsOf, readFilters } from "@/components/reports/filters";
import { queryPublicSite, type RunQuery } from "@/lib/gateway/execute";
import { countedAddress } from "@/lib/platform/counted-address";
import { type Issue, invalidInput, Refusal } from "@/lib/platform/errors";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { PUBLIC_FILTERS, PUBLIC_RATE } from "@/lib/platform/limits";
import { takeRate } from "@/lib/platform/rate";
import { anonymousShares } from "@/lib/platform/report-shares";
import { type LastEvent, lastEventOf } from "@/lib/sites/last-event";
import { type SharedSite, sharedSite } from "@/lib/sites/shared";

/** What the panels of a public dashboard list; it can be narrowed by these, and by nothing that they do not show. */
const SHOWN = [
  ...["page", "entry_page", "exit_page", "source", "channel"],
  ...["country", "region", "city", "device", "browser", "os"],
];

export const SHARED_FIELDS = FILTER_FIELDS.filter(({ value }) => SHOWN.includes(value));

/** The public site of an address, asked for once for all the parts of a page; null where there is none. */
export const siteAt = cache(async (segment: string): Promise<SharedSite | null> => sharedSite(decoded(segment)));

/** Pages get a segment as it stands in the address, routes get it decoded. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The same for pages; without a site they are not found. */
export const siteAtOrNotFound = async (segment: string): Promise<SharedSite> => (await siteAt(segment)) ?? notFound();

/** Who asks, without being anybody that is known. */
export interface AnonymousCaller {
  /** The IP address, which rates and report time are counted by. */
  address: string;
  /** What the address of the page narrows to; null where it cannot be read. A search of ours is not among them. */
  filters: readonly Filter[] | null;
}

/** Asks for the numbers of a public site, as far as its dashboard shows them, within the limits of anonymous callers. */
export const queryShared =
  ({ address, filters }: AnonymousCaller): RunQuery =>
  async (op, call) => {
    const { segment, dimensions, field } = call.input as Record<string, unknown>;
    if (segment || [dimensions, field].some((name) => name !== undefined && !SHOWN.includes(String(name)))) {
      throw new Refusal("invalid_input", "A public dashboard shows only what its panels list; leave this out.");
    }
    const faults = filterIssues(filters ?? []);
    if (faults.length > 0) throw invalidInput(faults);
    await limitRate(address, call.now);
    return queryPublicSite(address)(op, call);
  };

/** Whole values are looked up in an index; all that has to be tried on every value is for those who have an account. */
function filterIssues(filters: readonly Filter[]): Issue[] {
  const { conditions, values } = PUBLIC_FILTERS;
  const issues = filters.flatMap((filter): Issue[] => {
    const path = `filters.${filter.key}`.slice(0, 120);
    if (!SHOWN.includes(filter.key)) {
      return [{ path, message: "is not shown on a public dashboard; take this filter away" }];
    }
    if (filter.operator !== "is") {
      const at = `${path}.${filter.operator}`.slice(0, 150);
      return [{ path: at, message: "is not available on a public dashboard; choose whole values with is" }];
    }
    if (filter.values.length <= values) return [];
    return [{ path, message: `has ${filter.values.length} values; a public dashboard takes at most ${values}` }];
  });
  if (filters.length <= conditions) return issues;
  const message = `has ${filters.length} conditions; a public dashboard takes at most ${conditions}`;
  return [...issues, { path: "filters", message }];
}

async function limitRate(address: string, now: Date): Promise<void> {
  const { limit, seconds } = PUBLIC_RATE;
  const { allowed, retryAfter } = await takeRate(`share:${countedAddress(address)}`, limit, seconds * 1000, now);
  if (allowed) return;
  throw new Refusal(
    "rate_limited",
    `At most ${limit} questions a minute from your address; continue in ${retryAfter} seconds.`,
    undefined,
    retryAfter,
  );
}

/** Answers in JSON what a public dashboard asks for in the background. */
export const answerAnonymous = (
  request: Request,
  params: Promise<{ domain: string }>,
  work: (asking: QueryContext, address: URLSearchParams) => Promise<object>,
) =>
  answer(async () => {
    const { site_id: siteId } = await siteOf(params);
    const query = new URL(request.url).searchParams;
    const ask = queryShared({ address: addressOf(request), filters: readFilters(paramsOf(query)) });
    const as: RunQuery = (op, call) => ask(op, { ...call, signal: request.signal });
    return work({ as, siteId, now: new Date() }, query);
  });

export const addressOf = (request: Request): string => request.headers.get(CALLER_HEADERS.address) || "unknown";

/** When a public site had its last event, and who is there. */
export const sharedLastEvent = (siteId: number, address: string): Promise<LastEvent> =>
  lastEventOf(siteId, anonymousShares(address));

/** The same for a page, which is shown without it where it is refused. */
export const initialLastEvent = (siteId: number, address: string): Promise<LastEvent> =>
  sharedLastEvent(siteId, address).catch((error) => {
    if (error instanceof Refusal) return { last_event_at: null, present: 0 };
    throw error;
  });

/** @throws Refusal `not_found` */
export async function siteOf(params: Promise<{ domain: string }>): Promise<SharedSite> {
  const site = await siteAt((await params).domain);
  if (!site) throw new Refusal("not_found", "There is no such public site.");
  return site;
}
