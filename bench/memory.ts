import { describeMachine, describeSpeed, print, rssOf, run, withBenchServer } from "@/bench/support/bench-server";
import { batchScript, singleScript } from "@/bench/support/load";

/**
 * `npm run bench memory`: the server's memory during ten minutes of load, alternating between single events and
 * batches.
 */
const MINUTES = 10;

describeMachine();
await describeSpeed();
await withBenchServer(async (target) => {
  print(`idle: server RSS ${rssOf(target.server)} MB`);
  for (let minute = 1; minute <= MINUTES; minute++) {
    await run(target, `singles ${minute}`, "/api/event", 30, singleScript());
    await run(target, `batches ${minute}`, "/api/v1/events", 30, batchScript(target.keys, 100, false));
    print(`minute ${minute}: server RSS ${rssOf(target.server)} MB`);
  }
});
