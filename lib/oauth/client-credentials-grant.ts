import type { OAuthCall } from "@/lib/oauth/entry-point";
import { knownScopes, requireResource, resolveScopes } from "@/lib/oauth/request-parameters";
import { issueAccessToken, type TokenResponse, tokenResponse } from "@/lib/oauth/tokens";
import { db } from "@/lib/platform/db";
import { OAuthRefusal } from "@/lib/platform/errors";

export const grantType = "client_credentials";

/**
 * Client credentials grant (RFC 6749 section 4.4): issues an access token with the machine client's granted scopes, and
 * no refresh token. Delegated clients act for a human and cannot use it.
 */
export async function grant({ client, form, now }: OAuthCall): Promise<TokenResponse> {
  if (client.kind !== "machine") {
    throw new OAuthRefusal("unauthorized_client", "This client acts for a human: use the device authorization grant.");
  }
  const audience = requireResource(form);
  const scopes = resolveScopes(form, knownScopes(client.grantedScopes));
  const token = await issueAccessToken(db(), { clientId: client.id, ownerId: client.ownerId, scopes, audience, now });
  return tokenResponse(token, scopes);
}
