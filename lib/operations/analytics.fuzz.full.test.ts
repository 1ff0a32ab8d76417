import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { OPERATORS } from "@/lib/analytics/query/conditions";
import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { manage } from "@/lib/api/management";
import { PERIODS } from "@/lib/contract/vocabulary";
import { OPERATIONS } from "@/lib/operations/index";
import { makeClient, makeSite, send, type TestSite } from "@/lib/testing/world";

/** Fuzzes the filters of every report with all kinds of shapes. */

const RUNS = 25;
const SEED = 20_261_120;
const NOW = Date.parse("2025-03-12T15:30:00Z");

const PATTERNS = [
  ...String.raw`(a+)+$ (a*)*b ((a|aa)+)+$ (.*)\1\1\1\1 (.+)+(.+)+(.+)+\1\2 ^(([a-z])+.)+[A-Z]([a-z])+$`.split(" "),
  ...String.raw`(x{200}){200} ((((a{9}){9}){9}){9}){9} .{255}{255} a{256} ( ) [ * \ (?<a>x) (?P<a>x)`.split(" "),
  ...String.raw`*** ***=( ***:x (?z)x (?i)A (?=a)(?!b) (?<=a)b [[:alpha:] [[.x.]] \y\m\M \u12 \x`.split(" "),
  ...["(".repeat(128) + ")".repeat(128), "a?".repeat(128), "|".repeat(256)],
  ...["[a-z]".repeat(51), "x".repeat(257), "é{1,255}"],
];
const WORDS = [
  ...[
    "",
    " ",
    "/a",
    "FR",
    "Signup",
    "pro",
    "human",
    "null",
    "true",
    "yes",
    "no",
    "0",
    "%",
    "_",
    "\\",
    "'",
    '"',
    "';--",
  ],
  ...["\u0000", "a\u0000", "\ud800", "\u202e", "😀".repeat(300), "x".repeat(2049), "x".repeat(2048)],
  ...["{}", "[]", `$\{1}`, "$1"],
];
const KEYS = [
  ...Object.keys(DIMENSIONS),
  ...["prop:plan", "prop:", "prop:'", "prop:a.b", `prop:${"x".repeat(256)}`, "prop:\u0000", "prop:\ud800", "prop:x\ny"],
  ...["goal:Signup", "goal:Read", "goal:", "goal:none", `goal:${"x".repeat(255)}`],
  ...["planet", "", "__proto__", "constructor", "PAGE"],
];

const deep = (levels: number): unknown => (levels === 0 ? "x" : { is: deep(levels - 1) });
const ODD = [...[null, true, false, 0, -1.5, 2 ** 53, 1e300], ...[[], {}, [[]], [null]], ...[3, 9, 500].map(deep)];
const word = fc.oneof(fc.constantFrom(...WORDS, ...PATTERNS), fc.string({ unit: "binary", maxLength: 20 }));
const value = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 1, arbitrary: fc.constantFrom(...ODD) },
  { weight: 2, arbitrary: fc.array(word, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constant(Array(101).fill("a")) },
);
const operator = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...Object.keys(OPERATORS)) },
  { weight: 1, arbitrary: fc.constantFrom("like", "", "__proto__", "toString", "IS") },
);
const condition = fc.oneof(value, fc.dictionary(operator, value, { maxKeys: 3 }));
const filters = fc.oneof(
  { weight: 12, arbitrary: fc.array(fc.tuple(fc.constantFrom(...KEYS), condition), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant(KEYS.map((key) => [key, "a"] as [string, unknown])) },
);
const when = fc.oneof(
  fc.constantFrom(...Object.keys(PERIODS)).map((period): object => ({ period })),
  fc.constantFrom(
    { from: "2015-03-12", to: "2025-03-12" },
    { from: "1970-01-01", to: "1979-12-31" },
    { from: "2025-03-12", to: "2025-03-01" },
    { from: "2090-01-01", to: "2100-12-31" },
    { from: "0001-01-01" },
    { from: "9999-12-31" },
    {},
  ),
);
const compare = fc.constantFrom("none", "previous_period", "year_over_year");
const traffic = fc.constantFrom("human", "all", "bot", "suspicious");

/** Formats filters as JSON, or with brackets, which allow more shapes than JSON. */
function formatFilters(conditions: [string, unknown][], brackets: boolean): [string, string][] {
  if (!brackets)
    return [["filters", `{${conditions.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`).join()}}`]];
  return conditions.flatMap(([key, one]): [string, string][] => {
    if (Array.isArray(one)) return one.map((item) => [`filters[${key}][]`, `${item}`]);
    if (typeof one !== "object" || one === null) return [[`filters[${key}]`, `${one}`]];
    return Object.entries(one).map(([operator, item]) => [`filters[${key}][${operator}]`, `${item}`]);
  });
}

let site: TestSite;
beforeAll(async () => {
  site = await makeSite({ timezone: "Asia/Kathmandu" });
  for (const [index, path] of ["/a", `/${"a".repeat(62)}b`, "/é"].entries()) {
    const at = `2025-03-12T1${index}:00:00Z`;
    await send(site, path, { at });
    await send(site, { name: "Signup", path, props: { plan: "a".repeat(200), deep: "x" } }, { at });
  }
});

// Sequential, so that the time of a report is its own.
test.sequential.for([...OPERATIONS.values()].filter(({ id }) => id.startsWith("analytics.")))(
  "no filter of any shape makes $id fail",
  async ({ id, example }) => {
    let calls = 0;
    const statuses = new Set<number>();
    const owned = { sites: [site], personId: site.ownerId, now: new Date(NOW) };
    const { token } = await makeClient({ scopes: ["analytics:read"], ...owned });
    const property = fc.asyncProperty(
      filters,
      when,
      compare,
      traffic,
      fc.boolean(),
      async (conditions, range, ...rest) => {
        const [compared, seen, brackets] = rest;
        const own = { ...example, period: "", site_id: site.id, compare: compared, traffic: seen, ...range };
        const query = Object.entries(own)
          .filter(([name]) => name !== "filters")
          .map(([name, one]) => [name, `${one}`]);
        const pairs = [...query, ...formatFilters(conditions, brackets)] as [string, string][];
        const request = {
          method: "GET",
          query: new URLSearchParams(pairs.map(([name, one]) => [name, one.toWellFormed()])),
          header: (name: string) => (name === "authorization" ? `Bearer ${token}` : null),
          bytes: async () => null,
        };
        const answer = await manage(request, id, new Date(NOW + calls++ * 50));
        statuses.add(answer.status);
        expect([200, 404, 422], `${id} ${JSON.stringify(pairs)} ${answer.body.slice(0, 300)}`).toContain(answer.status);
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
    // Some calls passed input validation, and some failed it.
    expect([...statuses], id).toEqual(expect.arrayContaining([200, 422]));
  },
);
