import { writeAudit } from "@/lib/gateway/changes/audit";
import type { OAuthCall } from "@/lib/oauth/entry-point";
import { emailTokenReuse } from "@/lib/oauth/notices";
import { knownScopes, requireResource, resolveScopes } from "@/lib/oauth/request-parameters";
import {
  isLive,
  issueAccessToken,
  issueRefreshToken,
  resources,
  revokeTokens,
  type TokenResponse,
  tokenResponse,
  withClientLock,
} from "@/lib/oauth/tokens";
import type { Db } from "@/lib/platform/db";
import { OAuthRefusal } from "@/lib/platform/errors";
import { lockRow } from "@/lib/platform/lock-row";
import { hashOf } from "@/lib/platform/secrets";

export const grantType = "refresh_token";

/**
 * Refresh token grant with rotation: each refresh token works once and is replaced together with its access token (RFC
 * 6749 section 6, RFC 9700 section 4.14.2). Reuse revokes the whole family, committed before the error is returned.
 */
export async function grant(call: OAuthCall): Promise<TokenResponse> {
  const hash = hashOf(call.form.need("refresh_token"));
  return withClientLock(call.client.id, (tx) => rotate(tx, call, hash));
}

const invalidGrant = () =>
  new OAuthRefusal(
    "invalid_grant",
    "This refresh token is invalid, expired or revoked. Ask your human for a new consent.",
  );

async function rotate(tx: Db, call: OAuthCall, hash: Uint8Array<ArrayBuffer>): Promise<TokenResponse | OAuthRefusal> {
  const { client, form, now } = call;
  await lockRow(tx, "refresh_token", hash);
  const token = await tx.refreshToken.findUnique({ where: { hash }, include: { client: true } });
  if (!token || token.clientId !== client.id) throw invalidGrant();
  if (token.usedAt) {
    await revokeReusedFamily(tx, call, token);
    return invalidGrant();
  }
  const { audience } = token;
  if (!resources().includes(audience) || !isLive(token, now, audience)) throw invalidGrant();
  requireResource(form, [audience]);
  // Scopes of the token that its person still grants.
  const granted = new Set(token.client.grantedScopes);
  const scopes = resolveScopes(form, knownScopes(token.scopes)).filter((scope) => granted.has(scope));
  if (scopes.length === 0)
    throw new OAuthRefusal(
      "invalid_scope",
      "None of these scopes is granted any more. Ask your human for a new consent at /oauth/device/code.",
    );

  await tx.refreshToken.updateMany({ where: { hash, usedAt: null }, data: { usedAt: now } });
  await tx.accessToken.updateMany({ where: { familyId: token.familyId, revokedAt: null }, data: { revokedAt: now } });
  const claims = { clientId: client.id, ownerId: token.ownerId, audience, now };
  const access = await issueAccessToken(tx, { ...claims, scopes, familyId: token.familyId });
  const family = { id: token.familyId, expiresAt: token.familyExpiresAt };
  return tokenResponse(access, scopes, await issueRefreshToken(tx, { ...claims, scopes: token.scopes, family }));
}

async function revokeReusedFamily(
  tx: Db,
  { client, requestId, now }: OAuthCall,
  token: { familyId: string; ownerId: number },
): Promise<void> {
  const revoked = await revokeTokens(tx, { clientId: client.id, familyId: token.familyId }, now);
  if (revoked === 0) return;
  await emailTokenReuse(tx, { clientName: client.name, personId: token.ownerId }, now);
  await writeAudit(tx, {
    at: now,
    clientId: client.id,
    personId: token.ownerId,
    operation: "oauth.refresh_reuse",
    requestId,
    detail: { family: token.familyId, ended: revoked },
  });
}
