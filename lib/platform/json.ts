import { invalidInput, Refusal } from "@/lib/platform/errors";

const DEEPEST = 8;
const UNSTORABLE = "holds U+0000 or half a surrogate pair, which cannot be stored; remove it";
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses JSON that a stranger sent. What Postgres could not store (U+0000, lone surrogates), what JavaScript would
 * silently change (1e400, integers beyond 2^53) and what nests deeper than 8 levels is refused by its path.
 *
 * @throws Refusal `malformed_json`, or `invalid_input` naming the place.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const value = readJson(bytes);
  refuseFaults(value);
  return value;
}

/** Parses JSON and looks no further: `findFault` must see it before anything is kept. @throws Refusal `malformed_json`. */
export function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new Refusal("malformed_json", "The body is not valid JSON in UTF-8; check it with a JSON validator.");
  }
}

/** Refuses what cannot be kept as it is, wherever in a value it stands. @throws Refusal `invalid_input` naming the place. */
export function refuseFaults(value: unknown): void {
  const fault = findFault(value, DEEPEST);
  if (fault) throw invalidInput([{ path: fault.path.join("."), message: fault.message }]);
}

/**
 * What of a value cannot be kept, and where; null when all can. It stops at what nests too deep, so that depth costs no
 * stack.
 *
 * @param deepest how many levels may stand within each other.
 */
export function findFault(value: unknown, deepest: number, depth = 0): { path: string[]; message: string } | null {
  const message = faultOf(value, depth, deepest);
  if (message) return { path: [], message };
  if (typeof value !== "object" || value === null) return null;
  for (const key in value) {
    if (faultOf(key, 0, deepest)) return { path: [], message: `has a key that ${UNSTORABLE}` };
    const within = findFault((value as Record<string, unknown>)[key], deepest, depth + 1);
    if (within) return { path: [key, ...within.path], message: within.message };
  }
  return null;
}

function faultOf(value: unknown, depth: number, deepest: number): string | null {
  if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) {
    return UNSTORABLE;
  }
  if (typeof value === "number" && (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)) {
    return "is a number too large to keep exactly; send it as text";
  }
  if (depth > deepest) return "nests too many levels deep; flatten it";
  return null;
}
