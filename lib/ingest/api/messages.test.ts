import { expect, test } from "vitest";
import { postEvents, siteWithKey } from "@/lib/testing/measuring";
import { CHROME, makeSite, postRaw } from "@/lib/testing/world";

/** Wrong values for every field: no message may use the words of a library. */
const WRONG = [null, true, 0, -1, 1.5, 1e13, "", "x", "x".repeat(5000), [], [1], {}, { a: 1 }, { a: { b: {} } }];
const MACHINE = /Invalid|expected|received|pattern|Too (?:big|small)|must match|[\^$]|\\d|undefined|NaN|object Object/;
const SENTENCE = /^[^ ]+ (?:must (?:be|have|begin|name)|is (?:required|not)|has|holds|nests).+/;

const page = (host: string) => ({ url: `https://${host}/` });
const order = { order_id: "o-1", value: "10", currency: "EUR" };

/** One valid event of each type. */
const validEvents = (host: string): Record<string, unknown>[] => [
  {
    type: "page",
    event_id: "abcdefghijkl",
    user_id: "u",
    context: {
      page: { ...page(host), title: "t", referrer: "r" },
      locale: "de",
      screen: "1x1",
      user_agent: CHROME,
      session_id: "s",
      campaign: { source: "a", medium: "b", name: "c", term: "d", content: "e" },
    },
  },
  { type: "screen", name: "Home" },
  { type: "event", name: "Signup", properties: { plan: "pro" } },
  { type: "identify", user_id: "u" },
  { type: "experiment", properties: { experiment: "e", variant: "v" } },
  {
    type: "commerce",
    name: "purchase",
    properties: {
      ...order,
      tax: 1,
      shipping: 1,
      coupon: "c",
      items: [{ product_id: "p", name: "n", category: "c", brand: "b", variant: "v", price: 1, quantity: 1 }],
    },
  },
];

/** Yields copies of a value in which one field, at any depth, is replaced or missing. */
function* mutations(value: unknown, wrong: readonly unknown[]): Generator<unknown> {
  yield* wrong;
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const put = (changed: unknown) =>
      Array.isArray(value) ? value.map((one, i) => (`${i}` === key ? changed : one)) : { ...value, [key]: changed };
    if (!Array.isArray(value)) yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
    for (const changed of mutations(inner, wrong)) yield put(changed);
  }
  if (!Array.isArray(value)) yield { ...value, unheard_of: 1 };
}

test("every invalid batch event returns a sentence that names the field, and a pointer to it", async () => {
  const { site, key } = await siteWithKey();
  const events = validEvents(site.host).flatMap((event) => [...mutations(event, WRONG)]);
  expect(events.length).toBeGreaterThan(400);
  let invalid = 0;
  for (let from = 0; from < events.length; from += 50) {
    const { body } = await postEvents(events.slice(from, from + 50), { key });
    for (const { status, index, message = "", pointer } of body.results) {
      if (status !== "invalid") continue;
      invalid++;
      const field = pointer?.split("/").slice(3).join(".") || "The event";
      expect(message).not.toMatch(MACHINE);
      expect(message.startsWith(`${field} `), `${JSON.stringify(events[from + index])}: ${message}`).toBe(true);
      expect(message.slice(field.length - 1).replace(/^./, "_")).toMatch(SENTENCE);
      expect(message).toMatch(/\.$/);
    }
  }
  expect(invalid).toBeGreaterThan(300);
});

test("every invalid event of a page returns the field in plain words", async () => {
  const site = await makeSite();
  const good = {
    domain: site.host,
    name: "Order",
    type: "event",
    ...page(site.host),
    path: "/a",
    referrer: "r",
    props: { a: 1 },
    event_id: "abcdefghijkl",
    title: "t",
    screen: "1x1",
    language: "de",
    user_id: "u",
    revenue: { amount: "12.34", currency: "EUR" },
    interactive: true,
    own: false,
    engagement: { ms: 1, scroll: 1 },
    vitals: { lcp: 1, inp: 1, cls: 0, fcp: 1, ttfb: 1 },
    exposure: { experiment: "e", variant: "v" },
  };
  let refused = 0;
  for (const [index, event] of [...mutations(good, WRONG)].entries()) {
    const address = `203.0.113.${index % 250}`;
    const { error } = await (await postRaw(JSON.stringify(event), { address })).json();
    if (!error || error.code === "rate_limited") continue;
    refused++;
    for (const { message } of [error, ...error.details.issues]) {
      expect(message, JSON.stringify(event)).not.toMatch(MACHINE);
    }
  }
  expect(refused).toBeGreaterThan(150);
});
