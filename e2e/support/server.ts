import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { startServer as start } from "@/lib/testing/server";

export interface Server {
  url: string;
  /** Looks into the database of the running server. */
  query<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** Starts the built server with a data folder of its own, and waits until it says that it is ready. */
export async function startServer(env: Record<string, string> = {}): Promise<Server> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "footfall-e2e-"));
  const server = await start({ ...env, DATA_DIR: dataDir });
  return {
    // Cookies and forms are bound to the public address, so the browser must use that very name.
    url: `http://localhost:${server.port}`,
    query: (sql, values) => query(dataDir, sql, values),
    async stop() {
      const code = await server.end("SIGTERM");
      const leftBehind = existsSync(path.join(dataDir, "postgres/postmaster.pid"));
      rmSync(dataDir, { recursive: true, force: true });
      if (code !== 0 || leftBehind) {
        throw new Error(`The server stopped with ${code}${leftBehind ? " and left its Postgres running" : ""}`);
      }
    },
  };
}

async function query<Row>(dataDir: string, sql: string, values?: unknown[]): Promise<Row[]> {
  const client = new Client({
    host: path.join(dataDir, "postgres"),
    user: "footfall",
    password: readFileSync(path.join(dataDir, "postgres-password"), "utf8").trim(),
    database: "postgres",
  });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
