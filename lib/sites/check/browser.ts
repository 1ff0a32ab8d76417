import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { env, searchPath } from "@/lib/platform/env";
import { Fault } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { readUse } from "@/lib/sites/check/processes";

/** Finds, starts and stops a headless Chromium that opens one untrusted page. */

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
/**
 * The uid of the browser if this process runs as root. It has no account and owns nothing: 65520 to 65533 are
 * unassigned (systemd, "Users, Groups, UIDs and GIDs"). `nobody` or `postgres` could read the database, because the
 * embedded Postgres may run as either. Without root, the browser runs as the user of this process.
 */
export const BROWSER_USER = 65533;

/** Returns the path of Chromium; null if it is not installed or is disabled by `CHROMIUM=none`. */
export function findBrowser(): string | null {
  const { CHROMIUM: given } = env();
  if (given === "none") return null;
  if (given) return given;
  // Without the hint Turbopack would bundle every file of the project with this module.
  const places = searchPath().flatMap((folder) =>
    NAMES.map((name) => path.join(/* turbopackIgnore: true */ folder, name)),
  );
  return places.find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

type Params = Record<string, unknown>;
interface Message {
  id?: number;
  method?: string;
  params?: Params;
  result?: Params;
  error?: { message: string };
  sessionId?: string;
}

/** What the browser may use with all of its processes, before it is stopped. Pages of shops and newspapers take half. */
const MAX_MEMORY_BYTES = 1024 ** 3;
const MAX_PROCESSES = 20;
const WATCH_EVERY_MS = 200;
/** Most bytes of private memory of one process, and of one file, whatever happens between two looks. */
const PROCESS_LIMIT_BYTES = 2 * 1024 ** 3;
const FILE_LIMIT_BYTES = 256 * 1024 ** 2;
/** Most bytes of JavaScript objects of a page. */
const SCRIPT_MEGABYTES = 512;

/** Why the browser was stopped. */
export type Excess = "memory" | "processes";

/** Starts the program so that the machine's other processes have the processor and the memory first. */
const LIMITED = `{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null
ulimit -c 0; ulimit -f ${FILE_LIMIT_BYTES / 512}; ulimit -d ${PROCESS_LIMIT_BYTES / 1024}
exec nice -n 15 "$0" "$@"`;

/** In characters. Messages of interest are far shorter, but URLs of a page are unbounded (`data:`). */
const MAX_MESSAGE_LENGTH = 1024 * 1024;
/** Normal pages cause far fewer messages. Further ones are ignored. */
const MAX_MESSAGES = 50_000;

/** Splits a stream into messages terminated by NUL. Messages beyond the limits are skipped without buffering them. */
function eachMessage(onMessage: (message: string) => void): (chunk: string) => void {
  let parts: string[] = [];
  let length = 0;
  let count = 0;
  return (chunk) => {
    for (const [index, part] of chunk.split("\0").entries()) {
      if (index > 0) {
        if (length <= MAX_MESSAGE_LENGTH && ++count <= MAX_MESSAGES) onMessage(parts.join(""));
        [parts, length] = [[], 0];
      }
      length += part.length;
      if (length <= MAX_MESSAGE_LENGTH) parts.push(part);
      else parts = [];
    }
  };
}

/** The most that a browser may use with all of its processes. */
export interface Limits {
  memoryBytes: number;
  processes: number;
}

/** A browser controlled through the DevTools protocol over two pipes, so that no port is open to other processes. */
export class Browser {
  private readonly pending = new Map<number, { resolve(result: Params): void; reject(error: Error): void }>();
  private count = 0;
  private closing: Promise<void> | null = null;
  /** Receives all DevTools events. */
  onEvent: (method: string, params: Params) => void = () => {};
  /** Called when the browser is stopped because it uses too much. */
  onExcess: (excess: Excess) => void = () => {};

  private constructor(
    private readonly child: ChildProcess,
    private readonly profile: string,
    limits: Limits,
  ) {
    const [, , , , from] = child.stdio as unknown as [null, null, null, Writable, Readable];
    from.setEncoding("utf8").on(
      "data",
      eachMessage((message) => this.receive(JSON.parse(message))),
    );
    for (const stream of [child, from, this.to]) stream.on("error", () => this.rejectPending());
    child.once("close", () => this.rejectPending());
    this.watch(limits);
  }

  private watch(limits: Limits): void {
    const { pid } = this.child;
    if (pid === undefined || this.closing) return;
    setTimeout(async () => {
      const use = this.closing ? null : await readUse(pid);
      if (!use || this.closing) return;
      const excess =
        use.memoryBytes > limits.memoryBytes ? "memory" : use.processes > limits.processes ? "processes" : null;
      if (!excess) return this.watch(limits);
      this.onExcess(excess);
      this.end().catch((error) => log.debug(describeError(error), "a browser that used too much was not removed"));
    }, WATCH_EVERY_MS).unref();
  }

  /**
   * Starts the browser.
   *
   * @param proxyPort local port of the proxy, its only network access
   * @param extra further command line switches, for tests
   */
  static async start(
    program: string,
    proxyPort: number,
    extra: readonly string[] = [],
    limits: Limits = { memoryBytes: MAX_MEMORY_BYTES, processes: MAX_PROCESSES },
  ): Promise<Browser> {
    const profile = await mkdtemp(path.join(os.tmpdir(), "footfall-browser-"));
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(profile, BROWSER_USER, BROWSER_USER);
    const child = spawn("/bin/sh", ["-c", LIMITED, program, ...switches(profile, proxyPort), ...extra, "about:blank"], {
      // Do not inherit the environment, which contains secrets.
      env: { PATH: searchPath().join(path.delimiter), HOME: profile, TMPDIR: profile } as unknown as NodeJS.ProcessEnv,
      cwd: profile,
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      detached: true,
      ...(isRoot ? { uid: BROWSER_USER, gid: BROWSER_USER } : {}),
    });
    return new Browser(child, profile, limits);
  }

  private get to(): Writable {
    return this.child.stdio[3] as Writable;
  }

  /** Sends a command and returns its result. @throws Error if the command fails or the browser has exited */
  send(method: string, params: Params = {}, sessionId?: string): Promise<Params> {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.to.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`);
    });
  }

  private receive({ id, method, params = {}, result = {}, error }: Message): void {
    if (method) this.onEvent(method, params);
    const command = id === undefined ? undefined : this.pending.get(id);
    if (id === undefined || !command) return;
    this.pending.delete(id);
    if (error) command.reject(new Error(error.message));
    else command.resolve(result);
  }

  private rejectPending(): void {
    for (const { reject } of this.pending.values()) reject(new Fault("The browser has exited"));
    this.pending.clear();
  }

  /**
   * Kills the browser with its child processes and deletes its profile. Runs once: the pid may be reused afterwards.
   */
  end(): Promise<void> {
    this.closing ??= this.killAndCleanUp();
    return this.closing;
  }

  private async killAndCleanUp(): Promise<void> {
    const { pid } = this.child;
    try {
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    } catch (error) {
      // ESRCH: it has already exited.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
    if (pid !== undefined && this.child.exitCode === null && this.child.signalCode === null) {
      await new Promise((resolve) => this.child.once("exit", resolve));
    }
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

const switches = (profile: string, proxyPort: number): string[] => [
  "--headless",
  "--remote-debugging-pipe",
  `--user-data-dir=${profile}`,
  // All traffic goes through the proxy: no DNS lookups and no direct connections, not even to this machine.
  `--proxy-server=http://127.0.0.1:${proxyPort}`,
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  // The current name of the switch, and the one in older versions.
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  // Frames of other sites share the processes of the page, which has no secrets to keep from them.
  "--renderer-process-limit=2",
  "--disable-site-isolation-trials",
  `--js-flags=--max-old-space-size=${SCRIPT_MEGABYTES}`,
  "--disable-quic",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-extensions",
  "--disable-sync",
  "--disable-breakpad",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-client-side-phishing-detection",
  "--disable-features=IsolateOrigins,site-per-process,OptimizationHints,MediaRouter,DialMediaRouteProvider,Translate,AutofillServerCommunication,CertificateTransparencyComponentUpdater,InterestFeedContentSuggestions",
  "--metrics-recording-only",
  "--no-first-run",
  "--no-default-browser-check",
  "--no-pings",
  "--mute-audio",
];
