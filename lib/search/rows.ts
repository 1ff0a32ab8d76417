import { scrub } from "@/lib/ingest/scrubbing/scrub";
import { pathOfUrl } from "@/lib/platform/canonical";
import { belongsTo } from "@/lib/platform/domain-names";
import { clip, clipPath, parseUrl } from "@/lib/platform/text";
import { LARGEST_COUNT } from "@/lib/search/call";
import { ProviderFault } from "@/lib/search/faults";
import type { SearchRow } from "@/lib/search/store/numbers";

/** What search data is read for, and by which pages of a provider are its own. */
export interface SearchSite {
  hosts: readonly string[];
  pageQuery: readonly string[];
}

const LONGEST_QUERY_BYTES = 1024;
/** Nobody asks here what was replaced: the counts of a site are of its visitors. */
const uncounted = () => {};

/** Returns a query as it is stored: legible, and without personal data. */
export const storedQuery = (query: string): string =>
  scrub(clip(query.normalize("NFC").trim(), LONGEST_QUERY_BYTES), uncounted);

/** Returns the path of a page as events have it; null for a page of another site. */
export function storedPage(address: string, { hosts, pageQuery }: SearchSite): string | null {
  const url = parseUrl(address);
  if (!url || !/^https?:$/.test(url.protocol) || !belongsTo(url.hostname, hosts)) return null;
  return clipPath(scrub(pathOfUrl(url, pageQuery), uncounted));
}

/**
 * Adds up rows that are one when stored: two hosts have the same path, and scrubbed queries are alike.
 *
 * @throws ProviderFault `malformed` when a sum is larger than any property has.
 */
export function mergeRows(rows: readonly SearchRow[]): SearchRow[] {
  const merged = new Map<string, SearchRow>();
  for (const row of rows) {
    const key = `${row.query}\n${row.page}`;
    const known = merged.get(key);
    if (!known) {
      merged.set(key, { ...row });
      continue;
    }
    known.clicks += row.clicks;
    known.impressions += row.impressions;
    known.positionSum += row.positionSum;
    if (Math.max(known.clicks, known.impressions) > LARGEST_COUNT) throw new ProviderFault("malformed");
  }
  return [...merged.values()];
}
