import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { embeddedUrl } from "@/lib/postgres/start";
import { startServer as start } from "@/lib/testing/server";

export interface Server {
  url: string;
  /** Everything that the server has printed so far. */
  output(): string;
  /** Runs SQL on the database of the running server. */
  query<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Decoded emails sent to an address so far, oldest first. */
  emails(to: string): string[];
  stop(): Promise<void>;
}

/** Starts the built server with its own data folder and waits until it is ready. */
export async function startServer(env: Record<string, string> = {}): Promise<Server> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "footfall-e2e-"));
  // On a busy machine a report takes many times longer, and all visitors of shared pages have one share of the time.
  const server = await start({ LOG_LEVEL: "trace", REPORT_SECONDS: "3600", ...env, DATA_DIR: dataDir });
  const pool = new pg.Pool({ connectionString: embeddedUrl(dataDir, "admin"), max: 2, idleTimeoutMillis: 0 });
  return {
    // Cookies and forms are bound to the public URL, so the browser must use exactly this host name.
    url: `http://localhost:${server.port}`,
    output: server.output,
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    emails: (to) => emailsIn(path.join(dataDir, "outbox"), to),
    async stop() {
      await pool.end();
      const code = await server.end("SIGTERM");
      const leftBehind = existsSync(path.join(dataDir, "postgres/postmaster.pid"));
      rmSync(dataDir, { recursive: true, force: true });
      if (code !== 0 || leftBehind) {
        throw new Error(`The server stopped with ${code}${leftBehind ? " and left its Postgres running" : ""}`);
      }
    },
  };
}

function emailsIn(outbox: string, to: string): string[] {
  if (!existsSync(outbox)) return [];
  const files = readdirSync(outbox).filter((name) => /^\d.*\.eml$/.test(name));
  return files
    .sort()
    .map((name) => readFileSync(path.join(outbox, name), "utf8"))
    .filter((email) => email.includes(`To: ${to}`))
    .map(decode);
}

/** Decodes quoted-printable text (RFC 2045 section 6.7). */
const decode = (email: string): string =>
  Buffer.from(
    email
      .replace(/=\r?\n/g, "")
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");
