import { expect, test } from "vitest";
import { ReportTurns, TooManyWaiting } from "@/lib/report-turns";

/** Takes turns for sites in this order, and tells which have begun. */
function line(turns: ReportTurns) {
  const begun: string[] = [];
  const ask = (name: string, siteId: number, signal?: AbortSignal) =>
    turns.take(siteId, signal).then(() => begun.push(name));
  // Promises that may resolve have done so after a turn of the loop.
  const settled = () => new Promise((resolve) => setImmediate(resolve)).then(() => begun);
  return { ask, settled };
}

test("one site never has more than its share running, and another finds a turn free", async () => {
  const turns = new ReportTurns(3, 2, 10);
  const { ask, settled } = line(turns);
  for (const name of ["a1", "a2", "a3", "a4"]) ask(name, 1);
  ask("b1", 2);
  expect(await settled()).toEqual(["a1", "a2", "b1"]);
  turns.give(1);
  expect(await settled()).toEqual(["a1", "a2", "b1", "a3"]);
});

test("of those that wait the site with the fewest running goes first, and within it who came first", async () => {
  const turns = new ReportTurns(2, 2, 10);
  const { ask, settled } = line(turns);
  for (const name of ["a1", "a2", "a3", "a4"]) ask(name, 1);
  for (const name of ["b1", "b2"]) ask(name, 2);
  turns.give(1);
  expect(await settled()).toEqual(["a1", "a2", "b1"]);
  turns.give(1);
  expect(await settled()).toEqual(["a1", "a2", "b1", "a3"]);
  turns.give(2);
  expect(await settled()).toEqual(["a1", "a2", "b1", "a3", "b2"]);
});

test("beyond what may wait of one site the next is refused, and another site's is not", async () => {
  const turns = new ReportTurns(1, 1, 2);
  const { ask, settled } = line(turns);
  for (const name of ["a1", "a2", "a3"]) ask(name, 1);
  await expect(turns.take(1)).rejects.toBeInstanceOf(TooManyWaiting);
  ask("b1", 2);
  turns.give(1);
  turns.give(1);
  expect(await settled()).toEqual(["a1", "a2", "a3"]);
});

test("who goes away while waiting gives up the place, and the turns go on", async () => {
  const turns = new ReportTurns(1, 1, 2);
  const { ask, settled } = line(turns);
  const leaving = new AbortController();
  ask("a1", 1);
  const left = ask("a2", 1, leaving.signal);
  ask("a3", 1);
  leaving.abort();
  await expect(left).rejects.toBe(leaving.signal.reason);
  turns.give(1);
  expect(await settled()).toEqual(["a1", "a3"]);
});
