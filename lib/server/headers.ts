import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Prepares a request for Next: gives the page a Content-Security-Policy whose
 * nonce Next puts on its own scripts. Nothing of ours loads anything from anyone else.
 */
export function prepareForNext(
  request: IncomingMessage,
  response: ServerResponse,
  site: { baseUrl: URL; dev: boolean },
): void {
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
