import { expect, test } from "vitest";
import { liftInterval, standings } from "@/lib/analytics/reports/experiment-statistics";
import { db } from "@/lib/platform/db";
import { reportAsAgent } from "@/lib/testing/reports";
import { makeSite, type SendOptions, send, type TestSite } from "@/lib/testing/world";

/** Exposures and conversions in, exact numbers out. */

const NOW = new Date("2025-03-12T15:30:00Z");

const fetchReport = (site: TestSite, input: object = {}) =>
  reportAsAgent("analytics.experiments", site, { period: "7d", ...input }, NOW);

const exposure = (variant: string, experiment = "Button") => ({ name: "exposure", exposure: { experiment, variant } });
const signup = { name: "Signup" };
const at = (time: string, day = 12): Date => new Date(`2025-03-${String(day).padStart(2, "0")}T${time}Z`);

/** Returns a function that sends events of one visitor, by default on 12 March. */
const person =
  (site: TestSite, number: number, sending: SendOptions = {}) =>
  (event: object | string, time: string, day = 12) =>
    send(site, event, { address: `198.51.100.${number}`, at: at(time, day), ...sending });

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

test("only conversions after the first exposure count, from one millisecond after it", async () => {
  const site = await makeSite();
  await plan(site);
  await person(site, 1)(signup, "08:59:59.999");
  await person(site, 1)(exposure("blue"), "09:00:00");
  await person(site, 3)(exposure("blue"), "09:00:00");
  await person(site, 3)(signup, "09:00:00.001");
  await person(site, 3)(exposure("blue"), "09:01:00");
  await person(site, 4)(signup, "08:00:00");
  await person(site, 4)(exposure("blue"), "09:00:00");
  await person(site, 4)(signup, "10:00:00");
  const [{ variants }] = (await fetchReport(site)).experiments;
  expect(variants[0]).toMatchObject({ exposed: 3, converted: 2, rate: 2 / 3 });
});

test("visitors who saw two variants are excluded and counted as excluded", async () => {
  const site = await makeSite();
  await plan(site);
  await person(site, 1)(exposure("blue"), "09:00:00");
  await person(site, 1)(signup, "09:01:00");
  await person(site, 1)(exposure("red"), "09:02:00");
  await person(site, 2)(exposure("red"), "09:00:00");
  await person(site, 3)(exposure("blue"), "09:00:00");
  await person(site, 3)(exposure("green"), "09:05:00");
  const [{ variants, excluded, exposed }] = (await fetchReport(site)).experiments;
  expect([excluded, exposed]).toEqual([2, 1]);
  expect(variants.map((one: { exposed: number; converted: number }) => [one.exposed, one.converted])).toEqual([
    [0, 0],
    [1, 0],
  ]);
});

test("a visitor counts as a new one on the next day, unless identified by user_id", async () => {
  const site = await makeSite();
  await plan(site);
  await person(site, 1)(exposure("blue"), "09:00:00", 11);
  await person(site, 1)(signup, "09:00:00", 12);
  await person(site, 2)({ ...exposure("red"), user_id: "u2" }, "09:00:00", 11);
  await person(site, 2)({ ...exposure("red"), user_id: "u2" }, "08:00:00", 12);
  await person(site, 2)({ ...signup, user_id: "u2" }, "09:00:00", 12);
  const [{ variants }] = (await fetchReport(site)).experiments;
  expect(variants).toMatchObject([
    { variant: "blue", exposed: 1, converted: 0 },
    { variant: "red", exposed: 1, converted: 1 },
  ]);
});

test("exposures of bots appear only under their traffic filter", async () => {
  const site = await makeSite();
  await plan(site);
  await person(site, 1)(exposure("blue"), "09:00:00");
  const bot = person(site, 2, {
    userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  });
  await bot(exposure("red"), "09:00:00");
  await bot(signup, "09:01:00");
  const shown = async (traffic: string) =>
    (await fetchReport(site, { traffic })).experiments[0].variants.map(
      (one: { exposed: number; converted: number }) => [one.exposed, one.converted],
    );
  expect(await shown("human")).toEqual([
    [1, 0],
    [0, 0],
  ]);
  expect(await shown("bot")).toEqual([
    [0, 0],
    [1, 1],
  ]);
  expect(await shown("all")).toEqual([
    [1, 0],
    [1, 1],
  ]);
});

test("an unplanned experiment converts by any counted event, or by any goal if the site has goals", async () => {
  const site = await makeSite();
  await person(site, 1)(exposure("b"), "09:00:00");
  await person(site, 1)({ name: "Play" }, "09:01:00");
  await person(site, 2)(exposure("Original"), "09:00:00");
  await person(site, 2)("/thanks", "09:01:00");
  await person(site, 3)(exposure("another"), "09:00:00");
  const summaryOf = async () => {
    const [{ saved, goal, conversion_basis, variants }] = (await fetchReport(site)).experiments;
    const rows = variants.map((one: Record<string, unknown>) => [one.variant, one.control, one.converted]);
    return { saved, goal, conversion_basis, rows, share: variants[0].expected_share };
  };
  expect(await summaryOf()).toEqual({
    saved: false,
    goal: null,
    conversion_basis: "events",
    rows: [
      ["Original", true, 0],
      ["another", false, 0],
      ["b", false, 1],
    ],
    share: 1 / 3,
  });
  const goal = { siteId: site.id, name: "Bought", kind: "page" as const, pattern: "/thanks" };
  await db().goal.create({ data: { ...goal, createdAt: NOW, updatedAt: NOW } });
  expect(await summaryOf()).toMatchObject({
    conversion_basis: "goals",
    rows: [
      ["Original", true, 1],
      ["another", false, 0],
      ["b", false, 0],
    ],
  });
});

test("without a conventional control name, the first variant by name is the control; a single one is not compared", async () => {
  const site = await makeSite();
  await person(site, 1)(exposure("y", "Two"), "09:00:00");
  await person(site, 2)(exposure("x", "Two"), "09:00:00");
  await person(site, 3)(exposure("only", "One"), "09:00:00");
  const { experiments } = await fetchReport(site);
  expect(experiments[0]).toMatchObject({
    experiment: "Two",
    variants: [{ variant: "x", control: true }, { control: false }],
  });
  expect(experiments[1]).toMatchObject({
    experiment: "One",
    variants: [{ variant: "only", exposed: 1, rate: 0, lift: null, probability_best: null, expected_loss: null }],
    sample_ratio: null,
    enough_data: false,
    missing: ["There is nothing to compare: an experiment needs two variants or more."],
  });
});

test("without conversions, rates are zero, the lift is null and equal variants are equally likely to be best", async () => {
  const site = await makeSite();
  await plan(site);
  await person(site, 1)(exposure("blue"), "09:00:00");
  await person(site, 2)(exposure("red"), "09:00:00");
  const [{ variants }] = (await fetchReport(site)).experiments;
  expect(variants[1]).toMatchObject({ rate: 0, lift: null, lift_interval: { low: expect.any(Number) } });
  expect(variants[0].probability_best).toBeCloseTo(0.5, 8);
  expect(variants[1].probability_best).toBeCloseTo(0.5, 8);
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

test("filters select exposures; conversions count on any page", async () => {
  const site = await makeSite();
  await plan(site);
  const on = (path: string) => ({ url: `https://${site.host}${path}` });
  await person(site, 1)({ ...exposure("blue"), ...on("/pricing") }, "09:00:00");
  await person(site, 1)({ ...signup, ...on("/join") }, "09:01:00");
  await person(site, 2)({ ...exposure("blue"), ...on("/") }, "09:00:00");
  const filters = JSON.stringify({ page: "/pricing" });
  const [{ variants }] = (await fetchReport(site, { filters })).experiments;
  expect(variants[0]).toMatchObject({ exposed: 1, converted: 1 });
});

test("each experiment has its comparison entry, null if there is none", async () => {
  const site = await makeSite();
  await plan(site);
  await person(site, 3)(exposure("red"), "09:00:00", 4);
  await person(site, 1)(exposure("blue"), "09:00:00", 12);
  await person(site, 2)(exposure("x", "New"), "09:00:00", 12);
  const { experiments, comparison } = await fetchReport(site, { compare: "previous_period" });
  expect(experiments.map((one: { experiment: string }) => one.experiment)).toEqual(["Button", "New"]);
  expect(comparison[0]).toMatchObject({ experiment: "Button", variants: [{ exposed: 0 }, { exposed: 1 }] });
  expect(comparison[1]).toBeNull();
});
