import type { AnyOperation } from "@/lib/contract/define";
import { isSchema } from "@/lib/mcp/tool-schema";
import { type Named, propertiesOf, resolve, type Schema, schemaOf, withoutNull } from "@/lib/publish/schemas";

/** Finds the text that visitors wrote: it may hold instructions to the model that reads it. */

/** A path to such text, as parts: names of properties, and `[]` for each item of a list. */
type Path = readonly string[];

const known = new WeakMap<AnyOperation, readonly Path[]>();

/** Returns the places in an answer that hold text of visitors, such as `rows[].values[]`. */
export function untrustedPlaces(op: AnyOperation, data: unknown): string[] {
  const paths = known.get(op) ?? pathsIn(op);
  known.set(op, paths);
  return paths.filter((path) => hasText(data, path)).map((path) => path.join(".").replaceAll(".[]", "[]"));
}

function pathsIn(op: AnyOperation): readonly Path[] {
  const named: Named = new Map();
  const visit = (given: Schema, path: Path): Path[] => {
    const { schema: nullable } = withoutNull(resolve(given, named));
    const schema = resolve(nullable, named);
    if ("x-untrusted" in schema) return [path];
    const { items, anyOf = [], additionalProperties: values } = schema;
    return [
      ...propertiesOf(schema).flatMap(([name, one]) => visit(one, [...path, name])),
      ...(isSchema(items) ? visit(items, [...path, "[]"]) : []),
      ...(isSchema(values) ? visit(values, [...path, "*"]) : []),
      ...anyOf.flatMap((one) => (isSchema(one) ? visit(one, path) : [])),
    ];
  };
  const all = visit(schemaOf(op.output, "output", named), []);
  return [...new Map(all.map((path) => [path.join("."), path])).values()];
}

function hasText(value: unknown, [part, ...rest]: Path): boolean {
  if (part === undefined) return isText(value);
  if (typeof value !== "object" || value === null) return false;
  if (part === "[]") return Array.isArray(value) && value.some((item) => hasText(item, rest));
  if (part === "*") return Object.values(value).some((item) => hasText(item, rest));
  return hasText((value as Record<string, unknown>)[part], rest);
}

/** Whether a marked value is text, or holds any, such as filters. */
function isText(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(isText);
  return typeof value === "string" && value !== "";
}
