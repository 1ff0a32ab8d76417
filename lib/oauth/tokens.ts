import { randomUUID } from "node:crypto";
import type { Scope } from "@/lib/contract/access";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { OAuthRefusal } from "@/lib/platform/errors";
import { lockRow } from "@/lib/platform/lock-row";
import { freshSecret, hashOf } from "@/lib/platform/secrets";

/** Lifetime of an access token. */
export const ACCESS_TOKEN_SECONDS = 900;
/** Maximum clock difference between two servers of this service. */
const MAX_CLOCK_SKEW_MS = 60_000;
/** An unused refresh token expires after 30 days; its family expires 90 days after the consent. */
export const IDLE_MS = 30 * DAY_MS;
export const FAMILY_MS = 90 * DAY_MS;

export type Client = Prisma.ClientGetPayload<object>;

/** The resource identifier of the management API (RFC 8707): the audience of its tokens. */
export const managementResource = (): string => `${env().BASE_URL}/api/v1/management`;

/** The resource identifier of the MCP endpoint, which is its address. */
export const mcpResource = (): string => `${env().BASE_URL}/mcp`;

/** The resources that tokens are issued for. A token is valid at one of them. */
export const resources = (): string[] => [managementResource(), mcpResource()];

/** Access token response (RFC 6749 section 5.1). */
export interface TokenResponse {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  scope: string;
  refresh_token?: string;
}

export const tokenResponse = (accessToken: string, scopes: readonly Scope[], refreshToken?: string): TokenResponse => ({
  access_token: accessToken,
  token_type: "Bearer",
  expires_in: ACCESS_TOKEN_SECONDS,
  scope: scopes.join(" "),
  ...(refreshToken ? { refresh_token: refreshToken } : {}),
});

/** What access and refresh tokens have in common. */
interface TokenClaims {
  clientId: string;
  scopes: readonly string[];
  now: Date;
  /** The resource that the token is for; the management API by default. */
  audience?: string;
}

/**
 * Issues an opaque access token (`ffa_…`, 256 random bits) and stores its SHA-256 with its claims.
 *
 * @returns the token, which is not stored.
 */
export async function issueAccessToken(
  db: Db,
  claims: TokenClaims & { ownerId: number | null; scopes: readonly Scope[]; familyId?: string },
): Promise<string> {
  const token = `ffa_${freshSecret()}`;
  await db.accessToken.create({
    data: {
      ...commonColumns(token, claims),
      ownerId: claims.ownerId,
      familyId: claims.familyId ?? null,
      expiresAt: new Date(claims.now.getTime() + ACCESS_TOKEN_SECONDS * 1000),
    },
  });
  return token;
}

/**
 * Issues the only access token of a personal client (`ff_pat_…`, 256 random bits), for the management API.
 *
 * @returns the token, which is not stored.
 */
export async function issuePersonalToken(
  db: Db,
  claims: TokenClaims & { ownerId: number; scopes: readonly Scope[]; expiresAt: Date },
): Promise<string> {
  const token = `ff_pat_${freshSecret()}`;
  const { ownerId, expiresAt } = claims;
  await db.accessToken.create({ data: { ...commonColumns(token, claims), ownerId, expiresAt } });
  return token;
}

/** Refresh tokens of one consent, each replacing the previous one. */
export interface Family {
  id: string;
  expiresAt: Date;
}

export const newFamily = (now: Date): Family => ({ id: randomUUID(), expiresAt: new Date(now.getTime() + FAMILY_MS) });

/** Issues the next refresh token of a family (`ffr_…`). @returns the token, which is not stored. */
export async function issueRefreshToken(
  db: Db,
  claims: TokenClaims & { ownerId: number; family: Family },
): Promise<string> {
  const token = `ffr_${freshSecret()}`;
  const { id, expiresAt: familyExpiresAt } = claims.family;
  await db.refreshToken.create({
    data: {
      ...commonColumns(token, claims),
      ownerId: claims.ownerId,
      familyId: id,
      expiresAt: new Date(Math.min(claims.now.getTime() + IDLE_MS, familyExpiresAt.getTime())),
      familyExpiresAt,
    },
  });
  return token;
}

/** Issues the first access and refresh token of a consent. */
export async function issueFamily(
  tx: Db,
  claims: TokenClaims & { ownerId: number; scopes: readonly Scope[] },
  family = newFamily(claims.now),
): Promise<TokenResponse> {
  const access = await issueAccessToken(tx, { ...claims, familyId: family.id });
  return tokenResponse(access, claims.scopes, await issueRefreshToken(tx, { ...claims, family }));
}

/** Returns the columns that access and refresh tokens have in common. */
const commonColumns = (token: string, claims: TokenClaims) => ({
  hash: hashOf(token),
  clientId: claims.clientId,
  issuer: env().BASE_URL,
  audience: claims.audience ?? managementResource(),
  scopes: [...claims.scopes],
  issuedAt: claims.now,
});

/** What `isLive` needs of a token's row. */
export const WITH_CLIENT = {
  client: { include: { owner: { select: { disabledAt: true } } } },
} satisfies Prisma.AccessTokenInclude;

const findAccessToken = (token: string) =>
  db().accessToken.findUnique({ where: { hash: hashOf(token) }, include: WITH_CLIENT });
type KnownToken = NonNullable<Awaited<ReturnType<typeof findAccessToken>>>;

/** Returns a valid access token with its client; null when it is unknown, expired, revoked or issued in the future. */
export async function liveAccessToken(token: string, now: Date): Promise<KnownToken | null> {
  const known = await findAccessToken(token);
  const issued = known && known.issuedAt.getTime() <= now.getTime() + MAX_CLOCK_SKEW_MS;
  return issued && isLive(known, now) ? known : null;
}

/**
 * Whether a token is valid: issuer, audience, expiry, revocation, client, and its person, who is not disabled. The audience is one of our resources:
 * each of them accepts only its own.
 */
export function isLive(
  token: Pick<KnownToken, "issuer" | "audience" | "ownerId" | "expiresAt" | "revokedAt" | "client">,
  now: Date,
): boolean {
  const { client } = token;
  return (
    token.issuer === env().BASE_URL &&
    resources().includes(token.audience) &&
    token.revokedAt === null &&
    now < token.expiresAt &&
    client.revokedAt === null &&
    !client.owner?.disabledAt &&
    client.ownerId === token.ownerId &&
    (client.kind === "machine" || client.ownerId !== null)
  );
}

/**
 * Revokes the tokens of a client, or of one of its token families.
 *
 * @returns the number of newly revoked tokens.
 */
export async function revokeTokens(tx: Db, which: { clientId: string; familyId?: string }, now: Date): Promise<number> {
  const live = { where: { ...which, revokedAt: null }, data: { revokedAt: now } };
  const refresh = await tx.refreshToken.updateMany(live);
  const access = await tx.accessToken.updateMany(live);
  return refresh.count + access.count;
}

/**
 * Runs `work` in a transaction that locks the client's row, so that token changes of one client are serialised. An
 * error that `work` returns is thrown after the commit; an error that it throws rolls the transaction back.
 */
export async function withClientLock<T>(clientId: string, work: (tx: Db) => Promise<T | OAuthRefusal>): Promise<T> {
  const outcome = await db().$transaction(async (tx) => {
    await lockRow(tx, "client", clientId);
    return work(tx);
  });
  if (outcome instanceof OAuthRefusal) throw outcome;
  return outcome;
}
