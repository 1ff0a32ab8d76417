import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { startServer } from "@/lib/testing/server";

export interface Demo {
  url: string;
  /** The owner of the demo sites. The first site has the id 1. */
  person: { email: string; password: string };
  stop(): Promise<void>;
}

/** Starts the built server with the demo data, in its own data folder. */
export async function startDemo(): Promise<Demo> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "footfall-demo-"));
  const env = { ...process.env, NODE_ENV: "production" as const, DATA_DIR: dataDir };
  const output = execFileSync(process.execPath, ["build/seed.mjs"], { env, encoding: "utf8" });
  const [, email = "", password = ""] = /Sign in as (\S+) with the password (\S+)/.exec(output) ?? [];
  const server = await startServer({ DATA_DIR: dataDir });
  return {
    // Cookies and forms are bound to the public URL, so the browser must use exactly this host name.
    url: `http://localhost:${server.port}`,
    person: { email, password },
    async stop() {
      await server.end("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
