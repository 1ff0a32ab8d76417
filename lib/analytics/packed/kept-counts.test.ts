import { expect, test } from "vitest";
import { KeptCounts } from "@/lib/analytics/packed/kept-counts";
import { type Counts, mapSums } from "@/lib/analytics/packed/tally";

const countsOf = (visits: number, size = 1): Counts[] => [
  { size, values: [], sums: mapSums(() => new Float64Array(size).fill(visits)) },
];

/** A question whose answer comes when it is told to, or not at all when nobody waits any more. */
function question() {
  let [begun, ended] = [0, 0];
  let [resolve, reject] = [(_: Counts[]) => {}, (_: Error) => {}];
  const promise = new Promise<Counts[]>((yes, no) => {
    [resolve, reject] = [yes, no];
  });
  return {
    resolve,
    reject,
    told: () => ({ begun, ended }),
    begin(ending: AbortSignal): Promise<Counts[]> {
      begun++;
      ending.addEventListener("abort", () => ended++);
      return promise;
    },
  };
}

test("who asks the same while it is counted, and afterwards, has it counted once", async () => {
  const kept = new KeptCounts(10_000);
  const asked = question();
  const answers = ["a", "a"].map((key) => kept.of(key, asked.begin));
  asked.resolve(countsOf(3));
  expect(await Promise.all(answers)).toEqual([countsOf(3), countsOf(3)]);
  expect(await kept.of("a", () => Promise.reject(new Error("counted again")))).toEqual(countsOf(3));
  expect(await kept.of("b", () => Promise.resolve(countsOf(4)))).toEqual(countsOf(4));
  expect(asked.told().begun).toBe(1);
});

test("one who goes away leaves the others what they wait for; counting ends with the last", async () => {
  const kept = new KeptCounts(10_000);
  const asked = question();
  const [first, second] = [new AbortController(), new AbortController()];
  const left = kept.of("a", asked.begin, first.signal);
  const stays = kept.of("a", asked.begin, second.signal);
  first.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  expect(asked.told()).toEqual({ begun: 1, ended: 0 });
  second.abort(new Error("gone too"));
  await expect(stays).rejects.toThrow("gone too");
  expect(asked.told()).toEqual({ begun: 1, ended: 1 });
  // What ends is not joined.
  expect(await kept.of("a", () => Promise.resolve(countsOf(5)))).toEqual(countsOf(5));
});

test("a failure is told to all who wait, and not kept", async () => {
  const kept = new KeptCounts(10_000);
  const asked = question();
  const answers = ["a", "a"].map((key) => kept.of(key, asked.begin));
  asked.reject(new Error("broken"));
  for (const answer of answers) await expect(answer).rejects.toThrow("broken");
  expect(await kept.of("a", () => Promise.resolve(countsOf(6)))).toEqual(countsOf(6));
});

test("no more is kept than there is room for: what was asked for last stays", async () => {
  const kept = new KeptCounts(2_000);
  const ask = (key: string) => kept.of(key, () => Promise.resolve(countsOf(1, 10)));
  for (const key of ["a", "b", "c", "d"]) await ask(key);
  const asked: string[] = [];
  for (const key of ["d", "c", "b", "a"])
    await kept.of(key, () => Promise.resolve([]).finally(() => void asked.push(key)));
  expect(asked).toEqual(["b", "a"]);
  kept.forget();
  expect(await kept.of("d", () => Promise.resolve(countsOf(9)))).toEqual(countsOf(9));
});
