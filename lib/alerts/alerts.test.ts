import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { sendAlerts } from "@/lib/alerts/deliver";
import { judgeValue } from "@/lib/alerts/judge-value";
import { watchRule } from "@/lib/alerts/watch";
import type { Measure } from "@/lib/contract/vocabulary";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { ingestPool } from "@/lib/platform/pool";
import { confirmRecipient } from "@/lib/sites/reports/recipients";
import { endEmails, readUnsubscribeToken } from "@/lib/sites/reports/unsubscribe";
import { call, faults, makeMember, refused } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { emailsOf, emailsTo } from "@/lib/testing/emails";
import { serversForTests } from "@/lib/testing/internet";
import { callApi, makeClient, makeSite, send } from "@/lib/testing/world";

// A run posts the due messages of all sites.
databaseForTests();
const { dns, hosted } = serversForTests();

/** A Wednesday; sites are in Berlin, an hour ahead of UTC. */
const at = (text: string) => new Date(`2041-01-${text}:00Z`);
const START = at("09T00:00");

beforeAll(async () => {
  await ingestPool().query("SELECT facts.add_month('2041-01-01'), facts.add_month('2040-12-01')");
});

const newSite = () => makeSite({ timezone: "Europe/Berlin" });
type Site = Awaited<ReturnType<typeof newSite>>;

const visits = async (site: Site, from: string, count: number, name = "/a") => {
  for (let n = 0; n < count; n++) {
    const moment = new Date(Date.parse(`2041-01-${from}:00Z`) + n * 1000).toISOString();
    await send(site, name, { at: moment, address: `203.0.113.${n + 1}` });
  }
};

const emailOf = async (personId: number) => (await db().person.findUniqueOrThrow({ where: { id: personId } })).email;

async function saveRule(site: Site, rule: object) {
  const email = await emailOf(site.ownerId);
  const input = { site_id: site.id, name: "Rule", metric: "visits", condition: "below", threshold: 1, span: "hour" };
  return call(site.ownerId, "sites.alerts.save", { ...input, channels: [{ kind: "email", email }], ...rule }, START);
}

const alertsOf = async (site: Site) => (await call(site.ownerId, "sites.alerts.list", { site_id: site.id })).alerts;

test("a rule fires once for an hour above its threshold, as soon as it is, and not again while it cools down", async () => {
  const site = await newSite();
  const { id } = await saveRule(site, { condition: "above", threshold: 2, cooldown_hours: 2 });
  await visits(site, "09T10:00", 2);
  await watchRule(site.id, id, at("09T10:10"));
  expect(await alertsOf(site)).toEqual([]);
  await visits(site, "09T10:20", 4);
  await Promise.all([1, 2, 3].map(() => watchRule(site.id, id, at("09T10:30"))));
  await watchRule(site.id, id, at("09T11:05"));
  const seen = "Visits: 4 on 9 January 2041, 11:00 to 12:00; the limit is 2.";
  expect(await alertsOf(site)).toMatchObject([{ rule_id: id, name: "Rule", seen, start: "2041-01-09T10:00:00.000Z" }]);
  await visits(site, "09T11:10", 3);
  await watchRule(site.id, id, at("09T11:20"));
  expect(await alertsOf(site)).toHaveLength(1);
  await visits(site, "09T12:35", 3);
  await watchRule(site.id, id, at("09T12:40"));
  expect(await alertsOf(site)).toHaveLength(2);
  const emails = await emailsOf(site.ownerId);
  expect(emails).toHaveLength(2);
  expect(emails[0]?.text).toContain("Visits: 4 on 9 January 2041, 11:00 to 12:00; the limit is 2.");
});

test("a rule of a site whose owners are all disabled is not judged, and a disabled member gets no alerts", async () => {
  const [alone, shared] = [await newSite(), await newSite()];
  const other = await makeMember(shared.id, "owner");
  const channels = [
    { kind: "email", email: await emailOf(shared.ownerId) },
    { kind: "email", email: await emailOf(other) },
  ];
  const over = { condition: "above", threshold: 2 };
  const rules = [await saveRule(alone, over), await saveRule(shared, { ...over, channels })];
  for (const site of [alone, shared]) await visits(site, "09T10:00", 3);
  const owners = { id: { in: [alone.ownerId, shared.ownerId] } };
  await db().person.updateMany({ where: owners, data: { disabledAt: START } });
  for (const [index, site] of [alone, shared].entries())
    await watchRule(site.id, rules[index]?.id ?? 0, at("09T10:30"));
  expect(await db().alert.count({ where: { siteId: alone.id } })).toBe(0);
  expect(await db().alert.count({ where: { siteId: shared.id } })).toBe(1);
  expect(await emailsOf(shared.ownerId)).toEqual([]);
  expect(await emailsOf(other)).toHaveLength(1);
});

test("a low value fires only after a later event of the site has shown that the data is complete", async () => {
  const site = await newSite();
  const { id } = await saveRule(site, {
    metric: "visits",
    filters: { page: "/signup" },
    condition: "below",
    threshold: 1,
  });
  await visits(site, "09T09:30", 1, "/signup");
  await watchRule(site.id, id, at("09T10:05"));
  expect(await alertsOf(site)).toEqual([]);
  // From 10:00 to 11:00 there is nothing, but neither is anything later.
  await watchRule(site.id, id, at("09T11:05"));
  expect(await alertsOf(site)).toEqual([]);
  await visits(site, "09T11:10", 1);
  await watchRule(site.id, id, at("09T11:15"));
  expect(await alertsOf(site)).toMatchObject([{ value: 0, start: "2041-01-09T10:00:00.000Z" }]);
});

test("a rule on days judges the local day of the site, with its filters, once", async () => {
  const site = await newSite();
  const { id } = await saveRule(site, {
    filters: { page: "/a" },
    condition: "below",
    threshold: 3,
    span: "day",
    cooldown_hours: 1,
  });
  // The last hour of 8 January in Berlin, then 9 January.
  await visits(site, "08T22:30", 3, "/a");
  await visits(site, "08T23:30", 1, "/a");
  await visits(site, "09T12:00", 5, "/b");
  await visits(site, "09T23:30", 1, "/b");
  for (const now of ["09T23:04", "09T23:40", "10T03:00"]) await watchRule(site.id, id, at(now));
  expect(await alertsOf(site)).toMatchObject([
    { seen: "Visits: 1 on 9 January 2041; the limit is 3.", start: "2041-01-08T23:00:00.000Z" },
  ]);
});

test("an unusual hour is judged against the same hours of the last four weeks", async () => {
  const site = await newSite();
  const { id } = await saveRule(site, { condition: "unusual", threshold: null });
  const hour = Date.parse("2041-01-30T10:00:00Z");
  const put = async (weeks: number, count: number) => {
    for (let n = 0; n < count; n++)
      await send(site, "/a", {
        at: new Date(hour - weeks * 7 * DAY_MS + n * 1000).toISOString(),
        address: `203.0.113.${n + 1}`,
      });
  };
  for (const [weeks, count] of [
    [3, 4],
    [2, 5],
    [1, 3],
    [0, 20],
  ] as const)
    await put(weeks, count);
  await watchRule(site.id, id, new Date(hour + 65 * 60_000));
  expect(await alertsOf(site)).toMatchObject([
    { value: 20, seen: expect.stringMatching(/; the same time of the last 3 weeks had 3, 5, 4\.$/) },
  ]);
});

type Fired = { name: string; value: number; seen: string };

const buy = (site: Site, moment: string, amount: string, address: string) =>
  send(
    site,
    { name: "purchase", url: `https://${site.host}/thanks`, revenue: { amount, currency: "EUR" } },
    { at: at(moment).toISOString(), address },
  );

test("a rule on the revenue of a day or of an hour counts what was sold in it, with its filters", async () => {
  const site = await newSite();
  const revenue = { metric: "revenue", condition: "above", threshold: 25 };
  const day = await saveRule(site, { ...revenue, name: "Day", span: "day" });
  const hour = await saveRule(site, { ...revenue, name: "Hour", threshold: 9 });
  const filtered = await saveRule(site, { ...revenue, name: "Filtered", span: "day", filters: { page: "/other" } });
  const none = await saveRule(site, { metric: "orders", name: "None", filters: { page: "/thanks" } });
  await visits(site, "09T09:00", 1);
  await buy(site, "09T10:10", "20.00", "203.0.113.1");
  await buy(site, "09T12:10", "8.50", "203.0.113.1");
  await visits(site, "10T00:30", 1);
  await watchRule(site.id, hour.id, at("09T11:05"));
  await watchRule(site.id, hour.id, at("09T13:05"));
  await watchRule(site.id, none.id, at("09T12:05"));
  for (const { id } of [day, filtered]) await watchRule(site.id, id, at("09T23:10"));
  const seen = (await alertsOf(site)).map(({ name, value, seen: text }: Fired) => [name, value, text]);
  expect(seen.toSorted()).toEqual([
    ["Day", 28.5, "Revenue: 28.50\u00a0EUR on 9 January 2041; the limit is 25.00\u00a0EUR."],
    ["Hour", 20, "Revenue: 20.00\u00a0EUR on 9 January 2041, 11:00 to 12:00; the limit is 9.00\u00a0EUR."],
    ["None", 0, "Orders: 0 on 9 January 2041, 12:00 to 13:00; the limit is 1."],
  ]);
});

test("a rule on conversions counts those of its goal, and of any goal without one", async () => {
  const site = await newSite();
  const stamps = { createdAt: START, updatedAt: START };
  for (const [name, pattern] of [
    ["Signed up", "Signup"],
    ["Bought", "purchase"],
  ] as const)
    await db().goal.create({ data: { siteId: site.id, name, kind: "event", pattern, ...stamps } });
  const over = { metric: "conversions", condition: "above", threshold: 1 };
  const any = await saveRule(site, { ...over, name: "Any" });
  const one = await saveRule(site, { ...over, name: "One", goal: "Signed up", threshold: 0 });
  const other = await saveRule(site, { ...over, name: "Other", goal: "Bought" });
  expect([any.goal, one.goal]).toEqual([null, "Signed up"]);
  await visits(site, "09T10:00", 1);
  await send(
    site,
    { name: "Signup", url: `https://${site.host}/a` },
    { at: at("09T10:05").toISOString(), address: "203.0.113.1" },
  );
  await buy(site, "09T10:10", "20.00", "203.0.113.1");
  for (const { id } of [any, one, other]) await watchRule(site.id, id, at("09T10:30"));
  const seen = (await alertsOf(site)).map(({ name, value }: Fired) => [name, value]);
  expect(seen.toSorted()).toEqual([
    ["Any", 2],
    ["One", 1],
  ]);
  expect(await faults(saveRule(site, { name: "Wrong", metric: "visits", goal: "Bought" }))).toEqual([
    "goal: goes with conversions, conversion_rate and conversion_value only; leave it out",
  ]);
});

test("a day without a visit has a revenue of nothing, and an average order of a few visits is never unusual", () => {
  const judged = (metric: Measure, value: number, visits: number) =>
    judgeValue({ metric, condition: "below", threshold: 10, currency: "JPY" }, { value, visits }, []);
  expect(judged("revenue", 0, 0)).toMatchObject({ fires: true, low: true, against: "the limit is 10\u00a0JPY" });
  expect(judged("average_order_value", 0, 0).fires).toBe(false);
});

test("what is unusual keeps the stated distance, and quiet sites, few weeks and few visits are never unusual", () => {
  const of = (metric: Measure, value: number, past: number[], visits = 100) =>
    judgeValue(
      { metric, condition: "unusual", threshold: null, currency: "EUR" },
      { value, visits },
      past.map((one) => ({ value: one, visits })),
    );
  // A spread is √100 = 10 visits.
  expect(of("visits", 140, [100, 100, 100, 100]).fires).toBe(false);
  expect(of("visits", 141, [100, 100, 100, 100])).toMatchObject({ fires: true, low: false });
  expect(of("visits", 59, [100, 100, 100, 100])).toMatchObject({ fires: true, low: true });
  // The median absolute deviation is 50: the limit is 150 + 4 × 74.13.
  expect(of("visits", 446, [100, 100, 200, 200]).fires).toBe(false);
  expect(of("visits", 447, [100, 100, 200, 200]).fires).toBe(true);
  // One odd week does not hide another.
  expect(of("visits", 300, [100, 100, 100, 900]).fires).toBe(true);
  expect(of("visits", 9, [0, 0, 0, 0]).fires).toBe(false);
  expect(of("visits", 500, [100, 100]).fires).toBe(false);
  expect(of("bounce_rate", 0.9, [0.4, 0.4, 0.4, 0.4], 29).fires).toBe(false);
  expect(of("bounce_rate", 0.9, [0.4, 0.4, 0.4, 0.4], 30).fires).toBe(true);
});

test("an alert reaches only confirmed addresses, and no more after one click to unsubscribe", async () => {
  const site = await newSite();
  const email = `${randomUUID()}@example.net`;
  const rule = { condition: "above", threshold: 0, cooldown_hours: 1, channels: [{ kind: "email", email }] };
  expect(await faults(saveRule(site, rule))).toEqual([
    "channels.0.email: has not confirmed; add it with sites.reports.recipients.add, and its owner opens the link in the email",
  ]);
  await call(site.ownerId, "sites.reports.recipients.add", { site_id: site.id, email, cadences: [] }, START);
  expect(await faults(saveRule(site, rule))).toHaveLength(1);
  const link = /\/recipients\/confirm\/([\w-]{43})\n/.exec((await emailsTo(email))[0]?.text ?? "")?.[1] ?? "";
  await confirmRecipient(link, START);
  const { id } = await saveRule(site, rule);
  await visits(site, "09T10:00", 1);
  await watchRule(site.id, id, at("09T10:05"));
  const alert = (await emailsTo(email)).find(({ unsubscribe }) => unsubscribe);
  expect(alert?.subject).toBe(`“Rule”, ${site.host}`);
  await endEmails(readUnsubscribeToken(alert?.unsubscribe?.split("/").at(-1) ?? "") as never);
  await visits(site, "09T13:00", 1);
  await watchRule(site.id, id, at("09T13:05"));
  expect(await alertsOf(site)).toHaveLength(2);
  expect(await emailsTo(email)).toHaveLength(2);
  // Removed and not confirmed again: a row that names the address is not enough.
  await db().alertChannel.create({ data: { ruleId: id, kind: "email", email } });
  await db().recipient.updateMany({ where: { email }, data: { confirmedAt: null } });
  await visits(site, "09T16:00", 1);
  await watchRule(site.id, id, at("09T16:05"));
  expect(await emailsTo(email)).toHaveLength(2);
});

test("a name with line breaks, links and mentions changes no header and mentions nobody", async () => {
  const site = await newSite();
  const name = "Sale\r\nBcc: eve@evil.example <!channel> @everyone https://evil.example";
  const rule = { name, condition: "above", threshold: 0 };
  const { id } = await saveRule(site, {
    ...rule,
    channels: [
      { kind: "email", email: await emailOf(site.ownerId) },
      { kind: "slack", url: "https://slack.nowhere.example/a" },
      { kind: "discord", url: "https://discord.nowhere.example/b" },
    ],
  });
  await visits(site, "09T10:00", 1);
  await watchRule(site.id, id, at("09T10:05"));
  const [email] = await emailsOf(site.ownerId);
  expect(email?.subject).not.toMatch(/[\r\n]/);
  expect(email?.subject).toContain("evil[.]example");
  const bodies = (await db().alertMessage.findMany({ where: { channel: { ruleId: id } } })).map(({ body }) =>
    JSON.parse(body),
  );
  const slack = bodies.find(({ text }) => text);
  expect(slack.text).toContain("&lt;!channel&gt;");
  expect(slack.text).not.toContain("https://evil");
  expect(bodies.find(({ content }) => content).allowed_mentions).toEqual({ parse: [] });
});

// Sequential, because each run posts the due messages of all sites.
describe.sequential("chats", () => {
  test("chats get the documented JSON over https; the address is sealed, and no answer, audit row or approval has it", async () => {
    const site = await newSite();
    const received: { url: string; body: Record<string, unknown> }[] = [];
    const { internet } = await hosted((request, response) => {
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        received.push({ url: request.url ?? "", body: JSON.parse(body) });
        response.writeHead(request.url?.includes("gone") ? 404 : 200).end();
      });
    });
    const kinds = ["slack", "teams", "discord"] as const;
    for (const kind of kinds) dns().set(`${kind}.proof.example`, { A: ["127.0.0.1"] });
    const secret = (kind: string) =>
      `https://${kind}.proof.example/${kind === "teams" ? "gone" : "services"}/SECRET-${kind}`;
    const saved = await saveRule(site, {
      condition: "above",
      threshold: 0,
      channels: kinds.map((kind) => ({ kind, url: secret(kind) })),
    });
    expect(saved.channels.map(({ url }: { url: string }) => url)).toEqual(
      kinds.map((kind) => `https://${kind}.proof.example/…`),
    );
    await visits(site, "09T10:00", 1);
    await watchRule(site.id, saved.id, at("09T10:05"));
    await sendAlerts(at("09T10:06"), internet);
    await sendAlerts(at("09T10:30"), internet);
    expect(received.map(({ url }) => url).sort()).toEqual([
      "/gone/SECRET-teams",
      "/services/SECRET-discord",
      "/services/SECRET-slack",
    ]);
    const text = expect.stringContaining("Visits: 1 on 9 January 2041, 11:00 to 12:00; the limit is 0.");
    const bodyOf = (kind: string) => received.find(({ url }) => url.endsWith(kind))?.body;
    expect(bodyOf("slack")).toEqual({ text });
    expect(bodyOf("discord")).toEqual({ content: text, allowed_mentions: { parse: [] } });
    expect(bodyOf("teams")).toMatchObject({
      type: "message",
      attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content: { type: "AdaptiveCard" } }],
    });
    // The chats stay by their ids; another site's rule cannot take them.
    const [slack] = saved.channels as { channel_id: number }[];
    const again = await saveRule(site, { id: saved.id, channels: [{ kind: "slack", channel_id: slack?.channel_id }] });
    expect(again.channels).toMatchObject([{ channel_id: slack?.channel_id, url: "https://slack.proof.example/…" }]);
    expect(
      await faults(saveRule(await newSite(), { channels: [{ kind: "slack", channel_id: slack?.channel_id }] })),
    ).toEqual(["channels.0.channel_id: is no channel of this kind of the rule; give url instead"]);
    const stored = await db().$queryRaw<{ text: string }[]>`
    SELECT row_to_json(a)::text AS text FROM audit a WHERE site_id = ${site.id}
    UNION ALL SELECT encode(url, 'escape') FROM alert_channel WHERE rule_id = ${saved.id}`;
    expect(stored.length).toBeGreaterThan(1);
    expect(JSON.stringify([stored, await call(site.ownerId, "sites.alerts.list", { site_id: site.id })])).not.toContain(
      "SECRET",
    );
  });

  test("a chat at a private address gets nothing, and other addresses than public https are refused", async () => {
    const site = await newSite();
    const urls = [
      "http://chat.proof.example/a",
      "https://127.0.0.1/a",
      "https://[::1]/a",
      "https://chat.proof.example:8443/a",
    ];
    for (const url of urls)
      expect(await faults(saveRule(site, { channels: [{ kind: "slack", url }] })), url).toHaveLength(1);
    const { host, server, guarded } = await hosted((_request, response) => response.end());
    const { id } = await saveRule(site, {
      condition: "above",
      threshold: 0,
      channels: [{ kind: "slack", url: `https://${host}/a` }],
    });
    await visits(site, "09T10:00", 1);
    await watchRule(site.id, id, at("09T10:05"));
    await sendAlerts(at("09T10:06"), guarded);
    expect(server.connections()).toBe(0);
    const [message] = await db().alertMessage.findMany({ where: { channel: { ruleId: id } } });
    expect(message?.outcome).toBe("Could not be reached");
  });
});

test("a test of a rule says that it is one, five times an hour", async () => {
  const site = await newSite();
  const { id } = await saveRule(site, {});
  const input = { site_id: site.id, id };
  for (const _ of [1, 2, 3, 4, 5]) {
    const { channels } = await call(site.ownerId, "sites.alerts.send_test", input, START);
    expect(channels).toMatchObject([{ kind: "email", outcome: "Queued" }]);
  }
  expect((await refused(call(site.ownerId, "sites.alerts.send_test", input, START)))?.code).toBe("rate_limited");
  const [email] = await emailsOf(site.ownerId);
  expect(email?.subject).toBe(`Test of an alert: “Rule”, ${site.host}`);
  expect(await alertsOf(site)).toEqual([]);
});

test("viewers see rules without addresses and change nothing; an agent's rule waits for a person", async () => {
  const site = await newSite();
  const { id } = await saveRule(site, {});
  const viewer = await makeMember(site.id, "viewer");
  const { rules } = await call(viewer, "sites.alerts.list", { site_id: site.id });
  expect(rules).toMatchObject([{ id, channels: [{ kind: "email", email: null }] }]);
  for (const operation of ["sites.alerts.delete", "sites.alerts.send_test"])
    expect((await refused(call(viewer, operation, { site_id: site.id, id })))?.code).toBe("role_denied");
  const agent = await makeClient({
    scopes: ["sites:read", "sites:write"],
    sites: [site],
    personId: site.ownerId,
    now: START,
  });
  const channels = [{ kind: "slack", url: "https://hooks.proof.example/SECRET" }];
  const input = {
    site_id: site.id,
    name: "New",
    metric: "visits",
    condition: "above",
    threshold: 1,
    span: "day",
    channels,
  };
  const { body } = await callApi("sites.alerts.save", { token: agent.token, input, now: START });
  expect(body.error.code).toBe("approval_required");
  expect(JSON.stringify(body)).not.toContain("SECRET");
  const other = await newSite();
  expect((await refused(call(other.ownerId, "sites.alerts.delete", { site_id: other.id, id })))?.code).toBe(
    "not_found",
  );
});

test("a rule whose segment was deleted says so and fires nothing, instead of counting everything", async () => {
  const site = await newSite();
  const segment = await call(
    site.ownerId,
    "sites.segments.save",
    { site_id: site.id, name: "S", filters: { page: "/x" } },
    START,
  );
  const { id } = await saveRule(site, { condition: "above", threshold: 0, segment: segment.id });
  await call(site.ownerId, "sites.segments.delete", { site_id: site.id, id: segment.id }, START);
  await visits(site, "09T10:00", 3);
  await watchRule(site.id, id, at("09T10:05"));
  const { rules, alerts } = await call(site.ownerId, "sites.alerts.list", { site_id: site.id });
  expect([rules[0].problem, alerts]).toEqual([expect.stringContaining("segment"), []]);
});
