import { FIRST_SCOPES } from "@/lib/contract/access";
import { KEY_WITHOUT_HUMAN } from "@/lib/publish/event-facts";

/** How agents get credentials, as Markdown. */

/** The ways to a token. */
const accessSection = (baseUrl: string) => `## Get access

For a human (delegated client):

1. \`POST /api/v1/agents/identity/delegations\` with your name and scopes returns \`client_id\` and \`client_secret\`. The client has no rights yet.
2. \`POST /oauth/device/code\` returns \`device_code\`, \`user_code\`, \`verification_uri\`. Show the last two to your human.
3. Poll \`POST /oauth/token\` with \`grant_type=urn:ietf:params:oauth:grant-type:device_code\`, \`device_code\` and \`resource\` every \`interval\` seconds. After consent it returns \`access_token\` and \`refresh_token\`.
4. Refresh with \`grant_type=refresh_token\`, from one process only.

Without a human (machine client, which must control a domain):

1. \`POST /api/v1/agents/identity/challenges\` with \`domain\`, \`method\` and a \`recovery_key\` that you create and keep.
2. Publish \`value\` as a TXT record at \`dns_name\`, or as the body of \`https_url\`.
3. \`POST /api/v1/agents/identity/registrations\` returns client, secret and a private site. Repeat with the same key while it answers 422 \`proof_not_verified\`.
4. \`POST /oauth/token\` with \`grant_type=client_credentials\` and \`resource\`. Repeat it for a new token; there is no refresh token.
5. If the secret is lost: a challenge with \`purpose\` \`recover\` and a NEW recovery key, then \`POST /api/v1/agents/identity/recoveries\` with the OLD one.
6. A human who has taken over the account grants more: \`POST /oauth/device/code\` with \`scope\`.

A script of a person sends a personal token (\`ff_pat_…\`), which they make at \`/account\`, as the bearer token of the HTTP API.

\`resource\` is exactly \`${baseUrl}/api/v1/management\` for the HTTP API, or \`${baseUrl}/mcp\` for [MCP](/docs/connect.md). A token works at one of them.

${KEY_WITHOUT_HUMAN}`;

/** `/auth.md`: how an agent or an assistant gets credentials here. */
export const authText = (baseUrl: string): string => `# Get credentials

> How an agent gets access to Footfall. Discovery: \`/.well-known/oauth-authorization-server\`, and for each resource \`/.well-known/oauth-protected-resource/mcp\` and \`/.well-known/oauth-protected-resource/api/v1/management\`.

## Assistants over MCP

Connect to \`${baseUrl}/mcp\`. Without a token, the answer is 401 with \`WWW-Authenticate: Bearer\`, which names the metadata of the resource and the first scopes, \`${FIRST_SCOPES.join(" ")}\`. A call that needs another scope is answered 403 \`insufficient_scope\`, with all scopes that the next token needs. Ask for access by the authorization code grant with PKCE (S256); the \`client_id\` is the https URL of your metadata document, or comes from \`POST /oauth/register\`. [Connect an assistant](/docs/connect.md) has the settings of each assistant.

${accessSection(baseUrl)}

[Agents](/docs/agents.md) has all of it as shell commands, [Identity and OAuth](/docs/identity.md) every field, lifetime and limit. No credential belongs in a URL.
`;
