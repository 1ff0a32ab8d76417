import type { Scope } from "@/lib/contract/vocabulary";
import type { Db } from "@/lib/db";
import { env } from "@/lib/env";
import { digest, freshSecret } from "@/lib/secrets";

/** How long an access token is good for, in seconds. */
export const ACCESS_TOKEN_SECONDS = 900;

/** What every access token is for: its audience, and byte for byte the `resource` of every token request. */
export const managementResource = (): string => `${env().BASE_URL}/api/v1/management`;

/**
 * Makes an opaque access token (`ffa_…`, 256 random bits) and stores its SHA-256 with everything it claims.
 *
 * @returns the token itself, which is kept nowhere.
 */
export async function issueAccessToken(
  db: Db,
  claims: { clientId: string; ownerId: number | null; scopes: readonly Scope[]; familyId?: string; now: Date },
): Promise<string> {
  const token = `ffa_${freshSecret()}`;
  await db.accessToken.create({
    data: {
      hash: new Uint8Array(digest(token)),
      clientId: claims.clientId,
      issuer: env().BASE_URL,
      audience: managementResource(),
      ownerId: claims.ownerId,
      scopes: [...claims.scopes],
      familyId: claims.familyId ?? null,
      issuedAt: claims.now,
      expiresAt: new Date(claims.now.getTime() + ACCESS_TOKEN_SECONDS * 1000),
    },
  });
  return token;
}
