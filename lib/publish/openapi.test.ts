import { createConfig, lintFromString } from "@redocly/openapi-core";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { RISKS } from "@/lib/contract/access";
import { OPERATIONS } from "@/lib/operations/index";
import { ERRORS } from "@/lib/platform/errors";
import { ENDPOINTS } from "@/lib/publish/endpoints";
import { ACTIONS } from "@/lib/publish/groups";
import { openapi } from "@/lib/publish/openapi";
import { refusalsOf } from "@/lib/publish/refusals";
import { exampleOf } from "@/lib/publish/sample";
import { schemaOf } from "@/lib/publish/schemas";
import { resolved } from "@/lib/testing/openapi-requests";

const document = openapi("https://stats.footfall.dev");
const text = JSON.stringify(document);
const paths = resolved(document.paths, document) as Record<string, Record<string, Record<string, unknown>>>;

test("an independent linter finds no problem in the OpenAPI document and its examples", async () => {
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      "no-invalid-media-type-examples": "error",
      "no-invalid-parameter-examples": "error",
      "no-invalid-schema-examples": "error",
      // The health check has no 4xx.
      "operation-4xx-response": "off",
    },
  });
  const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

test("the same registry gives the same document", () => {
  expect(JSON.stringify(openapi("https://stats.footfall.dev"))).toBe(text);
  expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "1.0.0" } });
});

test.each([...OPERATIONS.values()])("the document describes $id as the registry does", (op) => {
  const { method, needsApproval } = RISKS[op.risk];
  const path = paths[`${ACTIONS}/${op.id}`] ?? {};
  expect(Object.keys(path)).toEqual([method.toLowerCase()]);
  const described = path[method.toLowerCase()] ?? {};
  expect(described).toMatchObject({
    operationId: op.id,
    "x-scope": op.scope,
    "x-role": op.role,
    "x-risk": op.risk,
    "x-approval": needsApproval,
    "x-interactive": false,
  });
  const names = JSON.stringify(method === "GET" ? described.parameters : described.requestBody);
  for (const field of Object.keys(op.input.shape)) expect(names).toContain(`"${field}"`);
  const headers = JSON.stringify(described.parameters);
  expect([headers.includes("Idempotency-Key"), headers.includes("X-Agent-Approval-ID")]).toEqual([
    method === "POST",
    needsApproval,
  ]);
});

test("an input allows no fields that the schema does not list", () => {
  const create = JSON.stringify(paths[`${ACTIONS}/sites.create`]?.post?.requestBody);
  expect(create).toContain('"additionalProperties":false');
});

test("every format is one of JSON Schema or OpenAPI", () => {
  const formats = new Set([...text.matchAll(/"format":"([^"]*)"/g)].map(([, format]) => format));
  expect([...formats].filter((format) => !["date", "date-time", "uri", "uuid", "email"].includes(`${format}`))).toEqual(
    [],
  );
  expect(text).toContain('"pattern":"^\\\\/.*"');
});

test("the batch endpoint has the headers for a visitor's address", () => {
  const parameters = (paths["/api/v1/events"]?.post?.parameters ?? []) as { name: string }[];
  expect(parameters.map(({ name }) => name)).toEqual([
    "X-Request-ID",
    "X-Footfall-Client-IP",
    "X-Footfall-Client-IP-Timestamp",
    "X-Footfall-Client-IP-Signature",
  ]);
});

test("text of visitors is marked as untrusted", () => {
  expect(JSON.stringify(paths[`${ACTIONS}/analytics.overview`]?.get?.responses)).toContain('"x-untrusted":true');
});

test("every endpoint has its own address, and its examples fit its answers", () => {
  expect(new Set(ENDPOINTS.map(({ id }) => id)).size).toBe(ENDPOINTS.length);
  expect(new Set(ENDPOINTS.map(({ method, path }) => `${method} ${path}`)).size).toBe(ENDPOINTS.length);
  for (const { id, path, method, input, about, answers } of ENDPOINTS) {
    expect(path, id).toMatch(/^\//);
    expect(about, id).toMatch(/\.$/);
    expect(input === null, id).toBe(method !== "POST");
    for (const { output, example } of Object.values(answers))
      expect(output.strict().parse(example), id).toEqual(example);
  }
});

interface Example {
  place: string;
  schema: string;
  value: unknown;
}

/** Every example of the document, with the place of its schema. */
function examplesIn(value: unknown, path: readonly string[] = []): Example[] {
  if (typeof value !== "object" || value === null) return [];
  const { schema, example, examples } = value as { schema?: unknown; example?: unknown; examples?: object };
  const given = schema === undefined ? [] : example === undefined ? namedExamples(examples) : [example];
  const place = [...path, "schema"].map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return [
    ...given.map((one) => ({ place: path.join(" "), schema: `document#${place}`, value: one })),
    ...Object.entries(value).flatMap(([key, inner]) => examplesIn(inner, [...path, key])),
  ];
}

const namedExamples = (examples: object = {}): unknown[] =>
  Object.values(examples).map((one) => (one as { value: unknown }).value);

/** The example answer of each operation, as in the docs; the document leaves out those that only repeat its schemas. */
const answers: Example[] = [...OPERATIONS.values()].map((op) => {
  const named = new Map();
  const place = ["paths", `${ACTIONS}/${op.id}`, RISKS[op.risk].method.toLowerCase(), "responses", "200"];
  const steps = [...place, "content", "application/json", "schema"].map((part) => part.replaceAll("/", "~1"));
  const value = exampleOf(op, schemaOf(op.output, "output", named), named);
  return { place: `answer of ${op.id}`, schema: `document#/${steps.join("/")}`, value };
});

/** The texts within an example, each with the name of its field. */
function textsIn(value: unknown, name = ""): [name: string, text: string][] {
  if (typeof value === "string") return [[name, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, Array.isArray(value) ? name : key));
}

test("each example validates against its schema", () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  ajv.addSchema(JSON.parse(text), "document");
  const examples = [...examplesIn(JSON.parse(text)), ...answers];
  const faults = examples.flatMap(({ place, schema, value }) => {
    const isValid = ajv.compile({ $ref: schema });
    return isValid(value) ? [] : [`${place}: ${ajv.errorsText(isValid.errors)}`];
  });
  expect(faults).toEqual([]);
  expect(examples.length).toBeGreaterThan(OPERATIONS.size * 2);
});

test("no example has filler text: a field that is text names an example of its own", () => {
  const fillers = [...examplesIn(JSON.parse(text)), ...answers].flatMap(({ place, value }) =>
    textsIn(value).flatMap(([name, given]) => (/^textx*$/.test(given) ? [`${place}: ${name}`] : [])),
  );
  expect(fillers).toEqual([]);
});

test("inputs, answers, shared parameters and headers are components, and no large shape is described twice", () => {
  const raw = document.paths as Record<string, Record<string, { requestBody?: object }>>;
  for (const { id, risk } of OPERATIONS.values()) {
    const { method } = RISKS[risk as keyof typeof RISKS];
    const operation = raw[`${ACTIONS}/${id}`]?.[method.toLowerCase()];
    if (method === "POST") expect(JSON.stringify(operation?.requestBody), id).toContain("#/components/schemas/");
    expect(JSON.stringify(operation), id).toMatch(/"data":\{"\$ref":"#\/components\/schemas\/\w+"/);
  }
  const shapes = new Map<string, number>();
  JSON.stringify(document, (_, value) => {
    if (value?.type === "object" && Object.keys(value.properties ?? {}).length > 3 && !value.properties.operationId) {
      const key = JSON.stringify({ ...value, description: undefined });
      shapes.set(key, (shapes.get(key) ?? 0) + 1);
    }
    return value;
  });
  expect([...shapes].filter(([, count]) => count > 1)).toEqual([]);
});

test("each error of an operation is documented under its status, and those that all operations share stand once", () => {
  for (const op of OPERATIONS.values()) {
    const responses = paths[`${ACTIONS}/${op.id}`]?.[RISKS[op.risk].method.toLowerCase()]?.responses as Responses;
    const { default: shared, ...own } = responses;
    for (const code of refusalsOf(op)) {
      const [status, isOwn] = [ERRORS[code], ERRORS[code] in own];
      const codes = isOwn ? JSON.stringify(own[status]?.content) : JSON.stringify(shared?.["x-statuses"]?.[status]);
      expect(codes, `${op.id} ${status}`).toContain(`"${code}"`);
    }
    expect(shared?.headers).toMatchObject({
      "WWW-Authenticate": { "x-required-with": [401] },
      Allow: { "x-required-with": [405] },
      "Retry-After": { "x-required-with": [429] },
    });
  }
  expect(text.length).toBeLessThan(700_000);
});

type Responses = Record<string, { content: object; headers: object; "x-statuses"?: Record<string, string[]> }>;
