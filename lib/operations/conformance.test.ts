import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { RISKS, ROLES, SCOPES } from "@/lib/contract/access";
import { type SettingGroup, settingsOf } from "@/lib/contract/site-settings";
import { OPERATIONS } from "@/lib/operations/index";
import { REQUIRED } from "@/lib/testing/requirement";

/** Conventions of all operations, and the requirement's tables for the operations it names. */

const files = readdirSync("lib/operations")
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "index.ts")
  .map((name) => name.replace(/\.ts$/, ""));

test("every file of this folder is an operation of the same name, and vice versa", () => {
  expect([...OPERATIONS.keys()].sort()).toEqual(files.sort());
  for (const [key, op] of OPERATIONS) expect(op.id).toBe(key);
});

test.each([...OPERATIONS.values()])(
  "$id has a title, a description in sentences, and a known scope, role and risk",
  (op) => {
    expect(op.title).toMatch(/^[A-Z][^.]*$/);
    expect(op.about).toMatch(/^[A-Z].*\.$/);
    expect(op.about.length).toBeLessThanOrEqual(250);
    expect([op.scope in SCOPES, op.role in ROLES, op.risk in RISKS]).toEqual([true, true, true]);
  },
);

test.each([...OPERATIONS.values()])("$id refuses unknown fields and accepts its own example", (op) => {
  const read = op.input.safeParse({ unknown_field: 1 });
  const codes = read.error?.issues.map((issue: { code: string }) => issue.code);
  expect(codes).toContain("unrecognized_keys");
  expect(op.input.safeParse(op.example).error?.issues).toBeUndefined();
});

test.each([...OPERATIONS.values()])("$id summarises its change exactly when its risk needs approval", (op) => {
  expect(typeof op.summary).toBe(RISKS[op.risk as keyof typeof RISKS].needsApproval ? "function" : "undefined");
});

test.each([...OPERATIONS.values()])("$id has a JSON Schema for input and output", (op) => {
  const input = z.toJSONSchema(op.input, { io: "input" });
  const output = z.toJSONSchema(op.output, { io: "output" });
  expect([input.type, input.additionalProperties]).toEqual(["object", false]);
  expect(op.output).toBeInstanceOf(z.ZodObject);
  expect(JSON.stringify(output)).toContain('"type":"object"');
});

test("exactly the read-only operations use GET", () => {
  for (const [risk, { method }] of Object.entries(RISKS)) expect(method === "GET").toBe(risk === "none");
});

test("every operation of the requirement's tables 4.2 and 4.3 is in the registry", () => {
  const registered = [...OPERATIONS.keys()];
  const required = REQUIRED.map((row) => row.id);
  expect(registered.filter((id) => required.includes(id)).sort()).toEqual(required.sort());
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

/** Additional parameters beyond the requirement. They are optional, so calls without them do not change. */
const OF_REPORTS = { compare_from: "date | null", compare_to: "date | null" };
const ATTRIBUTION = { attribution: "last|first | null" };
const GOAL = { goal: "string ≤255 | null" };
/** The settings of a group that a call may leave out. */
const optionalOf = (group: SettingGroup) =>
  Object.fromEntries(
    settingsOf(group).flatMap(({ name, required, choices, names }) => {
      const values = choices ? Object.keys(choices) : (names ?? ["boolean"]);
      return required ? [] : [[name, `${values.join("|")} | null`]];
    }),
  );
const OF_OPERATIONS: Readonly<Record<string, Record<string, string>>> = {
  "analytics.ai": GOAL,
  "analytics.campaigns": { ...GOAL, ...ATTRIBUTION },
  "analytics.chart": { ...GOAL, ...ATTRIBUTION },
  "analytics.commerce": ATTRIBUTION,
  "analytics.explore": { ...GOAL, ...ATTRIBUTION },
  "analytics.overview": { ...GOAL, ...ATTRIBUTION },
  "analytics.retention": { cohort: "day|week|month | null" },
  "analytics.seo": GOAL,
  "analytics.site_search": GOAL,
  "sites.goals.save": {
    also_reached_by: "array ≤9 of object | null",
    properties: "array ≤5 of object | null",
    value: "object | null",
  },
  "sites.installation": {
    automatic: "string ≤500 | null",
    hash_routes: "boolean | null",
    search_parameters: "string ≤510 | null",
  },
  "sites.list": {
    search: "string ≤255 | null",
    site_ids: "array ≤100 of integer 1.. | null",
    tag: "string ≤40 | null",
  },
  "sites.monitoring": optionalOf("monitoring"),
  "sites.proxy.update": optionalOf("proxies"),
  "sites.settings.update": {
    page_query: "array ≤20 of string | null",
    ...optionalOf("dashboard"),
    ...optionalOf("general"),
  },
};

test.each(built)(
  "$id takes the parameters of the requirement's table within its bounds, and only known additions",
  (row) => {
    const schema = z.toJSONSchema(OPERATIONS.get(row.id)?.input, { io: "input" });
    const taken = Object.entries(schema.properties ?? {}).map(([name, property]) => [
      name,
      `${inWords(property as Json, row.parameters[name])}${schema.required?.includes(name) ? " R" : ""}`,
    ]);
    const additions = { ...("compare" in row.parameters && OF_REPORTS), ...OF_OPERATIONS[row.id] };
    expect(Object.fromEntries(taken)).toEqual({ ...row.parameters, ...additions });
  },
);

type Json = z.core.JSONSchema.JSONSchema;

/** Describes a parameter's schema as the requirement's tables do. An optional parameter may also be null. */
function inWords(schema: Json, expected = ""): string {
  const several = (schema.anyOf ?? [schema]) as Json[];
  const words = several.flatMap((one) =>
    Array.isArray(one.type) ? one.type : [one.type === "null" ? "null" : typeInWords(one, expected)],
  );
  return words.join(" | ");
}

function typeInWords(schema: Json, expected: string): string {
  if (schema.enum) return enumInWords(schema.enum as string[], expected);
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

/** Describes an enum. An enum within the bounds of a required text counts as that text. */
function enumInWords(words: string[], expected: string): string {
  const bound = Number(/^string ≤(\d+)/.exec(expected)?.[1]);
  if (bound && words.every((word) => word.length <= bound)) return `string ≤${bound}`;
  return words.join("|");
}
