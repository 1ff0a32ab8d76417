// Runs other programs for the npm scripts, and prints messages. Has no dependencies, which may not be installed yet.
import { spawnSync } from "node:child_process";

/**
 * Runs a program and waits for it. Without `mayFail`, a failure ends the process and prints the output of a quiet
 * program.
 */
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
