import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { batchScript, singleScript } from "@/bench/support/load";
import { summariseProfile } from "@/bench/support/profile";
import {
  besidePrototype,
  describeMachine,
  describeSpeed,
  describeStorage,
  onStage,
  print,
  rssOf,
  run,
  type Stage,
} from "@/bench/support/stage";

/**
 * `npm run bench ingest`: how many events a second the built server stores durably, driven by wrk with varied
 * addresses, agents and urls, on this machine's cores shared with wrk and Postgres; then where its time goes.
 */
const SECONDS = 10;
/** V8 translates what is asked often only by and by: a server that has just begun takes a third less. */
const WARM_UP_SECONDS = 15;
const EVENT = "/api/event";
const BATCH = "/api/v1/events";

describeMachine();
await describeSpeed();
await onStage(async (stage) => {
  await run(stage, "warm-up", EVENT, WARM_UP_SECONDS, singleScript());
  await besidePrototype(stage, (prototype) => compare(stage, prototype));
  // With a slash at its end the address is not that of the fast path, and Next's route answers it.
  await run(stage, "Next route", `${EVENT}/`, SECONDS, singleScript());
  await run(stage, "batches of 1", BATCH, SECONDS, batchScript(stage.keys, 1, false));
  await describeStorage(stage);
  print(`server RSS ${rssOf(stage.server)} MB`);
});
await onStage(async (stage) => {
  await run(stage, "warm-up", BATCH, WARM_UP_SECONDS, batchScript(stage.keys, 100, false));
  for (const round of [1, 2]) await run(stage, `batches ${round}`, BATCH, SECONDS, batchScript(stage.keys, 100, false));
  await describeStorage(stage);
  await run(stage, "with ids", BATCH, SECONDS, batchScript(stage.keys, 100, true));
  await describeStorage(stage);
  print(`server RSS ${rssOf(stage.server)} MB`);
});
await profile("single events", EVENT, () => singleScript());
await profile("batches of 100", BATCH, ({ keys }) => batchScript(keys, 100, false));

/** The server and the yardstick in turn: a machine that slows down or is busy meanwhile is so for both. */
async function compare(stage: Stage, prototype: Stage): Promise<void> {
  const measure = (which: Stage, name: string) => run(which, name, EVENT, SECONDS, singleScript());
  await run(prototype, "warm-up", EVENT, 3, singleScript());
  let yardstick = await measure(prototype, "prototype");
  for (const round of [1, 2, 3]) {
    const rate = await measure(stage, `fast path ${round}`);
    const next = await measure(prototype, "prototype");
    const ratio = rate / ((yardstick + next) / 2);
    print(`fast path ${round}: ${ratio.toFixed(2)} of the prototype's rate (the design asks for 6,000 of 8,900: 0.67)`);
    yardstick = next;
  }
}

/** The profiler costs a tenth, so that it runs apart from what is measured. */
async function profile(name: string, where: string, script: (stage: Stage) => string): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-profile-"));
  await onStage(
    async (stage) => {
      await run(stage, "warm-up", where, WARM_UP_SECONDS, script(stage));
      await run(stage, `${name}, seen`, where, SECONDS, script(stage));
    },
    ["--cpu-prof", `--cpu-prof-dir=${folder}`],
  );
  print(`where the server's time goes with ${name}, by itself and without waiting:`);
  for (const line of summariseProfile(folder, SECONDS)) print(line);
  rmSync(folder, { recursive: true });
}
