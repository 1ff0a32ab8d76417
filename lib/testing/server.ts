import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import net from "node:net";
import { PATIENT_MS } from "@/lib/testing/patience";

/** The built server in a separate process, for tests and benchmarks. */
export interface RunningServer {
  url: string;
  port: number;
  process: ChildProcess;
  /** Its output so far. */
  output(): string;
  /** Its log lines at level `error` and above so far. */
  faults(): string[];
  /** Sends a signal and waits for the exit. @returns the exit code; null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface StartOptions {
  nodeFlags?: string[];
  /** Without it, the server takes a free port. */
  port?: number;
}

/**
 * Starts `build/main.mjs` like `npm start`, with a minimal environment. Resolves when it is ready; rejects with its
 * output when it exits before.
 */
export function startServer(env: Record<string, string>, options: StartOptions = {}): Promise<RunningServer> {
  const flags = [...flagsOfStart(), ...(options.nodeFlags ?? [])];
  return spawnServer(
    [...flags, "build/main.mjs"],
    { PORT: `${options.port ?? 0}`, ...env },
    /Listens on \S+, port (\d+)/,
  );
}

/**
 * Starts the built app with `next start`, without our server. It needs `DATABASE_URL` and `APP_SECRETS`. Resolves when
 * `/api/health` answers 200; rejects with its output when it exits before.
 */
export async function startNext(env: Record<string, string>, options: StartOptions = {}): Promise<RunningServer> {
  const next = ["node_modules/next/dist/bin/next", "start", "-p", `${options.port ?? 0}`, "-H", "127.0.0.1"];
  const server = await spawnServer([...(options.nodeFlags ?? []), ...next], env, /Local:\s+http:\S+?:(\d+)/);
  // Next reports that it is ready before `instrumentation.ts` has booted; requests wait for the boot.
  const isHealthy = async () => (await fetch(`${server.url}/api/health`)).ok;
  // Asked again: on a busy machine a part may miss the time of one check.
  for (const patience = Date.now() + PATIENT_MS; !(await isHealthy()); )
    if (Date.now() > patience) throw new Error(`/api/health does not answer 200:\n${server.output()}`);
  return server;
}

/** @param ready what the server prints once it listens, with its port in the first group */
async function spawnServer(args: string[], env: Record<string, string>, ready: RegExp): Promise<RunningServer> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, NODE_ENV: "production", LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = once(child, "exit") as Promise<[number | null]>;
  note(`+${child.pid}`);
  child.once("exit", () => note(`-${child.pid}`));
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  const port = await new Promise<number>((resolve, reject) => {
    const look = () => {
      const [, found] = ready.exec(output) ?? [];
      if (found) resolve(Number(found));
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    ended.then(([code]) => reject(new Error(`The server ended with ${code} before it was ready:\n${output}`)), reject);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    process: child,
    output: () => output,
    faults: () => output.split("\n").filter((line) => /"level":[56]0/.test(line)),
    async end(signal) {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

/** Names the file in which a run of tests notes the servers that it starts, so that its end ends those of failed tests. */
export const SERVERS_OF_TESTS = "SERVERS_OF_TESTS";

function note(line: string): void {
  const file = process.env[SERVERS_OF_TESTS];
  if (file) appendFileSync(file, `${line}\n`);
}

/** Returns the process ids of the servers in such a file that have not ended. */
export function runningServers(file: string): number[] {
  const running = new Set<number>();
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const pid = Number(line.slice(1));
    if (line.startsWith("+")) running.add(pid);
    else running.delete(pid);
  }
  return [...running];
}

/** Returns the Node flags of `npm start`. */
function flagsOfStart(): string[] {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  return scripts.start.match(/--\S+/g) ?? [];
}

/**
 * Returns a free port for a program that cannot choose one. It is below the ephemeral range, so that no outgoing
 * connection takes it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const probe = net.createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
