import { invalidInput, Refusal } from "@/lib/platform/errors";

const MAX_DEPTH = 8;
const UNSTORABLE = "contains U+0000 or a lone surrogate, which cannot be stored; remove it";
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses untrusted JSON. Refuses values that Postgres cannot store (U+0000, lone surrogates), values that JavaScript
 * changes silently (1e400, integers beyond 2^53) and nesting deeper than 8 levels.
 *
 * @throws Refusal `malformed_json`, or `invalid_input` naming the path.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const value = readJson(bytes);
  refuseFaults(value);
  return value;
}

/** Parses JSON without checking its values: call `findFault` before storing them. @throws Refusal `malformed_json`. */
export function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new Refusal("malformed_json", "The body is not valid JSON in UTF-8; check it with a JSON validator.");
  }
}

/**
 * Refuses a value that contains anything that cannot be stored unchanged.
 *
 * @throws Refusal `invalid_input` naming the path.
 */
export function refuseFaults(value: unknown): void {
  const fault = findFault(value, MAX_DEPTH);
  if (fault) throw invalidInput([{ path: fault.path.join("."), message: fault.message }]);
}

/**
 * Returns the first part of a value that cannot be stored unchanged, with its path; null when there is none. The depth
 * limit also bounds the recursion.
 *
 * @param deepest the maximum nesting depth.
 */
export function findFault(value: unknown, deepest: number, depth = 0): { path: string[]; message: string } | null {
  const message = faultOfValue(value, depth, deepest);
  if (message) return { path: [], message };
  if (typeof value !== "object" || value === null) return null;
  for (const key in value) {
    if (faultOfValue(key, 0, deepest)) return { path: [], message: `has a key that ${UNSTORABLE}` };
    const within = findFault((value as Record<string, unknown>)[key], deepest, depth + 1);
    if (within) return { path: [key, ...within.path], message: within.message };
  }
  return null;
}

function faultOfValue(value: unknown, depth: number, deepest: number): string | null {
  if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) {
    return UNSTORABLE;
  }
  if (typeof value === "number" && (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)) {
    return "is a number too large to store exactly; send it as text";
  }
  if (depth > deepest) return "is nested too deeply; flatten it";
  return null;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether the JSON of a value has more bytes. Serialised only when an upper bound from its text lengths is over it. */
export const isJsonLonger = (value: unknown, bytes: number): boolean =>
  maxJsonBytes(value) > bytes && Buffer.byteLength(JSON.stringify(value)) > bytes;

/** Upper bound of a value's JSON in bytes: at most six per character (`\u001f`) and 25 per number. */
function maxJsonBytes(value: unknown): number {
  if (typeof value === "string") return 6 * value.length + 2;
  if (typeof value !== "object" || value === null) return 25;
  let bytes = 2;
  for (const key in value) bytes += maxJsonBytes((value as Record<string, unknown>)[key]) + 6 * key.length + 4;
  return bytes;
}
