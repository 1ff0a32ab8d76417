import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import net from "node:net";

/** The built server as a process of its own, for tests and benchmarks that need the real thing. */
export interface RunningServer {
  url: string;
  port: number;
  process: ChildProcess;
  /** Everything it has printed so far. */
  output(): string;
  /** What it has told as a fault so far: the lines of its log at level `error` and above. */
  faults(): string[];
  /** Sends a signal and waits for the end. @returns the exit code, null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts `build/main.mjs`, as `npm start` does, on a free port with nothing of this process's environment but what it needs.
 * Resolves when it says that it is ready; fails with what it printed when it ends before.
 */
export async function startServer(
  env: Record<string, string>,
  options: { nodeFlags?: string[]; port?: number } = {},
): Promise<RunningServer> {
  const port = options.port ?? (await freePort());
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [...flagsOfStart(), ...(options.nodeFlags ?? []), "build/main.mjs"], {
    env: { PATH, HOME, NODE_ENV: "production", PORT: `${port}`, LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const ended = once(child, "exit") as Promise<[number | null]>;
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += chunk;
      if (said.includes("Footfall is ready")) resolve();
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    ended.then(([code]) => reject(new Error(`The server ended with ${code} before it was ready:\n${said}`)), reject);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    process: child,
    output: () => said,
    faults: () => said.split("\n").filter((line) => /"level":[56]0/.test(line)),
    async end(signal) {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

/** What `npm start` tells Node. */
function flagsOfStart(): string[] {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  return scripts.start.match(/--\S+/g) ?? [];
}

/**
 * A port that nobody listens on, below those that systems take for connections that go out: until the server listens, one of
 * these could have it.
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
