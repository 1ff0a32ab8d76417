import { env } from "@/lib/env";
import { openapi } from "@/lib/publish/openapi";

/** The OpenAPI document. It needs no authentication, and pages of others may read it. */
export function GET(): Response {
  return Response.json(openapi(env().BASE_URL), {
    headers: { "access-control-allow-origin": "*", "cache-control": "public, max-age=300" },
  });
}
