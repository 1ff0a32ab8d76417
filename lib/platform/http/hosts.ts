import type { IncomingMessage } from "node:http";
import type { Env } from "@/lib/platform/env";
import type { Refusal } from "@/lib/platform/errors";
import { misdirected, ownHosts } from "@/lib/platform/http/own-hosts";
import { TRACKER_PATHS } from "@/lib/platform/http/tracker-paths";

/** What customers pass through domains of their own, and what probes ask by address. None of it reads a cookie. */
const ON_ANY_HOST = new Set([...TRACKER_PATHS, "/api/event", "/api/v1/events", "/api/health", "/metrics"]);

/**
 * Refuses to answer under host names that are not this server's (RFC 9110 section 15.5.20): a page of another site that
 * has its own name resolve to this address would otherwise share an origin with ours. Reads `Host` alone.
 *
 * @returns null where the request may be answered.
 */
export function hostGuard(env: Pick<Env, "BASE_URL" | "ALLOWED_HOSTS">) {
  const isOwnHost = ownHosts(env);
  return ({ headers, url = "" }: Pick<IncomingMessage, "headers" | "url">): Refusal | null => {
    if (isOwnHost(headers.host)) return null;
    if (ON_ANY_HOST.has((url.split("?", 1)[0] as string).replace(/\/$/, ""))) return null;
    return misdirected(env.BASE_URL);
  };
}
