import fc from "fast-check";

/** Generates fuzzer values from JSON Schemas: valid, nearly valid and hostile. */

export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  /** What a text holds as JSON. */
  contentSchema?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  examples?: unknown[];
}

/** Values by field name from earlier answers, such as site ids. It grows while the fuzzer runs. */
export type Known = Map<string, unknown[]>;

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

/** Values that commonly break services. */
const HOSTILE: unknown[] = [
  ...[null, "", " ", "null", "undefined", "true", "NaN", "-0", "1e5", "0x10", "1", "1.0", "١٢"],
  ...["\u0000", "a\u0000b", "\ud800", "x\udc00", "\u202egpj", "\ufeff", "😀".repeat(70), "é".repeat(130)],
  ...[
    "a".repeat(256),
    "a".repeat(5000),
    "'; DROP TABLE site; --",
    "../../etc/passwd",
    "%00",
    "%zz",
    "#{7*7}",
    "{{7*7}}",
  ],
  ...[
    "2026-02-30",
    "0000-00-00",
    "9999-12-31",
    "-000001-01-01",
    "275760-09-13",
    "Mars/Phobos",
    "FOO+99",
    "europe/berlin",
  ],
  ...["xn--", "xn--a.example", "[::1]", "127.0.0.1", "0.0.0.0/0", "::/0", "a..b", "-.example", "bücher.example"],
  ...["{00000000-0000-0000-0000-000000000000}", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
  ...[0, -1, 1.5, -0, 2 ** 31, 2 ** 31 - 1, 2 ** 53, -(2 ** 53), 2 ** 63, 1e300, true, false],
  ...[[], {}, [[]], [null], [1, "1"], { constructor: 1 }, { toString: null }, JSON.parse('{"__proto__": {"a": 1}}')],
  ...[deep(7), deep(9), deep(200), { is: "x" }, { matches: "((a+)+)+$" }, { page: { contains: ["a"] } }],
];

const anything: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.double() },
);

/** Generates a value that the schema allows; prefers known values of this name. */
export function valid(schema: Schema, known: Known, name = ""): fc.Arbitrary<unknown> {
  const knownValue = fc.nat().map((pick) => {
    const values = known.get(name) ?? [];
    return values[pick % values.length];
  });
  const made = schema.examples?.length
    ? fc.oneof(fc.constantFrom(...schema.examples), bySchema(schema, known))
    : bySchema(schema, known);
  const useKnown = known.has(name) && schema.type !== "object";
  return useKnown ? fc.oneof({ weight: 9, arbitrary: knownValue }, { weight: 1, arbitrary: made }) : made;
}

function bySchema(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((one) => valid(one, known)));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => bySchema({ ...schema, type }, known)));
  if (schema.type === "object") return objectOf(schema, known);
  if (schema.type === "array") {
    const { minItems = 0, maxItems = 4 } = schema;
    const maxLength = Math.max(minItems, Math.min(maxItems, 4));
    return fc.array(valid(schema.items ?? {}, known), { minLength: minItems, maxLength });
  }
  if (schema.type === "string") return text(schema);
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "null") return fc.constant(null);
  const { minimum = -1000, maximum = 1e6 } = schema;
  if (schema.type === "integer") return fc.integer({ min: minimum, max: Math.min(maximum, minimum + 2000) });
  return schema.type === "number"
    ? fc.double({ min: minimum, max: maximum, noNaN: true })
    : fc.jsonValue({ maxDepth: 2 });
}

function text({ format, pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  if (format === "date") {
    const day = { min: new Date("2019-01-01"), max: new Date("2027-12-31"), noInvalidDate: true };
    return fc.date(day).map((date) => date.toISOString().slice(0, 10));
  }
  if (pattern) return fc.stringMatching(new RegExp(pattern)).map((made) => made.slice(0, maxLength));
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) });
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, known: Known) {
  const parts = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valid(one, known, name)]));
  const record = fc.record(parts, { requiredKeys: required });
  if (typeof additionalProperties !== "object") return record;
  const free = fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), valid(additionalProperties, known), {
    maxKeys: 3,
  });
  return fc.tuple(free, record).map(([more, own]) => ({ ...more, ...own }));
}

/** Generates a value just outside of the schema. */
function near(schema: Schema): fc.Arbitrary<unknown> {
  const { minimum, maximum, maxLength, minLength } = schema;
  const beyond: unknown[] = [];
  if (minimum !== undefined) beyond.push(minimum - 1, minimum + 0.5, `${minimum}`);
  if (maximum !== undefined) beyond.push(maximum + 1, maximum);
  if (maxLength !== undefined) beyond.push("x".repeat(maxLength + 1), "é".repeat(maxLength), "x".repeat(maxLength));
  if (minLength) beyond.push("x".repeat(minLength - 1));
  if (schema.maxItems !== undefined) beyond.push(Array(schema.maxItems + 1).fill("192.0.2.1"));
  for (const one of schema.enum ?? []) beyond.push(`${one}`.toUpperCase(), `${one} `, [one]);
  const inner = (schema.anyOf ?? schema.oneOf ?? []).map(near);
  return fc.oneof(fc.constantFrom(...beyond, null), ...inner);
}

/** The fields of an input in order; names may repeat. */
export type Fields = [name: string, value: unknown][];

/** Generates fields that the schema allows. */
export const validFields = (schema: Schema, known: Known): fc.Arbitrary<Fields> =>
  valid({ ...schema, type: "object" }, known).map((value) => Object.entries(value as object));

const STRANGE = ["__proto__", "constructor", "toString", "site_id[]", "filters[", "[]", "", "access_token", "Site_ID"];

/** Generates fields that are mostly valid; some are missing, wrong, repeated or unknown. */
export function nearlyValidFields(schema: Schema, known: Known): fc.Arbitrary<Fields> {
  const properties = Object.entries(schema.properties ?? {});
  const fields = properties.map(
    ([name, one]): fc.Arbitrary<Fields> =>
      fc.oneof(
        { weight: 12, arbitrary: valid(one, known, name).map((value): Fields => [[name, value]]) },
        { weight: 2, arbitrary: near(one).map((value): Fields => [[name, value]]) },
        { weight: 2, arbitrary: anything.map((value): Fields => [[name, value]]) },
        { weight: 1, arbitrary: fc.constant<Fields>([]) },
      ),
  );
  const name = fc.oneof(
    fc.constantFrom(...STRANGE, ...properties.map(([own]) => own)),
    fc.string({ unit: "binary", maxLength: 12 }),
  );
  const more = fc.option(fc.tuple(name, anything), { freq: 3, nil: undefined });
  return fc
    .tuple(fc.tuple(...fields), more)
    .map(([own, extra]) => [...own.flat(), ...(extra ? [extra] : [])] as Fields);
}

/** Generates any value in place of an object. */
export const arbitraryValue = anything;
