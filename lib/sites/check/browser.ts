import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { env, searchPath } from "@/lib/platform/env";

/** A headless Chromium of this server, for one page of a stranger's: how it is found, started and ended. */

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
/**
 * The OS user that opens pages when this process runs as root. It has no account and nothing on this machine belongs to
 * it: 65520 to 65533 are given to nobody (systemd, "Users, Groups, UIDs and GIDs"). `nobody` and `postgres`, which the
 * embedded Postgres may run as, could read the database. Without root it is this process's own user.
 */
export const BROWSER_USER = 65533;

/** Where Chromium is; null when there is none, or it is not to be used. */
export function findBrowser(): string | null {
  const { CHROMIUM: given } = env();
  if (given === "none") return null;
  if (given) return given;
  // Turbopack would take every file below the project for a part of this module.
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

/** Characters. What is waited for is far shorter; a page's own addresses have no end (`data:`). */
const LONGEST_MESSAGE = 1024 * 1024;
/** What an honest page makes its browser say is a fraction of this; one that asks without end is not heard to its end. */
const MOST_MESSAGES = 50_000;

/** Puts the pieces of a stream together to messages, each ended by a NUL. Longer ones, and more, are passed over and never held. */
function eachMessage(hear: (message: string) => void): (piece: string) => void {
  let held: string[] = [];
  let length = 0;
  let heard = 0;
  return (piece) => {
    for (const [index, part] of piece.split("\0").entries()) {
      if (index > 0) {
        if (length <= LONGEST_MESSAGE && ++heard <= MOST_MESSAGES) hear(held.join(""));
        [held, length] = [[], 0];
      }
      length += part.length;
      if (length <= LONGEST_MESSAGE) held.push(part);
      else held = [];
    }
  };
}

/** Talks to a browser by the DevTools protocol, over two pipes: no port is opened that others could talk to. */
export class Browser {
  private readonly asked = new Map<number, { resolve(result: Params): void; reject(error: Error): void }>();
  private count = 0;
  private ending: Promise<void> | null = null;
  /** Hears of everything that a page does. */
  onEvent: (method: string, params: Params) => void = () => {};

  private constructor(
    private readonly child: ChildProcess,
    private readonly profile: string,
  ) {
    const [, , , , from] = child.stdio as unknown as [null, null, null, Writable, Readable];
    from.setEncoding("utf8").on(
      "data",
      eachMessage((message) => this.hear(JSON.parse(message))),
    );
    for (const stream of [child, from, this.to]) stream.on("error", () => this.lose());
    child.once("close", () => this.lose());
  }

  /**
   * @param proxyPort the only way out that it is given.
   * @param extra further switches, for tests.
   */
  static async start(program: string, proxyPort: number, extra: readonly string[] = []): Promise<Browser> {
    const profile = await mkdtemp(path.join(os.tmpdir(), "footfall-browser-"));
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(profile, BROWSER_USER, BROWSER_USER);
    const child = spawn(program, [...switches(profile, proxyPort), ...extra, "about:blank"], {
      // Nothing of what this process knows: its environment holds secrets.
      env: { PATH: searchPath().join(path.delimiter), HOME: profile, TMPDIR: profile } as unknown as NodeJS.ProcessEnv,
      cwd: profile,
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      detached: true,
      ...(isRoot ? { uid: BROWSER_USER, gid: BROWSER_USER } : {}),
    });
    return new Browser(child, profile);
  }

  private get to(): Writable {
    return this.child.stdio[3] as Writable;
  }

  /** @throws Error when the browser refuses or is gone. */
  send(method: string, params: Params = {}, sessionId?: string): Promise<Params> {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.to.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`);
    });
  }

  private hear({ id, method, params = {}, result = {}, error }: Message): void {
    if (method) this.onEvent(method, params);
    const asked = id === undefined ? undefined : this.asked.get(id);
    if (id === undefined || !asked) return;
    this.asked.delete(id);
    if (error) asked.reject(new Error(error.message));
    else asked.resolve(result);
  }

  private lose(): void {
    for (const { reject } of this.asked.values()) reject(new Error("The browser is gone"));
    this.asked.clear();
  }

  /** Ends it and all that it has started, at once, and leaves nothing behind. Again it does nothing: its number may be another's by then. */
  end(): Promise<void> {
    this.ending ??= this.leave();
    return this.ending;
  }

  private async leave(): Promise<void> {
    const { pid } = this.child;
    try {
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended by itself.
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
  // It asks no name server and reaches no address by itself, not even its own machine's.
  `--proxy-server=http://127.0.0.1:${proxyPort}`,
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  // By its name of today, and by that of older versions.
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
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
  "--disable-features=OptimizationHints,MediaRouter,DialMediaRouteProvider,Translate,AutofillServerCommunication,CertificateTransparencyComponentUpdater,InterestFeedContentSuggestions",
  "--metrics-recording-only",
  "--no-first-run",
  "--no-default-browser-check",
  "--no-pings",
  "--mute-audio",
];
