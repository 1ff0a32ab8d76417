import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { findNode24 } from "@/lib/cli/node-24.mjs";

/** Runs the conformance suite of the Model Context Protocol, which needs a newer Node than we do. */

const SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

/** One check of a scenario. */
interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
}

/** The checks of each scenario that ran. */
export type Checks = Record<string, Check[]>;

/**
 * Runs a command of the suite. Whether checks fail is for the caller to judge.
 *
 * @param print is called with what the suite has printed so far.
 */
export async function runConformance(args: string[], print?: (output: string) => void): Promise<Checks> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-conformance-"));
  try {
    const output = await run([path.resolve(SUITE), ...args, "--output-dir", folder], print);
    const checks = checksIn(folder);
    if (Object.keys(checks).length === 0) throw new Error(`The suite ran no scenario:\n${output}`);
    return checks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(args: string[], print?: (output: string) => void): Promise<string> {
  let output = "";
  const suite = spawn(findNode24(), args, { stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [suite.stdout, suite.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
      print?.(output);
    });
  }
  await once(suite, "close");
  return output;
}

/** Reads the checks of `server-<scenario>-<time>/checks.json`, or `authorization-server-…`. */
function checksIn(folder: string): Checks {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("checks.json"),
  );
  return Object.fromEntries(
    files.map((name) => [
      path.dirname(name).replace(/^(authorization-)?server-|-\d{4}-\d\d-\d\dT.*$/g, ""),
      JSON.parse(readFileSync(path.join(folder, name), "utf8")),
    ]),
  );
}

/** Returns the failed checks as `scenario: check`, sorted, each once. */
export const failuresIn = (checks: Checks): string[] =>
  [
    ...new Set(
      Object.entries(checks).flatMap(([scenario, all]) =>
        all.filter(({ status }) => status === "FAILURE").map(({ id }) => `${scenario}: ${id}`),
      ),
    ),
  ].sort();
