import { emailTokenMade } from "@/lib/auth/notices";
import { lockSession } from "@/lib/auth/session-row";
import type { Scope } from "@/lib/contract/access";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { type DecidedBy, requireGrantable } from "@/lib/oauth/consent";
import { emailTokenExpiry } from "@/lib/oauth/notices";
import { revokeClients } from "@/lib/oauth/revoke-clients";
import { issuePersonalToken } from "@/lib/oauth/tokens";
import { type Db, db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { invalidInput } from "@/lib/platform/errors";
import { PERSONAL_TOKENS, TOKEN_WARNING_DAYS } from "@/lib/platform/limits";
import { requireRate } from "@/lib/platform/rate";
import { freshSecret, hashOf } from "@/lib/platform/secrets";

/**
 * Personal tokens: a person makes one for a script. It is the access token of a client of its own, so that sites, approvals,
 * limits, log and revocation are those of agents.
 */

/** What a person chose for a new token. */
export interface TokenChoice {
  name: string;
  scopes: readonly Scope[];
  siteIds: readonly number[];
  /** Days until it expires. */
  days: number;
}

/** A new token. The token itself is not stored. */
export interface FreshToken {
  token: string;
  clientId: string;
  expiresAt: Date;
}

/**
 * Makes a token with exactly the chosen scopes and sites, and emails its person.
 *
 * @throws Refusal as `requireGrantable` does, `invalid_input` at `name` beyond 50 tokens, `rate_limited` beyond 20 in a day.
 */
export const makePersonalToken = (choice: TokenChoice, by: DecidedBy, now: Date): Promise<FreshToken> =>
  db().$transaction(async (tx) => {
    const { personId } = by.owner;
    // Serialises with deletion of the account, and with other new tokens, which are counted.
    await lockSession(tx, by.owner, now);
    const granted = await requireGrantable(tx, choice.scopes, choice.siteIds, by.owner, now);
    await requireRoom(tx, personId, now);
    return insertToken(tx, { ...choice, ...granted }, by, now);
  });

async function requireRoom(tx: Db, personId: number, now: Date): Promise<void> {
  const { valid, made } = PERSONAL_TOKENS;
  const has = await tx.client.count({ where: { kind: "personal", ownerId: personId, revokedAt: null } });
  if (has >= valid) {
    throw invalidInput([
      { path: "name", message: `would be your token ${valid + 1}; first revoke one that is not used` },
    ]);
  }
  const message = `You made ${made.limit} tokens within a day. Try again tomorrow, or use one that you have.`;
  await requireRate(`personal-tokens:${personId}`, made.limit, made.seconds * 1000, now, message, tx);
}

async function insertToken(
  tx: Db,
  { name, scopes, siteIds, days }: TokenChoice & { scopes: Scope[] },
  { owner: { personId, signedInAt }, requestId }: DecidedBy,
  now: Date,
): Promise<FreshToken> {
  const expiresAt = new Date(now.getTime() + days * DAY_MS);
  const { id: clientId } = await tx.client.create({
    data: {
      id: `ffc_${freshSecret().slice(0, 24)}`,
      kind: "personal",
      name,
      // Nobody has this secret: a personal client only ever has its one token.
      secretHash: hashOf(freshSecret()),
      ownerId: personId,
      requestedScopes: scopes,
      grantedScopes: scopes,
      createdAt: now,
      expiresAt,
      // The email about the new token says when it expires: for a short one, that is the warning.
      warnedAt: days <= TOKEN_WARNING_DAYS ? now : null,
      sites: { create: siteIds.map((siteId) => ({ siteId, createdAt: now })) },
    },
  });
  const token = await issuePersonalToken(tx, { clientId, ownerId: personId, scopes, expiresAt, now });
  await emailTokenMade(tx, { personId, name, scopes, siteIds, expiresAt }, now);
  const detail = {
    scopes,
    site_ids: [...siteIds],
    expires_at: expiresAt.toISOString(),
    signed_in_at: signedInAt.toISOString(),
  };
  await writeAudit(tx, { at: now, clientId, personId, operation: "tokens.create", requestId, detail });
  return { token, clientId, expiresAt };
}

/**
 * Ends the clients of expired tokens, with their pending approvals, and emails people whose tokens expire within a week, once
 * each.
 */
export async function endExpiredTokens(now: Date): Promise<void> {
  await db().$transaction((tx) => revokeClients(tx, { kind: "personal", expiresAt: { lte: now } }, now));
  const soon = { lte: new Date(now.getTime() + TOKEN_WARNING_DAYS * DAY_MS) };
  const unwarned = { kind: "personal", revokedAt: null, warnedAt: null, expiresAt: soon } as const;
  for (const { id } of await db().client.findMany({ where: unwarned, select: { id: true } })) {
    await db().$transaction(async (tx) => {
      const [token] = await tx.client.updateManyAndReturn({ where: { id, ...unwarned }, data: { warnedAt: now } });
      if (!token?.ownerId || !token.expiresAt) return;
      const { name, ownerId: personId, expiresAt } = token;
      await emailTokenExpiry(tx, { name, personId, expiresAt }, now);
    });
  }
}
