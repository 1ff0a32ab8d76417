import { expect, test } from "vitest";
import { call } from "@/lib/testing/calls";
import { postEvents, siteWithKey } from "@/lib/testing/measuring";
import { rowsOf } from "@/lib/testing/rows";
import { post, type TestSite } from "@/lib/testing/world";

/** Names and amounts as people and programs write them, in both APIs. */

const DAY = "2025-03-12";
const AT = `${DAY}T10:00:00Z`;
const day = ({ id }: TestSite) => ({ site_id: id, from: DAY, to: DAY });

interface Answer {
  status: string;
  message: string;
}
type Sends = (site: TestSite, key: string, event: object) => Promise<Answer>;

const byEventsApi: Sends = async (site, _, event) => {
  const { status, error } = await (await post(site, { name: "Signup", ...event }, { at: AT })).json();
  return { status: status ?? error.code, message: error?.message ?? "" };
};
const byBatch: Sends = async (_, key, event) => {
  const { props, exposure, session_id, ...rest } = { session_id: "s-1", ...event } as Record<string, unknown>;
  const type = exposure ? "experiment" : "event";
  const sent = { type, name: "Signup", ...rest, properties: props ?? exposure, context: { session_id } };
  const { body } = await postEvents([sent], { key, at: AT });
  const [result] = body.results;
  return { status: result?.code ?? result?.status ?? "", message: result?.message ?? "" };
};
const APIS = [
  ["the Events API", byEventsApi],
  ["the Measurement Protocol", byBatch],
] as const;

const SPELLINGS = ["Signup", "Signup ", " Signup", "Sign\u200bup", "\ufeffSignup\u00a0", "\u202dSign\u2060up"];

const moneyOf = (site: TestSite) =>
  rowsOf<{ revenue: string; currency: string }[]>`
    SELECT revenue::text, currency FROM facts.event WHERE site_id = ${site.id} ORDER BY seq`;

test.each(APIS)(
  "by %s, spellings of a name that look the same are one event, property and variant",
  async (_, send) => {
    const { site, key } = await siteWithKey();
    for (const name of SPELLINGS) {
      expect(await send(site, key, { name, props: { [name.replace("Signup", "plan")]: "pro" } })).toMatchObject({
        status: "stored",
      });
      await send(site, key, { name: "shown", exposure: { experiment: name, variant: ` ${name}` } });
    }
    await send(site, key, { name: "Cafe\u0301" });
    await send(site, key, { name: "Caf\u00e9" });
    const { events } = await call(site.ownerId, "analytics.events", day(site));
    expect(events).toMatchObject([
      { event: "Signup", count: SPELLINGS.length },
      { event: "Caf\u00e9", count: 2 },
    ]);
    const stored = await rowsOf<object[]>`
    SELECT DISTINCT name.name, props->>'variant' AS variant FROM facts.event AS event
    JOIN facts.name AS name ON name.site_id = event.site_id AND name.id = event.name
    WHERE event.site_id = ${site.id} AND type = 7`;
    expect(stored).toEqual([{ name: "Signup", variant: "Signup" }]);
  },
);

test("a typed name finds its event in filters, goals, funnels, journeys, searches and the report of one event", async () => {
  const { site, key } = await siteWithKey();
  await byBatch(site, key, { name: "Buy now", props: { "the plan": "pro" } });
  await byBatch(site, key, { name: "Thanks" });
  const read = (op: string, input: object) => call(site.ownerId, op, { ...day(site), ...input });
  const typed = " Buy\u200b  now\u00a0";
  for (const filters of [
    { event: typed },
    { event: ["Nothing", typed] },
    { event: { contains: "uy\u200b\u00a0n" } },
    { event: { starts_with: "Buy\u00a0" } },
    { "prop:the\u00a0plan ": "pro" },
    { [`goal:${typed}`]: "yes" },
  ]) {
    const { metrics } = await read("analytics.overview", { filters });
    expect([filters, metrics.visitors]).toEqual([filters, 1]);
  }
  const { metrics } = await read("analytics.overview", { filters: { event: { is_not: typed } } });
  expect(metrics.events).toBe(1);
  const { funnels } = await read("analytics.funnels", { funnel: `event:${typed} > event:Thanks\u200b` });
  expect(funnels[0].entered).toBe(1);
  const { event } = await read("analytics.events", { event: typed });
  expect(event).toMatchObject({ count: 1 });
  const { options } = await read("analytics.filter_options", { field: "event", q: "uy\u00a0no\u200b" });
  expect(options).toEqual([{ value: "Buy now", visitors: 1 }]);
  const goal = { site_id: site.id, name: "Bought\u200b ", reached_by: { kind: "event", pattern: typed } };
  expect(await call(site.ownerId, "sites.goals.save", goal)).toMatchObject({
    name: "Bought",
    reached_by: { pattern: "Buy now" },
  });
});

test.each(APIS)("by %s, amounts, currencies and ids are taken as programs write them", async (_, send) => {
  const { site, key } = await siteWithKey();
  const sent = [
    { revenue: { amount: "49.90 ", currency: "usd" } },
    { revenue: { amount: "\t49.90", currency: " Usd\n" } },
    { name: "Donation", props: { revenue: " 49.90 ", currency: "usd " } },
  ];
  for (const event of sent) expect(await send(site, key, event)).toMatchObject({ status: "stored" });
  expect(await moneyOf(site)).toEqual(sent.map(() => ({ revenue: "49.90", currency: "USD" })));
});

test.each(APIS)(
  "by %s, a user id or session id as a number is the same as its text, with or without spaces",
  async (_, send) => {
    const { site, key } = await siteWithKey();
    for (const id of [42, "42", " 42 ", "4\u200b2"]) {
      expect(await send(site, key, { user_id: id })).toMatchObject({ status: "stored" });
    }
    const users = await rowsOf<object[]>`
    SELECT DISTINCT user_hash FROM facts.event WHERE site_id = ${site.id}`;
    expect(users).toHaveLength(1);
    for (const session_id of [7, "7 "]) {
      expect(await send(site, key, { name: "Read", session_id })).toMatchObject({ status: "stored" });
    }
    const sessions = await rowsOf<object[]>`
    SELECT DISTINCT visit_id FROM facts.event AS event
    JOIN facts.name AS name ON name.site_id = event.site_id AND name.id = event.name
    WHERE event.site_id = ${site.id} AND name.name = 'Read'`;
    expect(sessions).toHaveLength(1);
  },
);

test.each(APIS)("by %s, what cannot be understood is refused with the field and what it must be", async (_, send) => {
  const { site, key } = await siteWithKey();
  const cases: [event: object, message: RegExp][] = [
    [{ revenue: { amount: 1, currency: "€" } }, /revenue\.currency must be an ISO 4217 currency code of three letters/],
    [{ revenue: { amount: 1, currency: "EURO" } }, /revenue\.currency must be an ISO 4217/],
    [{ revenue: { amount: "49,90", currency: "EUR" } }, /revenue\.amount must be a number or a decimal string/],
    [{ user_id: true }, /user_id must be text of 1 to 255 characters, or a number/],
    [{ user_id: " \u200b" }, /user_id must have 1 to 255 characters/],
    [{ name: "\u200b\u200d " }, /name must/],
    [{ props: { plan: 1, "plan ": 2 } }, /has two properties whose names differ only in spaces/],
  ];
  for (const [event, message] of cases) {
    expect(await send(site, key, event)).toEqual({ status: "invalid_input", message: expect.stringMatching(message) });
  }
  expect(await moneyOf(site)).toEqual([]);
});
