import { randomUUID } from "node:crypto";
import type { Scope } from "@/lib/contract/vocabulary";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { OAuthRefusal } from "@/lib/platform/errors";
import { digest, freshSecret } from "@/lib/platform/secrets";

/** How long an access token is good for, in seconds. */
export const ACCESS_TOKEN_SECONDS = 900;
/** How far the clocks of two of our machines may be apart. */
const CLOCKS_APART_MS = 60_000;
const DAY_MS = 24 * 3600_000;
/** A refresh token that is not used for this long ends; its whole family ends this long after the consent. */
export const IDLE_MS = 30 * DAY_MS;
export const FAMILY_MS = 90 * DAY_MS;

const TRANSACTION = { maxWait: 5_000, timeout: 20_000 };

export type Client = Prisma.ClientGetPayload<object>;

/** What every access token is for: its audience, and byte for byte the `resource` of every token request. */
export const managementResource = (): string => `${env().BASE_URL}/api/v1/management`;

/** The form in which a token or a device code is stored. */
export const hashOf = (secret: string): Uint8Array<ArrayBuffer> => new Uint8Array(digest(secret));

/** The answer of the token endpoint (RFC 6749 section 5.1). */
export interface TokenAnswer {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  scope: string;
  refresh_token?: string;
}

export const tokenAnswer = (accessToken: string, scopes: readonly Scope[], refreshToken?: string): TokenAnswer => ({
  access_token: accessToken,
  token_type: "Bearer",
  expires_in: ACCESS_TOKEN_SECONDS,
  scope: scopes.join(" "),
  ...(refreshToken ? { refresh_token: refreshToken } : {}),
});

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
      hash: hashOf(token),
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

/** A line of refresh tokens, each made from the one before; it begins with a consent. */
export interface Family {
  id: string;
  endsAt: Date;
}

export const newFamily = (now: Date): Family => ({ id: randomUUID(), endsAt: new Date(now.getTime() + FAMILY_MS) });

/** Makes the next refresh token of a family (`ffr_…`). @returns the token itself, which is kept nowhere. */
export async function issueRefreshToken(
  db: Db,
  claims: { clientId: string; ownerId: number; scopes: readonly string[]; family: Family; now: Date },
): Promise<string> {
  const token = `ffr_${freshSecret()}`;
  const { id, endsAt } = claims.family;
  await db.refreshToken.create({
    data: {
      hash: hashOf(token),
      clientId: claims.clientId,
      issuer: env().BASE_URL,
      audience: managementResource(),
      ownerId: claims.ownerId,
      scopes: [...claims.scopes],
      familyId: id,
      issuedAt: claims.now,
      expiresAt: new Date(Math.min(claims.now.getTime() + IDLE_MS, endsAt.getTime())),
      endsAt,
    },
  });
  return token;
}

const readToken = (token: string) =>
  db().accessToken.findUnique({ where: { hash: hashOf(token) }, include: { client: true } });
type KnownToken = NonNullable<Awaited<ReturnType<typeof readToken>>>;

/** The access token and its client, if it is good at this moment: issuer, audience, time, client and human. */
export async function liveAccessToken(token: string, now: Date): Promise<KnownToken | null> {
  const known = await readToken(token);
  const issued = known && known.issuedAt.getTime() <= now.getTime() + CLOCKS_APART_MS;
  return issued && isLive(known, now) ? known : null;
}

/** What an access and a refresh token have in common, looked at anew each time. */
export function isLive(
  token: Pick<KnownToken, "issuer" | "audience" | "ownerId" | "expiresAt" | "revokedAt"> & { client: Client },
  now: Date,
): boolean {
  const { client } = token;
  return (
    token.issuer === env().BASE_URL &&
    token.audience === managementResource() &&
    token.revokedAt === null &&
    now < token.expiresAt &&
    client.revokedAt === null &&
    client.ownerId === token.ownerId &&
    (client.kind === "machine" || client.ownerId !== null)
  );
}

/**
 * Ends the tokens of a client, or of one family of it.
 *
 * @returns how many had not been ended before.
 */
export async function endTokens(tx: Db, which: { clientId: string; familyId?: string }, now: Date): Promise<number> {
  const live = { where: { ...which, revokedAt: null }, data: { revokedAt: now } };
  const refresh = await tx.refreshToken.updateMany(live);
  const access = await tx.accessToken.updateMany(live);
  return refresh.count + access.count;
}

/**
 * Does `work` in one transaction, with the client's row locked first: what issues, renews and ends one client's tokens
 * is done one after the other. A refusal that `work` returns is thrown after the commit, so that what was written
 * stays; one that it throws rolls everything back.
 */
export async function inTurn<T>(clientId: string, work: (tx: Db) => Promise<T | OAuthRefusal>): Promise<T> {
  const outcome = await db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM client WHERE id = ${clientId} FOR NO KEY UPDATE`;
    return work(tx);
  }, TRANSACTION);
  if (outcome instanceof OAuthRefusal) throw outcome;
  return outcome;
}
