import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { searchPath } from "@/lib/platform/env";
import { freePort } from "@/lib/testing/server";

const program = [...searchPath(), "/usr/sbin"]
  .map((dir) => path.join(dir, "pgbouncer"))
  .find((file) => existsSync(file));

/** Whether PgBouncer is installed. */
export const hasPgBouncer = program !== undefined;

interface PgBouncer {
  mode: "session" | "transaction" | "statement";
  poolSize?: number;
  roundRobin?: boolean;
  /** Seconds that a statement waits for a connection to Postgres. */
  waitSeconds?: number;
}

/**
 * Starts a PgBouncer in front of the test Postgres. It stops at the end of the test.
 *
 * @param urls URLs of Postgres, one for each role.
 * @returns the URLs through PgBouncer.
 */
export async function startPgBouncer<Urls extends string[]>(
  { mode, poolSize = 40, roundRobin = false, waitSeconds = 60 }: PgBouncer,
  ...urls: Urls
): Promise<Urls> {
  const dir = mkdtempSync(path.join(os.tmpdir(), "footfall-pgbouncer-"));
  const addresses = urls.map((url) => new URL(url));
  const socketDir = addresses[0]?.searchParams.get("host") ?? "";
  const users = addresses.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`);
  const port = await freePort();
  const files = {
    "users.txt": users.join(""),
    "pgbouncer.ini": `[databases]
* = host=${socketDir}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${dir}/users.txt
pool_mode = ${mode}
default_pool_size = ${poolSize}
query_wait_timeout = ${waitSeconds}
server_round_robin = ${roundRobin ? 1 : 0}
`,
  };
  // PgBouncer refuses to run as root; the user of Postgres can enter the socket folder.
  const { uid, gid } = statSync(socketDir);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), text, { mode: 0o600 });
  for (const file of [dir, ...Object.keys(files).map((name) => path.join(dir, name))]) chownSync(file, uid, gid);
  const child = spawn(program as string, [path.join(dir, "pgbouncer.ini")], {
    stdio: ["ignore", "ignore", "pipe"],
    ...(process.getuid?.() === 0 && { uid, gid }),
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(dir, { recursive: true });
  });
  await new Promise<void>((resolve, reject) => {
    let output = "";
    child.stderr.on("data", (chunk) => {
      output += chunk;
      if (output.includes("process up")) resolve();
    });
    ended.then(() => reject(new Error(`PgBouncer did not start:\n${output}`)), reject);
  });
  return addresses.map((address) => {
    address.search = "";
    address.host = `127.0.0.1:${port}`;
    return address.href;
  }) as Urls;
}
