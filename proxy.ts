import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { EARLY_THEME } from "@/components/shell/early-theme";
import { ownPath } from "@/lib/auth/next-path";
import { env } from "@/lib/platform/env";
import type { Refusal } from "@/lib/platform/errors";
import { JSON_TYPE } from "@/lib/platform/http/json-type.mjs";
import { isSharingHost, ownHosts } from "@/lib/platform/http/own-hosts";
import {
  dynamicPagePolicy,
  isStaticPage,
  PAGE_ADDRESS,
  pageRefusal,
  TRANSLATED,
  transportSecurity,
  WITH_DEMO,
} from "@/lib/platform/http/page-request";
import { TRACKER_PATHS } from "@/lib/platform/http/tracker-paths";
import { localeOf } from "@/lib/platform/locale";
import { chosenLanguage, languageOf } from "@/lib/texts/languages";

const inlineHashes = [`sha256-${createHash("sha256").update(EARLY_THEME).digest("base64")}`];

/** Next.js middleware for pages and the tracker: refuses bad requests and sets the security headers. */
export function proxy(request: NextRequest): Response {
  if (TRACKER_PATHS.has(request.nextUrl.pathname)) return trackerResponse(request.method);
  const { BASE_URL, DEMO_SITE, NODE_ENV } = env();
  const { pathname, search } = request.nextUrl;
  const refusal = pageRefusal(
    { method: request.method, path: pathname, headers: request.headers },
    { baseUrl: BASE_URL, isOwnHost: ownHosts(env()), isSharingHost: (host) => isSharingHost(host, env()) },
  );
  if (refusal) return refused(refusal);
  if (pathname === WITH_DEMO && DEMO_SITE === undefined) return NextResponse.redirect(new URL("/", request.url), 307);
  // Only a form that is submitted before our script runs: pages write by /actions. Next must not read the body, because
  // it would decode Server Actions. Next leaves its own host out of the location that it sends.
  if (request.method === "POST" && !isForPrograms(request.headers))
    return NextResponse.redirect(new URL(ownPath(pathname + search), request.url), 303);
  const headers = new Headers(request.headers);
  // So that Next takes no post for a Server Action.
  headers.delete("next-action");
  headers.set(PAGE_ADDRESS, pathname + search);
  let policy: string | null = null;
  if (!isStaticPage(pathname)) {
    const nonce = randomBytes(16).toString("base64");
    policy = dynamicPagePolicy(pathname, { nonce, inlineHashes, dev: NODE_ENV === "development" });
  }
  // Next reads the nonce from the request's own header, so a client must not be able to set it.
  if (policy) headers.set("content-security-policy", policy);
  else headers.delete("content-security-policy");
  const landing = pathname === "/" ? landingPage(request.headers, DEMO_SITE !== undefined) : null;
  const response = landing
    ? NextResponse.rewrite(new URL(landing, request.url), { request: { headers } })
    : NextResponse.next({ request: { headers } });
  if (policy) response.headers.set("content-security-policy", policy);
  const security = transportSecurity(BASE_URL);
  if (security) response.headers.set("strict-transport-security", security);
  return response;
}

/** Returns the path of the landing page in the reader's language; null for the one at `/`. */
function landingPage(headers: Headers, hasDemo: boolean): string | null {
  const chosen = chosenLanguage(headers.get("cookie") ?? undefined);
  if (languageOf(localeOf(headers.get("accept-language") ?? undefined, chosen)) !== "en") return TRANSLATED;
  return hasDemo ? WITH_DEMO : null;
}

/** Programs get an error in JSON at an unknown address, by the rewrites of next.config.mjs. */
const isForPrograms = (headers: Headers): boolean => new RegExp(JSON_TYPE).test(headers.get("content-type") ?? "");

/** Answers 405 to other methods; Next alone would answer 500. */
function trackerResponse(method: string): Response {
  if (method === "GET" || method === "HEAD") return NextResponse.next();
  return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
}

function refused({ code, message, status }: Refusal): Response {
  const headers = { "cache-control": "no-store" };
  if (code === "cross_site") {
    return Response.json({ error: { code, message }, request_id: randomUUID() }, { status, headers });
  }
  return new Response(`${message}\n`, { status, headers: { ...headers, "content-type": "text/plain; charset=utf-8" } });
}

// Must be a literal, because Next reads it at build time. APIs and files are excluded: Next truncates request bodies
// that pass through here at 10 MB, and files are served under any host. /oauth/authorize is a page.
export const config = {
  matcher: [
    "/((?!(?:api|v1|js|icons|oauth(?!/authorize$)|actions|_next|\\.well-known)/|(?:register|token|footfall\\.d\\.mts|icon\\.svg|favicon\\.ico|apple-(?:touch-)?icon(?:-precomposed)?\\.png|manifest\\.webmanifest|robots\\.txt|llms(?:-full)?\\.txt|docs/.*\\.md|openapi\\.json|metrics|mcp|auth\\.md)$).*)",
    // The page for people at addresses below /v1 that take no events.
    {
      source: "/v1/((?!(?:batch|track|page|screen|identify|alias|group)$).*)",
      has: [{ type: "header", key: "accept", value: ".*text/html.*" }],
    },
  ],
};
