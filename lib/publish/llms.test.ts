import { expect, test } from "vitest";
import { METRICS, RISKS, ROLES, SCOPES } from "@/lib/contract/vocabulary";
import { OPERATIONS } from "@/lib/operations/index";
import { ERRORS } from "@/lib/platform/errors";
import { RATES } from "@/lib/platform/limits";
import { llms } from "@/lib/publish/llms";
import { curlOf, dataOf, parametersOf, typeWords } from "@/lib/publish/reference";

const BASE = "https://stats.footfall.dev";
const text = llms(BASE, RATES);

test("llms.txt names every scope, role, risk, metric and error code", () => {
  const words = [SCOPES, ROLES, RISKS, METRICS, ERRORS].flatMap((table) => Object.keys(table));
  expect(words.filter((word) => !text.includes(`\`${word}\``))).toEqual([]);
});

test.each([...OPERATIONS.values()])("llms.txt tells all of $id", (op) => {
  const part = text.split(`### ${op.id}\n`)[1]?.split("\n### ")[0] ?? "";
  expect(part).toContain(op.about);
  expect(part).toContain(`\`${RISKS[op.risk].method} /api/v1/management/actions/${op.id}\``);
  expect(part).toContain(`scope \`${op.scope}\` · role ${op.role} · risk ${op.risk}`);
  expect(part).toContain(`approval: ${RISKS[op.risk].needsApproval ? "yes" : "no"}`);
  expect(part).toContain(curlOf(op, BASE));
  expect(part).toContain("Answers `data`: `");
  for (const name of Object.keys(op.input.shape)) expect(part).toContain(`- \`${name}\` (`);
});

test("the same registry gives the same text, without gaps", () => {
  expect(llms(BASE, RATES)).toBe(text);
  expect(text).not.toMatch(/undefined|\[object|\n{3}/);
  expect(text).toContain("600 reading calls in 60 seconds");
});

test("parameters are told in words", () => {
  const list = OPERATIONS.get("sites.list");
  expect(list && parametersOf(list)).toEqual([
    { name: "page", type: "integer, 1 to 100000", required: false, about: "Page number; default 1" },
    { name: "per_page", type: "integer, 1 to 100", required: false, about: "Sites per page; default 50" },
  ]);
  expect(typeWords({ type: "array", maxItems: 100, items: { type: "string", maxLength: 64 } })).toBe(
    "list of text, at most 64 characters, at most 100",
  );
});

test("answers are told in one line, with what visitors wrote marked", () => {
  const overview = OPERATIONS.get("analytics.overview");
  const list = OPERATIONS.get("sites.list");
  const shape = (op: typeof list) => (op ? dataOf(op, new Map()) : "");
  expect(shape(list)).toBe("{sites: [Site], page: integer, per_page: integer, total: integer}");
  expect(shape(overview)).toContain("pages: [{value: text (untrusted) | null, visitors: integer");
  expect(text).toContain("- Site: `{site_id: integer, domain: text,");
});
