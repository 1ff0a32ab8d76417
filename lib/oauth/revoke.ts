import type { OAuthCall, OAuthEndpoint } from "@/lib/oauth/entry-point";
import { revokeTokens, withClientLock } from "@/lib/oauth/tokens";
import { db } from "@/lib/platform/db";
import { OAuthRefusal } from "@/lib/platform/errors";
import { hashOf } from "@/lib/platform/secrets";

/**
 * `POST /oauth/revoke` (RFC 7009): revokes an access token, or a refresh token with its whole family. An unknown token
 * is not an error. `token_type_hint` is ignored.
 */
export const revokeEndpoint: OAuthEndpoint = {
  id: "revoke",
  needs: "token",
  run: revoke,
  answerUnknown: () => ({}),
};

async function revoke({ client, form, now }: OAuthCall): Promise<object> {
  const hash = hashOf(form.need("token"));
  const refresh = await db().refreshToken.findUnique({ where: { hash } });
  const token = refresh ?? (await db().accessToken.findUnique({ where: { hash } }));
  if (token && token.clientId !== client.id) {
    throw new OAuthRefusal("unauthorized_client", "This token belongs to another client.");
  }
  if (refresh) {
    await withClientLock(client.id, (tx) => revokeTokens(tx, { clientId: client.id, familyId: refresh.familyId }, now));
  } else {
    await db().accessToken.updateMany({ where: { hash, revokedAt: null }, data: { revokedAt: now } });
  }
  return {};
}
