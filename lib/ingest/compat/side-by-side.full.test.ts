import { expect, test } from "vitest";
import analyticsOverview from "@/lib/operations/analytics.overview";
import { postTo } from "@/lib/testing/foreign";
import { siteWithKey } from "@/lib/testing/measuring";
import { reportAsOwner } from "@/lib/testing/reports";
import { CHROME, makeSite, type TestSite } from "@/lib/testing/world";

/** One day of scripted visits, sent as the clients of each product send them. */

const DAY = Date.parse("2025-03-04T00:00:00Z");
const MINUTE = 60_000;
const PAGES = ["/", "/pricing", "/docs", "/about"];

interface Step {
  at: number;
  address: string;
  page: string;
  referrer: string;
  /** The name of an event; null for a pageview. */
  name: string | null;
}

/** Returns the steps of 500 visits of about 350 visitors, in order. The numbers are as random as a fixed sequence is. */
function aDay(): Step[] {
  let state = 8628;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const steps: Step[] = [];
  for (let visit = 0; visit < 500; visit++) {
    const visitor = next(350);
    const address = `198.51.${Math.floor(visitor / 250)}.${(visitor % 250) + 1}`;
    let at = DAY + next(23 * 60) * MINUTE + next(60_000);
    const referrer = next(2) ? "https://www.google.com/" : "";
    for (let step = next(5); step >= 0; step--) {
      steps.push({ at, address, page: PAGES[next(PAGES.length)] as string, referrer, name: null });
      if (next(4) === 0) steps.push({ at: at + 1000, address, page: "/pricing", referrer: "", name: "Signup" });
      at += next(25 * MINUTE) + 2000;
    }
  }
  return steps.filter(({ at }) => at < DAY + 24 * 60 * MINUTE).sort((a, b) => a.at - b.at);
}

type Form = (site: TestSite, step: Step) => [path: string, body: object];

const FORMS: Record<string, Form> = {
  ours: (site, { page, referrer, name }) => [
    "/api/event",
    { domain: site.host, name: name ?? "pageview", url: `https://${site.host}${page}`, referrer },
  ],
  plausible: (site, { page, referrer, name }) => [
    "/api/event",
    { n: name ?? "pageview", u: `https://${site.host}${page}`, d: site.host, r: referrer || null, v: 36 },
  ],
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

async function numbersOf(site: TestSite) {
  const { metrics, panels } = (await reportAsOwner(analyticsOverview, site, DAY_OF_REPORT, "2025-03-06T12:00:00Z")) as {
    metrics: Record<string, number>;
    panels: Record<string, unknown>;
  };
  const { visitors, visits, pageviews, events, bounce_rate } = metrics;
  const { pages, entry_pages, exit_pages, sources } = panels;
  return { visitors, visits, pageviews, events, bounce_rate, pages, entry_pages, exit_pages, sources };
}

test("a day of 500 visits gives the same numbers through the clients of Plausible, Umami, Segment and our own", async () => {
  const steps = aDay();
  const numbers: Record<string, unknown> = {};
  for (const [product, form] of Object.entries(FORMS)) {
    const site = await makeSite();
    for (const step of steps) {
      const { status } = await postTo(...form(site, step), { at: new Date(step.at), address: step.address });
      expect([200, 202]).toContain(status);
    }
    numbers[product] = await numbersOf(site);
  }
  // Segment's server libraries send the day afterwards, newest first, with the time and the address of each call.
  const { site, key } = await siteWithKey();
  const calls = steps.map(({ at, address, page, referrer, name }) => ({
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
  expect(numbers.plausible).toEqual(numbers.ours);
  expect(numbers.umami).toEqual(numbers.ours);
  expect(numbers.segment).toEqual(numbers.ours);
  expect(numbers.ours).toMatchObject({ visits: expect.any(Number) });
});
