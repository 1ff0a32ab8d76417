// How the npm scripts run other programs, and what they say. Without dependencies: these may not be installed yet.
import { spawnSync } from "node:child_process";

/** Runs a program to its end. Without `mayFail` a failure stops everything, and shows what a quiet one printed. */
export function run(program, args, { quiet = false, mayFail = false, env = {} } = {}) {
  const result = spawnSync(program, args, {
    stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
    maxBuffer: 1 << 28,
  });
  if (result.status === 0) return true;
  if (quiet) process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
  if (!mayFail) fail(`${program} ${args.join(" ")} failed${result.error ? `: ${result.error.message}` : ""}`);
  return false;
}

export function say(text) {
  process.stdout.write(`${text} …\n`);
}

export function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
