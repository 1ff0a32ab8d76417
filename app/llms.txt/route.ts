import { env } from "@/lib/platform/env";
import { refuseMethod } from "@/lib/platform/http/methods";
import { RATES } from "@/lib/platform/limits";
import { llms } from "@/lib/publish/llms";

/** Cached: registry and configuration do not change while the process runs. */
let cached: string | undefined;

/** The whole API as a text for agents. Public, and readable by any origin. */
export function GET(): Response {
  const { BASE_URL, RATE_LIMITS } = env();
  cached ??= llms(BASE_URL, { ...RATES, ...RATE_LIMITS });
  return new Response(cached, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=300",
    },
  });
}

const refused = refuseMethod("GET, HEAD");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT };
