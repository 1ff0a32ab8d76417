import type { IncomingMessage } from "node:http";
import { Refusal } from "@/lib/contract/errors";
import type { Env } from "@/lib/env";
import { isLoopbackName } from "@/lib/platform/http/address";
import { TRACKERS } from "@/lib/server/tracker-scripts";

/** What customers pass through domains of their own, and what probes ask by address. None of it reads a cookie. */
const ON_ANY_HOST = new Set([...TRACKERS.map((name) => `/${name}`), "/api/event", "/api/v1/events", "/api/health"]);

/**
 * Refuses to answer under host names that are not this server's (RFC 9110 section 15.5.20): a page of another site that
 * has its own name resolve to this address would otherwise share an origin with ours. Reads `Host` alone.
 *
 * @returns null where the request may be answered.
 */
export function hostGuard({ BASE_URL, ALLOWED_HOSTS }: Pick<Env, "BASE_URL" | "ALLOWED_HOSTS">) {
  const allowed = new Set([new URL(BASE_URL).hostname, ...ALLOWED_HOSTS]);
  return ({ headers, url = "" }: Pick<IncomingMessage, "headers" | "url">): Refusal | null => {
    const host = hostname(headers.host ?? "");
    if (host !== null && (allowed.has(host) || isLoopbackName(host))) return null;
    if (ON_ANY_HOST.has((url.split("?", 1)[0] as string).replace(/\/$/, ""))) return null;
    return new Refusal(
      "misdirected_request",
      `This server does not answer under the host of this request. Open ${BASE_URL}, or add the host to ALLOWED_HOSTS.`,
    );
  };
}

/** The name of a `Host` header in its one spelling, without its port; null when it is none. */
function hostname(header: string): string | null {
  if (!/^(\[[\da-f:.]+\]|[^\s/?#@\\:[\]]+)(:\d{1,5})?$/i.test(header)) return null;
  return URL.canParse(`http://${header}`) ? new URL(`http://${header}`).hostname : null;
}
