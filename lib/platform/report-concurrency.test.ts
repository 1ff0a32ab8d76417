import { expect, test } from "vitest";
import { ReportConcurrency, TooManyWaiting } from "@/lib/platform/report-concurrency";
import type { Shares } from "@/lib/platform/report-shares";

const share = (key: string, limits: { running?: number; waiting?: number } = {}) => ({
  key,
  name: key,
  running: 9,
  waiting: 9,
  seconds: null,
  ...limits,
});
const [a, b]: [Shares, Shares] = [[share("a")], [share("b")]];

/** Starts statements in this order, and lists which have begun. */
function line(limit: ReportConcurrency) {
  const begun: string[] = [];
  const ask = (name: string, shares: Shares, signal?: AbortSignal) =>
    limit.acquire(shares, signal).then(() => begun.push(name));
  // Promises that may resolve have done so after a turn of the loop.
  const settled = () => new Promise((resolve) => setImmediate(resolve)).then(() => begun);
  return { ask, settled };
}

test("a caller never runs more than its share, and another caller finds a free place", async () => {
  const limit = new ReportConcurrency(3, 2);
  const { ask, settled } = line(limit);
  for (const name of ["a1", "a2", "a3", "a4"]) ask(name, a);
  ask("b1", b);
  expect(await settled()).toEqual(["a1", "a2", "b1"]);
  limit.release(a);
  expect(await settled()).toEqual(["a1", "a2", "b1", "a3"]);
});

test("of those that wait the caller with the fewest running goes first, and within it who came first", async () => {
  const limit = new ReportConcurrency(2, 2);
  const { ask, settled } = line(limit);
  for (const name of ["a1", "a2", "a3", "a4"]) ask(name, a);
  for (const name of ["b1", "b2"]) ask(name, b);
  limit.release(a);
  expect(await settled()).toEqual(["a1", "a2", "b1"]);
  limit.release(a);
  expect(await settled()).toEqual(["a1", "a2", "b1", "a3"]);
  limit.release(b);
  expect(await settled()).toEqual(["a1", "a2", "b1", "a3", "b2"]);
});

test("agents of a person run within the person's share, and the one with the fewest running goes first", async () => {
  const limit = new ReportConcurrency(6, 6);
  const { ask, settled } = line(limit);
  const person = share("person", { running: 3 });
  const agents = ["x", "y"].map((key): Shares => [person, share(key, { running: 2 })]) as [Shares, Shares];
  for (const name of ["x1", "x2", "x3"]) ask(name, agents[0]);
  ask("person", [person]);
  ask("y1", agents[1]);
  expect(await settled()).toEqual(["x1", "x2", "person"]);
  limit.release([person]);
  expect(await settled()).toEqual(["x1", "x2", "person", "y1"]);
  limit.release(agents[0]);
  expect(await settled()).toEqual(["x1", "x2", "person", "y1", "x3"]);
});

test("beyond what may wait of a share the next statement is refused, and that of another caller is not", async () => {
  const limit = new ReportConcurrency(1, 1);
  const { ask, settled } = line(limit);
  const few: Shares = [share("few", { waiting: 2 })];
  for (const name of ["f1", "f2", "f3"]) ask(name, few);
  await expect(limit.acquire(few)).rejects.toEqual(new TooManyWaiting("few"));
  ask("b1", b);
  limit.release(few);
  expect(await settled()).toEqual(["f1", "f2"]);
  limit.release(few);
  expect(await settled()).toEqual(["f1", "f2", "f3"]);
  limit.release(few);
  expect(await settled()).toEqual(["f1", "f2", "f3", "b1"]);
});

test("a caller who leaves while waiting gives up the place, and the others go on", async () => {
  const limit = new ReportConcurrency(1, 1);
  const { ask, settled } = line(limit);
  const leaving = new AbortController();
  ask("a1", a);
  const left = ask("a2", a, leaving.signal);
  ask("a3", a);
  leaving.abort();
  await expect(left).rejects.toBe(leaving.signal.reason);
  limit.release(a);
  expect(await settled()).toEqual(["a1", "a3"]);
});
