import type { GeoPrecision } from "@/lib/ingest/enrich/geo";
import { compileExclusions, type Exclusions } from "@/lib/ingest/site/exclusions";
import { mayRenew } from "@/lib/ingest/site/limits";
import { compileProxies, type SiteProxies } from "@/lib/ingest/site/proxied";
import { boundedMap } from "@/lib/platform/bounded-map";
import { db } from "@/lib/platform/db";
import { normalDomain } from "@/lib/platform/domain-names";
import { unseal } from "@/lib/platform/secrets";

/** Where the key of a site's user pseudonyms is sealed. */
export const userKeyPlace = (siteId: number): string => `site.user_key:${siteId}`;

/** What ingest needs to know of a site. */
export interface IngestSite {
  id: number;
  /** Grows with every change of its settings. */
  revision: number;
  timezone: string;
  domains: string[];
  honourGpc: boolean;
  anonymiseIp: boolean;
  geoPrecision: GeoPrecision;
  /** Whether people are known again within one month, for the report on retention. */
  retentionSalt: boolean;
  /** The owner's own rules of what is not counted. */
  exclusions: Exclusions;
  /** Proxies of its own that may name visitors; null when it has none. */
  proxies: SiteProxies | null;
  /** Keys the pseudonyms of the sender's own user ids; unsealed when the first is needed. */
  userKey(): Buffer;
}

// A changed setting takes effect within ten seconds, a new site within one.
const KNOWN_MS = 10_000;
const UNKNOWN_MS = 1_000;

/** To read a site that a flood of names has made forgotten costs a query; `limitGuesses` bounds how fast names come. */
const cache = boundedMap<string | number, { site: Promise<IngestSite | null> }>("ingest-sites", {
  max: 20_000,
  ttl: KNOWN_MS,
  ttlResolution: 100,
});

/**
 * The site that a sender means by a domain, or null. Read from the database at most every few seconds.
 *
 * @throws Refusal `invalid_input` when what was sent is no domain.
 */
export function siteByDomain(typed: string): Promise<IngestSite | null> {
  return cache.get(typed)?.site ?? remember(typed, readSite({ host: normalDomain(typed) }));
}

/** The site with an id, or null; as seldom read. */
export function siteById(id: number): Promise<IngestSite | null> {
  return cache.get(id)?.site ?? remember(id, readSite({ siteId: id }));
}

/** Reads a site anew although it is remembered, for a change that its senders may know already; null when it is too soon. */
export async function renewSite(typed: string, id: number, now: Date): Promise<IngestSite | null> {
  return mayRenew(id, now) ? remember(typed, readSite({ host: normalDomain(typed) })) : null;
}

function remember(name: string | number, site: Promise<IngestSite | null>): Promise<IngestSite | null> {
  cache.set(name, { site });
  site.then(
    (found) => found ?? cache.set(name, { site }, { ttl: UNKNOWN_MS }),
    () => cache.delete(name),
  );
  return site;
}

/** Whether the next question about this domain is answered without asking the database. */
export const isKnownDomain = (typed: string): boolean => cache.has(typed);

async function readSite(where: { host: string } | { siteId: number }): Promise<IngestSite | null> {
  const domain = await db().siteDomain.findFirst({
    where,
    select: { site: { include: { domains: true, exclusions: true } } },
  });
  if (!domain) return null;
  const { site } = domain;
  let userKey: Buffer | undefined;
  return {
    id: site.id,
    revision: site.revision,
    timezone: site.timezone,
    domains: site.domains.map((row) => row.host),
    honourGpc: site.honourGpc,
    anonymiseIp: site.anonymiseIp,
    geoPrecision: site.geoPrecision,
    retentionSalt: site.retentionSalt,
    exclusions: compileExclusions(site.exclusions),
    proxies: compileProxies(site),
    userKey() {
      userKey ??= unseal(site.userKey, userKeyPlace(site.id));
      return userKey;
    },
  };
}
