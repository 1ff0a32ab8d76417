import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { OperatorError } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { DATABASE_ROLES, ensurePassword, passwordFile, prepareRoles, type RoleName, urlOf } from "@/lib/postgres/roles";
import { chooseSocketDir, ensureSocketDir, removeSocketDir, socketDirOf } from "@/lib/postgres/socket";
import { findTools, type Tools } from "@/lib/postgres/tools";

/** Another Footfall process already uses this `DATA_DIR`. */
export class AlreadyRunning extends OperatorError {}

export interface EmbeddedPostgres {
  /** The database with the application role, which owns the tables and is not a superuser. */
  url: string;
  /** The same with the report role, which can only read facts. */
  reportsUrl: string;
  /** The same with the superuser, for administration. */
  adminUrl: string;
  /** Releases the lock and stops the database in "fast" mode: open transactions are rolled back. */
  stop(): Promise<void>;
}

// Advisory lock that this process holds while it lives. Its connection ends with the process, also after a crash.
const OWNER_LOCK = 0x466f_6f74;

/**
 * Starts the PostgreSQL of the npm package with its files in `<dataDir>/postgres`, reachable through a Unix socket
 * only. Reuses a running server that a killed process left behind.
 *
 * @throws AlreadyRunning when a living process owns this `dataDir`.
 */
export async function startPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const home = homeOf(dataDir);
  const tools = await findTools(dataDir, home);
  if (!isInitialised(dataDir)) await initialise(tools, dataDir, home);
  const socketDir = chooseSocketDir(home, tools);
  writeFileSync(path.join(home, "postgresql.conf"), settings(socketDir));
  const adminUrl = urlOf(dataDir, socketDir, "admin");
  let stopping = false;
  let owner: pg.Client | undefined;
  const acquire = async (timeoutMs: number) => {
    const client = await connectOrStart({ tools, home, socketDir, adminUrl }, timeoutMs);
    owner = client;
    const lock = await client.query("SELECT pg_try_advisory_lock($1) AS mine", [OWNER_LOCK]);
    if (!lock.rows[0].mine) {
      await client.end();
      throw new AlreadyRunning(
        `Footfall is already running on ${dataDir}${addressNote(dataDir)}: stop it, or set DATA_DIR to another folder.`,
      );
    }
    // A server that dies (killed, out of memory) is restarted; callers get a 503 until then.
    client.once("end", () => {
      reacquiring = reacquire();
    });
    return client;
  };
  // Retries without a limit: a disk may be full for hours.
  const reacquire = async () => {
    let held = false;
    while (!held && !stopping) held = await acquire(RESTART_TIMEOUT_MS).then(() => true, logFailedRestart);
  };
  let reacquiring = Promise.resolve();
  const stop = async () => {
    stopping = true;
    await reacquiring;
    await owner?.end();
    await tools.run("pg_ctl", ["stop", "-D", home, "-m", "fast", "-w", "-t", "60"]);
    removeSocketDir(socketDir, home);
  };
  const admin = await acquire(START_TIMEOUT_MS);
  try {
    await prepareRoles(admin, dataDir);
  } catch (error) {
    await stop();
    throw error;
  }
  const url = (role: RoleName) => urlOf(dataDir, socketDir, role);
  return { url: url("app"), reportsUrl: url("reports"), adminUrl, stop };
}

const homeOf = (dataDir: string): string => path.join(dataDir, "postgres");

/** Returns whether this folder contains a database. */
export const isInitialised = (dataDir: string): boolean => existsSync(path.join(homeOf(dataDir), "PG_VERSION"));

/** Returns the URL of the running database of this folder. */
export const embeddedUrl = (dataDir: string, role: RoleName): string =>
  urlOf(dataDir, socketDirOf(homeOf(dataDir)), role);

/** Logs a failed restart. Exits the process when another process has taken over the database. */
function logFailedRestart(error: unknown): false {
  if (error instanceof AlreadyRunning) {
    log.fatal(describeError(error), "PostgreSQL stopped and now belongs to another process");
    process.exit(1);
  }
  log.error(describeError(error), "PostgreSQL could not be restarted; trying again");
  return false;
}

const START_TIMEOUT_MS = 20_000;
const RESTART_TIMEOUT_MS = 5_000;
const RETRY_PAUSE_MS = 200;

interface Server {
  tools: Tools;
  home: string;
  socketDir: string;
  adminUrl: string;
}

/**
 * Connects to the server of these files and starts it when it is not running. Retries until the timeout, because a
 * killed server can look alive until its child processes have exited.
 */
async function connectOrStart(server: Server, timeoutMs: number): Promise<pg.Client> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      const seemsAlive = (await server.tools.run("pg_ctl", ["status", "-D", server.home])).code === 0;
      if (!seemsAlive) await startServer(server);
      return await connect(server.adminUrl);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await setTimeout(RETRY_PAUSE_MS);
    }
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // Only the "end" event matters; an error event precedes it and must have a listener.
  client.on("error", () => {});
  await client.connect();
  return client;
}

const addressFile = (dataDir: string) => path.join(dataDir, "address");
const addressNote = (dataDir: string) =>
  existsSync(addressFile(dataDir)) ? `, at ${readFileSync(addressFile(dataDir), "utf8").trim()}` : "";

/** Records the public URL of this process, which the error of a second start shows. */
export function recordAddress(dataDir: string, address: string): void {
  writeFileSync(addressFile(dataDir), `${address}\n`);
}

async function initialise(tools: Tools, dataDir: string, home: string): Promise<void> {
  const fresh = `${home}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  tools.own(fresh);
  const password = passwordFile(dataDir, "admin");
  rmSync(password, { force: true });
  ensurePassword(dataDir, "admin");
  tools.own(password);
  const made = await tools.run("initdb", [
    ...["-D", fresh, "-U", DATABASE_ROLES.admin, "-A", "scram-sha-256", `--pwfile=${password}`],
    ...["-E", "UTF8", "--locale=C.UTF-8", "--locale-provider=builtin", "--no-instructions"],
  ]);
  if (made.code !== 0) throw new OperatorError(`The embedded PostgreSQL could not be initialised: ${made.output}`);
  renameSync(fresh, home);
}

async function startServer({ tools, home, socketDir }: Server): Promise<void> {
  ensureSocketDir(socketDir, home, tools);
  const logFile = path.join(home, "server.log");
  const started = await tools.run("pg_ctl", ["start", "-D", home, "-l", logFile, "-w", "-t", "60", "-s"]);
  if (started.code === 0) return;
  const lines = existsSync(logFile)
    ? readFileSync(logFile, "utf8")
        .split("\n")
        .filter((line) => CAUSES.test(line))
    : [];
  const causes = lines.length > 0 ? lines.slice(-6).join("\n") : started.output;
  throw new OperatorError(`The embedded PostgreSQL did not start; ${logFile} says why. Its newest causes:\n${causes}`);
}

/** Lines about the server itself. Those about statements can quote data of visitors, and this error is logged. */
const CAUSES = /\b(FATAL|PANIC):|\bLOG: +could not\b/;

/** Returns the configuration file of the embedded Postgres: every setting that differs from the default. */
function settings(socketDir: string): string {
  const memory = os.totalmem() / 2 ** 20;
  const megabytes = Math.round(Math.min(1024, Math.max(128, memory / 16)));
  // Reports sort and group hundreds of thousands of visits; at most seven run at the same time.
  const working = Math.round(Math.min(96, Math.max(32, memory / 256)));
  return [
    "listen_addresses = ''",
    `unix_socket_directories = '${socketDir.replaceAll("'", "''")}'`,
    "unix_socket_permissions = 0700",
    "max_connections = 100",
    // A report over ten years locks the tables and indexes of every month.
    "max_locks_per_transaction = 256",
    `shared_buffers = ${megabytes}MB`,
    `effective_cache_size = ${megabytes * 3}MB`,
    `work_mem = ${working}MB`,
    "maintenance_work_mem = 128MB",
    "max_wal_size = 2GB",
    "checkpoint_timeout = 15min",
    "wal_compression = on",
    "synchronous_commit = on",
    "random_page_cost = 1.1",
    "jit = off",
    "timezone = 'UTC'",
    "logging_collector = off",
    "",
  ].join("\n");
}
