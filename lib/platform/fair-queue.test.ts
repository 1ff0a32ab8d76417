import { expect, test } from "vitest";
import { FairQueue } from "@/lib/platform/fair-queue";

/** Queues work of these accounts at once, and returns the accounts in the order of their turns. */
async function turnsOf(accounts: readonly string[], concurrency = 1): Promise<string[]> {
  const queue = new FairQueue(concurrency);
  const turns: string[] = [];
  await Promise.all(
    accounts.map((account) =>
      queue.run(account, async () => {
        turns.push(account);
        await Promise.resolve();
      }),
    ),
  );
  return turns;
}

test("accounts take turns, whoever queued first", async () => {
  expect(await turnsOf(["a", "a", "a", "b"])).toEqual(["a", "b", "a", "a"]);
  expect(await turnsOf(["a", "a", "a", "b", "b", "c"])).toEqual(["a", "b", "c", "a", "b", "a"]);
  expect(await turnsOf(["a", "a", "a", "a", "b"], 2)).toEqual(["a", "a", "b", "a", "a"]);
});

test("one piece of work runs at a time, and one that fails gives its turn on", async () => {
  const queue = new FairQueue();
  let [running, most] = [0, 0];
  const work = async (fails: boolean) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    if (fails) throw new Error("failed");
    return "done";
  };
  const all = [true, false, true, false].map((fails, i) => queue.run(`${i % 2}`, () => work(fails)));
  expect(queue.isWaiting("1")).toBe(true);
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
  expect([most, queue.isWaiting("1"), queue.isWaiting("0")]).toEqual([1, false, false]);
  expect(await queue.run("0", () => work(false))).toBe("done");
});
