import type { Sender } from "@/lib/ingest/pipeline/sender";
import { BOTS, BROWSERS, LANGUAGES } from "@/prisma/devices";
import type { Dice, Odds } from "@/prisma/dice";
import { customerOf, searchOf, shop, VARIANTS } from "@/prisma/shopping";

/** Generates the events of the demo sites. Pure: the same random numbers give the same events. */

/** One event of one visitor, without its domain. */
export interface DemoEvent {
  at: number;
  event: Record<string, unknown>;
  sender: Sender;
  /** Sent through the Measurement Protocol instead of by a page. */
  fromServer?: true;
}

interface Source {
  referrer?: string;
  query?: string;
}

export interface DemoSite {
  domain: string;
  name: string;
  timezone: string;
  seed: number;
  /** Visits of an average day, and the factor of each weekday, Monday first. */
  visits: number;
  week: readonly number[];
  /** A traffic spike `age` days ago: more visits by `factor`, from `source`. */
  spike: { age: number; factor: number; source: Source } | null;
  sources: Odds<Source>;
  pages: Odds<readonly [path: string, title: string]>;
  /** Pages that moved or fail, which robots still ask for, with their HTTP status. */
  broken: Odds<readonly [path: string, status: number]>;
  bounce: number;
  /** Whether the site is a shop, and the goals that may be reached after the pages, each only after the one before. */
  sells: boolean;
  goals: readonly { name: string; chance: number; more?: (random: Dice) => object }[];
}

const utm = (source: string, medium: string, campaign: string) =>
  `?utm_source=${source}&utm_medium=${medium}&utm_campaign=${campaign}`;

export const DEMO_SITES: readonly DemoSite[] = [
  {
    domain: "demo-shop.example",
    name: "Demo shop",
    timezone: "Europe/Berlin",
    seed: 11,
    visits: 105,
    week: [1.05, 1, 0.95, 0.95, 0.9, 1.1, 1.25],
    spike: null,
    sources: [
      [30, {}],
      [28, { referrer: "https://www.google.com/" }],
      [10, { referrer: "https://www.google.com/", query: utm("google", "cpc", "autumn-sale") }],
      [9, { query: utm("newsletter", "email", "november") }],
      [8, { referrer: "https://l.instagram.com/", query: utm("instagram", "social", "autumn-sale") }],
      [5, { referrer: "https://www.bing.com/" }],
      [4, { referrer: "https://duckduckgo.com/" }],
      [4, { referrer: "https://chatgpt.com/" }],
      [2, { referrer: "https://www.tests-and-reviews.example/coffee-grinders" }],
    ],
    pages: [
      [30, ["/", "Coffee and what it takes"]],
      [16, ["/grinders", "Grinders"]],
      [14, ["/beans", "Beans"]],
      [9, ["/grinders/hand-no-2", "Hand grinder No. 2"]],
      [8, ["/beans/ethiopia-guji", "Ethiopia Guji"]],
      [7, ["/beans/house-blend", "House blend"]],
      [5, ["/brewers/dripper", "Dripper"]],
      [5, ["/sale", "Autumn sale"]],
      [3, ["/delivery", "Delivery and returns"]],
      [3, ["/about", "About us"]],
    ],
    broken: [
      [6, ["/summer-sale", 404]],
      [3, ["/beans/kenya-aa", 410]],
      [1, ["/grinders", 503]],
    ],
    bounce: 0.38,
    sells: true,
    goals: [{ name: "Newsletter", chance: 0.04 }],
  },
  {
    domain: "demo-blog.example",
    name: "Demo blog",
    timezone: "America/New_York",
    seed: 23,
    visits: 140,
    week: [1.2, 1.25, 1.2, 1.15, 1, 0.6, 0.6],
    spike: { age: 17, factor: 4, source: { referrer: "https://news.ycombinator.com/" } },
    sources: [
      [26, {}],
      [30, { referrer: "https://www.google.com/" }],
      [7, { referrer: "https://news.ycombinator.com/" }],
      [7, { referrer: "https://www.reddit.com/" }],
      [6, { referrer: "https://t.co/" }],
      [5, { referrer: "https://bsky.app/" }],
      [5, { query: utm("weekly", "email", "digest") }],
      [5, { referrer: "https://duckduckgo.com/" }],
      [4, { referrer: "https://www.perplexity.ai/" }],
      [3, { referrer: "https://github.com/" }],
    ],
    pages: [
      [14, ["/", "Notes on small software"]],
      [22, ["/why-postgres-is-enough", "Why Postgres is enough"]],
      [15, ["/one-process", "One process, one command"]],
      [12, ["/counting-without-cookies", "Counting without cookies"]],
      [9, ["/daylight-saving", "The two worst days of the year"]],
      [6, ["/queues", "You do not need a queue"]],
      [5, ["/archive", "Archive"]],
      [3, ["/about", "About"]],
    ],
    broken: [
      [5, ["/2019/old-post", 404]],
      [1, ["/archive", 500]],
    ],
    bounce: 0.62,
    sells: false,
    goals: [
      {
        name: "Subscribe",
        chance: 0.03,
        more: (random) => ({ props: { list: random.chance(0.8) ? "weekly" : "all" } }),
      },
    ],
  },
];

/** Visits by hour of the local day, midnight first. */
const CURVE = [8, 5, 3, 2, 2, 4, 9, 18, 30, 40, 46, 48, 45, 44, 46, 45, 43, 42, 44, 50, 54, 48, 32, 16];
const HOURS: Odds<number> = CURVE.map((weight, hour) => [weight, hour]);

interface Day {
  start: number;
  end: number;
  /** 1 is Monday. */
  weekday: number;
  /** Days before today. */
  age: number;
}

/** Returns the events of all visits that begin on a local day of a site; a visit may continue on the next day. */
export function eventsOf(site: DemoSite, day: Day, random: Dice): DemoEvent[] {
  const spike = site.spike?.age === day.age ? site.spike : null;
  const growth = 1.15 - day.age * 0.005;
  const expected = site.visits * (site.week[day.weekday - 1] ?? 1) * growth * (0.92 + random.next() * 0.16);
  const moment = () => Math.min(day.start + (random.pick(HOURS) + random.next()) * 3600_000, day.end - 1);
  const events: DemoEvent[] = [];
  for (let n = expected * (spike?.factor ?? 1); n > 0; n--) {
    const person = personOf(site, random);
    const arrival = moment();
    const isExtra = spike && n > expected;
    events.push(...visit(site, person, isExtra ? spike.source : random.pick(site.sources), arrival, random));
    const again = arrival + 3600_000 + random.around(5 * 3600_000);
    if (random.chance(0.12) && again < day.end) events.push(...visit(site, person, {}, again, random));
  }
  for (let n = expected * 0.16; n > 0; n--) events.push(crawl(site, moment(), random));
  return events;
}

const address = (random: Dice) =>
  [11 + random.next() * 180, ...[random, random, random].map((die) => die.next() * 250)].map(Math.floor).join(".");

export interface Person {
  sender: Sender;
  common: { screen: string; language: string; user_id?: string };
  /** Their variant of the experiment, the same in every visit. */
  variant: string;
}

function personOf(site: DemoSite, random: Dice): Person {
  const { userAgent, screen } = random.pick(BROWSERS);
  const sender = { address: address(random), userAgent, gpc: random.chance(0.02) };
  const common = { screen, language: random.pick(LANGUAGES) };
  const customer = site.sells ? customerOf(random) : null;
  if (customer === null) return { sender, common, variant: VARIANTS[Number(random.chance(0.5))] ?? VARIANTS[0] };
  return {
    sender,
    common: { ...common, user_id: customer },
    variant: VARIANTS[Number(customer.at(-1)) % 2] ?? VARIANTS[0],
  };
}

/** Returns the events of a visit: one or more pages, then maybe a purchase or goals. */
function visit(site: DemoSite, person: Person, source: Source, began: number, random: Dice): DemoEvent[] {
  const { sender, common } = person;
  const events: DemoEvent[] = [];
  const paths: string[] = [];
  const home = `https://${site.domain}`;
  let at = began;
  const pages = random.chance(site.bounce) ? 1 : 2 + Math.floor(random.around(2));
  for (let n = 0; n < pages; n++) {
    const [path, title] = random.pick(site.pages);
    const url = home + path;
    paths.push(path);
    const arrival = n === 0 ? { url: url + (source.query ?? ""), referrer: source.referrer } : { url };
    events.push({ at, sender, event: { ...common, name: "pageview", title, ...arrival } });
    const ms = Math.round(1_500 + random.around(n === 0 && pages === 1 ? 20_000 : 45_000));
    const scroll = Math.round(25 + random.next() * 75);
    at += Math.round(ms * (1 + random.next() * 0.3));
    events.push({ at, sender, event: { ...common, name: "engagement", url, engagement: { ms, scroll } } });
    if (random.chance(0.5))
      events.push({ at, sender, event: { ...common, name: "vitals", url, vitals: vitalsOf(random) } });
    const search = site.sells && n === 0 && pages > 1 ? searchOf(random) : null;
    if (search) events.push({ at, sender, event: { ...common, url, ...search } });
  }
  if (pages === 1) return events;
  if (site.sells) {
    events.push(...shop({ person, paths, home, left: at }, random));
    at = events.at(-1)?.at ?? at;
  }
  for (const { name, chance, more } of site.goals) {
    if (!random.chance(chance)) break;
    at += Math.round(4_000 + random.around(15_000));
    events.push({ at, sender, event: { ...common, name, url: `${home}/`, ...more?.(random) } });
  }
  return events;
}

/** Returns random web vitals: mostly good, sometimes poor. */
function vitalsOf(random: Dice) {
  const slow = 0.6 + random.around(0.5);
  const ttfb = Math.round(260 * slow);
  const fcp = ttfb + Math.round(620 * slow);
  return {
    view: Math.floor(random.next() * 1e9),
    ttfb,
    fcp,
    lcp: fcp + Math.round(700 * slow),
    inp: Math.round(40 + random.around(90)),
    cls: random.chance(0.7) ? 0 : Math.round(random.around(0.08) * 1e4) / 1e4,
  };
}

/** Returns a page view of a robot, as the access log of the site's server has it. No robot has found the last pages. */
function crawl(site: DemoSite, at: number, random: Dice): DemoEvent {
  const { userAgent, address: published } = random.pick(BOTS);
  const isGenuine = published !== null && random.chance(0.8);
  const sender = { address: isGenuine ? published : address(random), userAgent, gpc: false, vouched: true } as const;
  const [path, status] = random.chance(0.08)
    ? random.pick(site.broken)
    : [random.pick(site.pages.slice(0, -2))[0], random.chance(0.2) ? 304 : 200];
  const page = { url: `https://${site.domain}${path}`, status };
  return { at, sender, fromServer: true, event: { type: "page", context: { page, user_agent: userAgent } } };
}
