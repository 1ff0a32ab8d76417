import { expect, test } from "vitest";
import { z } from "zod";
import { type Schema, schemaOf } from "@/lib/publish/schemas";
import { shapeOf } from "@/lib/publish/shape";
import { type Components, nameSchema, pascal, shareSchemas } from "@/lib/publish/shared-schemas";

const row = z.object({ value: z.string(), visitors: z.int() });
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function shared(outputs: Record<string, z.ZodType>): Record<string, Schema> {
  const components: Components = { named: new Map(), single: new Set() };
  for (const [id, output] of Object.entries(outputs)) {
    nameSchema(pascal(id), schemaOf(output, "output", components.named), components);
  }
  shareSchemas(components.named, components.single);
  return Object.fromEntries(components.named);
}

test("a shape that occurs twice gets a name, and each use keeps its own description", () => {
  const schemas = shared({
    "analytics.pages": z.object({ pages: z.array(row), previous: row.nullable().meta({ description: "Before" }) }),
  });
  expect(schemas.AnalyticsPages?.properties?.pages).toMatchObject({ items: reference("PagesPage") });
  expect(JSON.stringify(schemas.AnalyticsPages?.properties?.previous)).toContain(reference("PagesPage").$ref);
  expect(schemas.AnalyticsPages?.properties?.previous).toMatchObject({ description: "Before" });
  expect(schemas.PagesPage?.properties).toHaveProperty("visitors");
});

test("a shape that occurs once stays where it is, and so does what lies in a repeated shape", () => {
  const inner = z.object({ a: z.string(), b: z.string() });
  const outer = z.object({ inner, more: z.int() });
  const schemas = shared({
    "sites.one": z.object({ outer, again: outer }),
    "sites.two": z.object({ row, x: z.int() }),
  });
  expect(Object.keys(schemas)).toEqual(["SitesOne", "SitesTwo", "OneOuter"]);
});

test("two operations with the same answer share it, and an enum of the vocabulary has the name of its table", () => {
  const role = z.enum(["viewer", "manager", "owner"]);
  const answer = z.object({ role, since: z.string() });
  const schemas = shared({ "sites.get": answer, "sites.update": answer, "sites.other": z.object({ role }) });
  expect([schemas.SitesGet, schemas.SitesUpdate]).toEqual([reference("Get"), reference("Get")]);
  expect(schemas.Role?.enum).toEqual(["viewer", "manager", "owner"]);
});

test("a shape is one line, with untrusted text, money and names marked", () => {
  const untrusted = z.string().meta({ "x-untrusted": true });
  const money = z.object({ amount: z.string(), currency: z.string() }).meta({ id: "Money" });
  const output = z.object({
    total: z.int(),
    title: untrusted.nullable(),
    kind: z.enum(["a", "b"]),
    rows: z.array(row),
    revenue: money,
  });
  expect(shapeOf(schemaOf(output, "output", new Map()))).toBe(
    "{total, title*, kind: a|b, rows: [{value, visitors}], revenue$}",
  );
});
