import pg from "pg";
import { Fault } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { CONNECT_WITHIN_MS } from "@/lib/platform/pool";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

interface Listener {
  /** The connection listens, for the first time or again: notifications before now may be lost. */
  listening(): void;
  notified(payload: string): void;
}

/**
 * Listens on one channel with a connection of its own, which is opened again whenever it breaks.
 *
 * @param channel an identifier of Postgres
 * @returns a function that ends it
 */
export function listenTo(url: string, channel: string, listener: Listener): () => Promise<void> {
  let client: pg.Client | undefined;
  let reconnecting: NodeJS.Timeout | undefined;
  let failures = 0;
  let isStopped = false;

  async function connect() {
    const own = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      // Firewalls forget connections that say nothing, and neither side would notice.
      keepAlive: true,
      keepAliveInitialDelayMillis: 60_000,
    });
    client = own;
    let isBroken = false;
    function reconnect(error: unknown) {
      if (isStopped || isBroken) return;
      isBroken = true;
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++);
      log.warn({ channel, pause_ms: pauseMs, ...describeError(error) }, "a listening connection broke");
      void Promise.allSettled([own.end()]);
      reconnecting = setTimeout(connect, pauseMs).unref();
    }
    own.on("error", reconnect);
    own.on("end", () => reconnect(new Fault("Postgres closed the connection")));
    own.on("notification", ({ payload = "" }) => listener.notified(payload));
    try {
      await own.connect();
      await own.query(`LISTEN ${own.escapeIdentifier(channel)}`);
      failures = 0;
      listener.listening();
    } catch (error) {
      reconnect(error);
    }
  }

  void connect();
  return async () => {
    isStopped = true;
    clearTimeout(reconnecting);
    await Promise.allSettled([client?.end()]);
  };
}
