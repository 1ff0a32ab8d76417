import { randomUUID } from "node:crypto";
import { PNG } from "pngjs";
import { describe, expect, test } from "vitest";
import { sendReports } from "@/lib/email-reports/send";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { ingestPool } from "@/lib/platform/pool";
import { lastPeriod, nextTime, type Schedule, USUAL_SCHEDULE } from "@/lib/sites/reports/period";
import { barChart } from "@/lib/sites/reports/png";
import { confirmRecipient, openLink } from "@/lib/sites/reports/recipients";
import { listSubscriptions, unsubscribe } from "@/lib/sites/reports/subscriptions";
import { endEmails, readUnsubscribeToken, unsubscribeToken } from "@/lib/sites/reports/unsubscribe";
import { call, faults, makeMember, refused } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { emailsOf, emailsTo } from "@/lib/testing/emails";
import { doAction, newOwner } from "@/lib/testing/owners";
import { callApi, makeClient, makeSite, send } from "@/lib/testing/world";
import { inLanguage } from "@/lib/texts/in-language";

// A run sends the due reports of all sites.
databaseForTests();

/** Wednesday and Monday in Berlin, in winter. */
const WEDNESDAY = new Date("2041-01-09T12:00:00Z");
const MONDAY = new Date("2041-01-14T06:00:00Z");
const SETTINGS = { name: "", reporting_currency: "EUR", public: false };

/** A person with a site in Berlin who is subscribed to its weekly report. */
async function subscriber() {
  const owner = await newOwner(WEDNESDAY);
  const site = await makeSite({ timezone: "Europe/Berlin" });
  await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role: "viewer" } });
  const setWeekly = (weekly: boolean) =>
    doAction(owner, "sites.reports.update", { site_id: site.id, weekly }, WEDNESDAY);
  expect((await setWeekly(true)).status).toBe(200);
  return { owner, site, setWeekly };
}

// Sequential, because each run sends the due reports of all tests.
describe.sequential("email reports", () => {
  test("a weekly report is sent once, on Monday at 07:00 in the site's timezone, even with concurrent senders", async () => {
    const { owner, site } = await subscriber();
    await ingestPool().query("SELECT facts.add_month('2041-01-01'), facts.add_month('2040-12-01')");
    const visit = (path: string, at: string, address: string) => send(site, path, { at, address });
    await visit("/before", "2041-01-02T10:00:00Z", "203.0.113.1");
    for (const n of [1, 2, 3]) await visit("/a&b'c", `2041-01-0${6 + n}T10:00:00Z`, `203.0.113.${n}`);
    // The last hour of Sunday in Berlin, and the first hour of Monday.
    await visit("/late", "2041-01-13T22:30:00Z", "203.0.113.9");
    await visit("/next", "2041-01-13T23:30:00Z", "203.0.113.10");
    await sendReports(new Date(MONDAY.getTime() - 60_000));
    expect(await emailsOf(owner.personId)).toEqual([]);
    await Promise.all([1, 2, 3].map(() => sendReports(MONDAY)));
    await sendReports(new Date(MONDAY.getTime() + DAY_MS));
    const [email, ...more] = await emailsOf(owner.personId);
    expect(more).toEqual([]);
    expect(email?.subject).toBe(`${site.host}: 4 visitors, 7 January 2041 to 13 January 2041`);
    expect(email?.text).toContain("Visitors         4 (+300%)");
    expect(email?.text).not.toMatch(/\d {2}\/before/);
    expect(email?.text).toContain("    Visits that began on /before fell from 1 to none, against the rise.\n");
    expect(email?.html).toContain("/a&#38;b&#39;c<");
    const token = email?.unsubscribe?.split("/").at(-1) ?? "";
    expect(email?.unsubscribe).toMatch(/\/api\/unsubscribe\/[^/]+$/);
    expect(readUnsubscribeToken(token)).toEqual({
      kind: "member",
      siteId: site.id,
      personId: owner.personId,
      cadence: "weekly",
    });
    expect(
      Buffer.from(email?.picture?.png ?? "", "base64")
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
  });

  test("a report lists the annotations of its days, without links or markup from their text", async () => {
    const { owner, site } = await subscriber();
    const annotation = (createdAt: string, text: string) => ({
      siteId: site.id,
      kind: "deploy" as const,
      text,
      url: "https://evil.example/x",
      createdAt: WEDNESDAY,
      updatedAt: WEDNESDAY,
      at: new Date(createdAt),
    });
    await db().annotation.createMany({
      data: [
        // Just before and just after the week begins in Berlin, and just after it ends.
        annotation("2041-01-06T22:59:59Z", "Too early"),
        annotation("2041-01-06T23:00:00Z", "Version 2 <b>live</b>, see evil.example"),
        annotation("2041-01-13T23:00:00Z", "Too late"),
      ],
    });
    await sendReports(MONDAY);
    const [email] = await emailsOf(owner.personId);
    expect(email?.text).toContain("Annotations:\n    7 January, Deploy: Version 2 <b>live</b>, see evil[.]example\n");
    expect(email?.html).toContain("Deploy: Version 2 &#60;b&#62;live&#60;/b&#62;, see evil[.]example<");
    for (const absent of ["Too early", "Too late", "evil.example"]) {
      expect(email?.text).not.toContain(absent);
      expect(email?.html).not.toContain(absent);
    }
  });

  test("a report says in up to three sentences what explains the change of visits, without links or markup from their names", async () => {
    const { owner, site } = await subscriber();
    await ingestPool().query("SELECT facts.add_month('2041-01-01')");
    const visit = (path: string, at: string, address: string, source: string) =>
      send(
        site,
        { name: "pageview", url: `https://${site.host}${path}?utm_source=${encodeURIComponent(source)}` },
        { at, address },
      );
    for (const n of [1, 2, 3, 4]) await visit("/a", `2041-01-0${n}T10:00:00Z`, `203.0.113.${n}`, "Bing");
    for (const n of [7, 8]) await visit("/a", `2041-01-0${n}T10:00:00Z`, `203.0.113.${n}`, "<b>evil.example</b>");
    await visit("/b", "2041-01-09T10:00:00Z", "203.0.113.9", "Bing");
    await sendReports(MONDAY);
    const [email] = await emailsOf(owner.personId);
    const [, sentences = ""] = /What changed:\n((?: {4}.*\n)+)/.exec(email?.text ?? "") ?? [];
    expect(sentences.trim().split(/\n */)[0]).toBe(
      "Visits from Bing fell by 3 (−75%), which is more than the whole fall (300%).",
    );
    expect(sentences.trim().split("\n").length).toBeLessThanOrEqual(3);
    expect(email?.text).toContain("Visits from <b>evil[.]example</b> rose from none to 2, against the fall.");
    expect(email?.html).toContain(
      "Visits from &#60;b&#62;evil[.]example&#60;/b&#62; rose from none to 2, against the fall.<",
    );
  });

  test("a report of a shop has revenue, orders, conversions and the campaigns that brought them, with their changes", async () => {
    const { owner, site } = await subscriber();
    await db().goal.create({
      data: {
        siteId: site.id,
        name: "Bought",
        kind: "event",
        pattern: "purchase",
        also: [],
        properties: [],
        value: {},
        createdAt: WEDNESDAY,
        updatedAt: WEDNESDAY,
      },
    });
    await ingestPool().query("SELECT facts.add_month('2041-01-01')");
    const visit = (campaign: string, at: string, address: string) =>
      send(
        site,
        { name: "pageview", url: `https://${site.host}/?utm_campaign=${encodeURIComponent(campaign)}` },
        { at, address },
      );
    const buy = (amount: string, at: string, address: string) =>
      send(
        site,
        { name: "purchase", url: `https://${site.host}/thanks`, revenue: { amount, currency: "EUR" } },
        { at, address },
      );
    await visit("old", "2041-01-02T10:00:00Z", "203.0.113.1");
    await buy("20.00", "2041-01-02T10:01:00Z", "203.0.113.1");
    for (const n of [2, 3, 4]) await visit("busy", "2041-01-08T10:00:00Z", `203.0.113.${n}`);
    await visit("<b>rich.example</b>", "2041-01-09T10:00:00Z", "203.0.113.5");
    await buy("10.50", "2041-01-09T10:01:00Z", "203.0.113.5");
    await buy("19.50", "2041-01-09T10:02:00Z", "203.0.113.5");
    const preview = (language: string) =>
      inLanguage(language, () =>
        call(
          owner.personId,
          "sites.reports.preview",
          { site_id: site.id, cadence: "weekly", until: "2041-01-13" },
          MONDAY,
        ),
      );
    const { text, html } = await preview("en");
    expect(text).toContain(
      "    Revenue          30.00\u00a0EUR (+50%)\n    Orders           2 (+100%)\n    Average order    15.00\u00a0EUR (−25%)\n    Conversions      2 (+100%)\n    Conversion rate  25%",
    );
    expect(text).toContain(
      "Campaigns, by revenue, with visits:\n    30.00\u00a0EUR        1  <b>rich[.]example</b>\n     0.00\u00a0EUR        3  busy\n",
    );
    expect(text).not.toContain("  old");
    expect(html).toContain(">30.00 EUR</div>");
    expect(html).toContain("&#60;b&#62;rich[.]example&#60;/b&#62;</td>");
    const german = await preview("de");
    expect(german.text).toContain("Kampagnen, nach Umsatz, mit Besuchen:\n");
    expect(german.text).toMatch(/ {4}Umsatz +30,00\u00a0EUR \(\+50\u00a0%\)/);
  });

  test("a report of a site without sales, goals and campaigns mentions no money, conversions or campaigns", async () => {
    const { owner, site } = await subscriber();
    await ingestPool().query("SELECT facts.add_month('2041-01-01')");
    await send(site, "/a", { at: "2041-01-08T10:00:00Z", address: "203.0.113.1" });
    await sendReports(MONDAY);
    const [email] = await emailsOf(owner.personId);
    expect(`${email?.text}${email?.html}`).not.toMatch(/Revenue|Orders|Average order|Conversion|Campaign/);
  });

  test("a report of a week without annotations does not mention them", async () => {
    const { owner } = await subscriber();
    await sendReports(MONDAY);
    const [email] = await emailsOf(owner.personId);
    expect(`${email?.text}${email?.html}`).not.toContain("Annotations");
  });

  test("after weeks of downtime one late report covers the last full week, and the next one is on schedule", async () => {
    const { owner } = await subscriber();
    const late = new Date(MONDAY.getTime() + 16 * DAY_MS);
    for (const hours of [0, 1]) await sendReports(new Date(late.getTime() + hours * 3600_000));
    const subjects = async () => (await emailsOf(owner.personId)).map(({ subject }) => subject.split(", ").at(-1));
    expect(await subjects()).toEqual(["21 January 2041 to 27 January 2041"]);
    await sendReports(new Date(MONDAY.getTime() + 21 * DAY_MS));
    expect(await subjects()).toHaveLength(2);
  });

  test("changing the site's timezone never sends the report of a week twice", async () => {
    const { owner, site } = await subscriber();
    await sendReports(MONDAY);
    await db().site.update({ where: { id: site.id }, data: { timezone: "America/Los_Angeles" } });
    // Monday in Berlin is still Sunday in Los Angeles: the last full week there was already reported.
    await sendReports(new Date(MONDAY.getTime() + 6.9 * DAY_MS));
    await sendReports(new Date(MONDAY.getTime() + 7 * DAY_MS));
    expect(await emailsOf(owner.personId)).toHaveLength(1);
    await sendReports(new Date(MONDAY.getTime() + 7.4 * DAY_MS));
    expect(await emailsOf(owner.personId)).toHaveLength(2);
  });

  test.each([
    ["Pacific/Kiritimati", "2041-01-13T17:00:00Z", "2041-01-20T17:00:00Z"],
    ["America/Los_Angeles", "2041-01-14T15:00:00Z", "2041-01-21T15:00:00Z"],
    ["Asia/Kathmandu", "2041-01-14T01:15:00Z", "2041-01-21T01:15:00Z"],
  ])("after a change to %s, each week is reported once, on Monday at 07:00 there", async (timezone, first, second) => {
    const { owner, site } = await subscriber();
    const moveTo = (zone: string, at: string) =>
      call(site.ownerId, "sites.settings.update", { ...SETTINGS, site_id: site.id, timezone: zone }, new Date(at));
    const sentUntil = async (at: string) => {
      await sendReports(new Date(at));
      return (await emailsOf(owner.personId)).map(({ subject }) => subject.split(", ").at(-1));
    };
    const justBefore = (at: string) => new Date(Date.parse(at) - 1000).toISOString();
    const week = "7 January 2041 to 13 January 2041";
    await moveTo(timezone, "2041-01-10T12:00:00Z");
    expect(await sentUntil(justBefore(first))).toEqual([]);
    expect(await sentUntil(first)).toEqual([week]);
    expect(await sentUntil(justBefore(second))).toEqual([week]);
    expect(await sentUntil(second)).toEqual([week, "14 January 2041 to 20 January 2041"]);
  });

  test("a report that is already due in the new timezone is sent at once, and one that was sent is not sent again", async () => {
    const { owner, site } = await subscriber();
    const moveTo = (timezone: string, at: string) =>
      call(site.ownerId, "sites.settings.update", { ...SETTINGS, site_id: site.id, timezone }, new Date(at));
    // Sunday evening in Berlin is Monday 09:00 on Kiritimati.
    await moveTo("Pacific/Kiritimati", "2041-01-13T19:00:00Z");
    await sendReports(new Date("2041-01-13T19:01:00Z"));
    expect(await emailsOf(owner.personId)).toHaveLength(1);
    await moveTo("Pacific/Honolulu", "2041-01-13T19:02:00Z");
    for (const at of ["2041-01-14T17:00:00Z", "2041-01-15T17:00:00Z"]) await sendReports(new Date(at));
    expect(await emailsOf(owner.personId)).toHaveLength(1);
    await sendReports(new Date("2041-01-21T17:00:00Z"));
    expect(await emailsOf(owner.personId)).toHaveLength(2);
  });

  test("a report that fails is retried an hour later and does not block others", async () => {
    const [broken, working] = [await subscriber(), await subscriber()];
    const zone = (timezone: string) => db().site.update({ where: { id: broken.site.id }, data: { timezone } });
    await zone("Nowhere/At_All");
    await expect(sendReports(MONDAY)).rejects.toThrow();
    expect(await emailsOf(working.owner.personId)).toHaveLength(1);
    await zone("Europe/Berlin");
    await sendReports(new Date(MONDAY.getTime() + 3599_000));
    expect(await emailsOf(broken.owner.personId)).toEqual([]);
    await sendReports(new Date(MONDAY.getTime() + 3600_000));
    expect(await emailsOf(broken.owner.personId)).toHaveLength(1);
  });

  test("leaving the site, the unsubscribe link and the setting each stop the reports", async () => {
    const [left, linked, disabled] = [await subscriber(), await subscriber(), await subscriber()];
    await db().membership.deleteMany({ where: { siteId: left.site.id, personId: left.owner.personId } });
    await unsubscribe({ siteId: linked.site.id, personId: linked.owner.personId, cadence: "weekly" });
    expect((await disabled.setWeekly(false)).status).toBe(200);
    expect((await listSubscriptions(disabled.owner.personId))[0]?.cadences).toEqual([]);
    await sendReports(MONDAY);
    for (const { owner } of [left, linked, disabled]) expect(await emailsOf(owner.personId)).toEqual([]);
  });
});

const linkIn = (text = "") => /\/recipients\/confirm\/([\w-]{43})\n/.exec(text)?.[1] ?? "";

/** A site, and an address that its owner added for the weekly report. */
async function recipientOf(
  site: { id: number; ownerId: number },
  email = `${randomUUID()}@example.net`,
  now = WEDNESDAY,
) {
  const added = await call(
    site.ownerId,
    "sites.reports.recipients.add",
    { site_id: site.id, email, cadences: ["weekly"], weekday: 3, hour: 9, timezone: "Asia/Tokyo" },
    now,
  );
  return { email, id: added.recipient_id as number, link: linkIn((await emailsTo(email)).at(-1)?.text) };
}

describe.sequential("recipients of reports", () => {
  test("an address gets reports only after it has confirmed by its link, and none after one click to unsubscribe", async () => {
    const site = await makeSite({ timezone: "Europe/Berlin" });
    const { email, link } = await recipientOf(site);
    const wednesday = (week: number) => new Date(Date.parse("2041-01-16T00:00:00Z") + week * 7 * DAY_MS);
    await sendReports(wednesday(0));
    expect(await emailsTo(email)).toHaveLength(1);
    expect(await confirmRecipient(link, WEDNESDAY)).toBe(true);
    await sendReports(wednesday(0));
    const [asked, report, ...more] = await emailsTo(email);
    expect(asked?.text).not.toContain("visitors");
    expect(more).toEqual([]);
    // Wednesday at 9:00 in Tokyo is Wednesday at 1:00 in Berlin.
    expect(report?.subject).toBe(`${site.host}: 0 visitors, 9 January 2041 to 15 January 2041`);
    expect(`${report?.text}${report?.html}`).not.toMatch(/dashboard|unsubscribe\/preview/);
    expect(report?.html).not.toMatch(/src="(?!cid:)|url\(|<script/);
    const token = report?.unsubscribe?.split("/").at(-1) ?? "";
    expect(report?.text).toContain(`/unsubscribe/${token}\n`);
    await endEmails(readUnsubscribeToken(token) as never);
    await sendReports(wednesday(1));
    expect(await emailsTo(email)).toHaveLength(2);
  });

  test("recipients of a site get no reports while all its owners are disabled, and get them by another owner's permissions", async () => {
    const [alone, shared] = [await makeSite(), await makeSite()];
    const recipients = [await recipientOf(alone), await recipientOf(shared)];
    await makeMember(shared.id, "owner");
    for (const { link } of recipients) expect(await confirmRecipient(link, WEDNESDAY)).toBe(true);
    const owners = { id: { in: [alone.ownerId, shared.ownerId] } };
    await db().person.updateMany({ where: owners, data: { disabledAt: WEDNESDAY } });
    await sendReports(new Date("2041-01-16T00:00:00Z"));
    const sent = await Promise.all(recipients.map(async ({ email }) => (await emailsTo(email)).length));
    expect(sent).toEqual([1, 2]);
    await db().person.updateMany({ where: owners, data: { disabledAt: null } });
    await sendReports(new Date("2041-01-23T00:00:00Z"));
    expect(await emailsTo(recipients[0]?.email ?? "")).toHaveLength(2);
  });

  test("a link confirms once, for three days, and only the latest one", async () => {
    const site = await makeSite();
    const { email, link: first } = await recipientOf(site);
    const { link } = await recipientOf(site, email, new Date(WEDNESDAY.getTime() + 1000));
    expect(await confirmRecipient(first, WEDNESDAY)).toBe(false);
    expect(await openLink(link, WEDNESDAY)).toEqual({ domain: site.host, email });
    expect(await confirmRecipient(link, new Date(WEDNESDAY.getTime() + 1000 + 3 * DAY_MS))).toBe(false);
    const presses = await Promise.all([1, 2, 3].map(() => confirmRecipient(link, WEDNESDAY)));
    expect(presses.filter(Boolean)).toHaveLength(1);
    expect(await openLink(link, WEDNESDAY)).toBeNull();
    const row = await db().recipient.findFirstOrThrow({ where: { email } });
    await call(site.ownerId, "sites.reports.recipients.remove", { site_id: site.id, recipient_id: row.id }, WEDNESDAY);
    expect(await confirmRecipient(link, WEDNESDAY)).toBe(false);
  });

  test("a stranger's address is asked three times a day by all sites together", async () => {
    const sites = await Promise.all([makeSite(), makeSite()]);
    const email = `${randomUUID()}@example.net`;
    const ask = (n: number) => recipientOf(sites[n % 2] as (typeof sites)[0], email);
    for (const n of [0, 1, 2]) await ask(n);
    for (const n of [3, 4]) expect((await refused(ask(n)))?.code).toBe("rate_limited");
    expect(await emailsTo(email)).toHaveLength(3);
  });

  test("a report sent now goes to the caller or to a confirmed recipient, three times an hour, and to no other address", async () => {
    const [site, other] = await Promise.all([makeSite(), makeSite()]);
    const { email, id, link } = await recipientOf(site);
    const sendNow = (input: object, who = site.ownerId) =>
      call(who, "sites.reports.send_now", { site_id: site.id, cadence: "daily", ...input }, WEDNESDAY);
    expect((await refused(sendNow({ recipient_id: id })))?.message).toContain("has not confirmed");
    await confirmRecipient(link, WEDNESDAY);
    expect(await sendNow({ recipient_id: id })).toEqual({ sent_to: email });
    const foreign = await recipientOf(other);
    expect((await refused(sendNow({ recipient_id: foreign.id })))?.code).toBe("not_found");
    const viewer = await makeMember(site.id, "viewer");
    expect((await refused(sendNow({ recipient_id: id }, viewer)))?.code).toBe("role_denied");
    for (const _ of [1, 2, 3]) await sendNow({});
    expect((await refused(sendNow({})))?.code).toBe("rate_limited");
    const [mine] = await emailsOf(site.ownerId);
    expect(mine?.subject).toBe(`${site.host}: 0 visitors, Tuesday, 8 January 2041`);
    expect(mine?.unsubscribe).toMatch(new RegExp(`/api/unsubscribe/${site.id}-${site.ownerId}-daily-`));
  });
});

test("only managers see recipients, and an agent adds or removes one only after a person has approved it", async () => {
  const site = await makeSite();
  const { email, id } = await recipientOf(site);
  const viewer = await makeMember(site.id, "viewer");
  const get = (who: number) => call(who, "sites.reports.get", { site_id: site.id }, WEDNESDAY);
  expect((await get(viewer)).recipients).toBeNull();
  expect((await get(site.ownerId)).recipients).toMatchObject([{ recipient_id: id, email, confirmed: false }]);
  const agent = await makeClient({
    scopes: ["sites:read", "sites:write"],
    sites: [site],
    personId: site.ownerId,
    now: WEDNESDAY,
  });
  for (const [operation, input] of [
    ["sites.reports.recipients.add", { email: "new@example.net", cadences: ["daily"] }],
    ["sites.reports.recipients.remove", { recipient_id: id }],
  ] as const) {
    const { body } = await callApi(operation, {
      token: agent.token,
      input: { site_id: site.id, ...input },
      now: WEDNESDAY,
    });
    expect(body.error.code).toBe("approval_required");
  }
  expect(await emailsTo("new@example.net")).toEqual([]);
  const now = { token: agent.token, input: { site_id: site.id, cadence: "daily" }, now: WEDNESDAY };
  expect((await callApi("sites.reports.send_now", now)).body.error.code).toBe("insufficient_scope");
});

test("an address with a line break or several addresses is refused with its field", async () => {
  const site = await makeSite();
  for (const email of [
    "a@example.net\r\nBcc: b@example.net",
    "a@example.net, b@example.net",
    "Ann <a@example.net>",
    "x",
  ]) {
    const input = { site_id: site.id, email, cadences: ["weekly"] };
    expect(await faults(call(site.ownerId, "sites.reports.recipients.add", input, WEDNESDAY)), email).toEqual([
      "email: must be an email address such as you@example.com",
    ]);
  }
});

test("an agent subscribes and unsubscribes only the person it acts for", async () => {
  const { owner, site } = await subscriber();
  const scopes = ["sites:read", "sites:write"] as const;
  const agent = await makeClient({ scopes, sites: [site], personId: owner.personId, now: WEDNESDAY });
  const callAs = async (operation: string, input: object = {}, { token } = agent) =>
    (await callApi(operation, { token, input: { site_id: site.id, ...input }, now: WEDNESDAY })).body;
  expect((await callAs("sites.reports.get")).data).toMatchObject({ weekly: true, monthly: false });
  expect((await callAs("sites.reports.update", { monthly: true })).data).toMatchObject({ weekly: true, monthly: true });
  expect((await callAs("sites.reports.update", { weekly: false })).data).toMatchObject({
    weekly: false,
    monthly: true,
  });
  expect((await listSubscriptions(owner.personId))[0]?.cadences).toEqual(["monthly"]);
  expect((await listSubscriptions(site.ownerId))[0]?.cadences).toEqual([]);
  const entries = await db().audit.findMany({ where: { siteId: site.id, clientId: agent.id }, orderBy: { id: "asc" } });
  expect(entries.map(({ operation }) => operation)).toEqual(["sites.reports.update", "sites.reports.update"]);

  await db().person.update({ where: { id: owner.personId }, data: { confirmedAt: null } });
  expect((await callAs("sites.reports.update", { weekly: true })).error.code).toBe("role_denied");
  expect((await callAs("sites.reports.update", { monthly: false })).data).toMatchObject({
    weekly: false,
    monthly: false,
  });
});

test("machine accounts without a person and non-members cannot subscribe to reports", async () => {
  const site = await makeSite();
  const scopes = ["sites:read", "sites:write"] as const;
  const machine = await makeClient({ scopes, sites: [site], now: WEDNESDAY });
  for (const [operation, input] of [
    ["sites.reports.get", { site_id: site.id }],
    ["sites.reports.update", { site_id: site.id, weekly: true }],
  ] as const) {
    const { body } = await callApi(operation, { token: machine.token, input, now: WEDNESDAY });
    expect(body.error).toMatchObject({ code: "role_denied", message: expect.stringContaining("needs a person") });
    const stranger = await newOwner(WEDNESDAY);
    expect((await doAction(stranger, operation, input, WEDNESDAY)).body.error.code).toBe("site_not_granted");
  }
});

test("a modified unsubscribe token is rejected", () => {
  const ended = { kind: "member", siteId: 7, personId: 9, cadence: "monthly" } as const;
  const token = unsubscribeToken(ended);
  expect(readUnsubscribeToken(token)).toEqual(ended);
  for (const other of [token.replace("7-9", "7-8"), token.replace("monthly", "weekly"), token.slice(0, -1), "", "x"]) {
    expect(readUnsubscribeToken(other), other).toBeNull();
  }
});

test("periods are whole weeks from Monday to Sunday or whole months; reports are due at 07:00 local time, across DST", () => {
  const period = (cadence: "weekly" | "monthly", zone: string, now: string) => {
    const { from, to } = lastPeriod(cadence, USUAL_SCHEDULE, zone, new Date(now));
    return `${from} ${to}`;
  };
  expect(period("weekly", "Europe/Berlin", "2026-03-30T05:00:00Z")).toBe("2026-03-23 2026-03-29");
  expect(period("monthly", "UTC", "2026-03-01T07:00:00Z")).toBe("2026-02-01 2026-02-28");
  const next = (cadence: "weekly" | "monthly", now: string) =>
    nextTime(cadence, USUAL_SCHEDULE, "Europe/Berlin", new Date(now)).toISOString();
  expect(next("weekly", "2026-03-30T04:59:00Z")).toBe("2026-03-30T05:00:00.000Z");
  expect(next("weekly", "2026-03-30T05:00:00Z")).toBe("2026-04-06T05:00:00.000Z");
  expect(next("monthly", "2026-10-20T05:00:00Z")).toBe("2026-11-01T06:00:00.000Z");
});

test("a report is due at the chosen hour, day and zone, about the site's last full days", () => {
  const at = (schedule: Partial<Schedule>, cadence: "daily" | "weekly" | "monthly", now: string) => {
    const chosen = { ...USUAL_SCHEDULE, ...schedule };
    const { from, to } = lastPeriod(cadence, chosen, "Europe/Berlin", new Date(now));
    return `${nextTime(cadence, chosen, "Europe/Berlin", new Date(now)).toISOString()} ${from} ${to}`;
  };
  // Friday at 18:00 in Tokyo is Friday morning in Berlin.
  const tokyo = { weekday: 5, hour: 18, timezone: "Asia/Tokyo" };
  expect(at(tokyo, "weekly", "2026-11-27T08:59:00Z")).toBe("2026-11-27T09:00:00.000Z 2026-11-13 2026-11-19");
  expect(at(tokyo, "weekly", "2026-11-27T09:00:00Z")).toBe("2026-12-04T09:00:00.000Z 2026-11-20 2026-11-26");
  expect(at({ monthDay: 15, hour: 0 }, "monthly", "2026-11-20T00:00:00Z")).toBe(
    "2026-12-14T23:00:00.000Z 2026-10-01 2026-10-31",
  );
  // 7:00 on Kiritimati is 18:00 of the day before in Berlin, whose last full day is another one earlier.
  expect(at({ timezone: "Pacific/Kiritimati" }, "daily", "2026-11-20T18:00:00Z")).toBe(
    "2026-11-21T17:00:00.000Z 2026-11-19 2026-11-19",
  );
  expect(at({ hour: 2 }, "daily", "2026-03-28T12:00:00Z")).toBe("2026-03-29T01:00:00.000Z 2026-03-27 2026-03-27");
});

test("the chart is a PNG with bar heights proportional to the values", () => {
  const { width, height, data } = PNG.sync.read(barChart([0, 5, 10]));
  const filled = [0.5, 1.5, 2.5].map((position) => {
    const x = Math.round((position * width) / 3);
    return Array.from({ length: height }, (_, y) => data[(y * width + x) * 4 + 3]).filter(Boolean).length;
  });
  expect(filled).toEqual([2, 121, 240]);
});
