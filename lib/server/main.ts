import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { CONNECTIONS } from "@/lib/platform/connections";
import { bootEnv, ConfigError, type Env } from "@/lib/platform/env";
import { hostGuard } from "@/lib/platform/http/hosts";
import { refuseRequest } from "@/lib/platform/http/refuse-request";
import { describeError, log } from "@/lib/platform/log";
import { withRequestAbort } from "@/lib/platform/request-signal";
import { AlreadyRunning, noteAddress, startPostgres } from "@/lib/postgres/start";
import { boot } from "@/lib/server/boot";
import { endUnread } from "@/lib/server/end-unread";
import { fastPath } from "@/lib/server/fast-path";
import { IngestWorker } from "@/lib/server/ingest-channel";
import { type Booted, installation } from "@/lib/server/installation";
import { addThread } from "@/lib/server/metrics";
import { publicServer } from "@/lib/server/public-server";
import { setReady } from "@/lib/server/ready";

const STOP_WITHIN_MS = 10_000;

/** How to undo what has been started so far, in the order in which it was. */
const started: (() => Promise<unknown>)[] = [];

start().catch(async (error: unknown) => {
  const known = error instanceof ConfigError || error instanceof AlreadyRunning;
  process.stderr.write(`${known ? (error as Error).message : ((error as Error)?.stack ?? error)}\n`);
  await stop();
  process.exit(1);
});

/** `npm start`: the embedded Postgres, Next in this thread, the ingest worker, and one HTTP server in front of both. */
async function start(): Promise<void> {
  const env = bootEnv();
  log.level = env.LOG_LEVEL;
  stopOnSignal();
  surviveFaults();
  if (!env.DATABASE_URL) {
    const { url, reportsUrl, stop: stopPostgres } = await startPostgres(env.DATA_DIR);
    started.push(stopPostgres);
    noteAddress(env.DATA_DIR, env.BASE_URL);
    installation.embedded = { databaseUrl: url, reportsUrl };
  }
  const dev = env.NODE_ENV === "development";
  if (!dev) installation.connections = CONNECTIONS.main;
  const booted = await boot();
  started.push(booted.close);
  const { server, answer } = publicServer();
  const handle = await startNext(server, env, dev);
  const answerFirst = dev ? () => false : startThreads(booted);
  answer(listener(env, answerFirst, handle));
  const sockets = trackSockets(server);
  await listen(server, env);
  started.push(() => closeServer(server, sockets));
  greet(env, booted);
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

async function startNext(server: Server, env: Env, dev: boolean): Promise<Handle> {
  const { default: next } = await import("next");
  // Next ends requests for an upgrade on the server that it is given. Only `next dev` has a use for them.
  const app = next({ dev, hostname: env.HOST, port: env.PORT, httpServer: dev ? server : createServer() });
  await app.prepare();
  started.push(() => app.close());
  return app.getRequestHandler();
}

/** Starts what works beside this thread. @returns what answers requests in front of Next. */
function startThreads({ urls }: Booted) {
  const worker = new IngestWorker({ databaseUrl: urls.databaseUrl, thread: "ingest" });
  started.push(() => worker.stop());
  addThread(() => worker.metrics());
  return fastPath(worker);
}

async function stop(): Promise<void> {
  for (let undo = started.pop(); undo; undo = started.pop()) await undo();
}

function listener(
  env: Env,
  answerFirst: (request: IncomingMessage, response: ServerResponse) => boolean,
  handle: Handle,
) {
  const misdirection = hostGuard(env);
  return (request: IncomingMessage, response: ServerResponse) => {
    if (answerFirst(request, response)) return;
    endUnread(request, response);
    const misdirected = misdirection(request);
    if (misdirected) return refuseRequest(misdirected, request, response);
    withRequestAbort(response, () => handle(request, response)).catch((error) => {
      log.error(describeError(error), "Next did not answer a request");
      response.destroy();
    });
  };
}

function listen(server: Server, env: Env): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "EADDRINUSE"
          ? `PORT ${env.PORT} is taken by another program: stop it, or start with PORT=<another>.`
          : `HOST ${env.HOST} with PORT ${env.PORT} cannot be listened on (${error.code}); choose an address of this machine.`;
      reject(new ConfigError(why));
    });
    server.listen(env.PORT, env.HOST, resolve);
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

/** Takes no new connection, lets every request that has begun be answered, and ends what idles or takes too long. */
function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  setReady(false);
  return new Promise((resolve) => {
    const idle = setInterval(() => {
      server.closeIdleConnections();
      // Browsers open connections ahead of need; Node counts one that has never asked anything as busy.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, 25);
    const late = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS);
    server.prependListener("request", (_, response) => response.setHeader("connection", "close"));
    server.close(() => {
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
  });
}

/** What one request made go wrong must not end all others. */
function surviveFaults(): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => log.error(describeError(error), "an error that nothing caught"));
  }
}

function stopOnSignal(): void {
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

function greet(env: Env, { setupToken }: Booted): void {
  const token = `  Setup token, asked for when the first account is not created on this machine: ${setupToken}\n`;
  process.stdout.write(
    `\nFootfall is ready at ${env.BASE_URL}\n` +
      "  Next: open it, create your account, add your site, put the snippet on its pages.\n" +
      (setupToken ? token : "") +
      "  Stop with Ctrl-C. See docs/operating.md for the configuration.\n\n",
  );
}
