import type { IncomingMessage } from "node:http";
import { isFromThisMachine } from "@/lib/server/address";

/** Where Next finds what the sender itself called `X-Footfall-Client-IP`: within, that name is ours. */
export const CLAIMED_IP = "x-footfall-claimed-ip";

/** Tells pages that a request was made on this machine; absent otherwise. */
export const FROM_THIS_MACHINE = "x-footfall-from-this-machine";

/** Request headers that only this server may set. Whatever a client sends under these names is dropped. */
const OURS = ["x-footfall-client-ip", CLAIMED_IP, FROM_THIS_MACHINE, "x-forwarded-host", "x-forwarded-proto"];

/** Prepares a request for Next: tells it the caller's address, and drops what a client must not tell it. */
export function prepareForNext(request: IncomingMessage, site: { address: string | null; baseUrl: URL }): void {
  const fromThisMachine = isFromThisMachine(request, site.baseUrl);
  const claimed = request.headers["x-footfall-client-ip"];
  for (const name of OURS) delete request.headers[name];
  if (claimed !== undefined) request.headers[CLAIMED_IP] = claimed;
  if (fromThisMachine) request.headers[FROM_THIS_MACHINE] = "1";
  if (site.address !== null) request.headers["x-footfall-client-ip"] = site.address;
}

/**
 * A path as it may be logged: words that could be part of a route stay, everything else (ids, tokens, names)
 * becomes `:x`, and the query is gone.
 */
export function routePattern(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return path
    .split("/")
    .slice(0, 8)
    .map((part) => (/^[a-z][a-z._-]{0,23}$/.test(part) || part === "" ? part : ":x"))
    .join("/");
}
