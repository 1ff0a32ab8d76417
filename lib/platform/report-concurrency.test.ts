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

/** Acquires places in call order, and lists the statements that have started. */
function startQueue(limit: ReportConcurrency) {
  const started: string[] = [];
  const acquire = (name: string, shares: Shares, signal?: AbortSignal) =>
    limit.acquire(shares, signal).then(() => started.push(name));
  // After one turn of the event loop all promises that can resolve have resolved.
  const settled = () => new Promise((resolve) => setImmediate(resolve)).then(() => started);
  return { acquire, settled };
}

test("a caller never runs more than its share, and another caller gets a free place", async () => {
  const limit = new ReportConcurrency(3, 2);
  const { acquire, settled } = startQueue(limit);
  for (const name of ["a1", "a2", "a3", "a4"]) acquire(name, a);
  acquire("b1", b);
  expect(await settled()).toEqual(["a1", "a2", "b1"]);
  limit.release(a);
  expect(await settled()).toEqual(["a1", "a2", "b1", "a3"]);
});

test("the waiting caller with the fewest running statements goes first, in order of arrival within a caller", async () => {
  const limit = new ReportConcurrency(2, 2);
  const { acquire, settled } = startQueue(limit);
  for (const name of ["a1", "a2", "a3", "a4"]) acquire(name, a);
  for (const name of ["b1", "b2"]) acquire(name, b);
  limit.release(a);
  expect(await settled()).toEqual(["a1", "a2", "b1"]);
  limit.release(a);
  expect(await settled()).toEqual(["a1", "a2", "b1", "a3"]);
  limit.release(b);
  expect(await settled()).toEqual(["a1", "a2", "b1", "a3", "b2"]);
});

test("agents of a person run within the share of the person, and the agent with the fewest running goes first", async () => {
  const limit = new ReportConcurrency(6, 6);
  const { acquire, settled } = startQueue(limit);
  const person = share("person", { running: 3 });
  const agents = ["x", "y"].map((key): Shares => [person, share(key, { running: 2 })]) as [Shares, Shares];
  for (const name of ["x1", "x2", "x3"]) acquire(name, agents[0]);
  acquire("person", [person]);
  acquire("y1", agents[1]);
  expect(await settled()).toEqual(["x1", "x2", "person"]);
  limit.release([person]);
  expect(await settled()).toEqual(["x1", "x2", "person", "y1"]);
  limit.release(agents[0]);
  expect(await settled()).toEqual(["x1", "x2", "person", "y1", "x3"]);
});

test("a full queue of a share refuses the next statement of that share only", async () => {
  const limit = new ReportConcurrency(1, 1);
  const { acquire, settled } = startQueue(limit);
  const few: Shares = [share("few", { waiting: 2 })];
  for (const name of ["f1", "f2", "f3"]) acquire(name, few);
  await expect(limit.acquire(few)).rejects.toEqual(new TooManyWaiting("few"));
  acquire("b1", b);
  limit.release(few);
  expect(await settled()).toEqual(["f1", "f2"]);
  limit.release(few);
  expect(await settled()).toEqual(["f1", "f2", "f3"]);
  limit.release(few);
  expect(await settled()).toEqual(["f1", "f2", "f3", "b1"]);
});

test("a caller who disconnects while waiting leaves the queue, and the others continue", async () => {
  const limit = new ReportConcurrency(1, 1);
  const { acquire, settled } = startQueue(limit);
  const leaving = new AbortController();
  acquire("a1", a);
  const left = acquire("a2", a, leaving.signal);
  acquire("a3", a);
  leaving.abort();
  await expect(left).rejects.toBe(leaving.signal.reason);
  limit.release(a);
  expect(await settled()).toEqual(["a1", "a3"]);
});
