import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import next from "next";
import { closeDatabase, openDatabase } from "@/lib/db";
import { bootEnv, ConfigError, type Env } from "@/lib/env";
import { flushIntake } from "@/lib/ingest/intake";
import { writer } from "@/lib/ingest/writer";
import { describeError, log } from "@/lib/log";
import { bootSecrets } from "@/lib/secrets";
import { addressRanges, clientAddress } from "@/lib/server/address";
import { prepareForNext, routePattern } from "@/lib/server/headers";
import { startJobs } from "@/lib/server/jobs";
import { fastLane } from "@/lib/server/lane";
import { migrate } from "@/lib/server/migrate";
import { AlreadyRunning, type EmbeddedPostgres, noteAddress, startPostgres } from "@/lib/server/postgres";
import { setReady } from "@/lib/server/ready";

const STOP_WITHIN_MS = 10_000;

boot().catch((error: unknown) => {
  const known = error instanceof ConfigError || error instanceof AlreadyRunning;
  process.stderr.write(`${known ? (error as Error).message : ((error as Error)?.stack ?? error)}\n`);
  process.exit(1);
});

/** Boots in the order in which things need each other, and stops in the opposite one. */
async function boot(): Promise<void> {
  const env = bootEnv();
  log.level = env.LOG_LEVEL;
  bootSecrets(env);
  const postgres = env.DATABASE_URL ? null : await startPostgres(env.DATA_DIR);
  try {
    await serve(env, postgres);
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}

async function serve(env: Env, postgres: EmbeddedPostgres | null): Promise<void> {
  const url = postgres?.url ?? (env.DATABASE_URL as string);
  const applied = await migrate(url);
  if (applied.length > 0) log.info({ migrations: applied }, "database brought up to date");
  openDatabase(url);

  const dev = env.NODE_ENV === "development";
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 30_000 });
  const pages = next({ dev, hostname: env.HOST, port: env.PORT, httpServer: server });
  await pages.prepare();
  server.on("request", listener(env, dev, pages.getRequestHandler()));
  await listen(server, env);
  const stopJobs = startJobs();
  setReady(true);
  if (postgres) noteAddress(env.DATA_DIR, env.BASE_URL);
  greet(env);

  stopOnSignal(async () => {
    setReady(false);
    await closeServer(server);
    await writer.drain();
    await flushIntake();
    await stopJobs();
    await pages.close();
    await closeDatabase();
    await postgres?.stop();
  });
}

function listener(env: Env, dev: boolean, pages: (req: IncomingMessage, res: ServerResponse) => Promise<void>) {
  const isTrusted = addressRanges(env.TRUSTED_PROXIES);
  const addressOf = (request: IncomingMessage) => clientAddress(request, isTrusted);
  // While developing, Next answers everything, with the code as it is now.
  const lane = dev ? () => false : fastLane(addressOf);
  const baseUrl = new URL(env.BASE_URL);
  return (request: IncomingMessage, response: ServerResponse) => {
    if (lane(request, response)) return;
    if (!isPlainRequest(request)) return void response.writeHead(400, { connection: "close" }).end();
    logWhenDone(request, response);
    prepareForNext(request, response, { address: addressOf(request), baseUrl, dev });
    pages(request, response).catch((error) => {
      log.error({ route: routePattern(request.url ?? ""), ...describeError(error) }, "a page failed");
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  };
}

/** Next answers 500 to a path whose percent-escapes are broken and to TRACE; neither is ours to fail on. */
function isPlainRequest(request: IncomingMessage): boolean {
  try {
    decodeURIComponent((request.url ?? "").split("?", 1)[0] ?? "");
  } catch {
    return false;
  }
  return request.method !== "TRACE";
}

function logWhenDone(request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now();
  const route = routePattern(request.url ?? "");
  if (route.startsWith("/_next/")) return;
  response.on("finish", () => {
    const ms = Math.round(performance.now() - started);
    log.info({ method: request.method, route, status: response.statusCode, ms });
  });
}

function listen(server: Server, env: Env): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE") return reject(error);
      reject(new ConfigError(`Port ${env.PORT} is taken by another program: stop it, or start with PORT=<another>.`));
    });
    server.listen(env.PORT, env.HOST, resolve);
  });
}

/** Takes no new connection, lets every request that has begun be answered, and ends what idles or takes too long. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 25);
    const late = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS);
    server.prependListener("request", (_, response) => response.setHeader("connection", "close"));
    server.close(() => {
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
  });
}

function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      log.info({ signal }, "stopping");
      stop().then(
        () => process.exit(0),
        (error) => {
          log.error(describeError(error), "stopped with an error");
          process.exit(1);
        },
      );
    });
  }
}

function greet(env: Env): void {
  process.stdout.write(
    `\nFootfall is ready at ${env.BASE_URL}\n` +
      "  Next: open it, create your account, add your site, put the snippet on its pages.\n" +
      "  Stop with Ctrl-C. See README.md for the configuration.\n\n",
  );
}
