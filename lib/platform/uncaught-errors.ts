import { describeError, log } from "@/lib/platform/log";
import { counter } from "@/lib/platform/metrics";
import { requestLocales } from "@/lib/platform/request-locale";

const FINISH_WITHIN_MS = 20_000;

const UNCAUGHT = counter({
  name: "footfall_uncaught_errors_total",
  help: "Errors that nothing caught, by what they ended.",
  labelNames: ["ended"],
});

/**
 * Applies the one policy for errors that nothing caught to this process or thread: it logs them, finishes what was
 * acknowledged, and exits with 1, to be started again. A rejection that belongs to a request ends with that request:
 * pages of Next begin work whose result they may never look at.
 *
 * @param finish writes what was acknowledged, and stops; it has twenty seconds.
 */
export function exitOnUncaughtErrors(finish: () => Promise<unknown>): void {
  let isExiting = false;
  const exit = (error: unknown) => {
    UNCAUGHT.inc({ ended: "process" });
    log.fatal(describeError(error), "uncaught error; exiting once what was acknowledged is written");
    if (isExiting) return;
    isExiting = true;
    setTimeout(() => process.exit(1), FINISH_WITHIN_MS);
    finish()
      .catch((fault) => log.error(describeError(fault), "stopped with an error"))
      .finally(() => process.exit(1));
  };
  process.on("uncaughtException", exit);
  process.on("unhandledRejection", (error) => {
    // Node runs this listener in the context of the rejected promise.
    if (requestLocales.getStore() === undefined) return exit(error);
    UNCAUGHT.inc({ ended: "request" });
    log.error(describeError(error), "a request left an error behind");
  });
}
