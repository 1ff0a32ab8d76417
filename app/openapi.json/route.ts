import { env } from "@/lib/platform/env";
import { refuseMethod } from "@/lib/platform/http/methods";
import { openapi } from "@/lib/publish/openapi";

/** Cached: registry and base URL do not change while the process runs. */
let cached: string | undefined;

/** The OpenAPI document. Public, and readable by any origin. */
export function GET(): Response {
  cached ??= JSON.stringify(openapi(env().BASE_URL));
  return new Response(cached, {
    headers: {
      "content-type": "application/json",
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=300",
    },
  });
}

const refused = refuseMethod("GET, HEAD");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT };
