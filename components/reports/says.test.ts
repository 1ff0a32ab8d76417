import { expect, test } from "vitest";
import { campaignsSay } from "@/components/reports/campaigns/says";
import { commerceSays } from "@/components/reports/commerce/says";
import { funnelsSay, worstStep } from "@/components/reports/funnels/says";
import { journeysSay } from "@/components/reports/journeys/says";
import { retentionSays } from "@/components/reports/retention/says";
import { caution, moved, named, sentencesOf } from "@/components/reports/sentences";
import { searchSays } from "@/components/reports/site_search/says";
import { vitalsSay } from "@/components/reports/vitals/says";

/** Sentences without the marks around names. */
const plain = (text: string | null) => text?.replaceAll(/[\u2068\u2069]/g, "") ?? null;

const count = (now: number | null, before?: number | null) =>
  moved({ label: "Orders", isPlural: true, now, before, format: String });

test("a sentence says how a number moved, and claims no change without a comparison or a visible difference", () => {
  expect(count(12, 10)).toBe("Orders rose by 20% to 12");
  expect(count(8, 10)).toBe("Orders fell by 20% to 8");
  expect(count(10, 10)).toBe("Orders stayed at 10");
  expect(count(10)).toBe("Orders were 10");
  expect(count(10, null)).toBe("Orders were 10");
  expect(count(3, 0)).toBe("Orders rose from 0 to 3");
  expect(count(0, 0)).toBe("Orders stayed at 0");
  expect(count(500, 10)).toBe("Orders rose from 10 to 500");
  expect(count(1001, 1000)).toBe("Orders rose by less than 1% to 1001");
  expect(count(null, 10)).toBeNull();
  const rate = (now: number, before: number) =>
    moved({ label: "The rate", isRate: true, now, before, format: (value) => `${Math.round(value * 1000) / 10}%` });
  expect(rate(0.12, 0.11)).toBe("The rate rose by 1 point to 12%");
  expect(rate(0.1, 0.115)).toBe("The rate fell by 1.5 points to 10%");
  expect(rate(0.1, 0)).toBe("The rate rose by 10 points to 10%");
});

test("few observations get a caution, and nothing known is no sentence", () => {
  expect(caution(19, "order")).toBe("There are only 19 orders, so differences may be chance");
  expect(caution(20, "order")).toBeNull();
  expect(sentencesOf(null, false, undefined)).toBeNull();
  expect(sentencesOf("A", null, "B")).toBe("A. B.");
});

test("a funnel says where the most visitors are lost, not where the share is the worst", () => {
  const step = (name: string, visitors: number, drop_off: number) => ({ name, visitors, drop_off });
  const steps = [step("/", 100, 0), step("/a", 40, 60), step("/b", 4, 36)];
  expect(worstStep(steps)).toEqual({ index: 0, name: "/", lost: 60, of: 100 });
  expect(worstStep([step("/", 5, 0), step("/a", 5, 0)])).toBeNull();
  const funnel = { name: "Buying", entered: 100, conversion_rate: 0.04, comparison: { conversion_rate: 0.05 }, steps };
  expect(plain(funnelsSay({ funnels: [funnel] } as never))).toBe(
    "The conversion rate of Buying fell by 1 point to 4%. Most are lost after /: 60 of 100 visitors did not continue.",
  );
  expect(funnelsSay({ funnels: [{ ...funnel, entered: 0 }] } as never)).toBeNull();
});

test("a shop with few orders is told that differences may be chance", () => {
  const money = (amount: string) => ({ amount, currency: "EUR" });
  const said = commerceSays({
    totals: { revenue: money("49.00"), orders: 1 },
    previous: { revenue: money("98.00"), orders: 2 },
    funnel: [
      { step: "product_viewed", visitors: 9 },
      { step: "purchase", visitors: 1 },
    ],
  } as never);
  expect(said?.replaceAll("\u00a0", " ")).toBe(
    "Revenue fell by 50% to 49.00 EUR. Orders fell by 50% to 1. Most buyers are lost after the step “Product view”: 8 of 9 visitors. There is only 1 order, so differences may be chance.",
  );
});

test("retention says on how many visitors its share rests, and nothing while no period is complete", () => {
  const answer = { identity: "user_id", cohort: "week", average: [1, 0.25], average_of: [50, 40] };
  expect(retentionSays(answer as never)).toBe(
    "25% of new visitors with a user id came back in the next week, of 40 whose next week is complete.",
  );
  expect(retentionSays({ ...answer, identity: "monthly" } as never)).toMatch(/^25% of new visitors came back/);
  expect(retentionSays({ ...answer, average: [1, null], average_of: [50, 0] } as never)).toBeNull();
});

test("journeys say how many visits end where they begin, of all of them", () => {
  const page = (value: string) => ({ kind: "page", value });
  const flows = [
    { step: 1, from: page("/"), to: { kind: "exit", value: null }, visits: 30 },
    { step: 1, from: page("/"), to: { kind: "other", value: null }, visits: 50 },
    { step: 1, from: page("/"), to: page("/a"), visits: 20 },
    { step: 2, from: page("/a"), to: { kind: "exit", value: null }, visits: 20 },
  ];
  const journeys = [{ visits: 100, flows }];
  const next = "The most frequent next step is from / to /a: 20 visits.";
  const said = (asked: object) => plain(journeysSay({ journeys, start: null, funnel: null, ...asked } as never));
  expect(said({})).toBe(`30% of 100 visits end where they begin. ${next}`);
  // These visits began elsewhere.
  expect(said({ start: "/" })).toBe(`30% of 100 visits that reach / end there. ${next}`);
  expect(said({ funnel: {} })).toBe(`30% of 100 visits that enter the funnel end at its first step. ${next}`);
});

test("vitals say which one is the worst and on which page, and give no verdict below the floor", () => {
  const vital = (p75: number | null, good: number | null) => ({ p75, good });
  const none = vital(null, null);
  const overall = { views: 100, lcp: vital(3100, 0.6), inp: vital(90, 0.99), cls: none, fcp: none, ttfb: none };
  const pages = [
    { value: "/a", views: 60, lcp: vital(2000, 1) },
    { value: "/b", views: 40, lcp: vital(5200, 0.1) },
  ];
  expect(plain(vitalsSay({ overall, pages, floor: 20 } as never))).toBe(
    "LCP is in need of work: 75% of page views have at most 3.10 s, and 2.50 s is good. The worst page is /b with 5.20 s.",
  );
  const few = { ...overall, lcp: none, inp: none };
  expect(vitalsSay({ overall: few, pages: [], floor: 20 } as never)).toBe(
    "There are too few page views for a verdict: 20 are needed.",
  );
});

test("the campaign that brought the most visits is named, and what an import lacks is no zero", () => {
  const row = (campaign: string, visitors: number, visits: number | null) => ({
    ...{ campaign, source: null, medium: null, content: null, term: null },
    ...{ visitors, visits, conversions: 0, revenue: { amount: "0.00", currency: "EUR" } },
  });
  const campaigns = [row("old", 60, null), row("spring", 50, 51), row("loyal", 40, 90)];
  const said = (before: unknown) =>
    plain(
      campaignsSay({
        campaigns,
        comparison: before === undefined ? null : { campaigns: [null, null, before] },
      } as never),
    );
  const label = "Visits of the campaign loyal, which brought the most,";
  expect(said(undefined)).toBe(`${label} were 90.`);
  expect(said(null)).toBe(`${label} rose from 0 to 90.`);
  expect(said(row("loyal", 50, 100))).toBe(`${label} fell by 10% to 90.`);
  expect(said(row("loyal", 50, null))).toBe(`${label} were 90.`);
  expect(campaignsSay({ campaigns: [], comparison: null } as never)).toBeNull();
});

test("of searches only those with a known number of results are said to find something or nothing", () => {
  const of = (searches: number, counted_searches: number, zero_result_rate: number | null) => ({
    ...{ searches, counted_searches, zero_result_rate },
  });
  const said = (total: object, terms: object[] = []) => plain(searchSays({ total, terms, comparison: null } as never));
  expect(said(of(100, 1, 0))).toBe("Searches were 100. All of the 1 with a known number of results found something.");
  expect(said(of(100, 100, 0))).toBe("Searches were 100. All of them found something.");
  expect(said(of(100, 0, null))).toBe("Searches were 100.");
  const terms = [
    { term: "often", ...of(80, 1, 1) },
    { term: "never", ...of(9, 9, 1) },
  ];
  expect(said(of(100, 20, 0.5), terms)).toBe(
    "Searches were 100. 50% of the 20 with a known number of results found nothing, most often those for “never”.",
  );
});

test("a name cannot reorder or leave its place in the sentence", () => {
  expect(named("/a\u202e\u2069gpj.exe")).toBe("\u2068/agpj.exe\u2069");
  expect(named("شراء")).toBe("\u2068شراء\u2069");
});
