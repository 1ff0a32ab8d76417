import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { startServer } from "@/lib/testing/server";

export interface Demo {
  url: string;
  /** Who owns the demo's sites, the first of which has the number 1. */
  person: { email: string; password: string };
  stop(): Promise<void>;
}

/** Starts the built server with the demo's visits, in a data folder of its own. */
export async function startDemo(): Promise<Demo> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "footfall-demo-"));
  const env = { ...process.env, NODE_ENV: "production" as const, DATA_DIR: dataDir };
  const said = execFileSync(process.execPath, ["build/seed.mjs"], { env, encoding: "utf8" });
  const [, email = "", password = ""] = /(\S+) may sign in with the password (\S+)/.exec(said) ?? [];
  const server = await startServer({ DATA_DIR: dataDir });
  return {
    // Cookies and forms are bound to the public address, so the browser must use that very name.
    url: `http://localhost:${server.port}`,
    person: { email, password },
    async stop() {
      await server.end("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
