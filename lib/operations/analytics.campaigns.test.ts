import { expect, test } from "vitest";
import campaigns from "@/lib/operations/analytics.campaigns";
import { db } from "@/lib/platform/db";
import { people, reportAsOwner } from "@/lib/testing/reports";
import { makeSite, type TestSite } from "@/lib/testing/world";

const NOW = "2025-03-12T15:30:00Z";
const ask = (site: TestSite, input: object = {}) => reportAsOwner(campaigns, site, { period: "today", ...input }, NOW);
const at = (time: string) => `2025-03-12T${time}:00Z`;
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
      conversion_value: null,
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
      conversion_value: null,
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

test("conversions, their rate and value are those of a chosen goal or event", async () => {
  const site = await world();
  const goal = { siteId: site.id, kind: "event" as const, createdAt: new Date(NOW), updatedAt: new Date(NOW) };
  await db().goal.createMany({
    data: [
      { ...goal, name: "Joined", pattern: "Signup", value: { of: "amount", amount: "5" } },
      { ...goal, name: "Any page", kind: "page", pattern: "/**" },
    ],
  });
  const first = async (input: object) => {
    const { conversions_of, goal, campaigns } = await ask(site, input);
    const { conversions, converters, conversion_rate, conversion_value, revenue } = campaigns[0] ?? {};
    return { conversions_of, goal, conversions, converters, conversion_rate, conversion_value, revenue };
  };
  expect(await first({})).toMatchObject({ conversions_of: "goals", goal: null, converters: 2, conversion_rate: 1 });
  const revenue = euros("20.00");
  expect(await first({ goal: "Joined" })).toEqual({
    ...{ conversions_of: "goal", goal: "Joined", conversions: 1, converters: 1, conversion_rate: 0.5 },
    ...{ conversion_value: euros("5.00"), revenue },
  });
  expect(await first({ goal: "Pay" })).toEqual({
    ...{ conversions_of: "goal", goal: "Pay", conversions: 1, converters: 1, conversion_rate: 0.5 },
    ...{ conversion_value: null, revenue },
  });
  expect(await first({ goal: "Nothing" })).toMatchObject({
    conversions: 0,
    converters: 0,
    conversion_rate: 0,
    revenue,
  });
});
