import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { CONNECTIONS } from "@/lib/platform/connections";
import { bootEnv, bootEnvOn, ConfigError, type Env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { explainError } from "@/lib/platform/explain-error";
import { hostGuard } from "@/lib/platform/http/hosts";
import { refuseRequest } from "@/lib/platform/http/refuse-request";
import { describeError, log } from "@/lib/platform/log";
import { withRequestAbort } from "@/lib/platform/request-signal";
import { exitOnUncaughtErrors } from "@/lib/platform/uncaught-errors";
import { recordAddress, startPostgres } from "@/lib/postgres/start";
import { boot } from "@/lib/server/boot";
import { endUnread } from "@/lib/server/end-unread";
import { fastPath } from "@/lib/server/fast-path";
import { setPart } from "@/lib/server/health";
import { IngestWorker } from "@/lib/server/ingest-channel";
import { type Booted, installation } from "@/lib/server/installation";
import { addThread } from "@/lib/server/metrics";
import { PageTurns } from "@/lib/server/page-turns";
import { publicServer } from "@/lib/server/public-server";
import { setReady } from "@/lib/server/ready";

const STOP_TIMEOUT_MS = 10_000;
/** Less than the time after which compose.yaml kills the container. */
const STOP_DEADLINE_MS = 25_000;

/** Pages in the making. More would take longer than people wait, and their memory. */
const MAX_PAGES = 256;
/** Checks of the health have places of their own: a crowd must not look like a broken server. */
const MAX_HEALTH_CHECKS = 16;

/** Stop functions of everything that has been started, in start order. */
const stops: (() => Promise<unknown>)[] = [];

/** `npm start`: the embedded Postgres, Next in this thread, the ingest worker, and the HTTP server in front of both. */
async function start(): Promise<void> {
  let env = bootEnv();
  log.level = env.LOG_LEVEL;
  stopOnSignal();
  // In development an error must not end the session: the next change of the code mends it.
  if (env.NODE_ENV !== "development") exitOnUncaughtErrors(stop);
  const { server, answer } = publicServer();
  // The address must be known before anything boots with it. Nobody can connect before it is printed.
  if (env.PORT === 0) env = bootEnvOn(await listen(server, env));
  if (!env.DATABASE_URL) {
    const { url, reportsUrl, stop: stopPostgres } = await startPostgres(env.DATA_DIR);
    stops.push(stopPostgres);
    recordAddress(env.DATA_DIR, env.BASE_URL);
    installation.embedded = { databaseUrl: url, reportsUrl };
  }
  const dev = env.NODE_ENV === "development";
  if (!dev) installation.connections = CONNECTIONS.main;
  const booted = await boot();
  stops.push(booted.close);
  const handle = await startNext(server, env, dev);
  const answerWithoutNext = dev ? () => false : startThreads(booted);
  const pages = new PageTurns(MAX_PAGES);
  server.on("connection", () => pages.connected());
  answer(listener(env, answerWithoutNext, { handle, pages }));
  const sockets = trackSockets(server);
  if (!server.listening) await listen(server, env);
  stops.push(() => closeServer(server, sockets));
  printReady(env, booted);
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

async function startNext(server: Server, env: Env, dev: boolean): Promise<Handle> {
  const { default: next } = await import("next");
  // Next handles upgrade requests on the server that it gets. Only `next dev` needs them.
  const app = next({ dev, hostname: env.HOST, port: env.PORT, httpServer: dev ? server : createServer() });
  await app.prepare();
  stops.push(() => app.close());
  return app.getRequestHandler();
}

/** Starts the ingest worker. @returns the handler for requests that are answered without Next. */
function startThreads({ urls }: Booted) {
  const worker = new IngestWorker({ databaseUrl: urls.databaseUrl, thread: "ingest" });
  stops.push(() => worker.stop());
  addThread(() => worker.metrics());
  setPart("ingest", (withinMs) => worker.answers(withinMs));
  return fastPath(worker);
}

/** @throws the last error, after everything else has been stopped too. */
async function stop(): Promise<void> {
  let failure: { error: unknown } | undefined;
  for (let stopNext = stops.pop(); stopNext; stopNext = stops.pop()) {
    await stopNext().catch((error) => {
      log.error(describeError(error), "a part was not stopped in order");
      failure = { error };
    });
  }
  if (failure) throw failure.error;
}

function listener(
  env: Env,
  answerWithoutNext: (request: IncomingMessage, response: ServerResponse) => boolean,
  { handle, pages }: { handle: Handle; pages: PageTurns },
) {
  const misdirection = hostGuard(env);
  const healthChecks = new PageTurns(MAX_HEALTH_CHECKS);
  return (request: IncomingMessage, response: ServerResponse) => {
    if (answerWithoutNext(request, response)) return;
    endUnread(request, response);
    const misdirected = misdirection(request);
    if (misdirected) return refuseRequest(misdirected, request, response);
    const turns = request.url === "/api/health" ? healthChecks : pages;
    const admitted = turns.admit(request, response, () => {
      withRequestAbort(response, () => handle(request, response)).catch((error) => {
        log.error(describeError(error), "Next did not answer a request");
        response.destroy();
      });
    });
    if (!admitted) refuseRequest(crowded(), request, response);
  };
}

const crowded = () =>
  new Refusal(
    "unavailable",
    "The server is answering too many requests at once; send it again after Retry-After.",
    undefined,
    2,
  );

/** @returns the port. */
function listen(server: Server, env: Env): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "EADDRINUSE"
          ? `PORT ${env.PORT} is used by another program: stop it, or start with PORT=<another>.`
          : `Cannot listen on HOST ${env.HOST} with PORT ${env.PORT} (${error.code}); choose an address of this machine.`;
      reject(new ConfigError(why));
    });
    server.listen(env.PORT, env.HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

/** Stops accepting connections, waits for running requests, and closes connections that are idle or take too long. */
function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  setReady(false);
  return new Promise((resolve) => {
    const idle = setInterval(() => {
      server.closeIdleConnections();
      // Browsers preconnect; Node does not count a connection that never sent a request as idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, 25);
    const late = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT_MS);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
  });
}

function stopOnSignal(): void {
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      log.info({ signal }, "stopping");
      setTimeout(() => {
        log.error("a part of the server did not stop in time");
        process.exit(1);
      }, STOP_DEADLINE_MS).unref();
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

function printReady(env: Env, { setupToken }: Booted): void {
  const token = `  Setup token, required when the first account is created from another machine: ${setupToken}\n`;
  process.stdout.write(
    `\nFootfall is ready at ${env.BASE_URL}\n` +
      "  Next: open it, create your account, add your site and the snippet to its pages.\n" +
      (setupToken ? token : "") +
      `  Listens on ${env.HOST}, port ${env.PORT}. Stop with Ctrl-C. See docs/operating.md for the configuration.\n\n`,
  );
}

start().catch(async (error: unknown) => {
  process.stderr.write(`${explainError(error)}\n`);
  await stop();
  process.exit(1);
});
