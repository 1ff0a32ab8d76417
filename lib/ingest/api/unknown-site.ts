import { recordRefusal } from "@/lib/ingest/api/ingest-event";
import { type Caller, findSite } from "@/lib/ingest/api/page-events";
import { isWebsiteId } from "@/lib/ingest/compat/sent";
import type { EventDebugRecord } from "@/lib/ingest/debug/debug-record-schema";
import { limitRate } from "@/lib/ingest/site/limits";
import { visitorOf } from "@/lib/ingest/site/proxied";
import type { IngestSite } from "@/lib/ingest/site/sites";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import type { Incoming } from "@/lib/platform/http/http";

/** Events that name no site that is known. */

function messageOf(named: string): string {
  const name = named.slice(0, 100);
  return isWebsiteId(named)
    ? `${name} is mapped to no site here; map it in the settings of the site, under Installation, Coming from Umami`
    : `${name} is not a domain of any site here; add the site first`;
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

/**
 * Refuses an event that names no site that is known. If a site's pages sent it, its owner sees the refusal: clients of other
 * products ignore errors, and who looks for missing visits looks there.
 *
 * @param named the domain or website id. @param path the field that has it. @throws Refusal always.
 */
export async function refuseUnknown(
  { named, path }: { named: string; path: string },
  about: About,
  request: Incoming,
  caller: Caller,
): Promise<never> {
  const message = messageOf(named);
  const field = isWebsiteId(named) ? "website" : "domain";
  await countAtSite(invalidInput([{ path: field, message }]), about, request, caller);
  throw invalidInput([{ path, message }]);
}

/** Counts a refusal at the site whose pages sent the event, where its owner sees it. */
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
