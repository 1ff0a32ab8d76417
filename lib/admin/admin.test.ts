import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { listJobs } from "@/lib/admin/jobs";
import { listAllSites, listPeople, readBacklog } from "@/lib/admin/overview";
import { readStorage } from "@/lib/admin/storage";
import { outboxFolder, queueEmail, writeEmail } from "@/lib/email/mailer";
import { acquireJobLease, finishJob, registerJobs } from "@/lib/jobs/job-leases";
import { db } from "@/lib/platform/db";
import { setEnv } from "@/lib/platform/env";
import { ingestPool } from "@/lib/platform/pool";
import { EMAIL_TIME } from "@/lib/testing/emails";
import { newOwner } from "@/lib/testing/owners";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { makePerson, makeSite, send, TEST_SECRETS } from "@/lib/testing/world";

/** The admin pages' data. The database is shared with other tests, so each test looks only for its own rows. */

const NOW = new Date("2031-05-20T12:00:00Z");

test("sites are listed with their owners, ordered by events stored in the current UTC month", async () => {
  const [busy, busier] = [await makeSite(), await makeSite()];
  const second = await makePerson();
  await db().membership.create({ data: { siteId: busy.id, personId: second, role: "owner" } });
  await db().membership.create({ data: { siteId: busy.id, personId: await makePerson(), role: "manager" } });
  // More events than any other test's site, so that these two come first.
  await ingestPool().query(
    `INSERT INTO facts.intake (site_id, day, outcome, reason, events) VALUES
       ($1, '2031-05-01', 'stored', '', 2000000000), ($1, '2031-05-20', 'stored', '', 5),
       ($1, '2031-04-30', 'stored', '', 7), ($1, '2031-05-02', 'refused', 'name', 9),
       ($2, '2031-05-01', 'stored', '', 3000000000)`,
    [busy.id, busier.id],
  );
  const { sites, total } = await listAllSites(1, NOW);
  expect(sites.slice(0, 2)).toMatchObject([
    { siteId: busier.id, domain: busier.host, events: 3_000_000_000 },
    { siteId: busy.id, domain: busy.host, events: 2_000_000_005 },
  ]);
  const people = await db().person.findMany({ where: { id: { in: [busy.ownerId, second] } }, select: { email: true } });
  expect(sites[1]?.owners).toEqual(people.map(({ email }) => email).sort());
  expect(total).toBeGreaterThanOrEqual(2);
  expect((await listAllSites(2, NOW)).sites.map(({ siteId }) => siteId)).not.toContain(busy.id);
});

test("people are listed with the time they were last seen and their number of sites", async () => {
  const owner = await newOwner(NOW);
  const site = await makeSite();
  await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role: "viewer" } });
  const { people, total } = await listPeople(1);
  const theirs = people.find(({ personId }) => personId === owner.personId);
  expect(theirs).toEqual({
    personId: owner.personId,
    email: owner.email,
    name: null,
    confirmed: true,
    administrator: false,
    disabledAt: null,
    since: NOW,
    lastSeen: expect.any(Date),
    sites: 1,
  });
  expect(total).toBeGreaterThanOrEqual(people.length);
  expect((await listPeople(100_000)).people).toEqual([]);
});

test("storage lists the months that contain facts, and its parts add up to less than the whole database", async () => {
  const site = await makeSite();
  // No other test stores anything in this month, whenever they run.
  await ingestPool().query("SELECT facts.add_month('2037-03-01')");
  const before = (await readStorage()).months.map(({ month }) => month);
  expect(before).not.toContain("2037-03");
  await send(site, "/", { at: "2037-03-10T12:00:00Z" });
  const { database, months, dictionaries, postgres } = await readStorage();
  const march = months.find(({ month }) => month === "2037-03");
  expect(march?.events).toBeGreaterThan(0);
  expect(march?.visits).toBeGreaterThan(0);
  const facts = months.reduce((sum, { events, visits }) => sum + events + visits, 0);
  expect(dictionaries).toBeGreaterThan(0);
  expect(facts + dictionaries).toBeLessThan(database);
  expect(postgres).toMatch(/^\d+\.\d+/);
});

test("the backlog counts unsent emails with the oldest one's time, and deleted sites whose data is being purged", async () => {
  const siteId = 1_900_000_001;
  const message = writeEmail({ email: `${crypto.randomUUID()}@example.com`, language: null }, () => ({
    subject: "Hello",
    paragraphs: ["Hello."],
    why: "this is a test",
  }));
  await queueEmail(db(), message, EMAIL_TIME);
  await db().sitePurge.create({ data: { siteId, requestedAt: EMAIL_TIME } });
  const { emails, since, purges } = await readBacklog();
  expect(emails).toBeGreaterThan(0);
  expect(since?.getTime()).toBeLessThanOrEqual(EMAIL_TIME.getTime());
  expect(purges).toBeGreaterThan(0);
  await db().sitePurge.delete({ where: { siteId } });
});

// Sequential, because SMTP_URL and DATA_DIR are settings of the process.
test.sequential("the backlog counts the emails that lie in the outbox while no mail server is configured", async () => {
  const settings = { DATABASE_URL: "postgres://unused", APP_SECRETS: TEST_SECRETS, NODE_ENV: "test" };
  setEnv({ ...settings, DATA_DIR: temporaryDir() });
  try {
    expect((await readBacklog()).outbox).toBe(0);
    mkdirSync(outboxFolder());
    for (const name of ["1.eml", "2.eml", ".3.eml.part"]) writeFileSync(path.join(outboxFolder(), name), "");
    expect((await readBacklog()).outbox).toBe(2);
    setEnv({ ...settings, SMTP_URL: "smtp://127.0.0.1:9" });
    expect((await readBacklog()).outbox).toBeNull();
  } finally {
    setEnv(settings);
  }
});

test("failing jobs are listed first with their error; a job counts as running only while its lease is valid", async () => {
  const name = (what: string) => `test-${what}-${crypto.randomUUID()}`;
  const [failing, running] = [name("failing"), name("running")];
  await registerJobs(
    [failing, running].map((name) => ({ name, everyMs: 60_000 })),
    NOW,
  );
  const turn = await acquireJobLease(failing, "host:1", NOW);
  if (turn) await finishJob(turn, NOW, { error: new Error("disk full") });
  await acquireJobLease(running, "host:2", NOW);
  const jobs = await listJobs(NOW);
  const [first, second] = [failing, running].map((name) => jobs.find((job) => job.name === name));
  expect(first).toMatchObject({
    failures: 1,
    failure: "Error: disk full",
    failedAt: NOW,
    tookMs: 0,
    runningSince: null,
  });
  expect(second).toMatchObject({ failures: 0, lastRun: null, process: "host:2", runningSince: NOW });
  expect(jobs.findIndex(({ name }) => name === failing)).toBeLessThan(jobs.findIndex(({ name }) => name === running));
  const later = await listJobs(new Date(NOW.getTime() + 61_000));
  expect(later.find(({ name }) => name === running)?.runningSince).toBeNull();
});
