import { env } from "@/lib/platform/env";
import { refuseMethod } from "@/lib/platform/http/methods";
import { openapi } from "@/lib/publish/openapi";

/** Made once: neither the registry nor the address changes while the process lives. */
let made: string | undefined;

/** The OpenAPI document. It needs no authentication, and pages of others may read it. */
export function GET(): Response {
  made ??= JSON.stringify(openapi(env().BASE_URL));
  return new Response(made, {
    headers: {
      "content-type": "application/json",
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=300",
    },
  });
}

const refused = refuseMethod("GET, HEAD");

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT };
