import type { OAuthCall } from "@/lib/oauth/entry-point";
import { knownScopes, requireResource, resolveScopes, withoutOfflineAccess } from "@/lib/oauth/request-parameters";
import { revokeReusedFamily } from "@/lib/oauth/reused-family";
import {
  isLive,
  issueAccessToken,
  issueRefreshToken,
  type TokenResponse,
  tokenResponse,
  WITH_CLIENT,
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
  const token = await tx.refreshToken.findUnique({ where: { hash }, include: WITH_CLIENT });
  if (!token || token.clientId !== client.id) throw invalidGrant();
  if (token.usedAt) {
    await revokeReusedFamily(tx, call, token, "refresh");
    return invalidGrant();
  }
  if (!isLive(token, now)) throw invalidGrant();
  // Some assistants name the resource only in their first request (RFC 8707 section 2.2).
  if (client.assistantId === null || form.resources.length > 0) requireResource(form, [token.audience]);
  // Scopes of the token that its person still grants.
  const granted = new Set(token.client.grantedScopes);
  const asked = client.assistantId === null ? form : withoutOfflineAccess(form);
  const scopes = resolveScopes(asked, knownScopes(token.scopes)).filter((scope) => granted.has(scope));
  if (scopes.length === 0)
    throw new OAuthRefusal(
      "invalid_scope",
      "None of these scopes is granted any more. Ask your human for a new consent.",
    );

  await tx.refreshToken.updateMany({ where: { hash, usedAt: null }, data: { usedAt: now } });
  await tx.accessToken.updateMany({ where: { familyId: token.familyId, revokedAt: null }, data: { revokedAt: now } });
  const claims = { clientId: client.id, audience: token.audience, ownerId: token.ownerId, now };
  const access = await issueAccessToken(tx, { ...claims, scopes, familyId: token.familyId });
  const family = { id: token.familyId, expiresAt: token.familyExpiresAt };
  return tokenResponse(access, scopes, await issueRefreshToken(tx, { ...claims, scopes: token.scopes, family }));
}
