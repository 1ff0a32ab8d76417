import { env } from "@/lib/platform/env";
import { refuseMethod } from "@/lib/platform/http/methods";
import { RATES } from "@/lib/platform/limits";
import { llms } from "@/lib/publish/llms";

/** Made once: neither the registry nor the configuration changes while the process lives. */
let made: string | undefined;

/** The service in one text for agents. It needs no authentication, and pages of others may read it. */
export function GET(): Response {
  const { BASE_URL, RATE_LIMITS } = env();
  made ??= llms(BASE_URL, { ...RATES, ...RATE_LIMITS });
  return new Response(made, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=300",
    },
  });
}

const refused = refuseMethod("GET, HEAD");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT };
