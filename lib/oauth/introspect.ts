import type { OAuthCall, OAuthEndpoint } from "@/lib/oauth/entry-point";
import { knownScopes } from "@/lib/oauth/request-parameters";
import { type Client, isLive, liveAccessToken, WITH_CLIENT } from "@/lib/oauth/tokens";
import { db } from "@/lib/platform/db";
import { hashOf } from "@/lib/platform/secrets";

/**
 * `POST /oauth/introspect` (RFC 7662): describes an active token of the calling client. For inactive tokens and those
 * of other clients it returns only `active: false`.
 */
export const introspectEndpoint: OAuthEndpoint = { id: "introspect", needs: "token", run: introspect };

async function introspect({ client, form, now }: OAuthCall): Promise<object> {
  const text = form.need("token");
  const access = await liveAccessToken(text, now);
  const token = access ?? (await liveRefreshToken(text, now));
  if (!token || token.clientId !== client.id) return { active: false };
  return { ...activeToken(token), ...(access ? { token_type: "Bearer" } : {}) };
}

async function liveRefreshToken(text: string, now: Date) {
  const token = await db().refreshToken.findUnique({ where: { hash: hashOf(text) }, include: WITH_CLIENT });
  return token && token.usedAt === null && isLive(token, now) ? token : null;
}

interface ActiveToken {
  clientId: string;
  ownerId: number | null;
  issuer: string;
  audience: string;
  scopes: string[];
  issuedAt: Date;
  expiresAt: Date;
  client: Client;
}

/** `scope` contains the effective scopes: those of the token that are still granted. */
function activeToken(token: ActiveToken): object {
  const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
  return {
    active: true,
    scope: knownScopes(token.scopes)
      .filter((scope) => token.client.grantedScopes.includes(scope))
      .join(" "),
    client_id: token.clientId,
    sub: token.ownerId === null ? token.clientId : `person:${token.ownerId}`,
    iss: token.issuer,
    aud: token.audience,
    iat: seconds(token.issuedAt),
    exp: seconds(token.expiresAt),
  };
}
