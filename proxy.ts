import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { EARLY_THEME } from "@/components/shell/early-theme";
import { env } from "@/lib/platform/env";
import type { Refusal } from "@/lib/platform/errors";
import { ownHosts } from "@/lib/platform/http/own-hosts";
import { dynamicPagePolicy, isStaticPage, pageRefusal, transportSecurity } from "@/lib/platform/http/page-request";
import { TRACKER_PATHS } from "@/lib/platform/http/tracker-paths";

const inlineHashes = [`sha256-${createHash("sha256").update(EARLY_THEME).digest("base64")}`];

/** Next runs this before it answers a request for a page or the tracker. */
export function proxy(request: NextRequest): Response {
  if (TRACKER_PATHS.has(request.nextUrl.pathname)) return trackerAnswer(request.method);
  const { BASE_URL, NODE_ENV } = env();
  const refusal = pageRefusal(request, { baseUrl: BASE_URL, isOwnHost: ownHosts(env()) });
  if (refusal) return refused(refusal);
  const { pathname } = request.nextUrl;
  const headers = new Headers(request.headers);
  const origin = headers.get("origin");
  // Next takes a form only from the host it was sent to. Behind a reverse proxy that may be an internal name.
  if (request.method === "POST" && origin !== null) headers.set("x-forwarded-host", new URL(origin).host);
  let policy: string | null = null;
  if (!isStaticPage(pathname)) {
    const nonce = randomBytes(16).toString("base64");
    policy = dynamicPagePolicy(pathname, { nonce, inlineHashes, dev: NODE_ENV === "development" });
  }
  // Next reads the nonce from the request. A client must not choose it.
  if (policy) headers.set("content-security-policy", policy);
  else headers.delete("content-security-policy");
  const response = NextResponse.next({ request: { headers } });
  if (policy) response.headers.set("content-security-policy", policy);
  const security = transportSecurity(BASE_URL);
  if (security) response.headers.set("strict-transport-security", security);
  return response;
}

/** Next itself answers other methods on a file with 500. */
function trackerAnswer(method: string): Response {
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

// Next reads this at build, so it must be a literal. It leaves out what is not a page: Next cuts request bodies that pass
// through here off after 10 MB, and files answer under any host.
export const config = {
  matcher: [
    "/((?!(?:api|oauth|actions|_next|\\.well-known)/|(?:footfall\\.d\\.mts|icon\\.svg|llms(?:-full)?\\.txt|docs/.*\\.md|openapi\\.json|metrics)$).*)",
  ],
};
