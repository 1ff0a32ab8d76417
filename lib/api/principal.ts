import type { Principal } from "@/lib/contract/define";
import { knownScopes } from "@/lib/oauth/request-parameters";
import { liveAccessToken, managementResource } from "@/lib/oauth/tokens";
import { db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import type { Incoming } from "@/lib/platform/http/http";

const LAST_USED_EVERY_MS = 60_000;

/**
 * Returns the principal of a bearer token for a resource. Token, issuer, audience, client and owner are read on every call. The scopes
 * are those that both the token and the client's current consent allow.
 *
 * @param resource what was called: tokens for another one are refused.
 * @throws Refusal `unauthenticated` without a token (RFC 6750 section 3.1), `invalid_token` for any other fault. The
 *   messages never reveal which check failed.
 */
export async function bearerPrincipal(
  request: Incoming,
  now: Date,
  resource = managementResource(),
): Promise<Principal & { kind: "client" }> {
  const header = request.header("authorization");
  if (header === null || !/^bearer /i.test(header)) {
    throw new Refusal(
      "unauthenticated",
      "Send an access token in the header Authorization: Bearer <token>. A token in a URL is not read.",
    );
  }
  const token = /^bearer ([A-Za-z0-9._~+/=-]{1,200})$/i.exec(header)?.[1];
  const known = token ? await liveAccessToken(token, now) : null;
  if (known?.audience !== resource) {
    throw new Refusal("invalid_token", "The access token is invalid or expired. Get a new one and repeat the call.");
  }
  await noteUse(known.client, now);
  const granted = new Set(known.client.grantedScopes);
  return {
    kind: "client",
    clientId: known.clientId,
    clientKind: known.client.kind,
    personId: known.client.ownerId,
    scopes: knownScopes(known.scopes).filter((scope) => granted.has(scope)),
    resource,
  };
}

/** Updates the client's last-used time, at most once a minute. */
async function noteUse(client: { id: string; lastUsedAt: Date | null }, now: Date): Promise<void> {
  if (client.lastUsedAt && now.getTime() - client.lastUsedAt.getTime() < LAST_USED_EVERY_MS) return;
  await db().client.updateMany({ where: { id: client.id }, data: { lastUsedAt: now } });
}
