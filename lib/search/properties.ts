import { canonicalHost } from "@/lib/platform/canonical";
import { belongsTo } from "@/lib/platform/domain-names";
import { parseUrl } from "@/lib/platform/text";
import { bingProperties } from "@/lib/search/bing";
import { googleProperties } from "@/lib/search/google";
import type { SearchProvider } from "@/lib/search/providers";

/** Properties: what a provider calls a site, `sc-domain:example.com` or the beginning of its addresses. */

const DOMAIN = "sc-domain:";

/** Returns the properties that an account at a provider may read. */
export const readableProperties = (provider: SearchProvider, token: string): Promise<string[]> =>
  provider === "google" ? googleProperties(token) : bingProperties(token);

/**
 * Returns the properties that have the data of a site and of no other, the best first: a whole domain, then the beginnings
 * of addresses, those of the primary domain first and the shortest first. A property of a domain above the site's own fits
 * not: it also has the data of others.
 *
 * @param hosts the domains of the site, the primary one first.
 */
export function fittingProperties(properties: readonly string[], hosts: readonly string[]): string[] {
  const fitting = properties.flatMap((property) => {
    const rank = rankOf(property, hosts);
    return rank === null ? [] : [{ property, rank }];
  });
  const order = (one: string, other: string) => one.length - other.length || (one < other ? -1 : 1);
  return fitting.sort((a, b) => a.rank - b.rank || order(a.property, b.property)).map(({ property }) => property);
}

function rankOf(property: string, hosts: readonly string[]): number | null {
  if (property.startsWith(DOMAIN)) {
    const place = hosts.indexOf(canonicalHost(property.slice(DOMAIN.length).toLowerCase()));
    return place < 0 ? null : place === 0 ? 0 : 1;
  }
  const url = parseUrl(property);
  if (!url || !/^https?:$/.test(url.protocol) || !belongsTo(url.hostname, hosts)) return null;
  const isPrimary = canonicalHost(url.hostname) === hosts[0];
  return (isPrimary ? 2 : 4) + (url.protocol === "https:" ? 0 : 1);
}
