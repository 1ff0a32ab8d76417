import { expect, test } from "vitest";
import { execute } from "@/lib/gateway/execute";
import filterOptions from "@/lib/operations/analytics.filter_options";
import { db } from "@/lib/platform/db";
import { asOwner } from "@/lib/testing/reports";
import { rowsOf } from "@/lib/testing/rows";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = "2025-03-12T15:30:00Z";

const ask = async (site: TestSite, field: string, input: object = {}) =>
  (await execute(filterOptions, asOwner(site, { field, ...input }, NOW))).data;
const pairs = async (...args: Parameters<typeof ask>) =>
  (await ask(...args)).options.map(({ value, visitors }) => [value, visitors]);

let people = 0;
async function view(site: TestSite, path: string, at: string, event?: object) {
  people++;
  const sending = { at, address: `10.4.${people >> 8}.${people & 255}` };
  await send(site, path, sending);
  if (event) await send(site, { path, ...event }, sending);
}

async function world(): Promise<TestSite> {
  const site = await makeSite();
  await view(site, "/old-blog", "2024-01-01T09:00:00Z");
  await view(site, "/blog/a", "2025-03-10T09:00:00Z", { name: "Signup", props: { plan: "Pro", seats: 5 } });
  await view(site, "/blog/a", "2025-03-11T09:00:00Z");
  await view(site, "/Blog/b", "2025-03-12T09:00:00Z", { name: "Signup", props: { plan: "Free" } });
  await view(site, "/pricing", "2025-03-12T10:00:00Z");
  return site;
}

test("matching values have their visitors, and values from before the range come last", async () => {
  const site = await world();
  const expected = [
    ["/blog/a", 2],
    ["/Blog/b", 1],
    ["/old-blog", 0],
  ];
  expect(await pairs(site, "page", { q: "BLOG" })).toEqual(expected);
  expect(await pairs(site, "page", { search: "blog" })).toEqual(expected);
  expect(await pairs(site, "page", { q: "blog", search: "/a" })).toEqual([["/blog/a", 2]]);
  expect(await pairs(site, "page", { q: "%" })).toEqual([]);
  const { options, meta } = await ask(site, "page", { limit: 2 });
  expect([options.length, meta.truncated, meta.row_limit]).toEqual([2, true, 2]);
});

test("prop lists property names, prop:<name> its values, and goal and event their names", async () => {
  const site = await world();
  expect(await pairs(site, "prop")).toEqual([
    ["plan", 2],
    ["seats", 1],
  ]);
  expect(await pairs(site, "prop:plan", { q: "pro" })).toEqual([["Pro", 1]]);
  expect(await pairs(site, "prop:seats")).toEqual([["5", 1]]);
  expect(await pairs(site, "event")).toEqual([["Signup", 2]]);
  const moment = { createdAt: new Date(NOW), updatedAt: new Date(NOW) };
  await db().goal.create({ data: { siteId: site.id, ...moment, name: "Read", kind: "page", pattern: "/blog/**" } });
  expect(await pairs(site, "goal", { q: "re" })).toEqual([["Read", null]]);
});

test("a product has its name beside its id and is found by both; other values have no name", async () => {
  const site = await makeSite();
  const item = { product_id: "sku-17", name: "Green tea" };
  const items = JSON.stringify([item, { name: "Mug" }]);
  await view(site, "/tea", "2025-03-10T09:00:00Z", { name: "product_viewed", props: { ...item } });
  await view(site, "/cart", "2025-03-11T09:00:00Z", { name: "cart_added", props: { items } });
  await view(site, "/cup", "2025-03-11T10:00:00Z", { name: "product_viewed", props: { product_id: "sku-18" } });
  const asked = async (...args: Parameters<typeof ask>) => (await ask(...args)).options;
  const tea = { value: "sku-17", name: "Green tea", visitors: 2 };
  expect(await asked(site, "product")).toEqual([
    tea,
    { value: "sku-18", visitors: 1 },
    { value: "Mug", name: "Mug", visitors: 1 },
  ]);
  expect(await asked(site, "product", { q: "green", search: "17" })).toEqual([tea]);
  expect(await asked(site, "product", { q: "mug", filters: { product: "sku-17" } })).toEqual([
    { value: "Mug", name: "Mug", visitors: 1 },
  ]);
  expect(await asked(site, "page", { q: "tea" })).toEqual([{ value: "/tea", visitors: 1 }]);
});

test("an unknown field is refused with the list of valid ones", async () => {
  const site = await makeSite();
  await expect(ask(site, "colour")).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("country"),
  });
  for (const field of ["country", "traffic", "bot", "prop:none", "goal"]) {
    expect(Array.isArray((await ask(site, field)).options)).toBe(true);
  }
});

test("values of other sites are not returned", async () => {
  const [site, other] = [await makeSite(), await world()];
  expect(await pairs(site, "page")).toEqual([]);
  const [stored] = await rowsOf<{ rows: number }[]>`
    SELECT count(*)::int AS rows FROM facts.page WHERE site_id = ${other.id}`;
  expect(stored?.rows).toBeGreaterThan(0);
});
