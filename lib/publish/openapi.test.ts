import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { RISKS } from "@/lib/contract/vocabulary";
import { OPERATIONS } from "@/lib/operations/index";
import { ENDPOINTS } from "@/lib/publish/endpoints";
import { ACTIONS, openapi } from "@/lib/publish/openapi";

const document = openapi("https://stats.footfall.dev");
const text = JSON.stringify(document);
const paths = document.paths as Record<string, Record<string, Record<string, unknown>>>;

test("an independent linter finds nothing wrong with the OpenAPI document, nor with its examples", async () => {
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      "no-invalid-media-type-examples": "error",
      "no-invalid-parameter-examples": "error",
      "no-invalid-schema-examples": "error",
      // The service has no licence to name, and its health needs no 4xx.
      "info-license": "off",
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

test.each([...OPERATIONS.values()])("the document tells $id as the registry does", (op) => {
  const { method, needsApproval } = RISKS[op.risk];
  const path = paths[`${ACTIONS}/${op.id}`] ?? {};
  expect(Object.keys(path)).toEqual([method.toLowerCase()]);
  const told = path[method.toLowerCase()] ?? {};
  expect(told).toMatchObject({
    operationId: op.id,
    "x-scope": op.scope,
    "x-role": op.role,
    "x-risk": op.risk,
    "x-approval": needsApproval,
    "x-interactive": false,
  });
  const names = JSON.stringify(method === "GET" ? told.parameters : told.requestBody);
  for (const field of Object.keys(op.input.shape)) expect(names).toContain(`"${field}"`);
  const headers = JSON.stringify(told.parameters);
  expect([headers.includes("IdempotencyKey"), headers.includes("ApprovalId")]).toEqual([
    method === "POST",
    needsApproval,
  ]);
});

test("an input is closed to fields that the schema does not list", () => {
  const create = JSON.stringify(paths[`${ACTIONS}/sites.create`]?.post?.requestBody);
  expect(create).toContain('"additionalProperties":false');
});

test("every format is one that JSON Schema or OpenAPI knows", () => {
  const formats = new Set([...text.matchAll(/"format":"([^"]*)"/g)].map(([, format]) => format));
  expect([...formats].filter((format) => !["date", "date-time", "uri", "uuid", "email"].includes(`${format}`))).toEqual(
    [],
  );
  expect(text).toContain('"pattern":"^\\\\/.*"');
});

test("the headers by which a server passes on its visitor's address stand with the batch that takes them", () => {
  const parameters = (paths["/api/v1/events"]?.post?.parameters ?? []) as { $ref: string }[];
  const known = document.components.parameters as Record<string, { name: string } | undefined>;
  expect(parameters.map(({ $ref }) => known[$ref.split("/").at(-1) ?? ""]?.name)).toEqual([
    "X-Request-ID",
    "X-Footfall-Client-IP",
    "X-Footfall-Client-IP-Timestamp",
    "X-Footfall-Client-IP-Signature",
  ]);
});

test("what visitors wrote stays marked as untrusted", () => {
  expect(JSON.stringify(paths[`${ACTIONS}/analytics.overview`]?.get?.responses)).toContain('"x-untrusted":true');
});

test("every endpoint has an address of its own, and its examples are answers it could give", () => {
  expect(new Set(ENDPOINTS.map(({ id }) => id)).size).toBe(ENDPOINTS.length);
  expect(new Set(ENDPOINTS.map(({ method, path }) => `${method} ${path}`)).size).toBe(ENDPOINTS.length);
  for (const { id, path, method, input, about, answers } of ENDPOINTS) {
    expect(path, id).toMatch(/^\//);
    expect(about, id).toMatch(/\.$/);
    expect(input === null, id).toBe(method === "GET");
    for (const { output, example } of Object.values(answers))
      expect(output.strict().parse(example), id).toEqual(example);
  }
});
