import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { needsSetup, setupToken } from "@/lib/auth/setup";
import { CONNECTIONS, SINGLE_THREAD } from "@/lib/connections";
import { closeDatabase, openDatabase } from "@/lib/db";
import { bootEnv, ConfigError, type Env } from "@/lib/env";
import { finishIngest } from "@/lib/ingest/finish";
import { addressRanges } from "@/lib/ingest/intervals";
import { writeElsewhere } from "@/lib/ingest/writer";
import { describeError, log, quietConsole } from "@/lib/log";
import type { Family } from "@/lib/metrics/registry";
import { bootSecrets } from "@/lib/secrets";
import { clientAddress, isLoopbackName } from "@/lib/server/address";
import { type DatabaseUrls, startDatabase } from "@/lib/server/database";
import { prepareForNext, routePattern } from "@/lib/server/headers";
import { hostGuard } from "@/lib/server/hosts";
import { fastLane } from "@/lib/server/lane";
import { countAnswerTo, metricsAt } from "@/lib/server/metrics";
import { type Pages, pagesHere } from "@/lib/server/pages";
import { pagesApart } from "@/lib/server/pages-apart";
import { AlreadyRunning } from "@/lib/server/postgres";
import { publicServer } from "@/lib/server/public-server";
import { refuseRequest } from "@/lib/server/refuse-request";
import { WritingApart } from "@/lib/server/writing-apart";

/**
 * `npm start` gives this thread four times the usual room for young objects, so that most hits are committed and forgotten
 * before it is searched: that takes a quarter of the time of batches. No thread that is started from here on needs it.
 */
setFlagsFromString("--max-semi-space-size=0");

const STOP_WITHIN_MS = 10_000;
const LINGER_MS = 1_000;

/** How to undo what has been started so far, in the order in which it was. */
const started: (() => Promise<unknown> | undefined)[] = [];

boot().catch(async (error: unknown) => {
  const known = error instanceof ConfigError || error instanceof AlreadyRunning;
  process.stderr.write(`${known ? (error as Error).message : ((error as Error)?.stack ?? error)}\n`);
  await stop();
  process.exit(1);
});

/** Starts everything in the order in which things need each other; `stop` goes the same way back. */
async function boot(): Promise<void> {
  const env = bootEnv();
  log.level = env.LOG_LEVEL;
  warnOfPlainHttp(env);
  warnOfOpenRanges(env);
  stopOnSignal();
  surviveFaults();
  bootSecrets(env);
  const urls = await startDatabase(env, (undo) => started.push(undo));
  // While developing, pages are answered in this thread.
  const connections = env.NODE_ENV === "development" ? SINGLE_THREAD : CONNECTIONS.main;
  openDatabase(urls.databaseUrl, { reportsUrl: urls.reportsUrl, connections });
  started.push(closeDatabase);
  await serve(env, urls);
  greet(env, await needsSetup());
}

/** Tokens and passwords may not travel in the clear (RFC 6749 section 3.2). What stays on this machine does not travel. */
function warnOfPlainHttp({ BASE_URL }: Env): void {
  const { protocol, hostname } = new URL(BASE_URL);
  if (protocol === "https:" || isLoopbackName(hostname)) return;
  log.warn({ base_url: BASE_URL }, "BASE_URL is plain http: passwords and tokens can be read on their way; use https");
}

/** Whoever names a host decides where in these ranges we knock: the operator should have meant it. */
function warnOfOpenRanges({ OUTBOUND_PRIVATE_CIDRS: ranges }: Env): void {
  if (ranges.length === 0) return;
  log.warn(
    { ranges },
    "OUTBOUND_PRIVATE_CIDRS lets strangers' names lead into these ranges; leave it unset unless you must",
  );
}

async function serve(env: Env, urls: DatabaseUrls): Promise<void> {
  const dev = env.NODE_ENV === "development";
  if (!dev) quietConsole();
  const { server, answer } = publicServer();
  const writing = dev ? null : new WritingApart(urls.databaseUrl);
  if (writing) {
    writeElsewhere(writing);
    started.push(() => writing.close());
  }
  started.push(finishIngest);
  const pages = dev ? await pagesHere(server, env) : await pagesApart(urls);
  started.push(() => pages.close());
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const metrics = async () => (await Promise.all([pages.metrics(), writing?.metrics() ?? []])).flat();
  answer(listener(env, dev, pages, metrics));
  await listen(server, env);
  started.push(() => closeServer(server, sockets));
  started.push(async () => pages.leave());
}

async function stop(): Promise<void> {
  for (let undo = started.pop(); undo; undo = started.pop()) await undo();
}

function listener(env: Env, dev: boolean, pages: Pages, metricsOfOthers: () => Promise<Family[]>) {
  const isTrusted = addressRanges(env.TRUSTED_PROXIES);
  const addressOf = (request: IncomingMessage) => clientAddress(request, isTrusted);
  // While developing, Next answers everything, with the code as it is now.
  const lane = dev ? () => false : fastLane(addressOf);
  const baseUrl = new URL(env.BASE_URL);
  const misdirection = hostGuard(env);
  const metrics = metricsAt(env.METRICS_TOKEN, metricsOfOthers);
  return (request: IncomingMessage, response: ServerResponse) => {
    if (lane(request, response)) return;
    if (metrics(request, response)) return;
    logWhenDone(request, response);
    endUnread(request, response);
    const misdirected = misdirection(request);
    if (misdirected) return refuseRequest(misdirected, request, response);
    prepareForNext(request, { address: addressOf(request), baseUrl });
    pages.answer(request, response);
  };
}

/**
 * What is left of a body that was too large is thrown away for a moment, so that its sender hears the answer; then the
 * connection ends, instead of taking the rest of it or waiting for its time-out.
 */
function endUnread(request: IncomingMessage, response: ServerResponse): void {
  // Afterwards neither of the two knows its socket any more.
  const { socket } = request;
  response.on("finish", () => {
    if (request.complete) return;
    request.resume();
    setTimeout(() => request.complete || socket.destroy(), LINGER_MS).unref();
  });
}

function logWhenDone(request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now();
  const route = routePattern(request.url ?? "");
  if (route.startsWith("/_next/")) return;
  response.on("finish", () => {
    countAnswerTo(route, response.statusCode);
    const ms = Math.round(performance.now() - started);
    log.info({ method: request.method, route, status: response.statusCode, ms });
  });
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

/** Takes no new connection, lets every request that has begun be answered, and ends what idles or takes too long. */
function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
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
    process.on(event, (error: unknown) => log.error(describeError(error), "a fault that nobody had reckoned with"));
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

function greet(env: Env, isNew: boolean): void {
  const token = `  Setup token, asked for when the first account is not created on this machine: ${setupToken()}\n`;
  process.stdout.write(
    `\nFootfall is ready at ${env.BASE_URL}\n` +
      "  Next: open it, create your account, add your site, put the snippet on its pages.\n" +
      (isNew ? token : "") +
      "  Stop with Ctrl-C. See README.md for the configuration.\n\n",
  );
}
