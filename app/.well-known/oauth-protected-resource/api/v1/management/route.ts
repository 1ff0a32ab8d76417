import { SCOPES } from "@/lib/contract/vocabulary";
import { env } from "@/lib/env";
import { managementResource } from "@/lib/oauth/tokens";

/** What the management API is and how it takes tokens (RFC 9728), for whoever was refused without one. */
export function GET(): Response {
  return Response.json(
    {
      resource: managementResource(),
      scopes_supported: Object.keys(SCOPES),
      bearer_methods_supported: ["header"],
      resource_name: "Footfall management API",
      resource_documentation: `${env().BASE_URL}/docs/agents`,
    },
    { headers: { "access-control-allow-origin": "*", "cache-control": "public, max-age=300" } },
  );
}
