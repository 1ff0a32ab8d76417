import { LRUCache } from "lru-cache";
import { db } from "@/lib/db";
import { processWide } from "@/lib/process-wide";
import { unseal } from "@/lib/secrets";
import { userKeyPlace } from "@/lib/sites/create";

/** What ingest needs to know of a site. */
export interface IngestSite {
  id: number;
  timezone: string;
  domains: string[];
  honourGpc: boolean;
  /** Keys the pseudonyms of the sender's own user ids. */
  userKey: Buffer;
}

// A changed setting takes effect within ten seconds, a new site within one.
const KNOWN_MS = 10_000;
const UNKNOWN_MS = 1_000;

const cache = () =>
  processWide("ingest-sites", () => new LRUCache<string, { site: Promise<IngestSite | null> }>({ max: 20_000 }));

/** The site that has this (normal) domain, or null. Read from the database at most every few seconds. */
export function siteByDomain(host: string): Promise<IngestSite | null> {
  const known = cache().get(host);
  if (known) return known.site;
  const site = readSite(host);
  cache().set(host, { site }, { ttl: KNOWN_MS });
  site.then(
    (found) => found ?? cache().set(host, { site }, { ttl: UNKNOWN_MS }),
    () => cache().delete(host),
  );
  return site;
}

async function readSite(host: string): Promise<IngestSite | null> {
  const domain = await db().siteDomain.findUnique({
    where: { host },
    select: { site: { select: { id: true, timezone: true, honourGpc: true, userKey: true, domains: true } } },
  });
  if (!domain) return null;
  const { site } = domain;
  return {
    id: site.id,
    timezone: site.timezone,
    domains: site.domains.map((row) => row.host),
    honourGpc: site.honourGpc,
    userKey: unseal(site.userKey, userKeyPlace(site.id)),
  };
}
