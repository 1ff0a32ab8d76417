import { expect, test } from "vitest";
import { readView, type SearchParams } from "@/components/reports/view";
import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import { queryAs } from "@/lib/gateway/execute";
import { db } from "@/lib/platform/db";
import { makeSite, send, type TestSite } from "@/lib/testing/world";
import { detailsOfView } from "./details-of";

const NOW = new Date("2025-03-12T15:30:00Z");

/** Sends one pageview per visitor. Tests map the languages to countries. */
async function read(site: TestSite, pages: readonly string[], languages: readonly string[] = []): Promise<void> {
  for (const [index, path] of pages.entries()) {
    const event = { name: "pageview", url: `https://${site.host}${path}`, language: languages[index] };
    await send(site, event, { at: new Date("2025-03-12T09:00:00Z"), address: `198.51.100.${index + 1}` });
  }
}

const details = (
  site: TestSite,
  dimension: DimensionKey,
  q = "",
  address: SearchParams = {},
  page = 1,
  sort = "-visitors",
) =>
  detailsOfView(
    { as: queryAs({ kind: "owner", personId: site.ownerId }), siteId: site.id, now: NOW },
    readView({ period: "today", ...address }),
    { dimension, q, sort, page, known: null },
  );
const texts = async (...args: Parameters<typeof details>) => (await details(...args)).rows.map(({ text }) => text);

test("all values of a dimension are returned with the metrics that apply to it", async () => {
  const site = await makeSite();
  await read(site, ["/a", "/a", "/b"]);
  const pages = await details(site, "page");
  expect(pages.metrics.slice(0, 3)).toEqual(["visitors", "visits", "pageviews"]);
  expect(pages.rows.map(({ value, numbers }) => [value, ...numbers.slice(0, 3)])).toEqual([
    ["/a", 2, 2, 2],
    ["/b", 1, 1, 1],
  ]);
  const sources = await details(site, "source");
  expect(sources.metrics).toEqual(["visitors", "visits", "pageviews", "bounce_rate", "visit_duration"]);
  const direct = { value: "", text: "Direct or unknown", icon: "glyph-direct" };
  expect(sources.rows).toEqual([{ ...direct, numbers: [3, 3, 3, 1, 0], before: null }]);
});

test("a search finds substrings literally and ignoring case, combined with the filters of the view", async () => {
  const site = await makeSite();
  await read(site, ["/Blog/a.b", "/blog/axb", "/shop"]);
  expect(await texts(site, "page", "BLOG")).toEqual(["/Blog/a.b", "/blog/axb"]);
  expect(await texts(site, "page", "A.B")).toEqual(["/Blog/a.b"]);
  expect(await texts(site, "page", "(")).toEqual([]);
  expect(await texts(site, "page", "blog", { "filters[page][matches]": "x" })).toEqual(["/blog/axb"]);
  const both = { "filters[page][matches]": "x", "filters[page][contains]": "blog" };
  await expect(details(site, "page", "a", both)).rejects.toMatchObject({ code: "invalid_input" });
  expect(await texts(site, "page", "", both)).toEqual(["/blog/axb"]);
});

test("countries are searched and sorted by name", async () => {
  const site = await makeSite();
  await read(site, ["/", "/", "/"], ["de", "en", "nl"]);
  await db().$executeRaw`
    UPDATE facts.place SET country = CASE language WHEN 'de' THEN 'DE' WHEN 'en' THEN 'US' ELSE '' END
    WHERE site_id = ${site.id}`;
  expect(await texts(site, "country", "united st")).toEqual(["United States"]);
  expect(await texts(site, "country", "de")).toEqual(["Germany"]);
  const others = await texts(site, "country", "", { "filters[country][is_not]": "DE" });
  expect(others.sort()).toEqual(["United States", "Unknown"]);
  const named = async (sort: string) => (await details(site, "country", "", {}, 1, sort)).rows.map(({ text }) => text);
  expect(await named("country")).toEqual(["Germany", "United States", "Unknown"]);
  expect(await named("-country")).toEqual(["United States", "Germany", "Unknown"]);
});

test("any column sorts the whole list, and each row has its value of the comparison range", async () => {
  const site = await makeSite();
  await read(site, ["/a", "/a", "/b"]);
  const before = { at: new Date("2025-03-11T09:00:00Z"), address: "198.51.100.9" };
  await send(site, { name: "pageview", url: `https://${site.host}/b` }, before);
  const sorted = async (sort: string) =>
    (await details(site, "page", "", { compare: "previous_period" }, 1, sort)).rows.map(({ text, numbers, before }) => [
      text,
      numbers[0],
      before?.[0] ?? null,
    ]);
  expect(await sorted("visitors")).toEqual([
    ["/b", 1, 1],
    ["/a", 2, null],
  ]);
  expect(await sorted("page")).toEqual([
    ["/a", 2, null],
    ["/b", 1, 1],
  ]);
  await expect(sorted("bounce_rate")).rejects.toMatchObject({ code: "invalid_input" });
});

test("further values are on the next pages", async () => {
  const site = await makeSite();
  await read(
    site,
    Array.from({ length: 27 }, (_, index) => `/${index}`),
  );
  const [first, second] = [await details(site, "page"), await details(site, "page", "", {}, 2)];
  expect([first.rows.length, first.more, second.rows.length, second.more]).toEqual([25, true, 2, false]);
  const last = await details(site, "page", "", {}, 2, "-page");
  expect(last.rows.map(({ text }) => text)).toEqual(["/1", "/0"]);
  expect(new Set([...first.rows, ...second.rows].map(({ value }) => value)).size).toBe(27);
});

test("invalid filters are refused", async () => {
  const site = await makeSite();
  for (const filters of ['{"moon":"full"}', "{"]) {
    await expect(details(site, "page", "", { filters })).rejects.toMatchObject({ code: "invalid_input" });
  }
});
