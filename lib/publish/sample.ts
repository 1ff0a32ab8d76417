import type { AnyOperation } from "@/lib/contract/define";
import { SAMPLE_ANSWERS } from "@/lib/publish/sample-answers";
import { type Named, propertiesOf, resolve, type Schema, withoutNull } from "@/lib/publish/schemas";

/** Example answers, made from schemas: the same schema gives the same example. */

const BY_FORMAT: Record<string, string> = {
  "date-time": "2026-11-20T09:30:00Z",
  date: "2026-11-20",
  uuid: "0b7c1f5e-6f0a-4c3e-9b1d-2f4a6c8e0d12",
  uri: "https://example.com/",
};

type Known = Readonly<Record<string, unknown>>;

/** An example of a successful answer to the operation's own example. */
export function exampleOf(op: AnyOperation, data: Schema, named: Named): object {
  const known = op.example as Known;
  const own = SAMPLE_ANSWERS[op.id] ?? {};
  // A report says which days it is about.
  const meta = { ...(known.from ? {} : DAYS[`${known.period ?? "28d"}`]), ...own.meta };
  return {
    data: sample(data, named, { known, given: { ...own, meta } }),
    operationId: op.id,
    replayed: false,
    request_id: "7d1f0c52-3f0e-4b1a-8f60-0a4f7c1d9e21",
  };
}

/** The days of a range, as of 2026-11-20. */
const DAYS: Readonly<Record<string, Known>> = {
  "7d": { from: "2026-11-14", to: "2026-11-20" },
  "28d": { from: "2026-10-24", to: "2026-11-20" },
  "30d": { from: "2026-10-22", to: "2026-11-20" },
};
/** Fields that are null in an answer to a call without a comparison. */
const OF_COMPARISON: ReadonlySet<string> = new Set(["compare", "previous", "change", "comparison"]);

interface Place {
  /** The operation's own example. */
  known: Known;
  /** What the example is given as: a value, or the parts of an object or list that differ from the schema's example. */
  given?: unknown;
  /** The property that holds the value. */
  name?: string;
}

/**
 * Returns an example of a schema: what is given for it, what the call says by the same name, the schema's own example, or
 * what follows from its type. A plain value that may be null and has no example is null.
 */
export function sample(schema: Schema, named: Named, place: Place): unknown {
  const { known, given, name = "" } = place;
  const whole = resolve(schema, named);
  const { schema: inner, nullable } = withoutNull(whole);
  const type = resolve(inner, named);
  if (given !== undefined) return fromGiven(type, named, place);
  if (OF_COMPARISON.has(name) && nullable && !known.compare) return null;
  const echoed = echo(type, named, known, name);
  if (echoed !== undefined) return echoed;
  const { examples } = [schema, whole, inner, type].find((one) => Array.isArray(one.examples)) ?? {};
  if (Array.isArray(examples)) return examples[0];
  return nullable && isPlain(type) ? null : plainSample(type, named, known, name);
}

const isPlain = ({ type }: Schema) => type !== "object" && type !== "array";

function fromGiven(type: Schema, named: Named, { known, given }: Place): unknown {
  if (isRecord(given) && type.properties) return sampleObject(type, named, { known, given });
  if (!Array.isArray(given) || !given.every(isRecord)) return given;
  const items = withoutNull(resolve((type.items ?? {}) as Schema, named)).schema;
  return given.map((item) => sample(items, named, { known, given: item }));
}

/** What the call says by the same name, in the form in which the answer returns it. */
function echo(type: Schema, named: Named, known: Known, name: string): unknown {
  const called = known[name];
  if (Array.isArray(called) && type.type === "array" && called.every(isRecord)) {
    return called.map((item) => sample((type.items ?? {}) as Schema, named, { known: { ...known, ...item } }));
  }
  if (isRecord(called) && type.properties) return sampleObject(type, named, { known: { ...known, ...called } });
  return fits(type, called) ? called : undefined;
}

const isRecord = (value: unknown): value is Known =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function sampleObject(type: Schema, named: Named, { known, given }: Place): object {
  const required = new Set(type.required);
  const parts = (given ?? {}) as Known;
  const shown = propertiesOf(type).filter(([property]) => required.has(property) || property in parts);
  return Object.fromEntries(
    shown.map(([property, one]) => [property, sample(one, named, { known, given: parts[property], name: property })]),
  );
}

function plainSample(type: Schema, named: Named, known: Known, name: string): unknown {
  if (type.const !== undefined) return type.const;
  if (type.enum) return type.enum[0];
  const [choice] = type.anyOf ?? type.oneOf ?? [];
  if (choice) return sample(choice as Schema, named, { known, name });
  if (type.type === "object") return sampleObject(type, named, { known });
  // Rows are never null in an example: a null row says nothing.
  if (type.items) return [sample(withoutNull(resolve(type.items as Schema, named)).schema, named, { known })];
  if (type.type === "array") return [];
  if (type.type === "string") return BY_FORMAT[type.format ?? ""] ?? "text".padEnd(type.minLength ?? 0, "x");
  if (type.type === "integer" || type.type === "number") return Math.max(0, type.minimum ?? 0);
  return type.type === "boolean" ? false : null;
}

/** Whether a plain value, or a list of them, has the type and format that a schema allows. */
function fits(type: Schema, value: unknown): boolean {
  if (Array.isArray(value)) {
    const { schema: items } = withoutNull((type.items ?? {}) as Schema);
    return type.type === "array" && value.every((item) => fits(items, item));
  }
  if (type.enum) return type.enum.includes(value as string);
  if (type.type === "integer") return Number.isInteger(value);
  if (type.type !== typeof value || isRecord(value)) return isRecord(value) && type.type === "object";
  return typeof value !== "string" || !type.format || BY_FORMAT[type.format]?.length === value.length;
}
