import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "@/lib/platform/errors";
import type { Incoming } from "@/lib/platform/http/http";
import { processWide } from "@/lib/platform/process-wide";

/**
 * The request headers in which the server tells routes and pages who calls. Nobody outside can set them: their names are
 * new with every process.
 */
export const CALLER_HEADERS = processWide("caller-headers", () => {
  const secret = randomUUID();
  return { address: `x-caller-address-${secret}`, local: `x-caller-local-${secret}` };
});

/** The address of the client, freed of proxies; null when it is not known. */
export const callerAddress = (headers: IncomingHttpHeaders): string | null =>
  (headers[CALLER_HEADERS.address] as string | undefined) || null;

/**
 * The same for a route of Next.
 *
 * @throws Refusal `unavailable` for a request that came before the server knew how to read addresses, while it boots.
 */
export function requireCallerAddress(request: Pick<Incoming, "header">): string | null {
  const address = request.header(CALLER_HEADERS.address);
  if (address === null) {
    throw new Refusal("unavailable", "The server is starting; send it again soon.", undefined, 2);
  }
  return address || null;
}
