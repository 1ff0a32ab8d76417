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

/** Whether PgBouncer is installed on this machine. */
export const hasPgBouncer = program !== undefined;

interface PgBouncer {
  mode: "session" | "transaction" | "statement";
  poolSize?: number;
  roundRobin?: boolean;
  /** How long a statement waits for a connection to Postgres. */
  waitSeconds?: number;
}

/**
 * Starts a PgBouncer in front of the tests' Postgres, which the end of the test stops.
 *
 * @param urls of the Postgres, one for each role that may connect.
 * @returns the same through PgBouncer.
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
  // It does not start as root. The user of Postgres may enter the folder of its socket.
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
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
      if (said.includes("process up")) resolve();
    });
    ended.then(() => reject(new Error(`PgBouncer did not start:\n${said}`)), reject);
  });
  return addresses.map((address) => {
    address.search = "";
    address.host = `127.0.0.1:${port}`;
    return address.href;
  }) as Urls;
}
