import type { Refusal } from "@/lib/platform/errors";
import { contentSecurityPolicy } from "@/lib/platform/http/content-security-policy.mjs";
import { crossSite, isOwnOrigin, misdirected, onlySharing } from "@/lib/platform/http/own-hosts";

/** Rules for page requests. `proxy.ts` applies them. */

/** The header in which `proxy.ts` tells pages their own path and query. A client cannot set it. */
export const PAGE_ADDRESS = "x-page-address";

/** The parts of a page request that these rules read. */
export interface PageRequest {
  method: string;
  path: string;
  headers: Pick<Headers, "get">;
}

interface OwnHosts {
  baseUrl: string;
  isOwnHost: (host: string | null) => boolean;
  /** Whether the host serves shared and public pages only. */
  isSharingHost: (host: string | null) => boolean;
}

/**
 * Returns why the request is refused, or null. A page answers only under the server's own hosts, and under
 * ALLOWED_HOSTS only if it needs no account. Only our own pages may post to it: `proxy.ts` sends them back to the page.
 */
export function pageRefusal(
  { method, path, headers }: PageRequest,
  { baseUrl, isOwnHost, isSharingHost }: OwnHosts,
): Refusal | null {
  const host = headers.get("host");
  if (!isOwnHost(host)) return misdirected(baseUrl);
  if (isSharingHost(host) && !isStaticPage(path) && !SHARED.test(path)) return onlySharing(baseUrl);
  const origin = headers.get("origin");
  if (method !== "POST" || origin === null || isOwnOrigin(origin, host, baseUrl)) return null;
  return crossSite(baseUrl);
}

/** The landing page with a link to the demo. Both are prerendered, so that `proxy.ts` chooses one by the configuration. */
export const WITH_DEMO = "/with-demo";
/** The landing page in other languages than English, which is rendered per request. */
export const TRANSLATED = "/translated";

/** Pages for readers without an account, and the script of their frames. */
const SHARED = /^\/(?:share|s|embed)\/[^/]+(?:\/|$)|^\/embed\.js$/;

/** Pages that other sites may show in a frame: anyone with the address may see them, and nothing on them changes data. */
const FRAMED = /^\/(?:share\/[^/]+|embed\/[^/]+(?:\/reports\/[^/]+)?)\/?$/;

/** Whether the page is the landing page or one of the docs: its scripts have no nonce, and next.config.mjs gives it its policy. */
export const isStaticPage = (path: string): boolean =>
  ["/", WITH_DEMO, TRANSLATED].includes(path) || /^\/docs(\/(?!search\/?$)|$)/.test(path);

/**
 * The Content-Security-Policy of a page that is rendered per request.
 *
 * @param nonce Next puts it on its own scripts.
 * @param inlineHashes hashes of our own inline scripts, such as `sha256-…`.
 */
export function dynamicPagePolicy(
  path: string,
  { nonce, inlineHashes, dev }: { nonce: string; inlineHashes: readonly string[]; dev: boolean },
): string {
  const scripts = [`nonce-${nonce}`, ...inlineHashes].map((source) => `'${source}'`);
  const framedBy = FRAMED.test(path) ? "*" : "'none'";
  return contentSecurityPolicy({ scripts: [...scripts, "'strict-dynamic'"], framedBy, dev });
}

/** Returns the Strict-Transport-Security header; null when BASE_URL is plain http. */
export const transportSecurity = (baseUrl: string): string | null =>
  baseUrl.startsWith("https:") ? "max-age=31536000" : null;
