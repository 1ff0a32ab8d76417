import fc from "fast-check";
import { expect, test } from "vitest";
import { call } from "@/lib/testing/calls";
import { postEvents, siteWithKey } from "@/lib/testing/measuring";
import { runs, sampled } from "@/lib/testing/tier";
import { exported, imported } from "@/lib/testing/transfer";
import { makeSite, post, type TestSite } from "@/lib/testing/world";

/** Events of one visit that arrive in the same millisecond: every report uses the order in which they were sent. */

const AT = "2025-03-12T09:00:00.000Z";
const DAY = { from: "2025-03-12", to: "2025-03-12" };
const SAME_DAY = new Date("2025-03-12T15:30:00Z");
const DAYS_LATER = new Date("2025-03-15T12:00:00Z");

/** The events of a visit: pages by path, events by name. They sort in another order than they are sent. */
const EVENTS = [
  "/z9",
  "/m9",
  "/a9",
  "exposure",
  "Search shoes",
  "Search boots",
  "/found",
  "product_viewed",
  "cart_added",
  "checkout_started",
  "purchase",
  "/thanks",
];
const VISITS = { forward: EVENTS, backward: EVENTS.toReversed() };

const ITEMS = [{ product_id: "p1", price: 10 }];
const PROPERTIES: Record<string, object> = {
  product_viewed: { items: ITEMS, currency: "EUR" },
  cart_added: { items: ITEMS, currency: "EUR" },
  checkout_started: {},
  purchase: { order_id: "o-1", value: "10", currency: "EUR" },
};

/** Returns an event for the batch endpoint. Every second one has an event id, which is checked for duplicates. */
function batchEvent({ host }: TestSite, session_id: string, event: string, index: number): object {
  const id = index % 2 ? { event_id: `${session_id}-event-${index}-0123456789`.slice(0, 32) } : {};
  const common = { ...id, context: { session_id } };
  const [word = "", term] = event.split(" ");
  if (event.startsWith("/")) {
    return { ...id, type: "page", context: { session_id, page: { url: `https://${host}${event}` } } };
  }
  if (event === "exposure") return { ...common, type: "experiment", properties: { experiment: "hero", variant: "b" } };
  if (term) return { ...common, type: "event", name: word, properties: { term } };
  return { ...common, type: "commerce", name: event, properties: PROPERTIES[event] };
}

/** Returns the same event for the single-event endpoint. */
function singleEvent(event: string): string | object {
  const [word = "", term] = event.split(" ");
  if (event.startsWith("/")) return event;
  if (event === "exposure") return { name: "exposure", path: "/", exposure: { experiment: "hero", variant: "b" } };
  if (term) return { name: word, props: { term } };
  const props = event === "purchase" ? { order_id: "o-1" } : {};
  return { name: event, props, ...(event === "purchase" && { revenue: { amount: "10", currency: "EUR" } }) };
}

type Send = (site: TestSite, key: string, session: string, events: readonly string[]) => Promise<unknown>;

/** Ways to send the same events at the same time. */
const SENDERS: Record<string, Send> = {
  "one batch": (site, key, session, events) =>
    postEvents(
      events.map((event, index) => batchEvent(site, session, event, index)),
      { key, at: AT },
    ),
  "consecutive batches": async (site, key, session, events) => {
    for (const [index, event] of events.entries()) {
      await postEvents([batchEvent(site, session, event, index)], { key, at: AT });
    }
  },
  "batches that do not wait for each other": (site, key, session, events) =>
    Promise.all(
      [events.slice(0, 5), events.slice(5)].map((part, half) =>
        postEvents(
          part.map((event, index) => batchEvent(site, session, event, 5 * half + index)),
          { key, at: AT },
        ),
      ),
    ),
  "single events": async (site, _key, session, events) => {
    const address = session === "forward" ? "198.51.100.1" : "198.51.100.2";
    for (const event of events) await post(site, singleEvent(event), { at: AT, address });
  },
};

type Place = { kind: string; value: string | null };

/** Returns the results of every order-dependent report of the day. */
async function resultsOf(site: TestSite, now: Date) {
  const ask = (operation: string, input: object = {}) =>
    call(site.ownerId, operation, { site_id: site.id, ...DAY, ...input }, now);
  const pages = async (dimension: string) => {
    const { rows } = await ask("analytics.explore", { metrics: "visits", dimensions: dimension, sort: dimension });
    return rows.map((row: { values: string[]; visits: number }) => [row.values[0], row.visits]);
  };
  const funnel = async (written: string) => {
    const { funnels } = await ask("analytics.funnels", { funnel: written });
    return funnels[0].steps.map((step: { visitors: number }) => step.visitors);
  };
  const { journeys } = await ask("analytics.journeys");
  const { funnels } = await ask("analytics.funnels.advanced", { funnel: "/z9 > /none" });
  const { experiments } = await ask("analytics.experiments");
  const { total } = await ask("analytics.site_search");
  const commerce = await ask("analytics.commerce");
  return {
    entry: await pages("entry_page"),
    exit: await pages("exit_page"),
    journeys: journeys[0].paths
      .map(({ steps }: { steps: Place[] }) => steps.map(({ value }) => value).join(" "))
      .sort(),
    funnel: await funnel("/z9 > /a9"),
    funnelBack: await funnel("/a9 > /m9 > /z9"),
    leftTo: funnels[0].steps[0].left_to,
    experiment: experiments[0].variants.map(({ exposed, converted }: Record<string, number>) => [exposed, converted]),
    search: [total.searches, total.refinement_rate, total.conversions, total.next_pages],
    shop: commerce.funnel.map(({ visitors }: { visitors: number }) => visitors),
  };
}

const EXPECTED = {
  entry: [
    ["/thanks", 1],
    ["/z9", 1],
  ],
  exit: [
    ["/thanks", 1],
    ["/z9", 1],
  ],
  journeys: ["/thanks /found /a9 /m9 /z9", "/z9 /m9 /a9 /found /thanks"],
  funnel: [2, 1],
  funnelBack: [2, 1, 1],
  leftTo: [
    { kind: "exit", value: null, visitors: 1 },
    { kind: "page", value: "/m9", visitors: 1 },
  ],
  experiment: [[2, 1]],
  search: [
    4,
    0.5,
    2,
    [
      { page: "/a9", searches: 2 },
      { page: "/found", searches: 2 },
    ],
  ],
  shop: [2, 1, 1, 1],
};

test.each(sampled(Object.keys(SENDERS), 4))(
  "every report uses the sending order of events in %s, on the same day, later and after an import",
  async (sender) => {
    const { site, key } = await siteWithKey();
    for (const [session, events] of Object.entries(VISITS)) await SENDERS[sender]?.(site, key, session, events);
    expect(await resultsOf(site, SAME_DAY)).toEqual(EXPECTED);

    const copy = await makeSite();
    await imported(copy, await exported(site, DAYS_LATER));
    expect(await resultsOf(copy, SAME_DAY)).toEqual(EXPECTED);

    for (const one of [site, copy]) expect(await resultsOf(one, DAYS_LATER)).toEqual(EXPECTED);
  },
);

test("journeys report any permutation of pages sent in one batch in exactly that order", async () => {
  const pages = ["/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h", "/i", "/j"];
  const sent = fc.shuffledSubarray(pages, { minLength: 2 });
  await fc.assert(
    fc.asyncProperty(sent, fc.nat({ max: 9 }), async (order, cut) => {
      const { site, key } = await siteWithKey();
      const events = order.map((path, index) => batchEvent(site, "s-1", path, index + cut));
      for (const batch of [events.slice(0, cut), events.slice(cut)]) {
        if (batch.length > 0) await postEvents(batch, { key, at: AT });
      }
      const { journeys } = await call(site.ownerId, "analytics.journeys", { site_id: site.id, ...DAY }, DAYS_LATER);
      const [path, ...others] = journeys[0].paths;
      expect(others).toEqual([]);
      expect(path.steps.map(({ value }: Place) => value)).toEqual(order);
    }),
    { numRuns: runs({ full: 25, quick: 2 }) },
  );
});
