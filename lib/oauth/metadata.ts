import { SCOPES } from "@/lib/contract/vocabulary";
import { GRANTS } from "@/lib/oauth/token";
import { managementResource } from "@/lib/oauth/tokens";
import { env } from "@/lib/platform/env";

const CLIENT_AUTHENTICATION = ["client_secret_post", "client_secret_basic"];

/** What the authorization server is (RFC 8414). It has no authorization endpoint, hence no response type. */
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
    protected_resources: [managementResource()],
    service_documentation: `${base}/docs`,
  };
}

/** What the management API is and how it takes tokens (RFC 9728), for whoever was refused without one. */
export function protectedResource(): Record<string, unknown> {
  return {
    resource: managementResource(),
    authorization_servers: [env().BASE_URL],
    scopes_supported: Object.keys(SCOPES),
    bearer_methods_supported: ["header"],
    resource_name: "Footfall management API",
    resource_documentation: `${env().BASE_URL}/docs/agents`,
  };
}

/** Both documents are for everybody, pages of others included. */
export const asDocument = (document: Record<string, unknown>): Response =>
  Response.json(document, {
    headers: { "access-control-allow-origin": "*", "cache-control": "public, max-age=300" },
  });
