import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  type BenchServer,
  describeMachine,
  describeSpeed,
  describeStorage,
  print,
  rssOf,
  run,
  withBenchServer,
  withPrototype,
} from "@/bench/support/bench-server";
import { batchScript, singleScript } from "@/bench/support/load";
import { summariseProfile } from "@/bench/support/profile";

/**
 * `npm run bench ingest`: events per second that the built server stores durably, under load from wrk with varied
 * addresses, user agents and URLs, on a machine shared with wrk and Postgres; then a CPU profile.
 */
const SECONDS = 10;
/** V8 compiles hot code gradually: a server that was just started is a third slower. */
const WARM_UP_SECONDS = 15;
const EVENT = "/api/event";
const BATCH = "/api/v1/events";

describeMachine();
await describeSpeed();
await withBenchServer(async (target) => {
  await run(target, "warm-up", EVENT, WARM_UP_SECONDS, singleScript());
  await withPrototype(target, (prototype) => compare(target, prototype));
  // The trailing slash bypasses the fast path, so that the Next route answers.
  await run(target, "Next route", `${EVENT}/`, SECONDS, singleScript());
  await run(target, "batches of 1", BATCH, SECONDS, batchScript(target.keys, 1, false));
  await describeStorage(target);
  print(`server RSS ${rssOf(target.server)} MB`);
});
await withBenchServer(async (target) => {
  await run(target, "warm-up", BATCH, WARM_UP_SECONDS, batchScript(target.keys, 100, false));
  for (const round of [1, 2])
    await run(target, `batches ${round}`, BATCH, SECONDS, batchScript(target.keys, 100, false));
  await describeStorage(target);
  await run(target, "with ids", BATCH, SECONDS, batchScript(target.keys, 100, true));
  await describeStorage(target);
  print(`server RSS ${rssOf(target.server)} MB`);
});
await profile("single events", EVENT, () => singleScript());
await profile("batches of 100", BATCH, ({ keys }) => batchScript(keys, 100, false));

/** Measures the server and the prototype in alternation, so that changes in the machine's speed affect both. */
async function compare(target: BenchServer, prototype: BenchServer): Promise<void> {
  const measure = (which: BenchServer, name: string) => run(which, name, EVENT, SECONDS, singleScript());
  await run(prototype, "warm-up", EVENT, 3, singleScript());
  let before = await measure(prototype, "prototype");
  for (const round of [1, 2, 3]) {
    const rate = await measure(target, `fast path ${round}`);
    const after = await measure(prototype, "prototype");
    const ratio = rate / ((before + after) / 2);
    print(`fast path ${round}: ${ratio.toFixed(2)} of the prototype's rate (design target: 6,000 of 8,900, 0.67)`);
    before = after;
  }
}

/** The profiler costs a tenth of the speed, so profiles are separate from measurements. */
async function profile(name: string, where: string, script: (target: BenchServer) => string): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-profile-"));
  await withBenchServer(
    async (target) => {
      await run(target, "warm-up", where, WARM_UP_SECONDS, script(target));
      await run(target, `${name}, profiled`, where, SECONDS, script(target));
    },
    ["--cpu-prof", `--cpu-prof-dir=${folder}`],
  );
  print(`CPU profile of the server with ${name} (self time, without idle):`);
  for (const line of summariseProfile(folder, SECONDS)) print(line);
  rmSync(folder, { recursive: true });
}
