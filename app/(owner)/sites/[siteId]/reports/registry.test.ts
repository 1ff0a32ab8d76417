import { expect, test } from "vitest";
import { readView, type SearchParams } from "@/components/reports/view";
import { REPORTS } from "@/lib/contract/reports";
import { execute } from "@/lib/gateway/execute";
import { makeSite } from "@/lib/testing/world";
import { inputOf, reportAt } from "./registry";

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
    const input: Record<string, unknown> = inputOf(report as NonNullable<typeof report>, 1, readView(query), query);
    return { goal: input.goal, metric: input.metric };
  };
  expect(await asked("explore")).toEqual({});
  expect(await asked("explore", { metrics: "visits,conversion_rate" })).toEqual({ goal: "Signup" });
  expect(await asked("changes")).toEqual({ metric: "conversions", goal: "Signup" });
  expect(await asked("changes", { metric: "visits" })).toEqual({ metric: "visits" });
});
