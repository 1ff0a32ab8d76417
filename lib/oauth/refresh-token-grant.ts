import { writeAudit } from "@/lib/gateway/changes/audit";
import type { OAuthCall } from "@/lib/oauth/entry-point";
import { emailTokenReuse } from "@/lib/oauth/notices";
import { knownScopes, requireResource, resolveScopes } from "@/lib/oauth/request-parameters";
import {
  hashOf,
  isLive,
  issueAccessToken,
  issueRefreshToken,
  revokeTokens,
  type TokenResponse,
  tokenResponse,
  withClientLock,
} from "@/lib/oauth/tokens";
import type { Db } from "@/lib/platform/db";
import { OAuthRefusal } from "@/lib/platform/errors";

export const grantType = "refresh_token";

/**
 * A refresh token is used, once, and replaced together with its access token (RFC 6749 section 6, RFC 9700 section
 * 4.14.2). A second use means that two have it: the whole family ends, and that is committed before the refusal.
 */
export async function grant(call: OAuthCall): Promise<TokenResponse> {
  const hash = hashOf(call.form.need("refresh_token"));
  return withClientLock(call.client.id, (tx) => rotate(tx, call, hash));
}

const notGood = () =>
  new OAuthRefusal("invalid_grant", "This refresh token is not good (any more); ask your human for a new consent.");

async function rotate(tx: Db, call: OAuthCall, hash: Uint8Array<ArrayBuffer>): Promise<TokenResponse | OAuthRefusal> {
  const { client, form, now } = call;
  await tx.$queryRaw`SELECT 1 FROM refresh_token WHERE hash = ${hash} FOR UPDATE`;
  const token = await tx.refreshToken.findUnique({ where: { hash }, include: { client: true } });
  if (!token || token.clientId !== client.id) throw notGood();
  if (token.usedAt) {
    await endReusedFamily(tx, call, token);
    return notGood();
  }
  if (!isLive(token, now)) throw notGood();
  requireResource(form);
  // What the token was given, and of that what its human has left it.
  const left = new Set(token.client.grantedScopes);
  const scopes = resolveScopes(form, knownScopes(token.scopes)).filter((scope) => left.has(scope));
  if (scopes.length === 0)
    throw new OAuthRefusal(
      "invalid_scope",
      "Nothing of this scope is granted any more; ask your human for a new consent at /oauth/device/code.",
    );

  await tx.refreshToken.updateMany({ where: { hash, usedAt: null }, data: { usedAt: now } });
  await tx.accessToken.updateMany({ where: { familyId: token.familyId, revokedAt: null }, data: { revokedAt: now } });
  const claims = { clientId: client.id, ownerId: token.ownerId, now };
  const access = await issueAccessToken(tx, { ...claims, scopes, familyId: token.familyId });
  const family = { id: token.familyId, endsAt: token.endsAt };
  return tokenResponse(access, scopes, await issueRefreshToken(tx, { ...claims, scopes: token.scopes, family }));
}

async function endReusedFamily(
  tx: Db,
  { client, requestId, now }: OAuthCall,
  token: { familyId: string; ownerId: number },
): Promise<void> {
  const ended = await revokeTokens(tx, { clientId: client.id, familyId: token.familyId }, now);
  if (ended === 0) return;
  await emailTokenReuse(tx, { clientName: client.name, personId: token.ownerId }, now);
  await writeAudit(tx, {
    at: now,
    clientId: client.id,
    personId: token.ownerId,
    operation: "oauth.refresh_reuse",
    requestId,
    detail: { family: token.familyId, ended },
  });
}
