import { expect, test } from "vitest";
import { OPERATIONS } from "@/lib/operations/index";
import { allArticles } from "@/lib/publish/articles/all";
import { LONGEST_QUERY, searchDocs } from "@/lib/publish/search/search";
import { fastestMs } from "@/lib/testing/fastest";

const BASE = "https://stats.footfall.dev";
const hrefs = (query: string) => searchDocs(query, BASE).map(({ href }) => href);

test("every part of every article is found by its title, with an address that exists", () => {
  const addresses = new Set(
    allArticles(BASE).flatMap(({ slug, parts }) => [`/docs/${slug}`, ...parts.map(({ id }) => `/docs/${slug}#${id}`)]),
  );
  for (const id of OPERATIONS.keys()) addresses.add(`/docs/api/${id}`);
  for (const { slug, title, parts } of allArticles(BASE)) {
    expect(hrefs(title), title).toContain(`/docs/${slug}`);
    for (const part of parts) {
      const found = hrefs(`${title} ${part.title}`);
      expect(found, `${title} ${part.title}`).toContain(`/docs/${slug}#${part.id}`);
      expect(found.filter((href) => !addresses.has(href))).toEqual([]);
    }
  }
});

test("words are found from their beginning and with small mistakes, and all of them must match", () => {
  expect(hrefs("banner cookie")).toContain("/docs/privacy#banner");
  expect(hrefs("retent")[0]).toMatch(/retention/i);
  expect(hrefs("webhoks")).toContain("/docs/webhooks");
  expect(hrefs("privacy zzzzqqqq")).toEqual([]);
});

test("an excerpt shows a word that was looked for", () => {
  for (const { excerpt, title, section } of searchDocs("consent", BASE)) {
    expect(`${excerpt} ${title} ${section}`).toMatch(/consent/i);
    expect(excerpt.length).toBeLessThan(250);
  }
});

test.each([
  "",
  "   ",
  "<script>alert(1)</script>",
  "'; DROP TABLE site; --",
  "(((((((((((((((((",
  ".*+?^()|[]{}\\",
  "\u0000\u202e",
  "__proto__ constructor toString",
  "a ".repeat(50_000),
  "x".repeat(100_000),
])("a hostile search is answered at once, by at most twenty places of the docs: %s", (query) => {
  const found = searchDocs(query, BASE);
  expect(fastestMs(() => searchDocs(query, BASE))).toBeLessThan(500);
  expect(found.length).toBeLessThanOrEqual(20);
  expect(found.every(({ href }) => href.startsWith("/docs/"))).toBe(true);
});

test("a query is cut after its longest length, so that what follows has no effect", () => {
  const padding = " ".repeat(LONGEST_QUERY);
  expect(hrefs(`privacy${padding}zzzzqqqq`)).toEqual(hrefs("privacy"));
});
