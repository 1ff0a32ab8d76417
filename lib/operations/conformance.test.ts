import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { RISKS, ROLES, SCOPES } from "@/lib/contract/vocabulary";
import { OPERATIONS } from "@/lib/operations/index";
import { REQUIRED } from "@/lib/testing/requirement";

/** What every operation keeps to, whoever adds it; and what the requirement asks of each one it names. */

const files = readdirSync("lib/operations")
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "index.ts")
  .map((name) => name.replace(/\.ts$/, ""));

test("every file of this room is an operation of the same name, and every operation has its file", () => {
  expect([...OPERATIONS.keys()].sort()).toEqual(files.sort());
  for (const [key, op] of OPERATIONS) expect(op.id).toBe(key);
});

test.each([...OPERATIONS.values()])("$id has a title, a meaning in sentences, and words of the vocabulary", (op) => {
  expect(op.title).toMatch(/^[A-Z][^.]*$/);
  expect(op.about).toMatch(/^[A-Z].*\.$/);
  expect(op.about.length).toBeLessThanOrEqual(250);
  expect([op.scope in SCOPES, op.role in ROLES, op.risk in RISKS]).toEqual([true, true, true]);
});

test.each([...OPERATIONS.values()])("$id refuses unknown fields and accepts its own example", (op) => {
  const read = op.input.safeParse({ nobody_knows_this: 1 });
  const codes = read.error?.issues.map((issue: { code: string }) => issue.code);
  expect(codes).toContain("unrecognized_keys");
  expect(op.input.safeParse(op.example).error?.issues).toBeUndefined();
});

test.each([...OPERATIONS.values()])("$id tells a human what would change exactly when its risk asks one", (op) => {
  expect(typeof op.summary).toBe(RISKS[op.risk as keyof typeof RISKS].needsApproval ? "function" : "undefined");
});

test.each([...OPERATIONS.values()])("$id can be described: input and output have a JSON Schema", (op) => {
  const input = z.toJSONSchema(op.input, { io: "input" });
  const output = z.toJSONSchema(op.output, { io: "output" });
  expect([input.type, input.additionalProperties]).toEqual(["object", false]);
  expect(op.output).toBeInstanceOf(z.ZodObject);
  expect(JSON.stringify(output)).toContain('"type":"object"');
});

test("an operation is a GET exactly when it reads only", () => {
  for (const [risk, { method }] of Object.entries(RISKS)) expect(method === "GET").toBe(risk === "none");
});

test("every operation of the requirement's tables 4.2 and 4.3 is in the registry", () => {
  const there = [...OPERATIONS.keys()];
  const required = REQUIRED.map((row) => row.id);
  expect(there.filter((id) => required.includes(id)).sort()).toEqual(required.sort());
});

const built = REQUIRED.filter((row) => OPERATIONS.has(row.id));

test.each(built)("$id has method, scope, role, risk and approval of the requirement's table", (row) => {
  const op = OPERATIONS.get(row.id);
  const { method, needsApproval } = RISKS[(op?.risk ?? "none") as keyof typeof RISKS];
  expect({ method, scope: op?.scope, role: op?.role, risk: op?.risk, approval: needsApproval }).toEqual({
    method: row.method,
    scope: row.scope,
    role: row.role,
    risk: row.risk,
    approval: row.approval,
  });
});

/** What our reports take beyond the requirement: optional, so that no call of its kind is answered otherwise. */
const OUR_OWN = { compare_from: "date | null", compare_to: "date | null" };

test.each(built)("$id takes the parameters of the requirement's table, within its bounds, and few of ours", (row) => {
  const schema = z.toJSONSchema(OPERATIONS.get(row.id)?.input, { io: "input" });
  const taken = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    `${inWords(property as Json, row.parameters[name])}${schema.required?.includes(name) ? " R" : ""}`,
  ]);
  const ours = "compare" in row.parameters ? OUR_OWN : {};
  expect(Object.fromEntries(taken)).toEqual({ ...row.parameters, ...ours });
});

type Json = z.core.JSONSchema.JSONSchema;

/** A parameter's schema in the words of the tables below; a parameter that may be absent may be null too. */
function inWords(schema: Json, asked = ""): string {
  const several = (schema.anyOf ?? [schema]) as Json[];
  const words = several.flatMap((one) =>
    Array.isArray(one.type) ? one.type : [one.type === "null" ? "null" : typeInWords(one, asked)],
  );
  return words.join(" | ");
}

function typeInWords(schema: Json, asked: string): string {
  if (schema.enum) return enumInWords(schema.enum as string[], asked);
  switch (schema.type) {
    case "integer":
      return `integer ${schema.minimum}..${schema.maximum === Number.MAX_SAFE_INTEGER ? "" : schema.maximum}`;
    case "string":
      return stringInWords(schema);
    case "array":
      return `array ≤${schema.maxItems} of ${typeInWords(schema.items as Json, "")}`;
    default:
      return `${schema.type}`;
  }
}

function stringInWords({ format, minLength, maxLength }: Json): string {
  if (format) return format;
  if (maxLength === undefined) return "string";
  return minLength === maxLength ? `string =${maxLength}` : `string ≤${maxLength}`;
}

/** Where the tables ask for a text within bounds, a closed list of words within these bounds is one. */
function enumInWords(words: string[], asked: string): string {
  const bound = Number(/^string ≤(\d+)/.exec(asked)?.[1]);
  if (bound && words.every((word) => word.length <= bound)) return `string ≤${bound}`;
  return words.join("|");
}
