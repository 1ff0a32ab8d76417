import { expect, test } from "vitest";
import { liftInterval, standings } from "@/lib/analytics/reports/experiment-statistics";
import { db } from "@/lib/platform/db";
import { reportAsAgent } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

/** Exposures and conversions in, exact numbers out. */

const NOW = new Date("2025-03-12T15:30:00Z");

const fetchReport = (site: TestSite) => reportAsAgent("analytics.experiments", site, { period: "7d" }, NOW);

const exposure = (variant: string, experiment = "Button") => ({ name: "exposure", exposure: { experiment, variant } });
const signup = { name: "Signup" };
const at = (time: string): string => `2025-03-12T${time}Z`;

/** Returns a function that sends events of one visitor. */
const person = (site: TestSite, number: number) => (event: object | string, time: string) =>
  send(site, event, { address: `198.51.100.${number}`, at: at(time) });

const plan = (site: TestSite, more: object = {}) =>
  db().experiment.create({
    data: {
      siteId: site.id,
      name: "Button",
      variants: [
        { name: "blue", weight: 1 },
        { name: "red", weight: 1 },
      ],
      goal: "Signup",
      createdAt: NOW,
      updatedAt: NOW,
      ...more,
    },
  });

test("a site without experiments has an empty list", async () => {
  const { experiments, comparison, meta } = await fetchReport(await makeSite());
  expect([experiments, comparison]).toEqual([[], null]);
  expect(meta).toMatchObject({ row_limit: 20, truncated: false });
});

test("a planned experiment without exposures lists its variants with zeros", async () => {
  const site = await makeSite();
  await plan(site);
  const { experiments } = await fetchReport(site);
  const zeros = { exposed: 0, converted: 0, rate: null, lift: null, lift_interval: null };
  const variant = { ...zeros, expected_share: 0.5, probability_best: null, expected_loss: null };
  expect(experiments).toEqual([
    {
      experiment: "Button",
      saved: true,
      goal: "Signup",
      conversion_basis: "goal",
      ended_at: null,
      exposed: 0,
      excluded: 0,
      variants: [
        { variant: "blue", control: true, ...variant },
        { variant: "red", control: false, ...variant },
      ],
      sample_ratio: null,
      enough_data: false,
      missing: [
        "2 of 2 variants were shown to fewer than 100 visitors.",
        "0 of these visitors converted; 10 are the fewest that say anything.",
      ],
      truncated: false,
    },
  ]);
});

test("each variant reports conversions after its exposure and their statistics", async () => {
  const site = await makeSite();
  await plan(site);
  for (const number of [1, 2, 3, 4]) await person(site, number)(exposure(number < 4 ? "blue" : "red"), "09:00:00");
  await person(site, 1)(signup, "09:01:00");
  await person(site, 4)(signup, "09:01:00");
  const [{ variants, sample_ratio, exposed }] = (await fetchReport(site)).experiments;
  const [blue, red] = standings([
    { exposed: 3, converted: 1 },
    { exposed: 1, converted: 1 },
  ]);
  expect(variants).toEqual([
    {
      variant: "blue",
      control: true,
      expected_share: 0.5,
      exposed: 3,
      converted: 1,
      rate: 1 / 3,
      lift: null,
      lift_interval: null,
      probability_best: blue?.best,
      expected_loss: blue?.loss,
    },
    {
      variant: "red",
      control: false,
      expected_share: 0.5,
      exposed: 1,
      converted: 1,
      rate: 1,
      lift: 2,
      lift_interval: liftInterval({ exposed: 1, converted: 1 }, { exposed: 3, converted: 1 }),
      probability_best: red?.best,
      expected_loss: red?.loss,
    },
  ]);
  // One degree of freedom: (3 - 2)² / 2 twice.
  expect(sample_ratio.chi_square).toBe(1);
  expect(sample_ratio.p_value).toBeCloseTo(0.3173, 4);
  expect([sample_ratio.mismatch, exposed]).toEqual([false, 4]);
});

test("the control of an unplanned experiment has a conventional name or the first one; a single variant is not compared", async () => {
  const site = await makeSite();
  const shown = { Three: ["b", "Original", "another"], Two: ["y", "x"], One: ["only"] };
  for (const [experiment, variants] of Object.entries(shown))
    for (const [index, variant] of variants.entries())
      await person(site, index)(exposure(variant, experiment), "09:00:00");
  const { experiments } = await fetchReport(site);
  expect(
    experiments.map(({ experiment, variants }: { experiment: string; variants: { variant: string }[] }) => [
      ...[experiment, ...variants.map(({ variant }) => variant)],
    ]),
  ).toEqual([
    ["Three", "Original", "another", "b"],
    ["Two", "x", "y"],
    ["One", "only"],
  ]);
  expect(experiments[1].variants).toMatchObject([{ control: true }, { control: false }]);
  expect(experiments[2]).toMatchObject({
    variants: [{ exposed: 1, rate: 0, lift: null, probability_best: null, expected_loss: null }],
    sample_ratio: null,
    enough_data: false,
    missing: ["There is nothing to compare: an experiment needs two variants or more."],
  });
});

test("variants outside the plan come last, without expected share and outside the sample ratio", async () => {
  const site = await makeSite();
  await plan(site, {
    variants: [
      { name: "blue", weight: 3 },
      { name: "red", weight: 1 },
    ],
  });
  for (const number of [1, 2, 3]) await person(site, number)(exposure("blue"), "09:00:00");
  await person(site, 4)(exposure("red"), "09:00:00");
  await person(site, 5)(exposure("amber"), "09:00:00");
  const [{ variants, sample_ratio }] = (await fetchReport(site)).experiments;
  expect(variants.map((one: Record<string, unknown>) => [one.variant, one.expected_share])).toEqual([
    ["blue", 0.75],
    ["red", 0.25],
    ["amber", null],
  ]);
  expect(sample_ratio).toEqual({ chi_square: 0, p_value: 1, mismatch: false });
});

test("at most ten variants are returned, and planned ones are always included", async () => {
  const site = await makeSite();
  await plan(site);
  for (let number = 1; number <= 12; number++) await person(site, number)(exposure(`a${number}`), "09:00:00");
  await person(site, 13)(exposure("red"), "09:00:00");
  const [{ variants, truncated }] = (await fetchReport(site)).experiments;
  expect(variants).toHaveLength(10);
  expect(variants[1]).toMatchObject({ variant: "red", exposed: 1 });
  expect(truncated).toBe(true);
});

test("100 visitors per variant and ten conversions are enough data, and a skewed split is a mismatch", async () => {
  const site = await makeSite();
  await plan(site);
  const visitor = async (number: number, variant: string, converts: boolean) => {
    const sending = { address: `10.1.${number >> 8}.${number & 255}` };
    await send(site, exposure(variant), { ...sending, at: at("09:00:00") });
    if (converts) await send(site, signup, { ...sending, at: at("09:01:00") });
  };
  await Promise.all(Array.from({ length: 100 }, (_, number) => visitor(number, "blue", number < 10)));
  await Promise.all(Array.from({ length: 170 }, (_, number) => visitor(1000 + number, "red", false)));
  const [{ enough_data, missing, sample_ratio, variants }] = (await fetchReport(site)).experiments;
  expect([enough_data, missing]).toEqual([true, []]);
  // (100 - 135)² / 135 twice.
  expect(sample_ratio.chi_square).toBeCloseTo((2 * 35 ** 2) / 135, 10);
  expect(sample_ratio.mismatch).toBe(true);
  expect(variants[1]).toMatchObject({ rate: 0, lift: -1 });
  expect(variants[1].lift_interval.high).toBeLessThan(-0.5);
});
