import { expect, test } from "vitest";
import { reportAsAgent } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

/** Searches in, exact numbers out. */

const NOW = new Date("2025-03-12T15:30:00Z");

const fetchReport = (site: TestSite, input: object = {}) =>
  reportAsAgent("analytics.site_search", site, { period: "7d", ...input }, NOW);

const search = (term: string, props: object = {}) => ({ name: "Search", props: { term, ...props } });

/** Sends the steps of a visit. */
async function visit(site: TestSite, number: number, steps: [string, string | object][]) {
  for (const [time, event] of steps)
    await send(site, event, { address: `198.51.100.${number}`, at: `2025-03-12T${time}Z` });
}

const ZEROS = {
  searches: 0,
  visitors: 0,
  counted_searches: 0,
  zero_result_rate: null,
  refinement_rate: null,
  exits: 0,
  exit_rate: null,
  next_pages: [],
  conversions: 0,
  conversion_rate: null,
};

test("a site without searches has zeros for counts and null for rates", async () => {
  const { total, terms, comparison, conversion_basis, meta } = await fetchReport(await makeSite());
  expect([total, terms, comparison, conversion_basis]).toEqual([{ terms: 0, ...ZEROS }, [], null, "events"]);
  expect(meta).toMatchObject({ row_limit: 100, truncated: false });
});

test("a term is normalised, and accepted under each of its property names", async () => {
  const site = await makeSite();
  await visit(site, 1, [
    ["09:00:00", search("  Red   SHOES ")],
    ["09:01:00", { name: "Search", props: { search_term: "red shoes" } }],
    ["09:02:00", { name: "Search", props: { q: "RED shoes" } }],
    ["09:03:00", { name: "Search", props: { term: "  ", keyword: "red\tshoes" } }],
    ["09:04:00", search("Äpfel")],
    ["09:05:00", { name: "Search", props: { term: " " } }],
    ["09:06:00", { name: "Search" }],
    ["09:07:00", { name: "search", props: { term: "red shoes" } }],
  ]);
  const { terms, total } = await fetchReport(site);
  expect(terms.map((row: { term: string; searches: number }) => [row.term, row.searches])).toEqual([
    ["red shoes", 4],
    ["äpfel", 1],
  ]);
  expect([total.terms, total.searches, total.visitors]).toEqual([2, 5, 1]);
});

test("a search reports what followed in its visit: another term, a page, a conversion", async () => {
  const site = await makeSite();
  await visit(site, 1, [
    ["09:00:00", "/"],
    ["09:01:00", search("shoes")],
    ["09:02:00", search("red shoes")],
    ["09:03:00", "/red"],
    ["09:04:00", "/cart"],
    ["09:05:00", { name: "Buy" }],
  ]);
  await visit(site, 2, [
    ["09:00:00", search("shoes")],
    ["09:01:00", search(" Shoes")],
    ["09:02:00", "/list"],
  ]);
  await visit(site, 3, [
    ["09:00:00", { name: "Buy" }],
    ["09:01:00", "/"],
    ["09:02:00", search("shoes")],
  ]);
  const { terms, total } = await fetchReport(site);
  expect(terms).toEqual([
    {
      term: "shoes",
      searches: 4,
      visitors: 3,
      counted_searches: 0,
      zero_result_rate: null,
      refinement_rate: 0.25,
      exits: 1,
      exit_rate: 0.25,
      next_pages: [
        { page: "/list", searches: 2 },
        { page: "/red", searches: 1 },
      ],
      conversions: 1,
      conversion_rate: 0.25,
    },
    {
      term: "red shoes",
      searches: 1,
      visitors: 1,
      counted_searches: 0,
      zero_result_rate: null,
      refinement_rate: 0,
      exits: 0,
      exit_rate: 0,
      next_pages: [{ page: "/red", searches: 1 }],
      conversions: 1,
      conversion_rate: 1,
    },
  ]);
  expect(total).toEqual({
    terms: 2,
    searches: 5,
    visitors: 3,
    counted_searches: 0,
    zero_result_rate: null,
    refinement_rate: 0.2,
    exits: 1,
    exit_rate: 0.2,
    next_pages: [
      { page: "/list", searches: 2 },
      { page: "/red", searches: 2 },
    ],
    conversions: 2,
    conversion_rate: 0.4,
  });
});

test("pages after midnight count for a search before midnight in the same visit", async () => {
  const site = await makeSite();
  const address = "198.51.100.1";
  await send(site, search("late"), { address, at: "2025-03-10T23:50:00Z" });
  await send(site, "/found", { address, at: "2025-03-11T00:05:00Z" });
  const { total } = await fetchReport(site, { from: "2025-03-10", to: "2025-03-10" });
  expect(total).toMatchObject({ searches: 1, exits: 0, next_pages: [{ page: "/found", searches: 1 }] });
  expect((await fetchReport(site, { from: "2025-03-11", to: "2025-03-11" })).total.searches).toBe(0);
});

test("the zero-result rate covers only searches that reported a number of results", async () => {
  const site = await makeSite();
  await visit(site, 1, [
    ["09:00:00", search("a", { results: 0 })],
    ["09:01:00", search("a", { results: "12" })],
    ["09:02:00", search("a", { results: "many" })],
    ["09:03:00", search("b")],
  ]);
  const { terms, total } = await fetchReport(site);
  expect(terms.map((row: { zero_result_rate: number }) => row.zero_result_rate)).toEqual([0.5, null]);
  expect([total.counted_searches, total.zero_result_rate]).toEqual([2, 0.5]);
});

test("at most 100 terms and five next pages are returned, and the totals count all", async () => {
  const site = await makeSite();
  const steps = Array.from({ length: 101 }, (_, n): [string, object] => [
    `09:${String(n % 60).padStart(2, "0")}:0${Math.floor(n / 60)}`,
    search(`t${n}`),
  ]);
  await visit(
    site,
    1,
    steps.sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  for (let page = 1; page <= 6; page++) {
    await visit(site, 10 + page, [
      ["09:00:00", search("t1")],
      ["09:01:00", `/${page}`],
    ]);
  }
  const { total, terms, meta } = await fetchReport(site);
  expect([terms.length, meta.truncated, total.terms, total.searches]).toEqual([100, true, 101, 107]);
  expect(terms[0]).toMatchObject({ term: "t1", searches: 7 });
  expect(terms[0].next_pages).toHaveLength(5);
});
