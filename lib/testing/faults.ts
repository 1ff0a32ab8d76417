import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";

interface Crash {
  atStatement: number;
  /** The connection of the transaction that crashes. */
  victim?: pg.Client;
  statements: number;
}

/** The crash that a statement counts towards, so that tests beside it send their statements undisturbed. */
const current = new AsyncLocalStorage<Crash>();

const query = pg.Client.prototype.query;
pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
  const crash = current.getStore();
  if (crash) count(crash, this, args[0] as unknown as string | { text?: string });
  return Reflect.apply(query, this, args);
} as typeof query;

function count(crash: Crash, client: pg.Client, sent: string | { text?: string }): void {
  const text = typeof sent === "string" ? sent : (sent?.text ?? "");
  if (!crash.victim && /^\s*BEGIN/i.test(text)) crash.victim = client;
  if (crash.victim !== client || ++crash.statements !== crash.atStatement) return;
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/**
 * Runs `work`, and breaks the connection of its first transaction before the n-th statement.
 *
 * @returns its answer, and whether the transaction had that many statements
 */
export async function crashAt<Answer>(
  atStatement: number,
  work: () => Promise<Answer>,
): Promise<{ answer: Answer; crashed: boolean }> {
  const crash: Crash = { atStatement, statements: 0 };
  const answer = await current.run(crash, work);
  return { answer, crashed: crash.statements >= atStatement };
}

/** Calls again while the dead process still holds its locks: Postgres keeps them until it notices the end of a connection. */
export async function retried<Answer extends { body: { error?: { code: string } } }>(
  call: () => Promise<Answer>,
): Promise<Answer> {
  let answer = await call();
  while (answer.body.error?.code === "operation_in_progress") answer = await call();
  return answer;
}
