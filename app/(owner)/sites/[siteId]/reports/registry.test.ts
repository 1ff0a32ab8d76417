import { expect, test } from "vitest";
import type { Report } from "@/components/reports/definition";
import { readView, type SearchParams } from "@/components/reports/view";
import { REPORTS } from "@/lib/contract/reports";
import { execute } from "@/lib/gateway/execute";
import { db } from "@/lib/platform/db";
import { describeSite } from "@/lib/sites/access";
import { makeSite } from "@/lib/testing/world";
import { onPaper } from "./paper";
import { askedGoal, inputOf, reportAt } from "./registry";

const GOALS = ["Signup", "/pricing", " ", "\u0000", "\ud800", "🛒".repeat(200), "x".repeat(256)];
const OWN: SearchParams[] = [
  {},
  { metrics: "visitors" },
  { metrics: "visitors,conversions", dimensions: "source" },
  { metric: "revenue" },
  { metric: "conversions" },
];

test("no report refuses a view because a goal is chosen", async () => {
  const site = await makeSite();
  const principal = { kind: "owner" as const, personId: site.ownerId };
  for (const key of Object.keys(REPORTS)) {
    const report = await reportAt(key);
    if (!report || !("goal" in report.op.input.shape)) continue;
    for (const own of OWN.filter((query) => Object.keys(query).every((name) => name in report.op.input.shape)))
      for (const goal of GOALS) {
        const query = { ...own, goal };
        const input = inputOf(report, site.id, readView(query), query);
        const { data } = await execute(report.op, { principal, input, now: new Date() });
        expect(data, `${key} ${JSON.stringify(query)}`).toHaveProperty("meta");
      }
  }
});

test("reports ask for the chosen goal wherever they count conversions", async () => {
  const asked = async (key: string, own: SearchParams = {}) => {
    const report = await reportAt(key);
    const query = { ...own, goal: "Signup" };
    const input: Record<string, unknown> = inputOf(report as Report, 1, readView(query), query);
    return { goal: input.goal, metric: input.metric };
  };
  expect(await asked("explore")).toEqual({});
  expect(await asked("explore", { metrics: "visits,conversion_rate" })).toEqual({ goal: "Signup" });
  expect(await asked("changes")).toEqual({ metric: "conversions", goal: "Signup" });
  expect(await asked("changes", { metric: "visits" })).toEqual({ metric: "visits" });
});

test("a PDF names the goal whose conversions it has, and no other", async () => {
  const made = await makeSite();
  const principal = { kind: "owner" as const, personId: made.ownerId };
  const site = await describeSite(db(), made.id, principal);
  const goalIn = async (key: string, own: SearchParams) => {
    const report = (await reportAt(key)) as Report;
    const query = { ...own, goal: "Signup" };
    const asked = { view: readView(query), segments: async () => [], now: new Date() };
    const input = inputOf(report, made.id, asked.view, query);
    const { data: answer } = await execute(report.op, { principal, input, now: asked.now });
    const { signal } = new AbortController();
    const { about } = await onPaper(principal, { ...asked, report, site, answer, goal: askedGoal(input), signal });
    return about.filter((line) => line.includes("Signup"));
  };
  expect(await goalIn("campaigns", {})).toEqual(["Conversions of the goal “Signup”"]);
  expect(await goalIn("explore", { metrics: "conversions" })).toEqual(["Conversions of the goal “Signup”"]);
  expect(await goalIn("explore", { metrics: "visits" })).toEqual([]);
  expect(await goalIn("retention", {})).toEqual([]);
});
