import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isFromThisMachine } from "@/lib/server/address";

/** Where Next finds what the sender itself called `X-Footfall-Client-IP`: within, that name is ours. */
export const CLAIMED_IP = "x-footfall-claimed-ip";

/** Tells pages that a request was made on this machine; absent otherwise. */
export const FROM_THIS_MACHINE = "x-footfall-from-this-machine";

/** Request headers that only this server may set. Whatever a client sends under these names is dropped. */
const OURS = [
  "x-footfall-client-ip",
  CLAIMED_IP,
  FROM_THIS_MACHINE,
  "x-nonce",
  "content-security-policy",
  "x-forwarded-host",
  "x-forwarded-proto",
];

/**
 * Prepares a request for Next: tells it the caller's address, and gives the page a Content-Security-Policy whose
 * nonce Next puts on its own scripts. Nothing of ours loads anything from anyone else.
 */
export function prepareForNext(
  request: IncomingMessage,
  response: ServerResponse,
  site: { address: string | null; baseUrl: URL; dev: boolean },
): void {
  const fromThisMachine = isFromThisMachine(request, site.baseUrl);
  const claimed = request.headers["x-footfall-client-ip"];
  for (const name of OURS) delete request.headers[name];
  if (claimed !== undefined) request.headers[CLAIMED_IP] = claimed;
  if (fromThisMachine) request.headers[FROM_THIS_MACHINE] = "1";
  if (site.address !== null) request.headers["x-footfall-client-ip"] = site.address;
  // Next takes a form only from the host it is asked under. Behind a proxy that is not the public one.
  if (request.headers.origin === site.baseUrl.origin) request.headers["x-forwarded-host"] = site.baseUrl.host;
  const nonce = randomBytes(16).toString("base64");
  const shared = /^\/share\/[^/?]+\/?(\?|$)/.test(request.url ?? "");
  const policy = contentSecurityPolicy(nonce, site.dev, shared);
  request.headers["x-nonce"] = nonce;
  request.headers["content-security-policy"] = policy;
  response.setHeader("content-security-policy", policy);
  if (!shared) response.setHeader("x-frame-options", "DENY");
  response.setHeader("x-content-type-options", "nosniff");
  // The address of such a page is a secret: not even our own pages are told where one came from.
  const secret = /^\/(reset|invite|signup|confirm)\//.test(request.url ?? "");
  response.setHeader("referrer-policy", secret ? "no-referrer" : "same-origin");
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("permissions-policy", "browsing-topics=(), camera=(), geolocation=(), microphone=()");
  if (site.baseUrl.protocol === "https:") response.setHeader("strict-transport-security", "max-age=31536000");
}

/**
 * Whether a page's form was sent by another site. Next refuses such a one too, but as a fault of its own. The other
 * surfaces take calls from anywhere and look for themselves.
 */
export function isForeignForm(request: IncomingMessage, baseUrl: URL): boolean {
  const { origin, host } = request.headers;
  if (request.method !== "POST" || origin === undefined || origin === baseUrl.origin) return false;
  if (/^\/(api|oauth|deeds)\//.test(request.url ?? "")) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

function contentSecurityPolicy(nonce: string, dev: boolean, shared: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    // What anyone may see, and nobody can do anything on, may stand in a page of anyone's.
    `frame-ancestors ${shared ? "*" : "'none'"}`,
  ].join("; ");
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
