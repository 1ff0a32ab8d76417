import { execFileSync, spawnSync } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { sendDeliveries } from "@/lib/monitoring/deliver";
import { listIncidents } from "@/lib/monitoring/incidents";
import { readMonitorStatus } from "@/lib/monitoring/monitor";
import { checkPage } from "@/lib/monitoring/page-check";
import { checkPages, nextPageCheckAt } from "@/lib/monitoring/pages";
import { queueTest, readWebhook } from "@/lib/monitoring/webhooks";
import { db } from "@/lib/platform/db";
import { DAY_MS, MINUTE_MS } from "@/lib/platform/durations";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { VERIFIERS } from "@/lib/publish/webhooks";
import { createSite } from "@/lib/sites/create";
import { call, makeMember, summaryOf } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { emailsOf } from "@/lib/testing/emails";
import { serversForTests } from "@/lib/testing/internet";
import { doAction, newOwner } from "@/lib/testing/owners";
import { PATIENT_MS } from "@/lib/testing/patience";
import { makePerson, makeSite } from "@/lib/testing/world";

/** Page checks, incident notifications and webhooks, against real servers on loopback and with a simulated clock. */

/** Before the test certificates expire. */
const START = new Date("2040-06-01T12:00:00Z");
/** After all times of these tests. */
const NEVER = new Date("2200-01-01T00:00:00Z");
const later = (minutes: number, from = START) => new Date(from.getTime() + minutes * MINUTE_MS);

// Checks, messages and their emails are those of all sites.
databaseForTests();
const { dns, hosted } = serversForTests();

/** A page whose responses a test controls. */
interface Web {
  host: string;
  internet: Internet;
  answer: RequestListener;
  /** Paths that were requested. */
  requests: string[];
}

async function web(certificate?: string): Promise<Web> {
  const page: RequestListener = (_, response) => response.end("here");
  const { host, server, internet } = await hosted((request, response) => state.answer(request, response), {
    certificate,
  });
  const state: Web = { host, internet, answer: page, requests: server.requestedPaths };
  return state;
}

/** A monitored site with this page. */
async function monitored({ host }: Web, { proven = true, now = START } = {}) {
  const ownerId = await makePerson();
  const creator = { kind: "owner", personId: ownerId } as const;
  const id = await createSite(db(), { host, name: null, timezone: "UTC", public: false, creator, now });
  if (proven) await db().siteDomain.updateMany({ where: { siteId: id }, data: { verifiedAt: now } });
  await call(ownerId, "sites.monitoring", { site_id: id, enabled: true }, now);
  return { id, ownerId };
}

/** Checks this site only, by postponing the checks of all others. */
async function check(siteId: number, { internet }: Web, now: Date, deadlineMs = PATIENT_MS) {
  const { nextCheckAt } = await db().monitor.findUniqueOrThrow({ where: { siteId } });
  expect(nextCheckAt.getTime()).toBeLessThanOrEqual(now.getTime());
  await db().monitor.updateMany({ where: { siteId: { not: siteId } }, data: { nextCheckAt: NEVER } });
  await checkPages(now, { deadlineMs, internet });
}

const down: RequestListener = (_, response) => response.writeHead(503).end();
const up: RequestListener = (_, response) => response.end("here");
const subjects = async (personId: number) => (await emailsOf(personId)).map(({ subject }) => subject);
const incidents = async (siteId: number) =>
  (await listIncidents(siteId)).map(({ cause, startedAt, endedAt, notified }) => ({
    cause,
    startedAt,
    endedAt,
    notified,
  }));

// Sequential, because a check leases any site of this file that is due.
describe.sequential("page checks", () => {
  test("the page of a local trial is not requested, and opens no incident", async () => {
    const page = await web();
    const { id } = await monitored({ ...page, host: `${randomUUID()}.localhost` }, { proven: false });
    for (const minutes of [0, 7, 14]) await check(id, page, later(minutes));
    expect(await readMonitorStatus(id)).toMatchObject({ checkedAt: null, problem: null });
    expect(await incidents(id)).toEqual([]);
  });

  test("the page of a disabled site is not requested, and its next check is not waited for", async () => {
    const page = await web();
    const { id } = await monitored(page);
    await db().site.update({ where: { id }, data: { disabledAt: START } });
    await check(id, page, START);
    expect([page.requests, (await readMonitorStatus(id))?.checkedAt]).toEqual([[], null]);
    expect((await nextPageCheckAt())?.getTime() ?? 0).not.toBe(START.getTime());
    await db().site.update({ where: { id }, data: { disabledAt: null } });
    await check(id, page, START);
    expect((await readMonitorStatus(id))?.checkedAt).toEqual(START);
  });

  test("the second failed check in a row opens an incident with one email; recovery closes it with another", async () => {
    const page = await web();
    const { id, ownerId } = await monitored(page);
    await check(id, page, START);
    expect(await readMonitorStatus(id)).toMatchObject({ problem: null, status: 200, checkedAt: START });
    page.answer = down;
    await check(id, page, later(6));
    expect(await incidents(id)).toEqual([]);
    await check(id, page, later(7));
    await check(id, page, later(13));
    const incident = { cause: "unreachable", startedAt: later(6), endedAt: null, notified: true };
    expect(await incidents(id)).toEqual([incident]);
    expect(await subjects(ownerId)).toEqual([`${page.host}: page is unreachable`]);
    expect((await emailsOf(ownerId))[0]?.text).toContain(
      `The page of ${page.host} responded with 503, twice in a row.`,
    );
    page.answer = up;
    await check(id, page, later(19));
    expect(await incidents(id)).toEqual([{ ...incident, endedAt: later(19) }]);
    expect((await subjects(ownerId)).slice(1)).toEqual([`${page.host}: page is reachable again`]);
  });

  test("sites without a domain do not keep other sites from being checked", async () => {
    const page = await web();
    const lost = await Promise.all(Array.from({ length: 10 }, () => makeSite()));
    const siteIds = lost.map(({ id }) => id);
    await db().siteDomain.deleteMany({ where: { siteId: { in: siteIds } } });
    const { id } = await monitored(page);
    await db().monitor.updateMany({ where: { siteId: { not: id } }, data: { nextCheckAt: NEVER } });
    await db().monitor.createMany({ data: siteIds.map((siteId) => ({ siteId, nextCheckAt: later(-9) })) });
    await checkPages(START, { deadlineMs: PATIENT_MS, internet: page.internet });
    expect((await readMonitorStatus(id))?.checkedAt).toEqual(START);
    await db().monitor.deleteMany({ where: { siteId: { in: siteIds } } });
  });

  /** Monitored sites whose name server drops questions, due long before all others. */
  async function silentSites(count: number, { slowChecks = 0, sameOwner = false } = {}): Promise<string[]> {
    const pages = await Promise.all(Array.from({ length: count }, () => web()));
    const sites = [];
    for (const page of pages) {
      dns().set(page.host, "silent");
      dns().set(`www.${page.host}`, "silent");
      sites.push(await monitored(page));
    }
    const siteId = { in: sites.map(({ id }) => id) };
    await db().monitor.updateMany({
      where: { siteId: { notIn: siteId.in } },
      data: { nextCheckAt: NEVER },
    });
    await db().monitor.updateMany({ where: { siteId }, data: { nextCheckAt: later(-9), slowChecks } });
    for (const { host } of pages)
      await db().monitor.updateMany({ where: { site: { domains: { some: { host } } } }, data: { host } });
    if (sameOwner)
      await db().membership.updateMany({ where: { siteId }, data: { personId: sites[0]?.ownerId as number } });
    return pages.map(({ host }) => host);
  }

  /** Checks all due sites. @returns how many of the hosts had been asked for when the page was requested. */
  async function askedBefore(page: Web, hosts: readonly string[]): Promise<number | undefined> {
    let asked: number | undefined;
    page.answer = (request, response) => {
      asked ??= hosts.filter((host) => dns().queryCount(host, "A") > 0).length;
      up(request, response);
    };
    await checkPages(START, { deadlineMs: 3_000, internet: page.internet });
    return asked;
  }

  test("the sites of one account whose name server drops questions do not delay the check of another account's page", {
    tags: "full",
  }, async () => {
    const page = await web();
    const hosts = await silentSites(8, { sameOwner: true });
    await monitored(page);
    const asked = await askedBefore(page, hosts);
    expect(asked).toBeLessThanOrEqual(4);
  });

  test("pages that were slow the last time leave room for the others, whoever has them", async () => {
    const page = await web();
    const hosts = await silentSites(12, { slowChecks: 1 });
    await monitored(page);
    const asked = await askedBefore(page, hosts);
    expect(asked).toBeLessThanOrEqual(10);
  });

  test("a slow page is checked again after a minute, then after ten and fifteen, until it answers", {
    tags: "full",
  }, async () => {
    const [host] = await silentSites(1);
    const site = { site: { domains: { some: { host: host as string } } } };
    const page = await web();
    const { id } = await db()
      .monitor.findFirstOrThrow({ where: site, select: { siteId: true } })
      .then(({ siteId }) => ({ id: siteId }));
    // Another site answers, so that the fault is not this server's.
    const other = await monitored(page);
    const delays: number[] = [];
    let now = START;
    for (const _ of [1, 2, 3, 4]) {
      await db().monitor.updateMany({ where: { siteId: other.id }, data: { checkedAt: now, status: 200 } });
      await check(id, page, now, 3_000);
      const { nextCheckAt } = await db().monitor.findUniqueOrThrow({ where: { siteId: id } });
      delays.push((nextCheckAt.getTime() - now.getTime()) / MINUTE_MS);
      now = nextCheckAt;
    }
    expect(delays).toEqual([1, 10, 15, 15]);
    dns().set(host as string, { A: ["127.0.0.1"] });
    await check(id, page, now);
    expect(await db().monitor.findUniqueOrThrow({ where: { siteId: id } })).toMatchObject({
      slowChecks: 0,
      problem: null,
    });
  });

  test("all tries of a check share one deadline, and a name without an answer is not asked again over http", async () => {
    const page = await web();
    dns().set(page.host, "silent");
    dns().set(`www.${page.host}`, "silent");
    const site = { host: page.host, secure: false, proven: true };
    expect(await checkPage(site, { deadlineMs: 1_000, internet: page.internet })).toMatchObject({
      status: null,
      unsure: true,
    });
    expect(dns().queryCount(page.host, "A")).toBe(1);
    expect(dns().queryCount(`www.${page.host}`, "A")).toBeLessThanOrEqual(1);
  });

  test("a page that times out counts as down; a single failed check opens no incident", async () => {
    const page = await web();
    const { id, ownerId } = await monitored(page);
    page.answer = () => {};
    await check(id, page, START, 1_000);
    page.answer = up;
    await check(id, page, later(1));
    page.answer = () => {};
    await check(id, page, later(7), 1_000);
    await check(id, page, later(8), 1_000);
    expect(await incidents(id)).toMatchObject([{ cause: "unreachable", startedAt: later(7) }]);
    expect((await emailsOf(ownerId)).map(({ text }) => text)).toEqual([
      expect.stringContaining("did not respond within 1 seconds"),
    ]);
  });

  test("DNS failures open no incident while no other site is reachable, because the fault may be ours", async () => {
    const [page, other] = [await web(), await web()];
    // A separate year, in which no site of another test is reachable.
    const at = (minutes: number) => later(minutes, new Date("2041-06-01T12:00:00Z"));
    const { id } = await monitored(page, { now: at(0) });
    dns().set(page.host, "servfail");
    for (const minute of [0, 6, 12]) await check(id, page, at(minute));
    expect(await readMonitorStatus(id)).toMatchObject({ problem: "could not be read" });
    expect(await incidents(id)).toEqual([]);
    const reached = await monitored(other, { now: at(17) });
    await check(reached.id, other, at(17));
    await db().monitor.updateMany({ where: { siteId: id }, data: { nextCheckAt: at(18) } });
    for (const minute of [18, 19]) await check(id, page, at(minute));
    expect(await incidents(id)).toMatchObject([{ cause: "unreachable", startedAt: at(18) }]);
  });

  test("a certificate that expires within two weeks opens one incident with one email", async () => {
    const page = await web();
    const ends = new Date("2120-01-01T00:00:00Z");
    const now = new Date(ends.getTime() - 13 * DAY_MS);
    const { id, ownerId } = await monitored(page, { now: START });
    await check(id, page, START);
    expect(await readMonitorStatus(id)).toMatchObject({ certificateUntil: ends });
    expect(await incidents(id)).toEqual([]);
    await check(id, page, now);
    await check(id, page, later(6, now));
    expect(await incidents(id)).toEqual([{ cause: "certificate", startedAt: now, endedAt: null, notified: true }]);
    expect(await subjects(ownerId)).toEqual([`${page.host}: certificate expires soon`]);
  });

  test("the reason of a failure is shown only for verified domains, and never for private addresses", async () => {
    const expired = await web("expired");
    const proven = await monitored(expired);
    await check(proven.id, expired, START);
    expect(await readMonitorStatus(proven.id)).toMatchObject({ problem: "has an expired certificate", status: null });
    const other = await web("expired");
    const unproven = await monitored(other, { proven: false });
    await check(unproven.id, other, START);
    expect(await readMonitorStatus(unproven.id)).toMatchObject({ problem: "could not be read" });
    const inside = await web();
    const behind = await monitored(inside);
    await check(behind.id, { ...inside, internet: { ...inside.internet, privateRanges: [] } }, START);
    expect(await readMonitorStatus(behind.id)).toMatchObject({ problem: "could not be read", certificateUntil: null });
    expect(inside.requests).toEqual([]);
  });

  test("of many incidents in a day the first three are notified, and all are listed", async () => {
    const page = await web();
    const { id, ownerId } = await monitored(page);
    for (let hour = 0; hour < 5; hour++) {
      page.answer = down;
      for (const minute of [0, 1]) await check(id, page, later(60 * hour + minute));
      page.answer = up;
      await check(id, page, later(60 * hour + 30));
    }
    expect((await incidents(id)).map(({ notified }) => notified)).toEqual([false, false, true, true, true]);
    expect((await subjects(ownerId)).length).toBe(6);
  });

  test("emails go to owners and to members who opted in, but not to members who opted out", async () => {
    const page = await web();
    const { id, ownerId } = await monitored(page);
    const [viewer, manager] = [await newOwner(START), await makeMember(id, "manager")];
    await db().membership.create({ data: { siteId: id, personId: viewer.personId, role: "viewer" } });
    const setEmails = (on: boolean) => doAction(viewer, "monitoring.emails", { site_id: id, emails: on }, START);
    expect((await setEmails(true)).status).toBe(200);
    page.answer = down;
    for (const minute of [0, 1]) await check(id, page, later(minute));
    const counts = () =>
      Promise.all([ownerId, viewer.personId, manager].map(async (personId) => (await subjects(personId)).length));
    expect(await counts()).toEqual([1, 1, 0]);
    expect((await setEmails(false)).status).toBe(200);
    page.answer = up;
    await check(id, page, later(7));
    expect(await counts()).toEqual([2, 1, 0]);
  });

  test("disabling monitoring closes open incidents without emails and stops all checks", async () => {
    const page = await web();
    const { id, ownerId } = await monitored(page);
    page.answer = down;
    for (const minute of [0, 1]) await check(id, page, later(minute));
    const input = { site_id: id, enabled: false };
    expect(await summaryOf(ownerId, id, "sites.monitoring", input)).toEqual([
      { label: "Monitor this site", before: "Yes", after: "No" },
    ]);
    expect(await call(ownerId, "sites.monitoring", input, later(2))).toMatchObject({ site_id: id, monitoring: false });
    expect(await incidents(id)).toMatchObject([{ endedAt: later(2) }]);
    const before = page.requests.length;
    await checkPages(later(60), { deadlineMs: PATIENT_MS, internet: page.internet });
    expect([page.requests.length, (await subjects(ownerId)).length]).toEqual([before, 1]);
  });
});

interface Post {
  headers: IncomingHttpHeaders;
  body: string;
}

const setWebhook = (personId: number, siteId: number, url: string) =>
  call(personId, "sites.webhooks.set", { site_id: siteId, url }, START);
const rotateSecret = (personId: number, siteId: number) =>
  call(personId, "sites.webhooks.rotate", { site_id: siteId }, START);

/** A site with a webhook to a server that records its requests. */
async function withWebhook() {
  const page = await web();
  const site = await monitored(page);
  const receiver = await web();
  const { secret } = await setWebhook(site.ownerId, site.id, `https://${receiver.host}/hook`);
  const posts: Post[] = [];
  const answers = { status: 204 };
  receiver.answer = async (request, response) => {
    posts.push({ headers: request.headers, body: Buffer.concat(await request.toArray()).toString() });
    response.writeHead(answers.status, { location: "/elsewhere" }).end();
  };
  return { page, ...site, receiver, secret: `${secret}`, posts, answers };
}

/** The signature as computed from the specification alone. */
const signatureBy = (secret: string, { headers, body }: Post) => {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
};

/** Runs a verifier program on a request at a given time. Returns the body it accepted, or "refused". */
type Verify = (given: Post & { secret: string; at: number }) => string;
const verifier =
  (command: string, ...program: string[]): Verify =>
  (given) =>
    execFileSync(command, program, { input: JSON.stringify(given), encoding: "utf8" }).trim();
const IN_NODE = `${VERIFIERS["Node.js"]}
import { readFileSync } from "node:fs";
const { headers, body, secret, at } = JSON.parse(readFileSync(0, "utf8"));
Date.now = () => at * 1000;
try { console.log(JSON.stringify(readMessage(headers, body, secret))); } catch { console.log("refused"); }`;
const IN_PYTHON = `${VERIFIERS.Python}
import sys
given = json.load(sys.stdin)
time.time = lambda: given["at"]
try:
    message = read_message(given["headers"], given["body"].encode(), given["secret"])
    print(json.dumps(message, separators=(",", ":")))
except ValueError:
    print("refused")`;
const hasPython = spawnSync("python3", ["--version"]).status === 0;

// Sequential, because a delivery sends the messages of all sites that are due.
describe.sequential("webhooks", () => {
  test("the start and end of an incident are posted, signed, with the same id at every attempt", async () => {
    const { page, id, receiver, secret, posts, answers } = await withWebhook();
    page.answer = down;
    for (const minute of [0, 1]) await check(id, page, later(minute));
    answers.status = 500;
    await sendDeliveries(later(1), receiver.internet);
    await sendDeliveries(later(1.5), receiver.internet);
    expect(posts.length).toBe(1);
    answers.status = 204;
    await sendDeliveries(later(2), receiver.internet);
    await sendDeliveries(later(60), receiver.internet);
    expect(posts.length).toBe(2);
    const [first, second] = posts as [Post, Post];
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(second.headers["webhook-timestamp"]).toBe(`${later(2).getTime() / 1000}`);
    expect(second.headers["webhook-signature"]).toBe(signatureBy(secret, second));
    expect(JSON.parse(second.body)).toMatchObject({
      type: "incident.started",
      data: { site_id: id, domain: page.host, cause: "unreachable", started_at: START.toISOString(), ended_at: null },
    });
    page.answer = up;
    await check(id, page, later(61));
    await sendDeliveries(later(61), receiver.internet);
    expect(JSON.parse(posts[2]?.body ?? "")).toMatchObject({
      type: "incident.ended",
      data: { ended_at: later(61).toISOString() },
    });
    expect((await readWebhook(id, later(61)))?.deliveries).toMatchObject([
      { type: "incident.ended", outcome: "Answered 204", deliveredAt: later(61), sendAfter: null },
      { type: "incident.started", outcome: "Answered 204", deliveredAt: later(2), sendAfter: null },
    ]);
  });

  test("the verifiers in the docs accept messages of the current and the previous secret, and nothing modified", async () => {
    const { page, id, ownerId, receiver, secret, posts } = await withWebhook();
    const { secret: fresh } = await rotateSecret(ownerId, id);
    await queueTest(db(), { id, domain: page.host }, START);
    await sendDeliveries(START, receiver.internet);
    const { headers, body } = posts[0] as Post;
    const at = START.getTime() / 1000;
    const verifiers = [verifier(process.execPath, "--input-type=module", "-e", IN_NODE)];
    if (hasPython) verifiers.push(verifier("python3", "-c", IN_PYTHON));
    for (const verify of verifiers) {
      expect(verify({ headers, body, secret, at })).toBe(body);
      expect(verify({ headers, body, secret: fresh, at: at + 300 })).toBe(body);
      expect(verify({ headers, body, secret: fresh, at: at + 301 })).toBe("refused");
      expect(verify({ headers, body: body.replace("test", "text"), secret, at })).toBe("refused");
      expect(verify({ headers, body, secret: `whsec_${Buffer.alloc(32).toString("base64")}`, at })).toBe("refused");
    }
  });

  test("a message that is never accepted is dropped after a day, and redirects are not followed", async () => {
    const { page, id, receiver, posts, answers } = await withWebhook();
    page.answer = down;
    for (const minute of [0, 1]) await check(id, page, later(minute));
    answers.status = 307;
    for (let minute = 1; minute < 3 * 24 * 60; minute += 15) await sendDeliveries(later(minute), receiver.internet);
    expect(new Set(receiver.requests)).toEqual(new Set(["/hook"]));
    expect(new Set(posts.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(posts.length).toBeLessThan(20);
    expect((await readWebhook(id, START))?.deliveries).toMatchObject([
      { outcome: "Answered 307", sendAfter: null, deliveredAt: null },
    ]);
  });

  test("after a rotation both secrets sign for a day, then only the new one", async () => {
    const { page, id, ownerId, receiver, secret, posts } = await withWebhook();
    const { secret: fresh } = await rotateSecret(ownerId, id);
    page.answer = down;
    for (const minute of [0, 1]) await check(id, page, later(minute));
    await sendDeliveries(later(1), receiver.internet);
    page.answer = up;
    await check(id, page, later(25 * 60));
    await sendDeliveries(later(25 * 60), receiver.internet);
    const [both, one] = posts as [Post, Post];
    expect(both.headers["webhook-signature"]).toBe(`${signatureBy(fresh, both)} ${signatureBy(secret, both)}`);
    expect(one.headers["webhook-signature"]).toBe(signatureBy(fresh, one));
    const row = await db().webhook.findUniqueOrThrow({ where: { siteId: id } });
    expect(Buffer.from(row.secret).includes(Buffer.from(fresh.slice(6), "base64"))).toBe(false);
  });

  test("a webhook on a private address is never connected to, and its outcome looks like an unreachable host", async () => {
    const { page, id, receiver, posts } = await withWebhook();
    page.answer = down;
    for (const minute of [0, 1]) await check(id, page, later(minute));
    await sendDeliveries(later(1), { ...receiver.internet, privateRanges: [] });
    expect(posts).toEqual([]);
    expect((await readWebhook(id, START))?.deliveries).toMatchObject([{ outcome: "Could not be reached" }]);
  });
});

test("a rate-limited webhook test is not queued", async () => {
  const owner = await newOwner(START);
  const site = await makeSite();
  await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role: "manager" } });
  await setWebhook(owner.personId, site.id, "https://no.invalid/");
  const fill = { key: `webhook:${owner.personId}`, hits: 10, resetsAt: later(10) };
  await db().rateCount.create({ data: fill });
  const refused = await doAction(owner, "sites.webhooks.send_test", { site_id: site.id }, START);
  expect(refused.body.error.code).toBe("rate_limited");
  expect((await readWebhook(site.id, START))?.deliveries).toEqual([]);
});

test("only managers with a fresh sign-in set a webhook, and only to an https URL without a port", async () => {
  const owner = await newOwner(START);
  const site = await makeSite();
  await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role: "manager" } });
  const set = (url: string, now = START) => doAction(owner, "sites.webhooks.set", { site_id: site.id, url }, now);
  for (const url of [
    "http://a.example/",
    "https://a.example:8443/",
    "https://me:pw@a.example/",
    "ftp://a.example",
    "x",
  ]) {
    expect((await set(url)).body.error, url).toMatchObject({
      code: "invalid_input",
      details: { issues: [{ path: "url" }] },
    });
  }
  expect((await set("https://a.example/hook", later(6))).body.error.code).toBe("reauthentication_required");
  expect((await set("https://a.example/hook")).body.data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect((await set("https://b.example/hook")).body.data.secret).toBeNull();
  const entries = await db().audit.findMany({
    where: { siteId: site.id, operation: "sites.webhooks.set" },
    orderBy: { id: "asc" },
  });
  const detailOf = (host: string) => ({ host, site_domain: site.host });
  expect(entries.map(({ detail }) => detail)).toEqual([detailOf("a.example"), detailOf("b.example")]);
  await db().membership.updateMany({ where: { siteId: site.id, personId: owner.personId }, data: { role: "viewer" } });
  for (const act of ["get", "rotate", "delete", "send_test"]) {
    const { body } = await doAction(owner, `sites.webhooks.${act}`, { site_id: site.id }, START);
    expect(body.error.code, act).toBe("role_denied");
  }
  expect((await set("https://c.example/")).body.error.code).toBe("role_denied");
});
