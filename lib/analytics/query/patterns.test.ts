import { describe, expect, test } from "vitest";
import { readFilters } from "@/lib/analytics/query/conditions";
import { checkPatterns } from "@/lib/analytics/query/patterns";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import { reportAsAgent } from "@/lib/testing/reports";
import { callApi, makeSite, send, siteWithAgent, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T12:00:00Z");
/** What another reader of RE2's syntax takes, and DuckDB does not, and what no reader takes. */
const REFUSED = [
  ..."( (?<n>a) (?=a)b (a)\\1 [z-a] a** x{2,1} \\p{Foo} (?<=a)b (?>a) a{1001}".split(" "),
  ..."(\\pL{30}){30} (?i)(\\pL{30}){20} (\\pL{90}){10} (x{0,255}){0,60} ((x{0,30}){0,30}){0,30}".split(" "),
];
const TAKEN = ["(?i)BLOG", "^/blog/\\d{4}-\\d{2}$", "(?P<year>\\d{4})", "\\pL+é", "((a+)+)+$", "a{0,999}b", "\\Q(\\E"];

const report = (site: TestSite, input: object, operation = "analytics.overview") =>
  reportAsAgent(operation, site, { period: "today", ...input }, NOW);

describe.each(REFUSED)("the pattern %s that DuckDB refuses", (pattern) => {
  test("is refused at its field, in a report and in a segment", async () => {
    const { site, agent } = await siteWithAgent(["sites:write"], NOW);
    const filters = { page: { matches: pattern }, "prop:plan": { matches: "^pro" } };
    const fault = {
      path: "filters.page.matches",
      message: expect.stringMatching(/^(repeats too much|is not an RE2 regular expression) \(.+\)/),
    };
    const refused = { code: "invalid_input", details: { issues: [fault] } };
    expect(await report(site, { filters })).toMatchObject(refused);
    for (const kind of ["segments", "dashboards"]) {
      const input = { site_id: site.id, name: "Broken", filters, ...(kind === "dashboards" && { panels: ["chart"] }) };
      const { status, body } = await callApi(`sites.${kind}.save`, { token: agent.token, input, now: NOW });
      expect([status, body.error]).toEqual([422, expect.objectContaining(refused)]);
    }
  });

  test("is named as the segment's or dashboard's where it was saved before", async () => {
    const site = await makeSite();
    const row = { name: "Old", siteId: site.id, filters: { page: { matches: pattern } } };
    const segment = await db().segment.create({ data: { ...row, createdAt: NOW, updatedAt: NOW } });
    const dashboard = await db().dashboard.create({ data: { ...row, panels: [], createdAt: NOW, updatedAt: NOW } });
    for (const [name, { id }] of Object.entries({ segment, dashboard })) {
      const { code, details } = await report(site, { [name]: id });
      expect([code, details.issues[0].path]).toEqual(["invalid_input", `${name}.page.matches`]);
    }
  });
});

test("every report that takes filters refuses such a pattern, and none fails", async () => {
  const site = await makeSite();
  const filters = { page: { matches: "(?<n>a)" } };
  const reports = [...OPERATIONS.values()].filter(
    ({ id, input }) => id.startsWith("analytics.") && "filters" in input.shape,
  );
  expect(reports.length).toBeGreaterThan(15);
  for (const { id, example } of reports) {
    const answer = await reportAsAgent(id, site, { ...example, site_id: site.id, filters }, NOW);
    expect([answer.code, answer.details.issues[0].path], id).toEqual(["invalid_input", "filters.page.matches"]);
  }
});

test("other patterns are taken, and match pages as RE2 does", async () => {
  const site = await makeSite();
  for (const path of ["/blog/2025-03", "/blog/2025-3", "/BLOG/a", "/x.htm"]) await send(site, path, { at: NOW });
  const matched = async (pattern: string): Promise<number> =>
    (await report(site, { filters: { page: { matches: pattern } } }, "analytics.chart")).metrics.pageviews;
  for (const pattern of TAKEN) {
    await checkPatterns(readFilters({ page: { matches: pattern } }));
    expect(await matched(pattern), pattern).toBeTypeOf("number");
  }
  expect(await matched("^/blog/\\d{4}-\\d{2}$")).toBe(1);
  expect(await matched("(?i)blog")).toBe(3);
  expect(await matched("\\.html?$")).toBe(1);
});
