import { clip } from "@/lib/platform/text";

/** Cuts long lists, so that an answer fits into what a model can read and stays valid JSON. */

/** Rows of each list unless the caller asks for another number. */
export const DEFAULT_ROWS = 50;
export const MAX_ROWS = 1000;

/**
 * The largest answer in UTF-8. It is sent twice, for clients that read only text: 45,000 bytes each stay below 25,000 tokens,
 * also of scripts with a token a character.
 */
const MAX_BYTES = 45_000;
/** The longest text in an answer that is too long even with one item of each list. */
const MAX_TEXT = 500;

/** How many items a list has, and how many are shown. */
export interface Cut {
  shown: number;
  of: number;
}

/**
 * Returns the data with at most `rows` items in each list, fewer if its JSON is still too long. Series over time are
 * whole unless nothing else helps.
 *
 * @returns `cut` names the lists that were cut, by their path.
 */
export function shorten(data: unknown, rows: number): { data: unknown; cut: Record<string, Cut> } {
  let limits = { rows, buckets: Number.POSITIVE_INFINITY };
  for (;;) {
    const cut: Record<string, Cut> = {};
    const shorter = cutLists(data, limits, "", cut);
    if (Buffer.byteLength(JSON.stringify(shorter)) <= MAX_BYTES) return { data: shorter, cut };
    if (limits.rows <= 1 && limits.buckets <= 1) return { data: clipTexts(shorter), cut };
    limits =
      limits.rows > 5
        ? { ...limits, rows: Math.floor(limits.rows / 2) }
        : { rows: limits.buckets <= 25 ? 1 : limits.rows, buckets: Math.max(1, Math.min(limits.buckets, 800) / 2) };
  }
}

function cutLists(
  value: unknown,
  limits: { rows: number; buckets: number },
  path: string,
  cut: Record<string, Cut>,
): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        cutLists(item, limits, path === "" ? key : `${path}.${key}`, cut),
      ]),
    );
  }
  const most = Math.floor(isSeries(value) ? limits.buckets : limits.rows);
  if (value.length > most) {
    const before = cut[`${path}[]`];
    if (!before || before.of < value.length) cut[`${path}[]`] = { shown: most, of: value.length };
  }
  return value.slice(0, most).map((item) => cutLists(item, limits, `${path}[]`, cut));
}

function clipTexts(value: unknown): unknown {
  if (typeof value === "string") return clip(value, MAX_TEXT);
  if (Array.isArray(value)) return value.map(clipTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clipTexts(item)]));
}

/** Whether the items are buckets of time. */
const isSeries = (list: readonly unknown[]): boolean =>
  list.some((item) => typeof item === "object" && item !== null && ("start" in item || "date" in item));
