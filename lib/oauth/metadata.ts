import { SCOPES } from "@/lib/contract/access";
import { SIGNING_ALGORITHMS } from "@/lib/oauth/client-assertion";
import { GRANTS } from "@/lib/oauth/token";
import { managementResource, mcpResource, resources } from "@/lib/oauth/tokens";
import { env } from "@/lib/platform/env";

const CLIENT_AUTHENTICATION = ["client_secret_post", "client_secret_basic"];
/** Assistants have no secret. */
const ALL_AUTHENTICATION = [...CLIENT_AUTHENTICATION, "none", "private_key_jwt"];

/** Authorization server metadata (RFC 8414). */
export function authorizationServer(): Record<string, unknown> {
  const base = env().BASE_URL;
  return {
    issuer: base,
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    registration_endpoint: `${base}/oauth/register`,
    device_authorization_endpoint: `${base}/oauth/device/code`,
    revocation_endpoint: `${base}/oauth/revoke`,
    introspection_endpoint: `${base}/oauth/introspect`,
    grant_types_supported: [...GRANTS.keys()],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ALL_AUTHENTICATION,
    token_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: ALL_AUTHENTICATION,
    revocation_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    scopes_supported: Object.keys(SCOPES),
    protected_resources: resources(),
    service_documentation: `${base}/docs`,
  };
}

/** Protected resource metadata of the management API and of the MCP endpoint (RFC 9728). */
export const protectedManagement = () =>
  protectedResource(managementResource(), "Footfall management API", "/docs/agents");
export const protectedMcp = () => protectedResource(mcpResource(), "Footfall for assistants (MCP)", "/docs/connect");

const protectedResource = (resource: string, name: string, docs: string): Record<string, unknown> => ({
  resource,
  authorization_servers: [env().BASE_URL],
  scopes_supported: Object.keys(SCOPES),
  bearer_methods_supported: ["header"],
  resource_name: name,
  resource_documentation: `${env().BASE_URL}${docs}`,
});

/** Serves a metadata document to any origin. */
export const asDocument = (document: Record<string, unknown>): Response =>
  Response.json(document, {
    headers: { "access-control-allow-origin": "*", "cache-control": "public, max-age=300" },
  });
