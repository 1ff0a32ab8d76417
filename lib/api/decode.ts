import { z } from "zod";
import type { AnyOperation } from "@/lib/contract/define";
import { invalidInput } from "@/lib/platform/errors";

/**
 * Decodes a query string by the operation's schema, which itself never coerces: only here `site_id=7` becomes a number.
 * Objects are sent as JSON (`filters={"country":"FR"}`) or with brackets (`filters[country]=FR`,
 * `filters[page][contains]=blog`, `filters[country][]=FR`). An empty value means absent, and so does the word null:
 * clients that write JSON values into a URL send it. To find the text null, use a filter. Values that do not match are
 * passed on as text, so that the schema refuses them by name.
 *
 * @throws Refusal `invalid_input` for a parameter given twice.
 */
export function decodeQuery(op: AnyOperation, query: URLSearchParams): Record<string, unknown> {
  const types = typesOf(op);
  const decoded: Record<string, unknown> = Object.create(null);
  // Brackets build new objects without a prototype and never extend objects from JSON.
  const bracketed = new Set<string>();
  for (const [name, value] of query) {
    const [head = "", ...path] = partsOf(name);
    if (head in decoded && !(path.length > 0 && bracketed.has(head))) {
      throw invalidInput([{ path: head.slice(0, 100), message: "is given more than once; send it once" }]);
    }
    if (path.length > 0) {
      bracketed.add(head);
      put(decoded, [head, ...path], value, name.slice(0, 100));
    } else {
      decoded[head] = coerce(value, types.get(head) ?? new Set());
    }
  }
  return decoded;
}

type Types = ReadonlySet<string>;
const known = new WeakMap<AnyOperation, ReadonlyMap<string, Types>>();

/** Returns the JSON types of each parameter. */
function typesOf(op: AnyOperation): ReadonlyMap<string, Types> {
  const cached = known.get(op);
  if (cached) return cached;
  const schema = z.toJSONSchema(op.input, { io: "output", unrepresentable: "any" }) as { properties?: object };
  const types = new Map(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, new Set(typesIn(property))] as const),
  );
  known.set(op, types);
  return types;
}

interface Property {
  type?: string | string[];
  anyOf?: Property[];
}

const typesIn = ({ type = [], anyOf = [] }: Property): string[] => [type, ...anyOf.map(typesIn)].flat();

function coerce(text: string, types: Types): unknown {
  if (text === "" && !types.has("object")) return types.has("string") && !types.has("null") ? "" : null;
  if (text === "null" && types.has("null")) return null;
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

/** Splits `filters[page][contains]` into `filters`, `page`, `contains`. A name with invalid brackets is not split. */
function partsOf(name: string): string[] {
  const read = /^([^[\]]+)((?:\[[^[\]]*\]){0,4})$/.exec(name);
  if (!read) return [name];
  return [read[1] as string, ...[...(read[2] as string).matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] as string)];
}

/** Sets a nested value. Objects on the path have no prototype, so no name is special. */
function put(root: Record<string, unknown>, path: string[], value: string, name: string): void {
  const contradiction = () =>
    invalidInput([{ path: name, message: "contradicts another parameter with this name; send one of them" }]);
  let target = root;
  for (const [depth, part] of path.entries()) {
    const isLast = depth === path.length - 1;
    const isList = path[depth + 1] === "" && depth + 2 === path.length;
    if (isList) {
      target[part] ??= [];
      const list = target[part];
      if (!Array.isArray(list)) throw contradiction();
      list.push(value);
      return;
    }
    if (isLast) {
      if (part in target) throw contradiction();
      target[part] = value;
      return;
    }
    target[part] ??= Object.create(null);
    const next = target[part];
    if (typeof next !== "object" || next === null || Array.isArray(next)) throw contradiction();
    target = next as Record<string, unknown>;
  }
}
