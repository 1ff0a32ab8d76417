import type { IncomingMessage } from "node:http";
import type { Env } from "@/lib/platform/env";
import type { Refusal } from "@/lib/platform/errors";
import { INGEST_PATHS } from "@/lib/platform/http/ingest-paths";
import { misdirected, ownHosts } from "@/lib/platform/http/own-hosts";
import { isTrackerPath } from "@/lib/platform/http/tracker-paths";

/** Paths that customers proxy through their own domains, and paths of health checks. None of them reads a cookie. */
const ON_ANY_HOST = new Set<string>([...INGEST_PATHS, "/api/health", "/metrics"]);

/**
 * Returns a guard that refuses requests for foreign hosts (RFC 9110 section 15.5.20), which prevents DNS rebinding.
 * It reads `Host` only, and returns null when the request may be answered.
 */
export function hostGuard(env: Pick<Env, "BASE_URL" | "ALLOWED_HOSTS">) {
  const isOwnHost = ownHosts(env);
  return ({ headers, url = "" }: Pick<IncomingMessage, "headers" | "url">): Refusal | null => {
    if (isOwnHost(headers.host)) return null;
    const path = (url.split("?", 1)[0] as string).replace(/\/$/, "");
    if (ON_ANY_HOST.has(path) || isTrackerPath(path)) return null;
    return misdirected(env.BASE_URL);
  };
}
