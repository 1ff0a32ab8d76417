import { expect, test } from "vitest";
import type { ListRow } from "@/components/reports/answers";
import { queryAs } from "@/lib/gateway/execute";
import { db } from "@/lib/platform/db";
import { makeSite, send, type TestSite } from "@/lib/testing/world";
import { detailsFromQuery } from "./details-of";
import { listFromQuery } from "./list-of";
import { panelsFromQuery } from "./panels-of";

const NOW = new Date("2025-03-12T15:30:00Z");
const GOOGLE = "https://www.google.com/";

const contextOf = (site: TestSite) =>
  ({ as: queryAs({ kind: "owner", personId: site.ownerId }), siteId: site.id, now: NOW, goals: true }) as const;

interface Act {
  at: string;
  path: string;
  referrer?: string;
  /** An order of so many euros. */
  pays?: string;
}

async function act(site: TestSite, address: string, { at, path, referrer, pays }: Act) {
  const event = {
    ...{ name: pays ? "purchase" : "pageview", url: `https://${site.host}${path}`, referrer, language: "de" },
    ...(pays && { props: { order_id: address + at }, revenue: { amount: pays, currency: "EUR" } }),
  };
  await send(site, event, { at: new Date(`2025-03-12T${at}Z`), address });
}

/** A visitor comes from Google, comes back by an ad with a term and pays 40 euros; another one looks. */
async function shop(): Promise<TestSite> {
  const site = await makeSite();
  await act(site, "198.51.100.1", { at: "08:00:00", path: "/", referrer: GOOGLE });
  await act(site, "198.51.100.1", { at: "12:00:00", path: "/?utm_source=ad&utm_term=shoes" });
  await act(site, "198.51.100.1", { at: "12:01:00", path: "/thanks", pays: "40.00" });
  await act(site, "198.51.100.2", { at: "12:00:00", path: "/?utm_source=ad&utm_term=shoes" });
  return site;
}

const GOAL = { kind: "event", pattern: "purchase", createdAt: NOW, updatedAt: NOW } as const;

test("a first answer, a tab that is opened and Details give each row the same conversions, rate, value and revenue, as the URL attributes them", async () => {
  const site = await shop();
  const value = { of: "amount", amount: "5" };
  await db().goal.create({ data: { ...GOAL, siteId: site.id, name: "Bought", value } });
  const context = contextOf(site);
  const outcomesBy = async (dimension: string, list: "sources" | "devices" | null, query: string) => {
    const asked = (more: string) => new URLSearchParams(`period=today&${query}&${more}`);
    const fetched = (await listFromQuery(context, asked(`list=${dimension}`))).rows;
    const first = list && (await panelsFromQuery(context, asked(""))).lists[list];
    const details = await detailsFromQuery(context, asked(`details=${dimension}`));
    const known = (rows: ListRow[]) =>
      rows.map(({ value, conversions, conversion_rate, conversion_value, revenue }) => [
        value ?? "",
        ...[conversions, conversion_rate, conversion_value, revenue].filter((one) => one !== undefined),
      ]);
    const places = details.metrics.flatMap((metric, index) =>
      ["conversions", "conversion_rate", "conversion_value", "revenue"].includes(metric) ? [index] : [],
    );
    const sorted = (rows: unknown[][]) => rows.toSorted((a, b) => `${a[0]}`.localeCompare(`${b[0]}`));
    const inDetails = details.rows.map(({ value, numbers }) => [value, ...places.map((place) => numbers[place])]);
    if (first) expect(sorted(known(first))).toEqual(sorted(known(fetched)));
    if (dimension !== "utm_term") expect(sorted(inDetails)).toEqual(sorted(known(fetched)));
    return { rows: sorted(known(fetched)), currency: details.currency };
  };
  expect(await outcomesBy("source", "sources", "goal=Bought")).toEqual({
    rows: [
      ["ad", 1, 0.5, 5, 40],
      ["Google", 0, 0, 0, 0],
    ],
    currency: "EUR",
  });
  const first = await outcomesBy("source", "sources", "goal=Bought&attribution=first");
  expect(first.rows).toEqual([
    ["ad", 0, 0, 0, 0],
    ["Google", 1, 1, 5, 40],
  ]);
  expect((await outcomesBy("utm_term", null, "goal=Bought")).rows).toEqual([["shoes", 1, 0.5, 5, 40]]);
  expect((await outcomesBy("language", null, "goal=purchase")).rows).toEqual([["de", 1, 0.5, 40]]);
  // Without a goal, a site with sales has its revenue.
  expect((await outcomesBy("device", "devices", "")).rows).toEqual([["Desktop", 40]]);
});

test("Details are sorted by what visits led to, and not by what they do not show", async () => {
  const site = await shop();
  const sortedBy = async (sort: string, query = "goal=purchase") => {
    const asked = new URLSearchParams(`period=today&${query}&details=source&details_sort=${sort}`);
    const { rows, metrics } = await detailsFromQuery(contextOf(site), asked);
    return rows.map(({ value, numbers }) => [value, numbers[metrics.indexOf(sort.replace("-", "") as "revenue")]]);
  };
  for (const sort of ["-conversions", "-revenue"]) expect((await sortedBy(sort))[0]?.[0], sort).toBe("ad");
  expect(await sortedBy("revenue")).toEqual([
    ["Google", 0],
    ["ad", 40],
  ]);
  expect((await sortedBy("-conversion_rate", "goal=purchase&attribution=first"))[0]).toEqual(["Google", 1]);
  await expect(sortedBy("-conversions", "")).rejects.toMatchObject({ code: "invalid_input" });
});

test("the rows of goals have the value of each goal, and the revenue of its events where the site has sales", async () => {
  const [site, blog] = await Promise.all([shop(), makeSite()]);
  const value = { of: "amount", amount: "2.50" };
  await act(blog, "198.51.100.1", { at: "12:00:00", path: "/" });
  for (const { id: siteId } of [site, blog]) {
    await db().goal.create({ data: { ...GOAL, siteId, name: "Bought" } });
    const page = { kind: "page", pattern: "/", value } as const;
    await db().goal.create({ data: { ...GOAL, ...page, siteId, name: "Home" } });
  }
  const goalsOf = async (of: TestSite) => {
    const { goals, goals_currency } = await panelsFromQuery(contextOf(of), new URLSearchParams("period=today"));
    return [goals_currency, ...goals.map(({ value, conversion_value, revenue }) => [value, conversion_value, revenue])];
  };
  expect(await goalsOf(site)).toEqual(["EUR", ["Home", 7.5, 0], ["Bought", undefined, 40]]);
  expect(await goalsOf(blog)).toEqual(["EUR", ["Home", 2.5, undefined]]);
});

test("a tab and Details ask for what the page shows already in one question, and give what they give without", async () => {
  const { as, ...context } = contextOf(await shop());
  const asked: string[] = [];
  const counted: typeof as = (op, call) => {
    asked.push(op.id);
    return as(op, call);
  };
  const answersOf = async (more: string) => {
    const query = new URLSearchParams(`period=today&list=source&details=source&${more}`);
    asked.length = 0;
    const answers = [
      await listFromQuery({ ...context, as: counted }, query),
      await detailsFromQuery({ ...context, as: counted }, query),
    ];
    return { answers, asked: [...asked] };
  };
  const [alone, known] = [await answersOf(""), await answersOf("outcomes=revenue")];
  expect(known.answers).toEqual(alone.answers);
  expect(known.asked).toEqual(["analytics.explore", "analytics.explore"]);
  expect(alone.asked).toContain("analytics.chart");
  await expect(answersOf("outcomes=visitors")).rejects.toMatchObject({ code: "invalid_input" });
});

test("who has no account sees no conversions and no revenue in tabs and Details", async () => {
  const { goals: _, ...context } = contextOf(await shop());
  const asked = new URLSearchParams(
    "period=today&goal=purchase&attribution=first&list=source&details=source&outcomes=conversions,revenue",
  );
  const { rows } = await listFromQuery(context, asked);
  expect(rows.flatMap((row) => Object.keys(row))).not.toContain("conversions");
  expect((await detailsFromQuery(context, asked)).metrics).not.toContain("revenue");
});
