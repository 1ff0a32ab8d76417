import { env } from "@/lib/platform/env";
import { RATES } from "@/lib/platform/limits";
import { requireRate } from "@/lib/platform/rate";

/**
 * Counts one call of a client, over HTTP or MCP alike.
 *
 * @throws Refusal `rate_limited` beyond the limit of reads or writes.
 */
export async function countCall(clientId: string, kind: keyof typeof RATES, now: Date): Promise<void> {
  const { limit, seconds } = { ...RATES, ...env().RATE_LIMITS }[kind];
  const message = `At most ${limit} ${kind} calls in ${seconds} seconds; wait for the time in Retry-After.`;
  await requireRate(`management:${kind}:${clientId}`, limit, seconds * 1000, now, message);
}
