import type { Exclusion } from "@/lib/contract/exclusion-patterns";
import type { ScrubRule } from "@/lib/contract/scrub-rule-kinds";
import type { GeoPrecision } from "@/lib/ingest/enrich/geo";
import { compileScrubRules, type ScrubRules } from "@/lib/ingest/scrubbing/site-rules";
import { compileExclusions, type Exclusions } from "@/lib/ingest/site/exclusions";
import { compileProxies, type SiteProxies } from "@/lib/ingest/site/forwarded-address";
import { mayReload } from "@/lib/ingest/site/limits";
import { boundedMap } from "@/lib/platform/bounded-map";
import { belongsTo, normalSiteDomain } from "@/lib/platform/domain-names";
import { isThisMachine } from "@/lib/platform/local-trial";
import { controlPool } from "@/lib/platform/pool";
import { unseal } from "@/lib/platform/secrets";

/** Name under which the key of a site's user pseudonyms is sealed. */
export const userKeyPlace = (siteId: number): string => `site.user_key:${siteId}`;

/** The settings of a site that ingest needs. */
export interface IngestSite {
  id: number;
  /** Increases with every change of the settings. */
  revision: number;
  timezone: string;
  /** Whether an administrator keeps it from taking events. */
  disabled: boolean;
  domains: string[];
  /** Whether pages on localhost are pages of the site. */
  localPages: boolean;
  honourGpc: boolean;
  anonymiseIp: boolean;
  geoPrecision: GeoPrecision;
  /** Whether returning visitors are counted within one month, for the retention report. */
  retentionSalt: boolean;
  /** The query parameters that make a page. */
  pageQuery: readonly string[];
  /** The site's exclusion rules. */
  exclusions: Exclusions;
  /** The site's own rules of scrubbing. */
  scrubRules: ScrubRules;
  /** The site's proxies that may forward visitor addresses; null when it has none. */
  proxies: SiteProxies | null;
  /** Returns the key for pseudonyms of user ids. Unsealed on first use. */
  userKey(): Buffer;
}

// A changed setting takes effect within ten seconds, a new site within one.
const CACHE_MS = 10_000;
const UNKNOWN_CACHE_MS = 1_000;

/** A flood of names can evict a site, and reloading it costs a query; `limitGuesses` bounds how fast names come. */
const cache = boundedMap<string | number, { site: Promise<IngestSite | null> }>("ingest-sites", {
  max: 20_000,
  ttl: CACHE_MS,
  ttlResolution: 100,
});

/**
 * Returns the site of a domain, or null. Read from the database at most every few seconds.
 *
 * @throws Refusal `invalid_input` when the text is not a domain.
 */
export function siteByDomain(typed: string): Promise<IngestSite | null> {
  return cache.get(typed)?.site ?? cacheSite(typed, readSite({ host: normalSiteDomain(typed) }));
}

/** Returns the site that a website id of another product is mapped to, or null; cached in the same way. */
export function siteByAlias(alias: string): Promise<IngestSite | null> {
  const name = nameOfAlias(alias);
  return cache.get(name)?.site ?? cacheSite(name, readSite({ alias }));
}

/** No domain has a colon before its name. */
const nameOfAlias = (alias: string): string => `:${alias}`;
/** Whether the website id is in the cache, so that `siteByAlias` needs no query. */
export const isKnownAlias = (alias: string): boolean => cache.has(nameOfAlias(alias));

/** Returns the site with an id, or null; cached in the same way. */
export function siteById(id: number): Promise<IngestSite | null> {
  return cache.get(id)?.site ?? cacheSite(id, readSite({ siteId: id }));
}

/** Reloads a cached site, for a change that its senders may already use; null when the last reload was too recent. */
export async function reloadSite(typed: string, id: number, now: Date): Promise<IngestSite | null> {
  return mayReload(id, now) ? cacheSite(typed, readSite({ host: normalSiteDomain(typed) })) : null;
}

function cacheSite(name: string | number, site: Promise<IngestSite | null>): Promise<IngestSite | null> {
  cache.set(name, { site });
  site.then(
    (found) => found ?? cache.set(name, { site }, { ttl: UNKNOWN_CACHE_MS }),
    () => cache.delete(name),
  );
  return site;
}

/** Whether pages of a host are pages of the site: on its domains, and on localhost if its owner counts these. */
export const hasPagesOn = (site: Pick<IngestSite, "domains" | "localPages">, hostname: string): boolean =>
  belongsTo(hostname, site.domains) || (site.localPages && isThisMachine(hostname));

/** Whether the domain is in the cache, so that `siteByDomain` needs no query. */
export const isKnownDomain = (typed: string): boolean => cache.has(typed);

interface SiteRow {
  id: number;
  revision: number;
  timezone: string;
  disabled: boolean;
  domains: string[];
  local_pages: boolean;
  honour_gpc: boolean;
  anonymise_ip: boolean;
  geo_precision: GeoPrecision;
  retention_salt: boolean;
  page_query: string[];
  exclusions: Omit<Exclusion, "id">[];
  scrub_rules: ScrubRule[];
  merge_slashes: boolean;
  user_key: Buffer;
  trusted_proxy_ips: string[];
  require_signature: boolean;
  signing_key: Buffer | null;
  previous_key: Buffer | null;
  previous_key_until: Date | null;
}

/** A site without domains gets no events. */
const SITE = `
  SELECT id, revision, timezone, disabled_at IS NOT NULL AS disabled, local_pages, honour_gpc, anonymise_ip, geo_precision, retention_salt, merge_slashes,
    coalesce(page_query, '{}') AS page_query, coalesce(trusted_proxy_ips, '{}') AS trusted_proxy_ips,
    user_key, require_signature, signing_key, previous_key, previous_key_until,
    ARRAY(SELECT host FROM site_domain WHERE site_id = site.id ORDER BY id) AS domains,
    ARRAY(SELECT jsonb_build_object('kind', kind, 'pattern', pattern) FROM site_exclusion
      WHERE site_id = site.id ORDER BY id) AS exclusions,
    ARRAY(SELECT jsonb_build_object('kind', kind, 'pattern', pattern) FROM site_scrub_rule
      WHERE site_id = site.id ORDER BY id) AS scrub_rules
  FROM site`;
const SITE_OF_HOST = `${SITE} WHERE id = (SELECT site_id FROM site_domain WHERE host = $1)`;
const SITE_OF_ALIAS = `${SITE} WHERE id = (SELECT site_id FROM site_alias WHERE alias = $1)
  AND EXISTS (SELECT FROM site_domain WHERE site_id = site.id)`;
const SITE_OF_ID = `${SITE} WHERE id = $1 AND EXISTS (SELECT FROM site_domain WHERE site_id = site.id)`;

async function readSite(where: { host: string } | { siteId: number } | { alias: string }): Promise<IngestSite | null> {
  const query =
    "host" in where
      ? { name: "site-of-host", text: SITE_OF_HOST, values: [where.host] }
      : "alias" in where
        ? { name: "site-of-alias", text: SITE_OF_ALIAS, values: [where.alias] }
        : { name: "site-of-id", text: SITE_OF_ID, values: [where.siteId] };
  const { rows } = await controlPool().query<SiteRow>(query);
  const [site] = rows;
  if (!site) return null;
  let userKey: Buffer | undefined;
  return {
    id: site.id,
    revision: site.revision,
    timezone: site.timezone,
    disabled: site.disabled,
    domains: site.domains,
    localPages: site.local_pages,
    honourGpc: site.honour_gpc,
    anonymiseIp: site.anonymise_ip,
    geoPrecision: site.geo_precision,
    retentionSalt: site.retention_salt,
    pageQuery: site.page_query,
    exclusions: compileExclusions(site.exclusions, { mergeSlashes: site.merge_slashes }),
    scrubRules: compileScrubRules(site.scrub_rules, { mergeSlashes: site.merge_slashes }),
    proxies: compileProxies({
      id: site.id,
      trustedProxyIps: site.trusted_proxy_ips,
      requireSignature: site.require_signature,
      signingKey: site.signing_key,
      previousKey: site.previous_key,
      previousKeyUntil: site.previous_key_until,
    }),
    userKey() {
      userKey ??= unseal(site.user_key, userKeyPlace(site.id));
      return userKey;
    },
  };
}
