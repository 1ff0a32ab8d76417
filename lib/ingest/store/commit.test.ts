import { expect, test } from "vitest";
import { commit, LOCK_SLOTS, lockSlotOf } from "@/lib/ingest/store/commit";
import { db } from "@/lib/platform/db";
import { decidedEventOf } from "@/lib/testing/events";
import { someoneWaitsFor } from "@/lib/testing/locks";
import { makeSite } from "@/lib/testing/world";

const NO_WAIT = { ready: Promise.resolve(), pass: () => {} };

test("every visitor maps to one of a fixed number of locks, and all locks are used", () => {
  const slots = new Set<number>();
  for (let n = 0n; n < 20_000n; n++) {
    const visitor = BigInt.asIntN(64, n * 6364136223846793005n + 1442695040888963407n);
    slots.add(lockSlotOf(`${visitor}`));
    expect(lockSlotOf(`${visitor}`)).toBe(lockSlotOf(`${visitor}`));
  }
  expect(slots.size).toBe(LOCK_SLOTS);
  expect(["0", "-1", "-9223372036854775808"].map(lockSlotOf).every((slot) => slot >= 0 && slot < LOCK_SLOTS)).toBe(
    true,
  );
});

test("a batch locks its visitors in the same order, whatever the order of its events", async () => {
  const { host } = await makeSite();
  const event = await decidedEventOf(host, "a");
  const [low, high] = ["3000000000000010", "3000000000000500"];
  expect(lockSlotOf(low)).toBeLessThan(lockSlotOf(high));
  let written: Promise<unknown> = Promise.resolve();
  await db().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('facts.visitor'), ${lockSlotOf(low)}::int)`;
    written = commit(
      [
        { ...event, visitors: [high] },
        { ...event, visitors: [low] },
      ],
      NO_WAIT,
    );
    await someoneWaitsFor(tx);
    const held = await tx.$queryRaw<{ slot: number }[]>`
      SELECT objid::int AS slot FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = ${lockSlotOf(high)}::oid
        AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`;
    expect(held).toEqual([]);
  });
  expect(await written).toMatchObject([{ status: "stored" }, { status: "stored" }]);
});
