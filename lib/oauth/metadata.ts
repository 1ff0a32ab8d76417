import { SCOPES } from "@/lib/contract/vocabulary";
import { GRANTS } from "@/lib/oauth/token";
import { managementResource, mcpResource, resources } from "@/lib/oauth/tokens";
import { env } from "@/lib/platform/env";

const CLIENT_AUTHENTICATION = ["client_secret_post", "client_secret_basic"];

/** Authorization server metadata (RFC 8414). There is no authorization endpoint, hence no response type. */
export function authorizationServer(): Record<string, unknown> {
  const base = env().BASE_URL;
  return {
    issuer: base,
    token_endpoint: `${base}/oauth/token`,
    device_authorization_endpoint: `${base}/oauth/device/code`,
    revocation_endpoint: `${base}/oauth/revoke`,
    introspection_endpoint: `${base}/oauth/introspect`,
    grant_types_supported: [...GRANTS.keys()],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    scopes_supported: Object.keys(SCOPES),
    protected_resources: resources(),
    service_documentation: `${base}/docs`,
  };
}

/** Protected resource metadata of the management API (RFC 9728). */
export const protectedResource = (): Record<string, unknown> =>
  resourceMetadata(managementResource(), "Footfall management API", "/docs/agents");

/** Protected resource metadata of the MCP endpoint. */
export const mcpProtectedResource = (): Record<string, unknown> =>
  resourceMetadata(mcpResource(), "Footfall for assistants (MCP)", "/docs/connect");

function resourceMetadata(resource: string, name: string, docs: string): Record<string, unknown> {
  return {
    resource,
    authorization_servers: [env().BASE_URL],
    scopes_supported: Object.keys(SCOPES),
    bearer_methods_supported: ["header"],
    resource_name: name,
    resource_documentation: `${env().BASE_URL}${docs}`,
  };
}

/** Serves a metadata document to any origin. */
export const asDocument = (document: Record<string, unknown>): Response =>
  Response.json(document, {
    headers: { "access-control-allow-origin": "*", "cache-control": "public, max-age=300" },
  });
