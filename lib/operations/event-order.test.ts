import fc from "fast-check";
import { expect, test } from "vitest";
import { call } from "@/lib/testing/calls";
import { keyOf, postEvents } from "@/lib/testing/measuring";
import { exported, imported } from "@/lib/testing/transfer";
import { makeSite, post, type TestSite } from "@/lib/testing/world";

/** Events of one visit that arrive in the same millisecond: every report takes them in the order in which they were sent. */

const AT = "2025-03-12T09:00:00.000Z";
const DAY = { from: "2025-03-12", to: "2025-03-12" };
const SAME_DAY = new Date("2025-03-12T15:30:00Z");
const DAYS_LATER = new Date("2025-03-15T12:00:00Z");

/** What a visitor does: a page by its path, an event by its name. The names sort in another order than they are sent. */
const DEEDS = [
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
const VISITS = { forward: DEEDS, backward: DEEDS.toReversed() };

const ITEMS = [{ product_id: "p1", price: 10 }];
const PROPERTIES: Record<string, object> = {
  product_viewed: { items: ITEMS, currency: "EUR" },
  cart_added: { items: ITEMS, currency: "EUR" },
  checkout_started: {},
  purchase: { order_id: "o-1", value: "10", currency: "EUR" },
};

/** An event of the Measurement Protocol. Every second one has an id of its own, which is looked up before it is stored. */
function measured({ host }: TestSite, session_id: string, deed: string, index: number): object {
  const id = index % 2 ? { event_id: `${session_id}-event-${index}-0123456789`.slice(0, 32) } : {};
  const common = { ...id, context: { session_id } };
  const [word = "", term] = deed.split(" ");
  if (deed.startsWith("/")) {
    return { ...id, type: "page", context: { session_id, page: { url: `https://${host}${deed}` } } };
  }
  if (deed === "exposure") return { ...common, type: "experiment", properties: { experiment: "hero", variant: "b" } };
  if (term) return { ...common, type: "event", name: word, properties: { term } };
  return { ...common, type: "commerce", name: deed, properties: PROPERTIES[deed] };
}

/** The same event for the Events API. */
function single(deed: string): string | object {
  const [word = "", term] = deed.split(" ");
  if (deed.startsWith("/")) return deed;
  if (deed === "exposure") return { name: "exposure", path: "/", exposure: { experiment: "hero", variant: "b" } };
  if (term) return { name: word, props: { term } };
  const props = deed === "purchase" ? { order_id: "o-1" } : {};
  return { name: deed, props, ...(deed === "purchase" && { revenue: { amount: "10", currency: "EUR" } }) };
}

type Send = (site: TestSite, key: string, session: string, deeds: readonly string[]) => Promise<unknown>;

/** Ways to send the same events, all of them at one moment. */
const WAYS: Record<string, Send> = {
  "one batch": (site, key, session, deeds) =>
    postEvents(
      deeds.map((deed, index) => measured(site, session, deed, index)),
      { key, at: AT },
    ),
  "consecutive batches": async (site, key, session, deeds) => {
    for (const [index, deed] of deeds.entries()) {
      await postEvents([measured(site, session, deed, index)], { key, at: AT });
    }
  },
  "batches that do not wait for each other": (site, key, session, deeds) =>
    Promise.all(
      [deeds.slice(0, 5), deeds.slice(5)].map((part, half) =>
        postEvents(
          part.map((deed, index) => measured(site, session, deed, 5 * half + index)),
          { key, at: AT },
        ),
      ),
    ),
  "single events": async (site, _key, session, deeds) => {
    const address = session === "forward" ? "198.51.100.1" : "198.51.100.2";
    for (const deed of deeds) await post(site, single(deed), { at: AT, address });
  },
};

type Place = { kind: string; value: string | null };

/** What every report that knows an order says about the day. */
async function answers(site: TestSite, now: Date) {
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

test.each(Object.keys(WAYS))(
  "every report takes the events of %s in the order in which they were sent, on the same day and later, and after an import",
  async (way) => {
    const site = await makeSite();
    const { key } = await keyOf(site);
    for (const [session, deeds] of Object.entries(VISITS)) await WAYS[way]?.(site, key, session, deeds);
    expect(await answers(site, SAME_DAY)).toEqual(EXPECTED);

    const copy = await makeSite();
    await imported(copy, await exported(site, DAYS_LATER));
    expect(await answers(copy, SAME_DAY)).toEqual(EXPECTED);

    for (const one of [site, copy]) expect(await answers(one, DAYS_LATER)).toEqual(EXPECTED);
  },
  60_000,
);

test("journeys report any permutation of pages sent in one batch in exactly that order", async () => {
  const pages = ["/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h", "/i", "/j"];
  const sent = fc.shuffledSubarray(pages, { minLength: 2 });
  await fc.assert(
    fc.asyncProperty(sent, fc.nat({ max: 9 }), async (order, cut) => {
      const site = await makeSite();
      const { key } = await keyOf(site);
      const events = order.map((path, index) => measured(site, "s-1", path, index + cut));
      for (const batch of [events.slice(0, cut), events.slice(cut)]) {
        if (batch.length > 0) await postEvents(batch, { key, at: AT });
      }
      const { journeys } = await call(site.ownerId, "analytics.journeys", { site_id: site.id, ...DAY }, DAYS_LATER);
      const [path, ...others] = journeys[0].paths;
      expect(others).toEqual([]);
      expect(path.steps.map(({ value }: Place) => value)).toEqual(order);
    }),
    { numRuns: 25 },
  );
}, 60_000);
