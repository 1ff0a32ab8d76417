import pg from "pg";
import { vi } from "vitest";

/** Breaks the connection of the next transaction before its n-th statement. */
export function breakAtStatement(n: number): { restore(): void; broke(): boolean } {
  const real = pg.Client.prototype.query;
  let victim: object | null = null;
  let seen = 0;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: never[]) {
    const [query] = args as unknown as [string | { text?: string }];
    const text = typeof query === "string" ? query : (query?.text ?? "");
    if (!victim && /^\s*BEGIN/i.test(text)) victim = this;
    if (victim === this && ++seen === n) {
      (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    }
    return Reflect.apply(real, this, args);
  } as never);
  return { restore: () => spy.mockRestore(), broke: () => seen >= n };
}

/** Calls again while the dead process still holds its locks: Postgres keeps them until it notices the end of a connection. */
export async function retried<Answer extends { body: { error?: { code: string } } }>(
  call: () => Promise<Answer>,
): Promise<Answer> {
  let answer = await call();
  while (answer.body.error?.code === "operation_in_progress") answer = await call();
  return answer;
}
