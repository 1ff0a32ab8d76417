import { expect, test } from "vitest";
import { brokenRule } from "@/lib/testing/distributable";

test.each([
  ["SELECT ts FROM facts.event ORDER BY ts LIMIT 1", /condition on its site/],
  ["SELECT FROM facts.event JOIN facts.page ON page.id = event.page WHERE event.site_id = $1", /condition on its site/],
  ["WITH held AS (SELECT id FROM facts.page JOIN wanted USING (site_id, id) FOR UPDATE) SELECT FROM held", /one site/],
  ['SELECT EXISTS (SELECT FROM "facts"."event") AS filled', /selects a column/],
  ["SELECT row_number() OVER (ORDER BY ts) FROM facts.event WHERE site_id = ANY($1)", /window/],
  [
    "SELECT FROM unnest($1) AS w(s), LATERAL (SELECT started FROM facts.visit WHERE site_id = w.s ORDER BY started LIMIT 1) AS v",
    /LATERAL/,
  ],
  [
    'DELETE FROM facts.returning_visitor WHERE site_id = $1 AND NOT (SELECT FROM "site" WHERE id = $1)',
    /control.*site/,
  ],
  [
    "WITH e AS (UPDATE facts.event SET traffic = 1 WHERE site_id = $1) UPDATE facts.visit SET traffic = 1 WHERE site_id = $1",
    /before their events/,
  ],
  ["SELECT id FROM site LEFT JOIN facts.reclassified AS done ON done.site_id = site.id", /control.*site/],
])("a statement that Citus cannot run breaks a rule: %s", (statement, rule) => {
  expect(brokenRule(statement)).toMatch(rule);
});

test.each([
  "SELECT ts FROM facts.event WHERE site_id = $1 ORDER BY ts LIMIT 1",
  "SELECT DISTINCT site_id FROM facts.change WHERE at < now()",
  "INSERT INTO facts.visit (site_id) SELECT * FROM unnest($1::int[]) ON CONFLICT DO NOTHING",
  "SELECT id FROM facts.page WHERE site_id = $1 ORDER BY id FOR NO KEY UPDATE",
  "WITH site AS (SELECT $1 AS id) SELECT FROM site JOIN facts.visit ON visit.site_id = site.id",
  "SELECT FROM site WHERE id = $1 FOR UPDATE",
  "SELECT facts.add_month($1)",
])("a statement that names its site breaks no rule: %s", (statement) => {
  expect(brokenRule(statement)).toBeNull();
});
