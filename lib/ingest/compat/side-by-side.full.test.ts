import { expect, test } from "vitest";
import analyticsOverview from "@/lib/operations/analytics.overview";
import { HOUR_MS, MINUTE_MS } from "@/lib/platform/durations";
import { postTo } from "@/lib/testing/foreign";
import { siteWithKey } from "@/lib/testing/measuring";
import type { RawEvent } from "@/lib/testing/oracle/facts";
import { overview } from "@/lib/testing/oracle/reports";
import { reportAsOwner } from "@/lib/testing/reports";
import { CHROME, makeSite, type TestSite } from "@/lib/testing/world";

/** One day of scripted visits, sent as the clients of each product send them. */

const DAY = Date.parse("2025-03-04T00:00:00Z");
const PAGES = ["/", "/pricing", "/docs", "/about"];

interface Step {
  at: number;
  address: string;
  page: string;
  referrer: string;
  /** The name of an event; null for a pageview, or a report of how long the page was read. */
  name: string | null;
  engagement: { ms: number; scroll: number } | null;
}

/**
 * Returns the steps of 500 visits of 350 visitors, in order: one each in the first half of the day, and further ones of 150 in
 * the second, more than half an hour later. The numbers are as random as a fixed sequence is.
 */
function aDay(): Step[] {
  let state = 8628;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const steps: Step[] = [];
  for (let visit = 0; visit < 500; visit++) {
    const visitor = visit % 350;
    const address = `198.51.${Math.floor(visitor / 250)}.${(visitor % 250) + 1}`;
    let at = DAY + (visit < 350 ? 0 : 12 * HOUR_MS) + next(9 * HOUR_MS);
    const referrer = next(2) ? "https://www.google.com/" : "";
    for (let step = next(5); step >= 0; step--) {
      const page = PAGES[next(PAGES.length)] as string;
      const pause = next(25 * MINUTE_MS) + 2000;
      const engagement = { ms: Math.min(pause - 1, 1500 + next(90_000)), scroll: next(101) };
      steps.push({ at, address, page, referrer, name: null, engagement: null });
      if (next(4) === 0)
        steps.push({ at: at + 1000, address, page: "/pricing", referrer: "", name: "Signup", engagement: null });
      steps.push({ at: at + engagement.ms, address, page, referrer: "", name: null, engagement });
      at += pause;
    }
  }
  return steps.sort((a, b) => a.at - b.at);
}

type Form = (site: TestSite, step: Step) => [path: string, body: object];

const FORMS: Record<string, Form> = {
  ours: (site, { page, referrer, name, engagement }) => {
    const shared = { domain: site.host, url: `https://${site.host}${page}`, referrer };
    return ["/api/event", { ...shared, name: engagement ? "engagement" : (name ?? "pageview"), engagement }];
  },
  plausible: (site, { page, referrer, name, engagement }) => {
    const shared = { u: `https://${site.host}${page}`, d: site.host, v: 36 };
    const body = engagement
      ? { ...shared, n: "engagement", p: null, e: engagement.ms, sd: engagement.scroll }
      : { ...shared, n: name ?? "pageview", r: referrer || null };
    return ["/api/event", body];
  },
  umami: (site, { page, referrer, name }) => [
    "/api/send",
    {
      type: "event",
      payload: {
        website: site.host,
        hostname: site.host,
        url: page,
        referrer,
        title: "",
        screen: "1920x1080",
        language: "de",
        ...(name && { name }),
      },
    },
  ],
};

const DAY_OF_REPORT = { from: "2025-03-04", to: "2025-03-04" };
const NOW = "2025-03-06T12:00:00Z";

/** What the clients say of who and where a visitor is does not differ, so the oracle need not know it. */
const NO_AGENT = { browser: "", browser_version: "", os: "", os_version: "", device: "", screen: "", bot: "" };
const NO_PLACE = { country: "", region: "", city: "", language: "" };

/** Returns the event that a step is, as the oracle knows events. */
const eventOf = ({ at, address, page, referrer, name, engagement }: Step): RawEvent => ({
  at,
  who: address,
  user: null,
  type: engagement ? "engagement" : name ? "event" : "pageview",
  name,
  page: { hostname: "", path: page, title: null },
  referrer: { source: referrer ? "Google" : "", url: "", channel: "", rule: "" },
  campaign: null,
  place: NO_PLACE,
  agent: NO_AGENT,
  traffic: "human",
  engagementMs: engagement?.ms ?? null,
  scroll: engagement?.scroll ?? null,
  revenue: null,
  currency: null,
  props: null,
  status: null,
});

interface Overview {
  metrics: Record<string, number | null>;
  panels: Record<string, object[]>;
}

/** Ratios are rounded: DuckDB divides in another order than the oracle. */
const compared = ({ metrics: exact, panels }: Overview) => {
  const { pages, entry_pages, exit_pages, sources, event_names } = panels;
  const rounded = Object.entries(exact).map(([name, value]) => [name, value && Number(value.toPrecision(12))]);
  const metrics: Overview["metrics"] = Object.fromEntries(rounded);
  return { metrics, pages, entry_pages, exit_pages, sources, event_names };
};

/** Returns the numbers that follow from the steps alone. */
const numbersOfSteps = (steps: readonly Step[]) =>
  compared(
    overview(DAY_OF_REPORT, {
      zone: "UTC",
      now: Date.parse(NOW),
      events: steps.map(eventOf),
      goals: [],
    }) as Overview,
  );

const numbersOf = async (site: TestSite) =>
  compared((await reportAsOwner(analyticsOverview, site, DAY_OF_REPORT, NOW)) as Overview);

test("a day of 500 visits gives the numbers of its steps through the clients of Plausible, Umami, Segment and our own", async () => {
  const steps = aDay();
  // Umami's and Segment's clients do not say how long a page was read.
  const unread = steps.filter(({ engagement }) => engagement === null);
  const numbers: Record<string, unknown> = {};
  for (const [product, form] of Object.entries(FORMS)) {
    const site = await makeSite();
    for (const step of product === "umami" ? unread : steps) {
      const { status } = await postTo(...form(site, step), { at: new Date(step.at), address: step.address });
      expect([200, 202]).toContain(status);
    }
    numbers[product] = await numbersOf(site);
  }
  // Segment's server libraries send the day afterwards, newest first, with the time and the address of each call.
  const { site, key } = await siteWithKey();
  const calls = unread.map(({ at, address, page, referrer, name }) => ({
    type: name ? "track" : "page",
    ...(name && { event: name }),
    context: { ip: address, userAgent: CHROME, page: { url: `https://${site.host}${page}`, referrer } },
    timestamp: new Date(at).toISOString(),
  }));
  calls.reverse();
  for (let from = 0; from < calls.length; from += 100) {
    const batch = calls.slice(from, from + 100);
    const { body } = await postTo("/v1/batch", { batch, writeKey: key }, { at: "2025-03-05T06:00:00Z" });
    expect(body.counts.stored).toBe(batch.length);
  }
  numbers.segment = await numbersOf(site);
  const [read, plain] = [numbersOfSteps(steps), numbersOfSteps(unread)];
  expect(numbers.ours).toEqual(read);
  expect(numbers.plausible).toEqual(read);
  expect(numbers.umami).toEqual(plain);
  expect(numbers.segment).toEqual(plain);
  const { visitors, visits, pageviews, bounce_rate } = plain.metrics;
  expect(read.metrics).toMatchObject({ visitors, visits, pageviews, bounce_rate });
  expect([visitors, visits]).toEqual([350, 500]);
});
