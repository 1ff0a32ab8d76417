import { type Sql, sql } from "@/lib/analytics/engine/sql";
import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import {
  canonicalEncoding,
  canonicalHostPart,
  canonicalPathPart,
  canonicalTypedHost,
  canonicalTypedPath,
} from "@/lib/platform/canonical";
import { canonicalName, canonicalNamePart } from "@/lib/platform/names";
import { clipPath } from "@/lib/platform/text";

/** Typed values of dimensions in the spelling of stored ones (`lib/platform/canonical.ts`). */

const PATHS: ReadonlySet<DimensionKey> = new Set(["page", "entry_page", "exit_page"]);

/** Returns a whole value that was typed, as it is stored. */
export function canonicalValue(key: DimensionKey, typed: string): string {
  if (PATHS.has(key)) return clipPath(canonicalTypedPath(typed));
  if (key === "hostname") return canonicalTypedHost(typed);
  if (key === "event") return canonicalName(typed);
  return key === "referrer" ? canonicalReferrer(typed) : typed;
}

/** Returns the beginning or another part of a value that was typed, as it is stored. */
export function canonicalPart(key: DimensionKey, typed: string): string {
  if (PATHS.has(key) || key === "referrer") return canonicalPathPart(typed);
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
  PATHS.has(key) || key === "referrer" ? sql`coalesce(TRY(url_decode(${word})), ${word})` : null;
