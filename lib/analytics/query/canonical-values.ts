import { type DimensionKey, HAS_PATHS, PAGE_DIMENSIONS } from "@/lib/analytics/query/dimensions";
import {
  canonicalEncoding,
  canonicalHostPart,
  canonicalPathPart,
  canonicalTypedHost,
  canonicalTypedPath,
  withoutTrailingSlashes,
} from "@/lib/platform/canonical";
import { canonicalName, canonicalNamePart } from "@/lib/platform/names";
import { type Sql, sql } from "@/lib/platform/sql";
import { clipPath } from "@/lib/platform/text";

/** Typed values of dimensions in the spelling of stored ones (`lib/platform/canonical.ts`). */

/** Returns a whole value that was typed, as it is stored. @param pageQuery the query parameters that make a page. */
export function canonicalValue(key: DimensionKey, typed: string, pageQuery: readonly string[]): string {
  if (key === "referrer") return canonicalReferrer(typed);
  if (HAS_PATHS.has(key)) return clipPath(canonicalTypedPath(typed, pageQuery));
  if (key === "hostname") return canonicalTypedHost(typed);
  return key === "event" ? canonicalName(typed) : typed;
}

/** Returns the beginning or another part of a value that was typed, as it is stored. */
export function canonicalPart(key: DimensionKey, typed: string): string {
  if (HAS_PATHS.has(key)) return canonicalPathPart(typed);
  if (key === "event") return canonicalNamePart(typed);
  return key === "hostname" ? canonicalHostPart(typed) : typed;
}

/** A referrer is a host and a path, without scheme and query. */
function canonicalReferrer(typed: string): string {
  const [, host = "", path = ""] = /^(?:https?:\/\/)?([^/?#]*)([^?#]*)/i.exec(typed.trim()) ?? [];
  return canonicalTypedHost(host) + (path === "/" ? "" : canonicalEncoding(path));
}

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
