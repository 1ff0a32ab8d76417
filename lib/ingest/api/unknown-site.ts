import { recordRefusal } from "@/lib/ingest/api/ingest-event";
import { type Caller, findSite } from "@/lib/ingest/api/page-events";
import { isWebsiteId } from "@/lib/ingest/compat/website-id";
import type { EventDebugRecord } from "@/lib/ingest/debug/debug-record-schema";
import { limitRate } from "@/lib/ingest/site/limits";
import { visitorOf } from "@/lib/ingest/site/proxied";
import type { IngestSite } from "@/lib/ingest/site/sites";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import type { Incoming } from "@/lib/platform/http/http";

/** Events that name no site that is known. */

/** Returns the refusal of an event whose site is unknown. @param path the field that names it. */
export function unknownSite(domain: string, path: string): Refusal {
  const name = domain.slice(0, 100);
  const message = isWebsiteId(domain)
    ? `${name} is mapped to no site here; map it in the settings of the site, under Installation, Coming from Umami`
    : `${name} is not a domain of any site here; add the site first`;
  return invalidInput([{ path, message }]);
}

/** A text that is no domain is one of no site. */
export const findByDomain = (domain: string, caller: Caller): Promise<IngestSite | null> =>
  findSite(domain, caller).catch((error) => {
    if (error instanceof Refusal && error.code === "invalid_input") return null;
    throw error;
  });

const MAX_LOOKUPS = 4;

interface About {
  /** The hosts that its request names. */
  hosts: readonly string[];
  surface: EventDebugRecord["surface"];
  sent: { name?: unknown; url?: unknown };
}

/** Counts an event of an unknown website at the site whose pages sent it. */
export function countUnknown(refusal: Refusal, about: About, request: Incoming, caller: Caller): Promise<void> {
  const [issue] = (refusal.details?.issues ?? []) as { message: string }[];
  const counted = invalidInput([{ path: "website", message: issue?.message ?? refusal.message }]);
  return countAtSite(counted, about, request, caller);
}

/** Counts a refusal at the site whose pages sent the event, where its owner sees it: Umami's clients ignore errors. */
export async function countAtSite(
  refusal: unknown,
  { hosts, surface, sent }: About,
  request: Incoming,
  caller: Caller,
): Promise<void> {
  // Also as a subdomain of a site.
  const names = hosts.flatMap((host) => {
    const labels = host.split(".");
    return labels.length > 1 ? labels.slice(0, -1).map((_, index) => labels.slice(index).join(".")) : [host];
  });
  for (const name of names.slice(0, MAX_LOOKUPS)) {
    const site = await findByDomain(name, caller);
    if (!site) continue;
    limitRate(site.id, visitorOf(request, site.proxies, caller.address).address, caller.now);
    recordRefusal({ siteId: site.id, now: caller.now, surface, sent: { name: sent.name, url: sent.url } }, refusal);
    return;
  }
}
