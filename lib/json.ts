import { invalidInput, Refusal } from "@/lib/contract/errors";

const DEEPEST = 8;

/**
 * Parses JSON that a stranger sent. What Postgres could not store (U+0000, lone surrogates), what JavaScript would
 * silently change (1e400, integers beyond 2^53) and what nests deeper than 8 levels is refused by its path.
 *
 * @throws Refusal `malformed_json`, or `invalid_input` naming the place.
 */
export function parseJson(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new Refusal("malformed_json", "The body is not valid JSON in UTF-8; check it with a JSON validator.");
  }
  refuseFaults(value);
  return value;
}

/** Refuses what cannot be kept as it is, wherever in a value it stands. @throws Refusal `invalid_input` naming the place. */
export function refuseFaults(value: unknown): void {
  const fault = findFault(value);
  if (fault) throw invalidInput([fault]);
}

/** Walks without recursion, so that depth costs no stack. */
function findFault(root: unknown): { path: string; message: string } | null {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: root, path: "", depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, depth } = next;
    const message = faultOf(value, depth);
    if (message) return { path, message };
    if (typeof value !== "object" || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (faultOf(key, 0)) return { path, message: "has a key with a character that cannot be stored" };
      open.push({ value: child, path: path === "" ? key : `${path}.${key}`, depth: depth + 1 });
    }
  }
  return null;
}

function faultOf(value: unknown, depth: number): string | null {
  if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) {
    return "holds U+0000 or half a surrogate pair, which cannot be stored; remove it";
  }
  if (typeof value === "number" && (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)) {
    return "is a number too large to keep exactly; send it as text";
  }
  if (depth > DEEPEST) return `nests deeper than ${DEEPEST} levels`;
  return null;
}
