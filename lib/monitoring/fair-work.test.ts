import { expect, test } from "vitest";
import { workFairly } from "@/lib/monitoring/fair-work";

/** Works through pieces of these accounts, each of which ends when it is told to. */
function working(accounts: readonly string[], limits: { all: number; ofAccount: number }) {
  const due = accounts.map((account) => ({ account }));
  const started: { account: string; end: (error?: Error) => void }[] = [];
  const done = workFairly(
    limits,
    async (busy) => {
      const next = due.findIndex(({ account }) => !busy.includes(account));
      return next < 0 ? undefined : due.splice(next, 1)[0];
    },
    ({ account }) =>
      new Promise<void>((resolve, reject) =>
        started.push({ account, end: (error) => (error ? reject(error) : resolve()) }),
      ),
  );
  return { started, done, turn: () => new Promise(setImmediate) };
}

test("an account whose work never ends keeps only its share from the others", async () => {
  const { started, done, turn } = working(["slow", "slow", "slow", "slow", "a", "b", "c"], { all: 4, ofAccount: 2 });
  await turn();
  expect(started.map(({ account }) => account)).toEqual(["slow", "slow", "a", "b"]);
  started[2]?.end();
  await turn();
  expect(started.map(({ account }) => account)).toEqual(["slow", "slow", "a", "b", "c"]);
  for (let ended = 0; ended < 7; ended++) {
    started[ended]?.end();
    await turn();
  }
  await done;
  expect(started).toHaveLength(7);
});

test("one piece that fails does not keep the others from being done, and its error is thrown at the end", async () => {
  const { started, done, turn } = working(["a", "b", "c"], { all: 1, ofAccount: 1 });
  const outcome = done.catch((error: Error) => error.message);
  for (const error of [new Error("first"), undefined, new Error("last")]) {
    await turn();
    started.at(-1)?.end(error);
  }
  expect(await outcome).toBe("first");
  expect(started).toHaveLength(3);
});

test("with nothing due it ends at once", async () => {
  const { started, done } = working([], { all: 4, ofAccount: 2 });
  await done;
  expect(started).toEqual([]);
});
