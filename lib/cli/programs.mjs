// Runs other programs for the npm scripts, and prints messages. Has no dependencies, which may not be installed yet.
import { spawn, spawnSync } from "node:child_process";
import os from "node:os";

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

/**
 * Starts a program and waits for it beside others.
 *
 * @param print when its output is printed: `at once`, when it `ends`, or only if it `fails`.
 * @returns whether it succeeded.
 */
export function begin(program, args, { env = {}, print = "at once", priority = 0 } = {}) {
  const child = spawn(program, args, {
    stdio: ["ignore", ...(print !== "at once" ? ["pipe", "pipe"] : ["inherit", "inherit"])],
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  });
  if (child.pid) os.setPriority(child.pid, priority);
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => printed.push(chunk));
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("close", (code) => {
      if (print === "ends" || code !== 0) process.stdout.write(Buffer.concat(printed));
      resolve(code === 0);
    });
  });
}

export function say(text) {
  process.stdout.write(`${text} …\n`);
}

export function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
