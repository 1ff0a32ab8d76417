import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";

export interface Server {
  url: string;
  /** Looks into the database of the running server. */
  query<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** Starts the built server on a free port with a data folder of its own, and waits until it says that it is ready. */
export async function startServer(): Promise<Server> {
  const root = path.resolve(import.meta.dirname, "../..");
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "footfall-e2e-"));
  const port = await freePort();
  const { PATH = "", HOME = "" } = process.env;
  const server = spawn(process.execPath, ["build/main.mjs"], {
    cwd: root,
    env: { PATH, HOME, NODE_ENV: "production", PORT: `${port}`, DATA_DIR: dataDir, LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  const exited = once(server, "exit");
  await new Promise<void>((resolve, reject) => {
    server.stdout.on("data", (chunk) => {
      said += chunk;
      if (said.includes("Footfall is ready")) resolve();
    });
    exited.then(([code]) => reject(new Error(`The server ended with ${code} before it was ready: ${said}`)), reject);
  });
  const url = `http://localhost:${port}`;
  const health = await fetch(`${url}/api/health`);
  if (health.status !== 200) throw new Error(`The server is ready, but its health is ${health.status}`);

  return {
    url,
    query: (sql, values) => query(dataDir, sql, values),
    async stop() {
      server.kill("SIGTERM");
      const [code] = await exited;
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

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
