import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { requireWrk } from "@/bench/support/bench-server";
import { issueAccessToken } from "@/lib/oauth/tokens";
import { closeDatabase, db, openDatabase } from "@/lib/platform/db";
import { setEnv } from "@/lib/platform/env";
import { bootSecrets, digest } from "@/lib/platform/secrets";
import { startPostgres } from "@/lib/postgres/start";
import { migrate } from "@/lib/server/migrate";
import { freePort, startServer } from "@/lib/testing/server";

/**
 * `npm run bench api`: requests per second to the management API of the built server with all checks on: token, client,
 * scope, rate limit, grant and role; for writes also idempotency, audit log and encrypted response.
 */
const SECONDS = 8;
const CONNECTIONS = 16;
const SECRETS = `k1:${Buffer.alloc(32, 9).toString("base64")}`;

// Lua: a new domain and a new idempotency key for every request.
const CREATE = `
  n = n + 1
  local id = seed .. "-" .. n
  body = '{"domain":"' .. id .. '.example","timezone":"Europe/Berlin","public":false}'
  headers["Content-Type"] = "application/json"
  headers["Idempotency-Key"] = "bench-key-" .. id
  return wrk.format("POST", nil, headers, body)`;

requireWrk();
const dataDir = mkdtempSync(path.join(os.tmpdir(), "footfall-bench-"));
const postgres = await startPostgres(dataDir);
try {
  const port = await freePort();
  const token = await prepare(postgres.url, port);
  const env = {
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    APP_SECRETS: SECRETS,
    RATE_LIMITS: "read=100000000/60,write=100000000/60",
    REPORT_SECONDS: "3600",
  };
  const server = await startServer(env, { port });
  try {
    const actions = `${server.url}/api/v1/management/actions`;
    process.stdout.write(
      `${os.cpus().length} × ${os.cpus()[0]?.model}, Node ${process.version}, ${CONNECTIONS} connections\n`,
    );
    for (const round of ["warm-up", "1", "2"]) run(`sites.list ${round}`, `${actions}/sites.list`, token, "");
    for (const round of ["warm-up", "1", "2"]) run(`sites.create ${round}`, `${actions}/sites.create`, token, CREATE);
  } finally {
    await server.end("SIGTERM");
  }
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Creates a person and an agent that may list and create sites. @returns its access token. */
async function prepare(url: string, port: number): Promise<string> {
  await migrate(url);
  bootSecrets(setEnv({ DATABASE_URL: url, APP_SECRETS: SECRETS, PORT: `${port}` }));
  openDatabase(url);
  const scopes = ["sites:read", "sites:create"] as const;
  const client = { id: "ffc_bench", kind: "delegated", name: "Bench", requestedScopes: [...scopes] } as const;
  const person = await db().person.create({
    data: { email: "bench@footfall.example", passwordHash: "none", administrator: true },
  });
  await db().client.create({
    data: {
      ...client,
      requestedScopes: [...scopes],
      grantedScopes: [...scopes],
      secretHash: new Uint8Array(digest("none")),
      ownerId: person.id,
    },
  });
  const token = await issueAccessToken(db(), { clientId: client.id, ownerId: person.id, scopes, now: new Date() });
  await closeDatabase();
  return token;
}

function run(name: string, url: string, token: string, request: string): void {
  const script = path.join(dataDir, "load.lua");
  const luaRequest = request || "return wrk.format('GET', nil, headers)";
  writeFileSync(
    script,
    `local seed = "b${Math.floor(Math.random() * 1e9)}"\nlocal n = 0\nlocal headers = { Authorization = "Bearer ${token}" }\nfunction request()\n${luaRequest}\nend`,
  );
  const args = ["-t1", `-c${CONNECTIONS}`, `-d${SECONDS}s`, "--latency", "-s", script, url];
  const output = execFileSync("wrk", args, { encoding: "utf8" });
  const read = (pattern: RegExp) => pattern.exec(output)?.[1] ?? "?";
  const bad = /Non-2xx[^\n]*|Socket errors[^\n]*/.exec(output)?.[0] ?? "none";
  process.stdout.write(
    `${name.padEnd(21)} ${read(/Requests\/sec:\s+([\d.]+)/).padStart(8)} requests/s   p50 ${read(/50%\s+([\d.]+\w+)/)}   p99 ${read(/99%\s+([\d.]+\w+)/)}   refused: ${bad}\n`,
  );
}
