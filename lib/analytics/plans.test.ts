import pg from "pg";
import { test as concurrent, expect, inject, vi } from "vitest";
import { OPERATORS, type Operator } from "@/lib/analytics/conditions";
import { DIMENSIONS, type DimensionKey } from "@/lib/analytics/dimensions";
import { sealSite } from "@/lib/analytics/rollups";
import { db } from "@/lib/db";
import { OPERATIONS } from "@/lib/operations/index";
import { call } from "@/lib/testing/calls";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

/** One after the other: each listens to all that this process asks. */
const test = concurrent.sequential;

const NOW = new Date("2030-06-20T15:30:00Z");
const RANGE = { period: "custom", from: "2030-06-05", to: "2030-06-20" };
const MONTHS = ["2030_03", "2030_04", "2030_05", "2030_06", "2030_07", "2030_08"];

const CAMPAIGN = "utm_source=google&utm_medium=organic&utm_campaign=c&utm_term=t&utm_content=o";

/** What the visits of the world are, by every dimension; `''` is unknown. */
const WORDS: Record<Exclude<DimensionKey, "hostname">, string> = {
  ...{ page: "/a", entry_page: "/a", exit_page: "/a", title: "A", event: "Signup" },
  ...{ source: "Google", referrer: "google.com", channel: "Organic Search" },
  ...{ utm_source: "google", utm_medium: "organic", utm_campaign: "c", utm_term: "t", utm_content: "o" },
  ...{
    country: "US",
    region: "California",
    city: "Mountain View",
    language: "en-US",
    screen: "Desktop (1440 px and more)",
  },
  ...{ device: "Desktop", browser: "Chrome", browser_version: "142", os: "Windows", os_version: "10" },
  ...{ traffic: "human", bot: "" },
};

/** Two sites with a visit in each of several months. */
async function world(): Promise<TestSite> {
  for (const month of MONTHS) await db().$executeRaw`SELECT facts.add_month(${`${month.replace("_", "-")}-01`}::date)`;
  const [site, other] = [await makeSite(), await makeSite()];
  for (const [index, month] of MONTHS.entries()) {
    for (const one of [site, other]) {
      const sending = { at: new Date(`${month.replace("_", "-")}-12T10:0${index}:00Z`), address: "8.8.8.8" };
      const visit = { title: "A", referrer: "https://www.google.com/", language: "en-US", screen: "1920" };
      await send(one, { name: "pageview", url: `https://${one.host}/a?${CAMPAIGN}`, ...visit }, sending);
      await send(one, { name: "Signup", path: "/a", props: { plan: "pro" } }, sending);
    }
  }
  return site;
}

/** What is saved under the names that examples use, so that they are about something. */
async function save(site: TestSite): Promise<void> {
  const moment = { createdAt: NOW, updatedAt: NOW };
  const own = { siteId: site.id, ...moment };
  const names = [...OPERATIONS.values()].flatMap(({ example }) => (example as { funnel?: string }).funnel ?? []);
  const steps = [
    { kind: "page", pattern: "/**" },
    { kind: "event", pattern: "Signup" },
  ];
  for (const name of new Set(["Buying", ...names])) await db().funnel.create({ data: { ...own, name, steps } });
  await db().goal.create({ data: { ...own, name: "Read", kind: "page", pattern: "/a/**" } });
  const variants = ["old", "new"].map((name) => ({ name, weight: 1 }));
  await db().experiment.create({ data: { ...own, name: "Button", variants, goal: "Read" } });
}

/** A condition that is met where the word is this. */
function met(word: string, operator: Operator): object {
  const value: Record<Operator, string> = {
    ...{ is: word, contains: word, starts_with: word },
    ...{ is_not: "nothing", not_contains: "nothing", matches: word === "" ? "^$" : "." },
  };
  return word === "" && ["contains", "starts_with"].includes(operator) ? { is: "" } : { [operator]: value[operator] };
}

const OPERATOR_NAMES = Object.keys(OPERATORS) as Operator[];

/**
 * Every dimension, a property and goals, with all operators in turn. Visits of the world meet all of these: of a condition
 * that nothing meets Postgres sees so at once, and has no plan.
 */
function everyFilter({ host }: TestSite, turn: number): Record<string, unknown> {
  const words = Object.entries({ ...WORDS, hostname: host, "prop:plan": "pro" });
  const conditions = words.map(([key, word], index) => {
    return [key, met(word, OPERATOR_NAMES[(index + turn) % OPERATOR_NAMES.length] as Operator)];
  });
  return { ...Object.fromEntries(conditions), "goal:Read": "no", "goal:Signup": "yes" };
}

/** What besides its example an operation is asked, where one question does not show all of its statements. */
const MORE: Record<string, object[]> = {
  "analytics.explore": [
    {},
    { dimensions: "page", metrics: "visitors,pageviews", sort: "" },
    { dimensions: "entry_page,exit_page,event", metrics: "visitors,events", sort: "" },
    { dimensions: "country,city,browser", metrics: "bounce_rate,visit_duration", sort: "" },
    { dimensions: "traffic", metrics: "visits", sort: "" },
  ],
  "analytics.chart": [{ interval: "hour" }, { interval: "day" }, { interval: "month" }],
  "analytics.filter_options": [...Object.keys(DIMENSIONS), "prop:plan"].map((field) => ({ field })),
};

interface Statement {
  text: string;
  values: unknown[];
}

/** The statements about facts that were asked while this worked. */
async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const asked: Statement[] = [];
  const real = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: never[]) {
    const [query, values] = args as unknown as [string | Partial<Statement>, unknown[] | undefined];
    const { text = "", values: own = [] } = typeof query === "string" ? { text: query } : query;
    if (/^\s*(SELECT|WITH)\b[\s\S]*\bfacts\./.test(text)) asked.push({ text, values: values ?? own });
    return Reflect.apply(real, this, args);
  } as never);
  try {
    await work();
    return asked;
  } finally {
    spy.mockRestore();
  }
}

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: Plan[];
  [detail: string]: unknown;
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
const CONDITIONS = ["Index Cond", "Recheck Cond", "Filter"];
const conditionsOf = (node: Plan) => CONDITIONS.map((name) => node[name] ?? "").join(" ");

/** What is wrong with how a table is read; null when nothing is. */
function faultOf(node: Plan, siteId: number, months: string[]): string | null {
  const table = node["Relation Name"];
  if (!table) return null;
  const conditions = conditionsOf(node);
  const about = `${node["Node Type"]} of ${table} by ${conditions}`;
  const isFact = /^(event|visit)_(\d{4}_\d\d)$/.exec(table);
  if (isFact && !months.includes(isFact[2] as string)) return `another month: ${about}`;
  if (!new RegExp(`\\bsite_id\\)? = (${siteId}\\b|\\$?[a-z_]+\\.site_id|site_id)`).test(conditions)) {
    return `not by the site: ${about}`;
  }
  if (node["Node Type"] === "Seq Scan") return `without an index: ${about}`;
  if (!isFact) return null;
  const moment = isFact[1] === "event" ? "ts" : "started";
  // A bound of the moment itself may be that of its month: it counts only where an index has it.
  const sought = ["Index Cond", "Recheck Cond"].map((name) => node[name] ?? "").join(" ");
  const bounded = (sign: string) =>
    new RegExp(`date_bin\\([^)]*\\b${moment}\\b[^)]*\\) ${sign} `).test(conditions) ||
    new RegExp(`\\b${moment} ${sign} `).test(sought);
  return bounded(">=?") && bounded("<=?") ? null : `without bounds of time: ${about}`;
}

test("no statement of any report reads another site or another month, or facts without an index, with all filters set", async () => {
  const site = await world();
  await save(site);
  const client = new pg.Client({ connectionString: inject("databaseUrl") });
  await client.connect();
  // These tables are small: the question is whether an index could answer, not whether it pays here.
  await client.query("SET enable_seqscan = off; SET plan_cache_mode = force_custom_plan");
  const reading = [...OPERATIONS.values()].filter(({ scope }) => scope === "analytics:read");
  const scanned = new Map<string, number>();
  const turns = [0, 1, 2].map((turn) => [`every filter, turn ${turn}`, everyFilter(site, turn)] as const);
  const { event: _, ...nameless } = everyFilter(site, 0);
  const narrowings = {
    ...Object.fromEntries(turns),
    "every filter but a name": nameless,
    "a page and a goal": { page: "/a", "goal:Signup": "yes" },
    "an exit page": { exit_page: { contains: "a" } },
  };
  for (const { id, example } of reading) {
    for (const [compare, months] of [
      ["none", ["2030_06"]],
      ["previous_period", ["2030_05", "2030_06"]],
    ] as const) {
      for (const more of MORE[id] ?? [{}]) {
        for (const [narrowing, filters] of Object.entries(narrowings)) {
          const asked = `${id} by ${narrowing}`;
          const input = { ...example, ...RANGE, ...more, site_id: site.id, filters, compare };
          const statements = await statementsOf(() => call(site.ownerId, id, input, NOW));
          for (const { text, values } of statements) {
            const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
            const nodes = nodesOf(rows[0]["QUERY PLAN"][0].Plan);
            for (const node of nodes) {
              expect(faultOf(node, site.id, [...months]), `${id}: ${text}`).toBeNull();
              const isFact = /^(event|visit)_\d/.test(node["Relation Name"] ?? "");
              if (isFact) scanned.set(asked, (scanned.get(asked) ?? 0) + 1);
            }
          }
        }
      }
    }
  }
  await client.end();
  const unread = reading.flatMap(({ id }) =>
    Object.keys(narrowings).flatMap((narrowing) =>
      scanned.has(`${id} by ${narrowing}`) ? [] : `${id} by ${narrowing}`,
    ),
  );
  // What these read has no name, and a condition on one is met by none of it.
  const withoutNames = ["analytics.experiments", "analytics.vitals"];
  const expected = withoutNames.flatMap((id) => turns.map(([narrowing]) => `${id} by ${narrowing}`));
  expect(unread, "questions that read no facts, so that nothing was held").toEqual(expected);
}, 120_000);

test("what reports read of sealed days is found by the site and an index, too", async () => {
  const site = await world();
  await save(site);
  await sealSite(site.id, "UTC", NOW);
  const client = new pg.Client({ connectionString: inject("databaseUrl") });
  await client.connect();
  await client.query("SET enable_seqscan = off; SET plan_cache_mode = force_custom_plan");
  const read = new Set<string>();
  for (const { id, example } of [...OPERATIONS.values()].filter(({ scope }) => scope === "analytics:read")) {
    for (const filters of [{}, { country: "US" }, { page: "/a", "goal:Signup": "yes" }]) {
      const input = { ...example, ...RANGE, site_id: site.id, filters, compare: "previous_period" };
      for (const { text, values } of await statementsOf(() => call(site.ownerId, id, input, NOW))) {
        const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
        for (const node of nodesOf(rows[0]["QUERY PLAN"][0].Plan)) {
          expect(faultOf(node, site.id, ["2030_05", "2030_06"]), `${id}: ${text}`).toBeNull();
          if (node["Relation Name"]) read.add(node["Relation Name"]);
        }
      }
    }
  }
  await client.end();
  expect([...read]).toEqual(expect.arrayContaining(["sealed", "rollup", "packed", "sale"]));
}, 60_000);
