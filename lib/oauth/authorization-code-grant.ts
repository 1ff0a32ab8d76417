import { timingSafeEqual } from "node:crypto";
import type { OAuthCall } from "@/lib/oauth/entry-point";
import { knownScopes, requireResource } from "@/lib/oauth/request-parameters";
import { revokeReusedFamily } from "@/lib/oauth/reused-family";
import { issueFamily, newFamily, type TokenResponse, withClientLock } from "@/lib/oauth/tokens";
import type { Db } from "@/lib/platform/db";
import { OAuthRefusal } from "@/lib/platform/errors";
import { lockRow } from "@/lib/platform/lock-row";
import { digest, hashOf } from "@/lib/platform/secrets";

export const grantType = "authorization_code";

/**
 * Authorization code grant with PKCE (RFC 6749 section 4.1.3, RFC 7636 section 4.6), for assistants. A code works once, within
 * a minute, with the redirect URI and the verifier of its request. A second use revokes the tokens that came of it, committed
 * before the error is returned.
 */
export async function grant(call: OAuthCall): Promise<TokenResponse> {
  if (call.client.assistantId === null) {
    throw new OAuthRefusal("unauthorized_client", "This client has no authorization codes. Use its own grant.");
  }
  const hash = hashOf(call.form.need("code"));
  return withClientLock(call.client.id, (tx) => redeem(tx, call, hash));
}

const invalidGrant = () =>
  new OAuthRefusal("invalid_grant", "This code is invalid, expired or used, or the request differs from its own.");

async function redeem(tx: Db, call: OAuthCall, hash: Uint8Array<ArrayBuffer>): Promise<TokenResponse | OAuthRefusal> {
  const { client, form, now } = call;
  await lockRow(tx, "authorization_code", hash);
  const code = await tx.authorizationCode.findUnique({ where: { hash }, include: { client: true } });
  if (!code || code.clientId !== client.id) throw invalidGrant();
  if (code.familyId !== null) {
    await revokeReusedFamily(tx, call, { familyId: code.familyId, ownerId: code.personId }, "code");
    return invalidGrant();
  }
  if (code.expiresAt <= now) throw invalidGrant();
  if (form.need("redirect_uri") !== code.redirectUri) throw invalidGrant();
  if (!isVerifierOf(code.codeChallenge, form.need("code_verifier"))) throw invalidGrant();
  if (form.resources.length > 0) requireResource(form, [code.resource]);
  const { ownerId, grantedScopes, revokedAt } = code.client;
  // What the person still grants.
  const scopes = knownScopes(code.scopes).filter((scope) => grantedScopes.includes(scope));
  if (revokedAt !== null || ownerId !== code.personId || scopes.length === 0) throw invalidGrant();
  const family = newFamily(now);
  await tx.authorizationCode.update({ where: { hash }, data: { familyId: family.id } });
  return issueFamily(tx, { clientId: client.id, audience: code.resource, ownerId, scopes, now }, family);
}

/** Whether the S256 challenge is that of the verifier. */
function isVerifierOf(challenge: string, verifier: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  return timingSafeEqual(digest(challenge), digest(digest(verifier).toString("base64url")));
}
