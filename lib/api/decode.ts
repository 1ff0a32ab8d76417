import { z } from "zod";
import type { AnyOperation } from "@/lib/contract/define";
import { invalidInput } from "@/lib/platform/errors";

/**
 * Reads a query string as the operation's schema means it. The schema itself never coerces: here, and only here,
 * `site_id=7` becomes a number because the schema says so. Objects come as JSON (`filters={"country":"FR"}`) or with
 * brackets (`filters[country]=FR`, `filters[page][contains]=blog`, `filters[country][]=FR`). Empty, and the word null
 * where it cannot be a text that is looked for, mean absent. What does not fit is passed on as text, for the schema to
 * refuse by name.
 *
 * @throws Refusal `invalid_input` for a parameter given twice.
 */
export function decodeQuery(op: AnyOperation, query: URLSearchParams): Record<string, unknown> {
  const types = typesOf(op);
  const decoded: Record<string, unknown> = Object.create(null);
  // Brackets build objects of their own, without a prototype; they never walk into what came as JSON.
  const bracketed = new Set<string>();
  for (const [name, value] of query) {
    const [head = "", ...path] = partsOf(name);
    if (head in decoded && !(path.length > 0 && bracketed.has(head))) {
      throw invalidInput([{ path: head.slice(0, 100), message: "is given more than once" }]);
    }
    if (path.length > 0) {
      bracketed.add(head);
      put(decoded, [head, ...path], value, name.slice(0, 100));
    } else {
      decoded[head] = coerce(value, types.get(head) ?? NOTHING);
    }
  }
  return decoded;
}

interface Types extends ReadonlySet<string> {
  /** Any text may be meant, also the word null. */
  freeText?: boolean;
}
const NOTHING: Types = new Set<string>();
const known = new WeakMap<AnyOperation, ReadonlyMap<string, Types>>();

/** The JSON types that each parameter may have. */
function typesOf(op: AnyOperation): ReadonlyMap<string, Types> {
  const before = known.get(op);
  if (before) return before;
  const schema = z.toJSONSchema(op.input, { io: "output", unrepresentable: "any" }) as { properties?: object };
  const types = new Map(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, readTypes(property)] as const),
  );
  known.set(op, types);
  return types;
}

interface Property {
  "x-free-text"?: boolean;
  type?: string | string[];
  anyOf?: Property[];
}

const readTypes = (property: Property): Types =>
  Object.assign(new Set(typesIn(property)), { freeText: property["x-free-text"] === true });

const typesIn = ({ type = [], anyOf = [] }: Property): string[] => [type, ...anyOf.map(typesIn)].flat();

function coerce(text: string, types: Types): unknown {
  if (text === "" && !types.has("object")) return types.has("string") && !types.has("null") ? "" : null;
  if (text === "null" && types.has("null") && !types.freeText) return null;
  if (types.has("integer") && /^(0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (types.has("number") && /^-?\d{1,15}(\.\d+)?$/.test(text)) return Number(text);
  if (types.has("boolean") && /^(true|false)$/.test(text)) return text === "true";
  if (types.has("object") || types.has("array")) return fromJson(text);
  return text;
}

function fromJson(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `filters[page][contains]` is `filters`, `page`, `contains`. A name with broken brackets stays one name. */
function partsOf(name: string): string[] {
  const read = /^([^[\]]+)((?:\[[^[\]]*\]){0,4})$/.exec(name);
  if (!read) return [name];
  return [read[1] as string, ...[...(read[2] as string).matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] as string)];
}

/** Sets a value deep inside; the objects on the way have no prototype, so that no name is special. */
function put(root: Record<string, unknown>, path: string[], value: string, name: string): void {
  const twice = () => invalidInput([{ path: name, message: "contradicts another parameter of that name" }]);
  let at = root;
  for (const [depth, part] of path.entries()) {
    const isLast = depth === path.length - 1;
    const isList = path[depth + 1] === "" && depth + 2 === path.length;
    if (isList) {
      at[part] ??= [];
      const list = at[part];
      if (!Array.isArray(list)) throw twice();
      list.push(value);
      return;
    }
    if (isLast) {
      if (part in at) throw twice();
      at[part] = value;
      return;
    }
    at[part] ??= Object.create(null);
    const next = at[part];
    if (typeof next !== "object" || next === null || Array.isArray(next)) throw twice();
    at = next as Record<string, unknown>;
  }
}
