import { execFileSync, spawnSync } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { sendDeliveries } from "@/lib/monitoring/deliver";
import { listIncidents } from "@/lib/monitoring/incidents";
import { checkPages } from "@/lib/monitoring/pages";
import { readMonitorStatus } from "@/lib/monitoring/switch";
import { queueTest, readWebhook } from "@/lib/monitoring/webhooks";
import { db } from "@/lib/platform/db";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { VERIFIERS } from "@/lib/publish/webhooks";
import { createSite } from "@/lib/sites/create";
import { call, makeMember, summaryOf } from "@/lib/testing/calls";
import { emailsOf } from "@/lib/testing/emails";
import { startHttps, testAuthority } from "@/lib/testing/https";
import { serversForTests } from "@/lib/testing/internet";
import { doAction, newOwner } from "@/lib/testing/owners";
import { makePerson, makeSite } from "@/lib/testing/world";

/** The pages of sites on real servers, and what is told of them, by a clock that the test moves. */

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3600_000;
/** Far ahead, so that no server of another test finds these letters due; the certificates of the tests last longer. */
const START = new Date("2040-06-01T12:00:00Z");
const later = (minutes: number, from = START) => new Date(from.getTime() + minutes * MINUTE_MS);

const { dns, stops } = serversForTests();

/** Pages that a test turns up and down. */
interface Web {
  host: string;
  internet: Internet;
  answer: RequestListener;
  asked: string[];
}

async function web(certificate?: string): Promise<Web> {
  const host = `${randomUUID()}.proof.example`;
  const page: RequestListener = (_, response) => response.end("here");
  const server = await startHttps(
    (request, response) => state.answer(request, response),
    certificate ? { certificate } : {},
  );
  stops.push(server.stop);
  dns().set(host, { A: ["127.0.0.1"] });
  const internet = {
    dnsServers: [dns().address],
    ca: testAuthority(),
    privateRanges: ["127.0.0.1"],
    port: server.port,
  };
  const state: Web = { host, internet, answer: page, asked: server.asked };
  return state;
}

/** A site whose page is on that web, monitored. */
async function monitored({ host }: Web, { proven = true, now = START } = {}) {
  const ownerId = await makePerson();
  const creator = { kind: "owner", personId: ownerId } as const;
  const id = await createSite(db(), { host, name: null, timezone: "UTC", public: false, creator, now });
  if (proven) await db().siteDomain.updateMany({ where: { siteId: id }, data: { verifiedAt: now } });
  await call(ownerId, "sites.monitoring", { site_id: id, enabled: true }, now);
  return { id, ownerId };
}

/** Looks at this site alone: others of the same file have their own times. */
async function look(siteId: number, { internet }: Web, now: Date, deadlineMs = 5_000) {
  const { nextCheckAt } = await db().monitor.findUniqueOrThrow({ where: { siteId } });
  expect(nextCheckAt.getTime()).toBeLessThanOrEqual(now.getTime());
  await db().monitor.updateMany({ where: { siteId: { not: siteId } }, data: { nextCheckAt: new Date("2100-01-01") } });
  await checkPages(now, { deadlineMs, internet });
}

const down: RequestListener = (_, response) => response.writeHead(503).end();
const up: RequestListener = (_, response) => response.end("here");
const subjects = async (personId: number) => (await emailsOf(personId)).map(({ subject }) => subject);
const incidents = async (siteId: number) =>
  (await listIncidents(siteId)).map(({ cause, startedAt, endedAt, told }) => ({ cause, startedAt, endedAt, told }));

// One after the other: a look takes whatever site is due, of this file alone.
describe.sequential("the pages of monitored sites", () => {
  test("a page that goes down is one incident and one letter at the second bad look, and one more when it is back", async () => {
    const page = await web();
    const { id, ownerId } = await monitored(page);
    await look(id, page, START);
    expect(await readMonitorStatus(id)).toMatchObject({ problem: null, status: 200, checkedAt: START });
    page.answer = down;
    await look(id, page, later(6));
    expect(await incidents(id)).toEqual([]);
    await look(id, page, later(7));
    await look(id, page, later(13));
    const incident = { cause: "unreachable", startedAt: later(6), endedAt: null, told: true };
    expect(await incidents(id)).toEqual([incident]);
    expect(await subjects(ownerId)).toEqual([`${page.host}: the page cannot be reached`]);
    expect((await emailsOf(ownerId))[0]?.text).toContain(`The page of ${page.host} answered 503, twice in a row.`);
    page.answer = up;
    await look(id, page, later(19));
    expect(await incidents(id)).toEqual([{ ...incident, endedAt: later(19) }]);
    expect((await subjects(ownerId)).slice(1)).toEqual([`${page.host}: the page answers again`]);
  });

  test("sites that have lost their only domain keep no other from being looked at", async () => {
    const page = await web();
    const lost = await Promise.all(Array.from({ length: 10 }, () => makeSite()));
    const siteIds = lost.map(({ id }) => id);
    await db().siteDomain.deleteMany({ where: { siteId: { in: siteIds } } });
    const { id } = await monitored(page);
    await db().monitor.updateMany({ where: { siteId: { not: id } }, data: { nextCheckAt: new Date("2100-01-01") } });
    await db().monitor.createMany({ data: siteIds.map((siteId) => ({ siteId, nextCheckAt: later(-9) })) });
    await checkPages(START, { deadlineMs: 5_000, internet: page.internet });
    expect((await readMonitorStatus(id))?.checkedAt).toEqual(START);
    await db().monitor.deleteMany({ where: { siteId: { in: siteIds } } });
  });

  test("a page that is too slow is down; one bad look alone is nothing", async () => {
    const page = await web();
    const { id, ownerId } = await monitored(page);
    page.answer = () => {};
    await look(id, page, START, 2_000);
    page.answer = up;
    await look(id, page, later(1));
    page.answer = () => {};
    await look(id, page, later(7), 2_000);
    await look(id, page, later(8), 2_000);
    expect(await incidents(id)).toMatchObject([{ cause: "unreachable", startedAt: later(7) }]);
    expect((await emailsOf(ownerId)).map(({ text }) => text)).toEqual([
      expect.stringContaining("gave no answer within 2 seconds"),
    ]);
  });

  test("names that cannot be looked up are no incident while no other site answers, for the fault may be ours", async () => {
    const [page, other] = [await web(), await web()];
    // A year of its own: no site of another test answers then.
    const at = (minutes: number) => later(minutes, new Date("2041-06-01T12:00:00Z"));
    const { id } = await monitored(page, { now: at(0) });
    dns().set(page.host, "servfail");
    for (const minute of [0, 6, 12]) await look(id, page, at(minute));
    expect(await readMonitorStatus(id)).toMatchObject({ problem: "could not be read" });
    expect(await incidents(id)).toEqual([]);
    const reached = await monitored(other, { now: at(17) });
    await look(reached.id, other, at(17));
    await db().monitor.updateMany({ where: { siteId: id }, data: { nextCheckAt: at(18) } });
    for (const minute of [18, 19]) await look(id, page, at(minute));
    expect(await incidents(id)).toMatchObject([{ cause: "unreachable", startedAt: at(18) }]);
  });

  test("a certificate that ends within two weeks is one incident and one letter", async () => {
    const page = await web();
    const ends = new Date("2120-01-01T00:00:00Z");
    const now = new Date(ends.getTime() - 13 * DAY_MS);
    const { id, ownerId } = await monitored(page, { now: START });
    await look(id, page, START);
    expect(await readMonitorStatus(id)).toMatchObject({ certificateUntil: ends });
    expect(await incidents(id)).toEqual([]);
    await look(id, page, now);
    await look(id, page, later(6, now));
    expect(await incidents(id)).toEqual([{ cause: "certificate", startedAt: now, endedAt: null, told: true }]);
    expect(await subjects(ownerId)).toEqual([`${page.host}: the certificate ends soon`]);
  });

  test("why a page cannot be read is told to those who proved its domain, and never of an address that is not public", async () => {
    const over = await web("expired");
    const proven = await monitored(over);
    await look(proven.id, over, START);
    expect(await readMonitorStatus(proven.id)).toMatchObject({
      problem: "has a certificate that is over",
      status: null,
    });
    const other = await web("expired");
    const unproven = await monitored(other, { proven: false });
    await look(unproven.id, other, START);
    expect(await readMonitorStatus(unproven.id)).toMatchObject({ problem: "could not be read" });
    const inside = await web();
    const behind = await monitored(inside);
    await look(behind.id, { ...inside, internet: { ...inside.internet, privateRanges: [] } }, START);
    expect(await readMonitorStatus(behind.id)).toMatchObject({ problem: "could not be read", certificateUntil: null });
    expect(inside.asked).toEqual([]);
  });

  test("a page that goes down and up all day is told of three times, and stands on the page each time", async () => {
    const page = await web();
    const { id, ownerId } = await monitored(page);
    for (let hour = 0; hour < 5; hour++) {
      page.answer = down;
      for (const minute of [0, 1]) await look(id, page, later(60 * hour + minute));
      page.answer = up;
      await look(id, page, later(60 * hour + 30));
    }
    expect((await incidents(id)).map(({ told }) => told)).toEqual([false, false, true, true, true]);
    expect((await subjects(ownerId)).length).toBe(6);
  });

  test("letters go to owners and to those who asked, and not to who asked for none", async () => {
    const page = await web();
    const { id, ownerId } = await monitored(page);
    const [asking, silent] = [await newOwner(START), await makeMember(id, "manager")];
    await db().membership.create({ data: { siteId: id, personId: asking.personId, role: "viewer" } });
    const letters = (on: boolean) => doAction(asking, "monitoring.letters", { site_id: id, letters: on }, START);
    expect((await letters(true)).status).toBe(200);
    page.answer = down;
    for (const minute of [0, 1]) await look(id, page, later(minute));
    const counts = () =>
      Promise.all([ownerId, asking.personId, silent].map(async (who) => (await subjects(who)).length));
    expect(await counts()).toEqual([1, 1, 0]);
    expect((await letters(false)).status).toBe(200);
    page.answer = up;
    await look(id, page, later(7));
    expect(await counts()).toEqual([2, 1, 0]);
  });

  test("switched off, what went on is over and nothing is looked at or told any more", async () => {
    const page = await web();
    const { id, ownerId } = await monitored(page);
    page.answer = down;
    for (const minute of [0, 1]) await look(id, page, later(minute));
    const input = { site_id: id, enabled: false };
    expect(await summaryOf(ownerId, id, "sites.monitoring", input)).toEqual([
      { label: "Monitoring", before: "On", after: "Off" },
    ]);
    expect(await call(ownerId, "sites.monitoring", input, later(2))).toMatchObject({ site_id: id, monitoring: false });
    expect(await incidents(id)).toMatchObject([{ endedAt: later(2) }]);
    const before = page.asked.length;
    await checkPages(later(60), { deadlineMs: 5_000, internet: page.internet });
    expect([page.asked.length, (await subjects(ownerId)).length]).toEqual([before, 1]);
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

/** A site with a webhook on a server that keeps what it is posted. */
async function hooked() {
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

/** As a receiver checks it who knows only the standard's words. */
const signatureBy = (secret: string, { headers, body }: Post) => {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
};

/** What a program says of a post at a moment, of which it knows the secret: the body that it read, or that it refuses it. */
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
const pythonIsHere = spawnSync("python3", ["--version"]).status === 0;

describe.sequential("webhooks", () => {
  test("an incident is posted when it begins and when it ends, signed, with an id that stays the same at every try", async () => {
    const { page, id, receiver, secret, posts, answers } = await hooked();
    page.answer = down;
    for (const minute of [0, 1]) await look(id, page, later(minute));
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
    await look(id, page, later(61));
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

  test("the functions of the docs take what is posted, from the secret before too, and nothing that was changed", async () => {
    const { page, id, ownerId, receiver, secret, posts } = await hooked();
    const { secret: fresh } = await rotateSecret(ownerId, id);
    await queueTest(db(), { id, domain: page.host }, START);
    await sendDeliveries(START, receiver.internet);
    const { headers, body } = posts[0] as Post;
    const at = START.getTime() / 1000;
    const verifiers = [verifier(process.execPath, "--input-type=module", "-e", IN_NODE)];
    if (pythonIsHere) verifiers.push(verifier("python3", "-c", IN_PYTHON));
    for (const verify of verifiers) {
      expect(verify({ headers, body, secret, at })).toBe(body);
      expect(verify({ headers, body, secret: fresh, at: at + 300 })).toBe(body);
      expect(verify({ headers, body, secret: fresh, at: at + 301 })).toBe("refused");
      expect(verify({ headers, body: body.replace("test", "text"), secret, at })).toBe("refused");
      expect(verify({ headers, body, secret: `whsec_${Buffer.alloc(32).toString("base64")}`, at })).toBe("refused");
    }
  });

  test("what is never taken is given up after a day, and a redirect is never followed", async () => {
    const { page, id, receiver, posts, answers } = await hooked();
    page.answer = down;
    for (const minute of [0, 1]) await look(id, page, later(minute));
    answers.status = 307;
    for (let minute = 1; minute < 3 * 24 * 60; minute += 15) await sendDeliveries(later(minute), receiver.internet);
    expect(new Set(receiver.asked)).toEqual(new Set(["/hook"]));
    expect(new Set(posts.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(posts.length).toBeLessThan(20);
    expect((await readWebhook(id, START))?.deliveries).toMatchObject([
      { outcome: "Answered 307", sendAfter: null, deliveredAt: null },
    ]);
  });

  test("for a day after a new secret both sign; then the old one does no more", async () => {
    const { page, id, ownerId, receiver, secret, posts } = await hooked();
    const { secret: fresh } = await rotateSecret(ownerId, id);
    page.answer = down;
    for (const minute of [0, 1]) await look(id, page, later(minute));
    await sendDeliveries(later(1), receiver.internet);
    page.answer = up;
    await look(id, page, later(25 * 60));
    await sendDeliveries(later(25 * 60), receiver.internet);
    const [both, one] = posts as [Post, Post];
    expect(both.headers["webhook-signature"]).toBe(`${signatureBy(fresh, both)} ${signatureBy(secret, both)}`);
    expect(one.headers["webhook-signature"]).toBe(signatureBy(fresh, one));
    const kept = await db().webhook.findUniqueOrThrow({ where: { siteId: id } });
    expect(Buffer.from(kept.secret).includes(Buffer.from(fresh.slice(6), "base64"))).toBe(false);
  });

  test("a webhook at an address that is not public is never connected to, and looks like one where nobody is", async () => {
    const { page, id, receiver, posts } = await hooked();
    page.answer = down;
    for (const minute of [0, 1]) await look(id, page, later(minute));
    await sendDeliveries(later(1), { ...receiver.internet, privateRanges: [] });
    expect(posts).toEqual([]);
    expect((await readWebhook(id, START))?.deliveries).toMatchObject([{ outcome: "Could not be reached" }]);
  });
});

test("tests of a webhook that are refused for being too many are not sent later either", async () => {
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

test("only managers set a webhook, with a fresh sign-in, and only to an https address without a port", async () => {
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
  const noted = await db().audit.findMany({
    where: { siteId: site.id, operation: "sites.webhooks.set" },
    orderBy: { id: "asc" },
  });
  const kept = (host: string) => ({ host, site_domain: site.host });
  expect(noted.map(({ detail }) => detail)).toEqual([kept("a.example"), kept("b.example")]);
  await db().membership.updateMany({ where: { siteId: site.id, personId: owner.personId }, data: { role: "viewer" } });
  for (const act of ["get", "rotate", "delete", "send_test"]) {
    const { body } = await doAction(owner, `sites.webhooks.${act}`, { site_id: site.id }, START);
    expect(body.error.code, act).toBe("role_denied");
  }
  expect((await set("https://c.example/")).body.error.code).toBe("role_denied");
});
