import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "@/lib/platform/errors";
import type { Incoming } from "@/lib/platform/http/http";
import { processWide } from "@/lib/platform/process-wide";

/**
 * The request headers that carry the caller's address to routes and pages. Clients cannot set them: their names are
 * random for each process.
 */
export const CALLER_HEADERS = processWide("caller-headers", () => {
  const secret = randomUUID();
  return { address: `x-caller-address-${secret}`, local: `x-caller-local-${secret}` };
});

/** Returns the address of the client behind trusted proxies; null when it is unknown. */
export const callerAddress = (headers: IncomingHttpHeaders): string | null =>
  (headers[CALLER_HEADERS.address] as string | undefined) || null;

/**
 * Returns the address of the client in a Next route; null when it is unknown.
 *
 * @throws Refusal `unavailable` for a request that arrived during boot, before addresses were read.
 */
export function requireCallerAddress(request: Pick<Incoming, "header">): string | null {
  const address = request.header(CALLER_HEADERS.address);
  if (address === null) {
    throw new Refusal("unavailable", "The server is starting; repeat the call after Retry-After.", undefined, 2);
  }
  return address || null;
}
