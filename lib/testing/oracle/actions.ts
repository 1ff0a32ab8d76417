import fc from "fast-check";
import type { EventType, TrafficClass } from "@/lib/contract/vocabulary";
import type { RawEvent } from "@/lib/testing/oracle/facts";

/** The random actions of visitors, with few distinct values so that filters and groups match them. */

export const PATHS = ["/", "/a", "/a/b", "/blog/x", "/blog/y", "/blog", "/shop", "/cart", "/c%20d", "/d", "/e", "/f"];
export const HOSTS = ["example.com", "shop.example.com"];
export const TITLES = ["Home", "A page", ""];
export const EVENTS = ["Signup", "Play", "Buy now"];
export const EXPERIMENTS = ["hero", "price"];
export const VARIANTS = ["control", "b", "c"];
export const COMMERCE = ["product_viewed", "cart_added", "checkout_started", "purchase", "purchase", "refund"];

export interface Action {
  type: EventType;
  name: string | null;
  path: string | null;
  host: string;
  title: string;
  engagementMs: number | null;
  scroll: number | null;
  revenue: string | null;
  currency: string | null;
  props: Record<string, unknown> | null;
  /** Whether the event looks automated. */
  suspicious: boolean;
  /** Whether the event has a user id. */
  named: boolean;
}

const type = fc.oneof(
  { weight: 8, arbitrary: fc.constant<EventType>("pageview") },
  { weight: 4, arbitrary: fc.constant<EventType>("event") },
  { weight: 3, arbitrary: fc.constant<EventType>("engagement") },
  { weight: 3, arbitrary: fc.constant<EventType>("commerce") },
  { weight: 1, arbitrary: fc.constantFrom<EventType>("passive", "screen", "identify", "exposure", "vitals") },
);

const often = <T>(value: fc.Arbitrary<T>, otherwise: T) =>
  fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(otherwise) });

export const action: fc.Arbitrary<Action> = type.chain((type) =>
  fc
    .record({
      // Some pages are viewed often, also on both sides of a midnight.
      path: fc.oneof(fc.constantFrom("/", "/a"), fc.constantFrom(...PATHS)),
      host: often(fc.constant("example.com"), "shop.example.com"),
      title: often(fc.constant("Home"), "A page"),
      suspicious: often(fc.constant(false), false).chain((no) => fc.nat({ max: 25 }).map((n) => no || n === 25)),
      named: fc.nat({ max: 5 }).map((n) => n === 5),
      own: ownPart(type),
    })
    .map(({ own, path, ...action }) => ({
      type,
      name: null,
      engagementMs: null,
      scroll: null,
      revenue: null,
      currency: null,
      props: null,
      ...action,
      path,
      ...own,
    })),
);

type Own = Partial<Pick<Action, "name" | "path" | "engagementMs" | "scroll" | "revenue" | "currency" | "props">>;

function ownPart(type: EventType): fc.Arbitrary<Own> {
  const plan = fc.constantFrom({ plan: "pro" }, { plan: "basic", seats: 3 }, { plan: "", beta: true }, null);
  switch (type) {
    case "event":
    case "passive":
      return fc.oneof(
        { weight: 4, arbitrary: fc.record({ name: fc.constantFrom(...EVENTS), props: plan, ...money }) },
        { weight: 1, arbitrary: fc.record({ name: fc.constant("Signup"), props: plan, path: fc.constant(null) }) },
        { weight: 2, arbitrary: search },
      );
    case "engagement":
      return fc.record({
        engagementMs: fc.option(fc.constantFrom(0, 1500, 60_000), { nil: null }),
        scroll: fc.option(fc.constantFrom(0, 10, 55, 100), { nil: null }),
      });
    case "commerce":
      return commerce;
    case "exposure":
      return fc.record({
        name: fc.constantFrom(...EXPERIMENTS),
        props: fc.constantFrom(...VARIANTS).map((variant) => ({ variant })),
      });
    case "vitals":
      return fc.record({ props: fc.constantFrom({ lcp: 1200, cls: 0.05 }, { lcp: 4100, inp: 300 }, { ttfb: 90 }) });
    default:
      return fc.constant({});
  }
}

const money = {
  revenue: fc.constantFrom(null, null, "12.34", "0.005"),
  currency: fc.constantFrom("EUR", "USD"),
};
const search = fc.record({
  name: fc.constant("Search"),
  props: fc.constantFrom({ term: "shoes" }, { term: "Shoes", results: 0 }, { term: "hats", results: 12 }),
});

const item = fc.constantFrom(
  { id: "p1", name: "Shoe", price: 10, quantity: 1 },
  { id: "p2", name: "Hat", price: 5.5, quantity: 3 },
);
const commerce: fc.Arbitrary<Own> = fc
  .record({
    name: fc.constantFrom(...COMMERCE),
    order: fc.nat({ max: 4 }),
    items: fc.array(item, { maxLength: 2 }),
    revenue: fc.constantFrom("10", "12.34", "99.99"),
    currency: fc.constantFrom("EUR", "EUR", "USD", "JPY"),
  })
  .map(({ name, order, items, revenue, currency }) => {
    const paid = name === "purchase" || name === "refund";
    return {
      name,
      props: { ...(paid && { order_id: `o${order}` }), items },
      revenue: paid ? `${name === "refund" ? "-" : ""}${revenue}` : null,
      currency: paid ? currency : null,
    };
  });

/** The traffic classes of ten senders. */
const CLASSES: readonly TrafficClass[] = [
  "human",
  "human",
  "human",
  "human",
  "human",
  "human",
  "human",
  "bot",
  "ai",
  "spam",
];
/** Robots: what the lists know of them, and what their addresses say. The last one is in no list. */
export const ROBOTS = [
  { bot: "Googlebot", operator: "Google", purpose: "search", verified: "verified" },
  { bot: "OldCrawler", operator: "", purpose: "crawler", verified: "" },
  { bot: "GPTBot", operator: "OpenAI", purpose: "training", verified: "spoofed" },
  { bot: "ClaudeBot", operator: "Anthropic", purpose: "training", verified: "claimed" },
  { bot: "ChatGPT-User", operator: "OpenAI", purpose: "assistant", verified: "verified" },
  { bot: "Nameless", operator: "", purpose: "", verified: "" },
] as const;
const ROBOTS_OF: Partial<Record<TrafficClass, readonly number[]>> = { bot: [0, 1], ai: [2, 3, 4], spam: [5] };
const STATUSES = [null, 200, null, 404, 304, 500];

/** The robot of a sender that is not a person. */
function robotAt(traffic: TrafficClass, origin: number): string | undefined {
  const own = ROBOTS_OF[traffic];
  return own && ROBOTS[own[origin % own.length] as number]?.bot;
}

/** Makes about a third of the events of a world page views of robots. */
export function asRead(event: RawEvent, index: number): RawEvent {
  const { bot } = ROBOTS[(index % 5) % ROBOTS.length] as (typeof ROBOTS)[number];
  if (index % 3 > 0) return event;
  const traffic = index % 5 < 2 ? "bot" : "ai";
  const own = {
    type: "pageview" as const,
    name: null,
    revenue: null,
    currency: null,
    engagementMs: null,
    scroll: null,
  };
  const page = event.page ?? { hostname: "example.com", path: "/a", title: "Home" };
  const status = STATUSES[(index >> 2) % STATUSES.length] ?? null;
  return {
    ...event,
    ...own,
    page,
    user: null,
    who: `robot ${bot}`,
    traffic,
    agent: { ...event.agent, bot },
    robot: bot,
    status,
  };
}

const COUNTRIES = ["DE", "FR", "US", ""];
const BROWSERS = ["Chrome", "Firefox", "Safari"];
export const SOURCES = [
  { source: "", channel: "Direct", url: "" },
  { source: "Google", channel: "Organic Search", url: "google.com" },
  { source: "Bing", channel: "Organic Search", url: "bing.com" },
  { source: "ChatGPT", channel: "AI assistants", url: "chatgpt.com" },
  { source: "example.org", channel: "Referral", url: "example.org/links" },
];
const CAMPAIGNS = [
  null,
  { source: "news", medium: "email", campaign: "spring", term: "", content: "" },
  { source: "google", medium: "cpc", campaign: "brand", term: "shoes", content: "ad1" },
  { source: "google", medium: "cpc", campaign: "brand", term: "shoes", content: "" },
];

/** Returns the event of an action. @param sender index of the sender. @param origin index of the traffic source. */
export function rawEvent(at: number, action: Action, sender: number, origin: number): RawEvent {
  const traffic = CLASSES[sender] as TrafficClass;
  const { path, host, title, named, suspicious, ...own } = action;
  const device = ["desktop", "mobile", "tablet"][sender % 3] as string;
  return {
    ...own,
    at,
    who: `p${sender}`,
    // Sometimes another person uses the same browser.
    user: named ? `u${(sender + origin) % 2}` : null,
    page: path === null ? null : { hostname: host, path, title },
    referrer: {
      ...(SOURCES[origin % SOURCES.length] as (typeof SOURCES)[number]),
      rule: origin < 5 ? "one" : "another",
    },
    campaign: CAMPAIGNS[origin % 4] ?? null,
    place: {
      country: COUNTRIES[sender % 4] as string,
      region: sender % 4 === 2 ? "California" : "",
      city: sender % 2 ? "Somewhere" : "",
      language: sender % 2 ? "de" : "en",
    },
    agent: {
      browser: BROWSERS[sender % 3] as string,
      browser_version: `${100 + sender}`,
      os: sender % 2 ? "Windows" : "iOS",
      os_version: sender % 2 ? "11" : "",
      device,
      screen: device === "desktop" ? "large" : "small",
      bot: robotAt(traffic, origin) ?? "",
    },
    robot: robotAt(traffic, origin),
    // Browsers do not know it.
    status:
      traffic === "human" || own.type !== "pageview" ? null : (STATUSES[((at / 1000) % STATUSES.length) | 0] ?? null),
    traffic: traffic === "human" && suspicious ? "suspicious" : traffic,
  };
}
