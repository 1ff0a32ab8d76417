import { env } from "@/lib/platform/env";
import { refuseMethod } from "@/lib/platform/http/methods";
import { RATES } from "@/lib/platform/limits";
import { agentTexts } from "@/lib/publish/llms/pages";

/** Written once: neither the registry nor the configuration changes while the process lives. */
let texts: ReadonlyMap<string, string> | undefined;

/** A text for agents. It needs no authentication, and pages of other sites may read it. */
export function agentText(path: string, contentType: string): Response {
  const { BASE_URL, RATE_LIMITS } = env();
  texts ??= agentTexts(BASE_URL, { ...RATES, ...RATE_LIMITS });
  const text = texts.get(path);
  const headers = { "content-type": contentType, "access-control-allow-origin": "*" };
  if (text === undefined) {
    const message = "# Not found\n\nNo page has this address. [llms.txt](/llms.txt) lists all pages.\n";
    return new Response(message, { status: 404, headers: { ...headers, "cache-control": "no-store" } });
  }
  return new Response(text, { headers: { ...headers, "cache-control": "public, max-age=300" } });
}

export const refused = refuseMethod("GET, HEAD");
