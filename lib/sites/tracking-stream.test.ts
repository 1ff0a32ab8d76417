import { expect, test } from "vitest";
import { revokeSession, sidHashOf } from "@/lib/auth/session-row";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { MAX_STREAMS_PER_PERSON, PERMISSION_CHECK_MS, watchTrackingTest } from "@/lib/sites/tracking-stream";
import { startTrackingTest, stopTrackingTest } from "@/lib/sites/tracking-tests";
import { newOwner } from "@/lib/testing/owners";
import { makeSite } from "@/lib/testing/world";

/** A manager with a running test, and a clock that advances while the stream waits. */
async function runningTest() {
  const start = new Date();
  const [site, owner] = [await makeSite(), await newOwner(start)];
  await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role: "manager" } });
  await startTrackingTest(db(), site.id, start);
  let at = start.getTime();
  const now = () => new Date(at);
  const pause = async (ms: number) => {
    at += ms;
  };
  const watch = (who: Owner = owner) =>
    watchTrackingTest({ owner: who, siteId: site.id, isActive: () => true, now, pause });
  const { startedAt } = await db().trackingTest.findUniqueOrThrow({ where: { siteId: site.id } });
  const see = (name: string) => db().$executeRaw`
    INSERT INTO facts.tracking_event (site_id, started_at, at, record)
    VALUES (${site.id}, ${startedAt}, now(), ${JSON.stringify({ name })}::jsonb)`;
  return { site, owner, watch, see, start, now, wait: pause };
}

const namesIn = (test: unknown) => (test as { hits: { name: string }[] }).hits.map(({ name }) => name);

test("each event is sent once and within a second, idle time sends heartbeats, and the stream ends with the test", async () => {
  const { site, watch, see, now } = await runningTest();
  await see("first");
  const tests = await watch();
  expect(namesIn((await tests.next()).value)).toEqual(["first"]);
  await see("second");
  await see("third");
  const seenAt = now().getTime();
  expect(namesIn((await tests.next()).value)).toEqual(["third", "second"]);
  expect(now().getTime() - seenAt).toBeLessThan(1_000);
  expect((await tests.next()).value).toBeNull();
  await stopTrackingTest(db(), site.id, now());
  expect((await tests.next()).value).toMatchObject({ status: "ended", hits: [] });
  expect((await tests.next()).done).toBe(true);
});

test("the stream ends soon after its viewer is no longer a manager or signs out", async () => {
  const revocations: ((on: Awaited<ReturnType<typeof runningTest>>) => Promise<unknown>)[] = [
    ({ site, owner }) => db().membership.deleteMany({ where: { siteId: site.id, personId: owner.personId } }),
    ({ owner }) => revokeSession(sidHashOf(owner.sid)),
  ];
  for (const revoke of revocations) {
    const on = await runningTest();
    const tests = await on.watch();
    await tests.next();
    await revoke(on);
    await on.wait(PERMISSION_CHECK_MS);
    await on.see("later");
    expect((await tests.next()).done).toBe(true);
  }
});

test("only managers can watch, and the number of streams per person is limited", async () => {
  const { watch, start } = await runningTest();
  await expect(watch(await newOwner(start))).rejects.toMatchObject({ code: "site_not_granted" });
  const many = [];
  for (let n = 0; n < MAX_STREAMS_PER_PERSON; n++) {
    const tests = await watch();
    await tests.next();
    many.push(tests);
  }
  await expect(watch()).rejects.toMatchObject({ code: "rate_limited" });
  await many[0]?.return(undefined);
  await (await watch()).return(undefined);
});
