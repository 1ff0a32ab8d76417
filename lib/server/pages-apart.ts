import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { describeError, log } from "@/lib/log";
import type { DatabaseUrls } from "@/lib/server/database";
import { forward } from "@/lib/server/forward";
import { metricsOfThread } from "@/lib/server/metrics";
import type { Pages } from "@/lib/server/pages";

/** What the thread of pages is given, and what is said to it and by it. */
export interface PagesTask extends DatabaseUrls {
  /** Where it listens. */
  socketPath: string;
  /** What `onlyForwarded` expects there. */
  secret: string;
}
export type PagesWord = "listening" | "leave" | "metrics" | "stop";

const AGAIN_AFTER_MS = 1_000;
/** Loading Next fills what V8 gives to young objects, 48 MB, and V8 keeps it: half of that serves pages as well. */
const YOUNG_MB = 24;

/**
 * Next in a thread of its own. Once it has answered a page, Node follows every promise of its thread for it
 * (AsyncLocalStorage): that costs an event a third more, and a page that takes long to make would keep events waiting.
 * Should the thread end, it is started again; until then all it would answer is 503.
 *
 * @param program what the thread runs.
 */
export async function pagesApart(urls: DatabaseUrls, program = new URL("pages.mjs", import.meta.url)): Promise<Pages> {
  // Nobody else on this machine may enter: what comes from here is believed.
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-pages-"));
  const secret = randomBytes(32).toString("base64url");
  let starts = 0;
  let stopping = false;
  let socketPath = "";
  let thread: Worker;
  const start = async () => {
    socketPath = socketIn(folder, ++starts);
    thread = new Worker(program, {
      workerData: { ...urls, socketPath, secret } satisfies PagesTask,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    thread.on("error", (error) => log.error(describeError(error), "the thread of pages failed"));
    await listening(thread);
    thread.once("exit", startAgain);
  };
  const startAgain = () => {
    if (stopping) return;
    log.error("the thread of pages has ended; starting it again");
    setTimeout(() => stopping || start().catch(startAgain), AGAIN_AFTER_MS);
  };
  const leaveNothing = () => rmSync(folder, { recursive: true, force: true });
  await start().catch((error) => {
    leaveNothing();
    throw error;
  });
  return {
    answer: (request, response) => forward(request, response, { socketPath, secret }),
    leave: () => thread.postMessage("leave" satisfies PagesWord),
    metrics: () => metricsOfThread(thread),
    async close() {
      stopping = true;
      const ended = new Promise((resolve) => thread.once("exit", resolve));
      thread.postMessage("stop" satisfies PagesWord);
      // Between its end and its next start there is none.
      if (thread.threadId !== -1) await ended;
      leaveNothing();
    },
  };
}

const socketIn = (folder: string, nth: number): string =>
  process.platform === "win32" ? `\\\\.\\pipe\\${path.basename(folder)}-${nth}` : path.join(folder, `${nth}`);

function listening(thread: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    thread.once("message", () => resolve());
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`The thread of pages ended with ${code} before it listened`)));
  });
}
