import { type DimensionKey, HAS_PATHS, PAGE_DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { namedSource } from "@/lib/ingest/enrich/sources";
import {
  canonicalHostPart,
  canonicalPathPart,
  canonicalTypedHost,
  canonicalTypedPath,
  canonicalTypedReferrer,
  pathOfBareAddress,
  withoutTrailingSlashes,
} from "@/lib/platform/canonical";
import { canonicalName, canonicalNamePart } from "@/lib/platform/names";
import { type Sql, sql } from "@/lib/platform/sql";
import { clipPath } from "@/lib/platform/text";

/** Typed values of dimensions in the spelling of stored ones (`lib/platform/canonical.ts`). */

/**
 * Returns a whole value that was typed, as it may be stored. Texts are found as they were typed, too, because they may
 * have been stored before they had one spelling.
 *
 * @param pageQuery the query parameters that make a page.
 */
export function storedValues(key: DimensionKey, typed: string, pageQuery: readonly string[]): string[] {
  if (PAGE_DIMENSIONS.includes(key)) {
    // A screen may have a name that looks like an address.
    const paths = [canonicalTypedPath(typed, pageQuery), pathOfBareAddress(typed, pageQuery)];
    return different(paths.flatMap((path) => (path === null ? [] : [clipPath(path)])));
  }
  switch (key) {
    case "hostname":
      return [canonicalTypedHost(typed)];
    case "event":
      return [canonicalName(typed)];
    case "referrer":
      return different([canonicalTypedReferrer(typed), typed]);
    case "source":
      return different([typed, namedSource(typed)?.name ?? canonicalTypedHost(typed)]);
    case "country":
      return [/^[a-z]{2}$/.test(typed) ? typed.toUpperCase() : typed];
    default:
      return isText(key) ? different([typed, canonicalName(typed)]) : [typed];
  }
}

/** Returns the beginning or another part of a value that was typed, as it may be stored. */
export function storedParts(key: DimensionKey, typed: string): string[] {
  if (PAGE_DIMENSIONS.includes(key)) return [canonicalPathPart(typed)];
  switch (key) {
    case "hostname":
      return [canonicalHostPart(typed.replace(/^(?:https?:\/\/)?(?:www\.)?(?=.)/i, ""))];
    case "event":
      return [canonicalNamePart(typed)];
    case "referrer": {
      const [, scheme = "", host = "", path = ""] = /^(https?:\/\/)?([^/]*)(.*)$/is.exec(typed) ?? [];
      const address = (scheme === "" ? canonicalHostPart(host) : canonicalTypedHost(host)) + canonicalPathPart(path);
      return different([canonicalPathPart(typed), address]);
    }
    case "source":
      return different([typed, canonicalHostPart(typed)]);
    default:
      return isText(key) ? different([typed, canonicalNamePart(typed)]) : [typed];
  }
}

const isText = (key: DimensionKey): boolean => key === "title" || key.startsWith("utm_");
const different = (values: readonly string[]): string[] => [...new Set(values)].filter((value) => value !== "");

/** SQL for a stored value as people read it, where that differs; null where it does not. */
export const legible = (key: DimensionKey, word: Sql): Sql | null =>
  HAS_PATHS.has(key) ? sql`coalesce(TRY(url_decode(${word})), ${word})` : null;

const MERGES_SLASHES = sql`(SELECT merge_slashes FROM state)`;

/**
 * SQL for whether a path equals or matches a typed one. A copy whose paths have no slash at their end is asked without
 * those of the typed one.
 *
 * @param compared the condition for a typed path.
 */
export function withMergedSlashes(typed: string, compared: (typed: string) => Sql): Sql {
  const merged = withoutTrailingSlashes(typed);
  if (merged === typed) return compared(typed);
  return sql`CASE WHEN ${MERGES_SLASHES} THEN ${compared(merged)} ELSE ${compared(typed)} END`;
}

/** SQL for a stored path with a slash at its end, which it may have had, where slashes make no other page; else as it is. */
export const withTrailingSlash = (path: Sql): Sql =>
  sql`CASE WHEN ${MERGES_SLASHES} THEN regexp_replace(${path}, '^([^?]*[^?/])([?]|$)', '\\1/\\2') ELSE ${path} END`;

/** SQL for a stored value, with a slash at its end where a part to find in it may end with that. */
export const searched = (key: DimensionKey, word: Sql, parts: readonly string[]): Sql =>
  PAGE_DIMENSIONS.includes(key) && parts.some((part) => /\/(\?|$)/.test(part)) ? withTrailingSlash(word) : word;
