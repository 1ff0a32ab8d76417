import { expect, test } from "vitest";
import { verdictOf } from "@/components/reports/experiments/verdict";
import { experimentResult } from "@/lib/analytics/reports/experiments";

/** The verdict of the experiments report, from counts of visitors. */

/** Exposed and converted visitors of variants; the first is the control. */
type Counts = Record<string, [exposed: number, converted: number]>;

async function verdict(counts: Counts, { ended = false, weights = [1] } = {}) {
  const names = Object.keys(counts);
  const shown = Object.entries(counts).map(([variant, [exposed, converted]]) => ({
    experiment: "checkout",
    variant,
    exposed,
    converted,
  }));
  const variants = names.map((name, index) => ({ name, weight: weights[index] ?? 1 }));
  const result = await experimentResult(shown, { name: "checkout", variants, goal: "purchase", endedAt: null });
  const said = verdictOf({ ...result, ended_at: ended ? "2026-11-01T00:00:00Z" : null });
  return { ...said, missing: result.missing.join(" ") };
}

test("an open result is no difference yet, with the visitors at which to stop, and never good", async () => {
  const open = await verdict({ control: [1000, 60], b: [1000, 61] });
  expect(open).toMatchObject({ tone: "warn", title: "No difference yet" });
  expect(open.text).toMatch(
    /^The rate of b is between \d[\d.]*% lower and \d[\d.]*% higher\. Stop at 50,000 visitors, 48,000 more/,
  );
  const uneven = await verdict({ control: [900, 54], b: [100, 6] }, { weights: [9, 1] });
  expect(uneven.text).toContain("Stop at 250,000 visitors");
  expect(await verdict({ control: [1000, 60], b: [1000, 61] }, { ended: true })).toMatchObject({
    tone: "warn",
    title: "Ended without a winner",
  });
});

test("a variant whose whole interval lies above the control, and which is the best, is the winner", async () => {
  expect(await verdict({ control: [2000, 100], b: [2000, 180] })).toMatchObject({ tone: "good", title: "Winner: b" });
  expect(await verdict({ control: [2000, 180], b: [2000, 100] })).toMatchObject({
    tone: "good",
    title: "Winner: control, the control",
  });
  expect(await verdict({ control: [2000, 100], b: [2000, 180], c: [2000, 181] })).toMatchObject({
    tone: "good",
    title: "b and c beat control",
  });
});

test("with few data, a wrong split, or no relevant difference, the verdict says so", async () => {
  expect(await verdict({ control: [20, 2], b: [20, 9] })).toMatchObject({ tone: "warn", title: "Too early to tell" });
  expect(await verdict({ control: [200, 0], b: [200, 1] })).toMatchObject({ title: "Too early to tell" });
  expect(await verdict({ only: [200, 20] })).toMatchObject({ title: "Too early to tell" });
  expect(await verdict({ control: [2000, 100], b: [1000, 90] })).toMatchObject({
    tone: "bad",
    title: "No result: visitors were not split as planned",
  });
  expect(await verdict({ control: [50_000, 25_000], b: [50_000, 25_010] })).toMatchObject({
    title: "No difference worth waiting for",
  });
});

test("a control without conversions still gets a verdict", async () => {
  expect((await verdict({ control: [1000, 0], b: [1000, 40] })).title).toBe("Winner: b");
});

test("an English page says which data are missing as the API does", async () => {
  const few: Counts[] = [
    { control: [20, 2], b: [20, 9] },
    { control: [200, 0], b: [200, 1] },
    { control: [110, 9], b: [95, 9] },
    { only: [200, 20] },
  ];
  for (const counts of few) {
    const { text, missing } = await verdict(counts);
    expect(text).toBe(missing);
    expect(text).not.toBe("");
  }
});
