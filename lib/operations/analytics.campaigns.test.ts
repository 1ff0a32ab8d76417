import { expect, test } from "vitest";
import campaigns from "@/lib/operations/analytics.campaigns";
import { db } from "@/lib/platform/db";
import { people, rate, reportAsOwner, shop } from "@/lib/testing/reports";
import { makeSite, type TestSite } from "@/lib/testing/world";

const NOW = "2025-03-12T15:30:00Z";
const ask = (site: TestSite, input: object = {}) => reportAsOwner(campaigns, site, { period: "today", ...input }, NOW);
const at = (time: string, day = 12) => `2025-03-${day}T${time}:00Z`;
const euros = (amount: string) => ({ amount, currency: "EUR" });
const tags = (source: string | null, medium: string | null = null, campaign: string | null = null) => ({
  source,
  medium,
  campaign,
  term: null,
  content: null,
});

/** Six visitors: two from a newsletter (one signs up and pays), two from ads, one from a link, one direct. */
async function world(): Promise<TestSite> {
  const site = await makeSite();
  const by = people(site);
  const page = (query: string) => ({ name: "pageview", url: `https://${site.host}/?${query}` });
  const mail = page("utm_source=news&utm_medium=email&utm_campaign=spring");
  await by("ann", at("09:00"), mail);
  await by("ann", at("09:01"), { name: "Signup", path: "/" });
  await by("ann", at("09:02"), { name: "Pay", path: "/", revenue: { amount: "20", currency: "EUR" } });
  await by("ann", at("09:03"), { name: "Scroll", path: "/", interactive: false });
  await by("ben", at("09:10"), mail);
  await by("cid", at("10:00"), page("utm_source=google&utm_medium=cpc"));
  await by("cid", at("10:01"), "/two");
  await by("dan", at("11:00"), { ...page("x=1"), referrer: "https://a-blog.example/" });
  await by("eve", at("12:00"), page("gclid=abc"));
  await by("fay", at("13:00"), "/");
  return site;
}

test("each campaign has its visits, bounces, conversions and revenue; untagged visits are in none", async () => {
  const { campaigns: rows, conversions_of, unconverted, comparison } = await ask(await world());
  expect(rows).toEqual([
    {
      ...tags("news", "email", "spring"),
      visitors: 2,
      visits: 2,
      bounce_rate: 0.5,
      pageviews: 2,
      conversions: 2,
      converters: 1,
      conversion_rate: 0.5,
      revenue: euros("20.00"),
    },
    {
      ...tags("google", "cpc"),
      visitors: 1,
      visits: 1,
      bounce_rate: 0,
      pageviews: 2,
      conversions: 0,
      converters: 0,
      conversion_rate: 0,
      revenue: euros("0.00"),
    },
  ]);
  expect([conversions_of, unconverted, comparison]).toEqual(["events", [], null]);
});

test("each channel lists the rules that chose it, with a description", async () => {
  const { channels } = await ask(await world());
  const summary = channels.map(
    (row: { channel: string; visitors: number; rules: { rule: string; visits: number }[] }) => [
      row.channel,
      row.visitors,
      row.rules.map(({ rule, visits }) => `${rule} ${visits}`),
    ],
  );
  expect(summary).toEqual([
    ["Email", 2, ["email 2"]],
    ["Paid Search", 2, ["click_search 1", "paid_search 1"]],
    ["Direct", 1, ["direct 1"]],
    ["Referral", 1, ["referral 1"]],
  ]);
  expect(channels[0]).toMatchObject({ conversions: 2, converters: 1, conversion_rate: 0.5, revenue: euros("20.00") });
  expect(channels[1].rules[0].when).toContain("click id");
  expect(channels[2]).toMatchObject({ visits: 1, bounce_rate: 1, pageviews: 1, revenue: euros("0.00") });
});

test("with goals, an event that reaches one or several goals is one conversion", async () => {
  const site = await world();
  const goal = { siteId: site.id, createdAt: new Date(NOW), updatedAt: new Date(NOW) };
  await db().goal.create({ data: { ...goal, name: "Joined", kind: "event", pattern: "Signup" } });
  await db().goal.create({ data: { ...goal, name: "Joined again", kind: "event", pattern: "Signup" } });
  await db().goal.create({ data: { ...goal, name: "Read on", kind: "page", pattern: "/two" } });
  const { conversions_of, campaigns: rows } = await ask(site);
  expect(conversions_of).toBe("goals");
  expect(rows.map((row: { conversions: number }) => row.conversions)).toEqual([1, 1]);
});

test("a campaign applies to the whole visit, and campaigns that differ in one tag are separate", async () => {
  const site = await makeSite();
  const by = people(site);
  const page = (query: string) => ({ name: "pageview", url: `https://${site.host}/?${query}` });
  await by("ann", at("09:00"), page("utm_source=a"));
  await by("ann", at("09:05"), page("utm_source=b"));
  await by("ben", at("09:00"), page("utm_source=a&utm_term=t&utm_content=c"));
  const { campaigns: rows } = await ask(site);
  expect(rows).toMatchObject([
    { ...tags("a"), term: "t", content: "c", visits: 1, pageviews: 1 },
    { ...tags("a"), visits: 1, pageviews: 2 },
  ]);
});

test("an order sent twice counts once, refunds are subtracted, and foreign currencies are converted", async () => {
  const site = await makeSite();
  await rate(site.id, "USD", "2025-03-01", "2");
  const server = await shop(site);
  const context = { campaign: { source: "news", name: "spring" } };
  const properties = { order_id: "A1", value: "100.00", currency: "USD" };
  await server("u1", at("09:00"), { type: "commerce", name: "purchase", properties, context });
  await server("u1", at("09:05"), { type: "commerce", name: "purchase", properties, context });
  await server("u1", at("09:10"), {
    type: "commerce",
    name: "refund",
    properties: { ...properties, value: 30 },
    context,
  });
  await server("u2", at("09:20"), {
    type: "commerce",
    name: "purchase",
    properties: { order_id: "A2", value: 5, currency: "CHF" },
    context,
  });
  const { campaigns: rows, channels, unconverted } = await ask(site);
  expect(rows).toMatchObject([{ ...tags("news", null, "spring"), conversions: 3, revenue: euros("35.00") }]);
  expect(channels).toMatchObject([{ revenue: euros("35.00") }]);
  expect(unconverted).toEqual([{ amount: "5.00", currency: "CHF" }]);
});

test("each campaign and channel has its comparison row, null if there is none", async () => {
  const site = await world();
  const by = people(site);
  const url = `https://${site.host}/?utm_source=google&utm_medium=cpc`;
  await by("gus", at("09:00", 11), { name: "pageview", url });
  await by("gus", at("09:01", 11), { name: "Signup", url });
  const { comparison } = await ask(site, { compare: "previous_period" });
  const [news, google] = comparison.campaigns;
  expect(news).toBeNull();
  expect(google).toMatchObject({ ...tags("google", "cpc"), visits: 1, conversions: 1, conversion_rate: 1 });
  expect(comparison.channels.map((row: { visits: number } | null) => row?.visits ?? null)).toEqual([
    null,
    1,
    null,
    null,
  ]);
});

test("a filter applies to campaigns and channels", async () => {
  const { campaigns: rows, channels } = await ask(await world(), { filters: { utm_medium: "cpc" } });
  expect([rows.length, rows[0].source, channels.length, channels[0].channel]).toEqual([1, "google", 1, "Paid Search"]);
});
