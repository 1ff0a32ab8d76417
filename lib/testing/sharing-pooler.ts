import { once } from "node:events";
import net from "node:net";
import pg from "pg";
import { onTestFinished } from "vitest";

/** A made-up process id and secret, as poolers send them. */
const KEY = Buffer.from([0x4b, 0, 0, 0, 12, 0, 1, 2, 3, 4, 5, 6, 7]);
const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/**
 * Starts a pooler in transaction mode with one connection to Postgres. Clients need no password. It forwards statements
 * of the simple query protocol one at a time, and stops at the end of the test.
 *
 * @returns the URL of the database through the pooler.
 */
export async function startSharingPooler(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const { stream: postgres } = (client as unknown as { connection: { stream: net.Socket } }).connection;
  postgres.removeAllListeners("data");
  let free: Promise<unknown> = Promise.resolve();
  const pooler = net.createServer((socket) => {
    socket.once("data", () => {
      socket.write(Buffer.concat([AUTHENTICATED, KEY, READY]));
      socket.on("data", (message) => {
        if (message[0] !== 0x51 /* Q */) return socket.end();
        free = free.then(() => forward(message, postgres, socket));
      });
    });
  });
  await once(pooler.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    pooler.close();
    postgres.destroy();
  });
  const { port } = pooler.address() as net.AddressInfo;
  return `postgresql://anyone@127.0.0.1:${port}/postgres`;
}

/** Forwards a statement and its answer, which ends with ReadyForQuery. */
function forward(statement: Buffer, postgres: net.Socket, socket: net.Socket): Promise<void> {
  return new Promise((resolve) => {
    let tail = Buffer.alloc(0);
    const answer = (piece: Buffer) => {
      socket.write(piece);
      tail = Buffer.concat([tail, piece]).subarray(-READY.length);
      if (!tail.equals(READY)) return;
      postgres.off("data", answer);
      resolve();
    };
    postgres.on("data", answer);
    postgres.write(statement);
  });
}
