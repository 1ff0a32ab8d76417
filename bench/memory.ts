import { batchScript, singleScript } from "@/bench/support/load";
import { describeMachine, describeSpeed, onStage, print, rssOf, run } from "@/bench/support/stage";

/** `npm run bench memory`: the server's memory through ten minutes of load, in which singles and batches take turns. */
const MINUTES = 10;

describeMachine();
await describeSpeed();
await onStage(async (stage) => {
  print(`idle: server RSS ${rssOf(stage.server)} MB`);
  for (let minute = 1; minute <= MINUTES; minute++) {
    await run(stage, `singles ${minute}`, "/api/event", 30, singleScript());
    await run(stage, `batches ${minute}`, "/api/v1/events", 30, batchScript(stage.keys, 100, false));
    print(`minute ${minute}: server RSS ${rssOf(stage.server)} MB`);
  }
});
