import type { AnyOperation } from "@/lib/contract/define";
import { SAMPLE_VALUES } from "@/lib/publish/sample-values";
import { type Named, propertiesOf, resolve, type Schema, withoutNull } from "@/lib/publish/schemas";

/** Example answers, made from schemas: the same schema gives the same example. */

const BY_FORMAT: Record<string, string> = {
  "date-time": "2026-11-20T09:30:00Z",
  date: "2026-11-20",
  uuid: "0b7c1f5e-6f0a-4c3e-9b1d-2f4a6c8e0d12",
  uri: "https://example.com/",
};

/** An example of a successful answer. */
export function exampleOf(op: AnyOperation, data: Schema, named: Named): object {
  return {
    data: sample(data, named, op.example as Record<string, unknown>),
    operationId: op.id,
    replayed: false,
    request_id: "7d1f0c52-3f0e-4b1a-8f60-0a4f7c1d9e21",
  };
}

/**
 * An example of a schema: the example that it names itself; otherwise the first value that fits, out of `known` (such as
 * the operation's own example input) and `SAMPLE_VALUES`.
 */
export function sample(schema: Schema, named: Named, known: Record<string, unknown> = {}, name = ""): unknown {
  const whole = resolve(schema, named);
  if (Array.isArray(whole.examples)) return whole.examples[0];
  const { schema: inner, nullable } = withoutNull(whole);
  const type = resolve(inner, named);
  for (const value of [known[name], ...(SAMPLE_VALUES[name] ?? [])]) {
    if (value !== undefined && (fits(type, value) || (value === null && nullable))) return value;
  }
  return plainSample(type, named, known, name);
}

function plainSample(type: Schema, named: Named, known: Record<string, unknown>, name: string): unknown {
  if (type.const !== undefined) return type.const;
  if (type.enum) return type.enum[0];
  const [choice] = type.anyOf ?? type.oneOf ?? [];
  if (choice) return sample(choice as Schema, named, known, name);
  if (type.type === "object") {
    const required = new Set(type.required);
    const shown = propertiesOf(type).filter(([property]) => required.has(property));
    return Object.fromEntries(shown.map(([property, one]) => [property, sample(one, named, known, property)]));
  }
  if (type.type === "array") return type.items ? [sample(type.items as Schema, named, known, name)] : [];
  if (type.type === "string") return BY_FORMAT[type.format ?? ""] ?? "text".padEnd(type.minLength ?? 0, "x");
  if (type.type === "integer" || type.type === "number") return Math.max(0, type.minimum ?? 0);
  return type.type === "boolean" ? false : null;
}

function fits(type: Schema, value: unknown): boolean {
  if (type.enum) return type.enum.includes(value as string);
  if (type.const !== undefined) return type.const === value;
  if (Array.isArray(value))
    return type.type === "array" && value.every((item) => fits(withoutNull((type.items ?? {}) as Schema).schema, item));
  if (type.type === "integer") return Number.isInteger(value) && (value as number) >= (type.minimum ?? -Infinity);
  if (typeof value !== "string") return type.type === typeof value && type.properties === undefined;
  if (type.type !== "string") return false;
  if (type.format === "date-time") return value.includes("T");
  if (type.format) return BY_FORMAT[type.format]?.length === value.length;
  return (
    value.length <= (type.maxLength ?? Infinity) &&
    value.length >= (type.minLength ?? 0) &&
    (type.pattern === undefined || new RegExp(type.pattern).test(value))
  );
}
