import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { describeError, log } from "@/lib/platform/log";
import { ensurePassword, passwordFile, prepareRoles, ROLES, type RoleName, urlOf } from "@/lib/postgres/roles";
import { settings } from "@/lib/postgres/settings";
import { chooseSocketDir, ensureSocketDir, removeSocketDir, socketDirOf } from "@/lib/postgres/socket";
import { findTools, type Tools } from "@/lib/postgres/tools";

/** Another Footfall already serves this `DATA_DIR`. */
export class AlreadyRunning extends Error {}

export interface EmbeddedPostgres {
  /** The database as the role that owns the application's tables and is no superuser. */
  url: string;
  /** The same as the role of reports, which can only read facts. */
  reportsUrl: string;
  /** The same as the superuser, for administration. */
  adminUrl: string;
  /** Lets go of the database and stops it ("fast": open transactions roll back, everything committed stays). */
  stop(): Promise<void>;
}

// Held for as long as the process lives; the connection that holds it dies with the process, however it dies.
const OWNER_LOCK = 0x466f_6f74;

/**
 * Starts the PostgreSQL that comes with the npm package, its files under `<dataDir>/postgres`, reachable
 * only through a socket in that folder. A server that an earlier, killed process left behind is taken over as it runs.
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
  const hold = async (patienceMs: number) => {
    const client = await connectOrStart({ tools, home, socketDir, adminUrl }, patienceMs);
    owner = client;
    const lock = await client.query("SELECT pg_try_advisory_lock($1) AS mine", [OWNER_LOCK]);
    if (!lock.rows[0].mine) {
      await client.end();
      throw new AlreadyRunning(`Footfall is already running on ${dataDir}${addressNote(dataDir)}.`);
    }
    // A server that dies under us (killed, out of memory) is started again; until then callers get a 503.
    client.once("end", () => {
      holding = holdAgain();
    });
    return client;
  };
  // However long it takes: a disk may be full for hours, and is given room by somebody who need not know of us.
  const holdAgain = async () => {
    let held = false;
    while (!held && !stopping) held = await hold(PATIENCE_AGAIN_MS).then(() => true, noteAbsence);
  };
  let holding = Promise.resolve();
  const stop = async () => {
    stopping = true;
    await holding;
    await owner?.end();
    await tools.run("pg_ctl", ["stop", "-D", home, "-m", "fast", "-w", "-t", "60"]);
    removeSocketDir(socketDir, home);
  };
  const admin = await hold(PATIENCE_MS);
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

/** Whether there is a database in this folder. */
export const isInitialised = (dataDir: string): boolean => existsSync(path.join(homeOf(dataDir), "PG_VERSION"));

/** Where the database of this folder is reached while it runs. */
export const embeddedUrl = (dataDir: string, role: RoleName): string =>
  urlOf(dataDir, socketDirOf(homeOf(dataDir)), role);

/** Says that there is no database yet; but when another process has taken it over, this one is of no use to anyone. */
function noteAbsence(error: unknown): false {
  if (error instanceof AlreadyRunning) {
    log.fatal(describeError(error), "PostgreSQL went away, and belongs to another process now");
    process.exit(1);
  }
  log.error(describeError(error), "PostgreSQL could not be started again yet");
  return false;
}

const PATIENCE_MS = 20_000;
const PATIENCE_AGAIN_MS = 5_000;
const PAUSE_MS = 200;

interface Server {
  tools: Tools;
  home: string;
  socketDir: string;
  adminUrl: string;
}

/**
 * Connects to the server that runs on these files, starting it if there is none. A server that was killed may seem
 * alive for a moment, until the system has buried it and its own children are gone; that moment is waited for.
 */
async function connectOrStart(server: Server, patienceMs: number): Promise<pg.Client> {
  const patience = Date.now() + patienceMs;
  for (;;) {
    try {
      const seemsAlive = (await server.tools.run("pg_ctl", ["status", "-D", server.home])).code === 0;
      if (!seemsAlive) await startServer(server);
      return await connect(server.adminUrl);
    } catch (error) {
      if (Date.now() > patience) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // The end of the connection is what is listened for; an error comes before it and says nothing more.
  client.on("error", () => {});
  await client.connect();
  return client;
}

const addressFile = (dataDir: string) => path.join(dataDir, "address");
const addressNote = (dataDir: string) =>
  existsSync(addressFile(dataDir)) ? `, at ${readFileSync(addressFile(dataDir), "utf8").trim()}` : "";

/** Leaves a note of where this process listens, for a second start to tell. */
export function noteAddress(dataDir: string, address: string): void {
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
    ...["-D", fresh, "-U", ROLES.admin, "-A", "scram-sha-256", `--pwfile=${password}`],
    ...["-E", "UTF8", "--locale=C.UTF-8", "--locale-provider=builtin", "--no-instructions"],
  ]);
  if (made.code !== 0) throw new Error(`The embedded PostgreSQL could not be initialised: ${made.output}`);
  renameSync(fresh, home);
}

async function startServer({ tools, home, socketDir }: Server): Promise<void> {
  ensureSocketDir(socketDir, home, tools);
  const log = path.join(home, "server.log");
  const started = await tools.run("pg_ctl", ["start", "-D", home, "-l", log, "-w", "-t", "60", "-s"]);
  if (started.code === 0) return;
  const tail = existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(-12).join("\n") : started.output;
  throw new Error(`The embedded PostgreSQL did not start. Its log ends:\n${tail}`);
}
