import { z } from "zod";
import { scopesInWords } from "@/lib/auth/notices";
import { SCOPES, type Scope } from "@/lib/contract/access";
import { formatUtc, queueEmail, writeEmail } from "@/lib/email/mailer";
import { writeAudit } from "@/lib/gateway/changes/audit";
import type { IdentityEndpoint } from "@/lib/identity/answer";
import { credentialsOf, type FreshClient, makeClient } from "@/lib/identity/credentials";
import { challengeId, credentialsShape, recoveryKey, requestedScopes, sentClientId } from "@/lib/identity/fields";
import {
  type Challenge,
  openChallenge,
  prove,
  sameDigest,
  spendChallenge,
  wrongKey,
} from "@/lib/identity/open-challenge";
import { revokeClients } from "@/lib/oauth/revoke-clients";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { WRONG_KEYS_OF_A_DOMAIN } from "@/lib/platform/limits";
import { takeRate } from "@/lib/platform/rate";
import { digest, hashOf } from "@/lib/platform/secrets";
import { t } from "@/lib/texts/translate";

export const recoveryInput = z.strictObject({
  challenge_id: challengeId.meta({ description: "A challenge with purpose recover, its value published" }),
  recovery_key: recoveryKey.meta({ description: "The account's old recovery key; the challenge has the new one" }),
  client_id: sentClientId.nullish().meta({
    description: "The client to replace, as in the challenge; omit it in both if you never received its client_id",
  }),
  scopes: requestedScopes.nullish().meta({
    description:
      "The new client's scopes; default: the old one's, which are the most once a person owns a site of the account",
  }),
});
export const recoveryOutput = credentialsShape;

const WRONG_KEY =
  "This is not the recovery key of an account of this domain with an active client. Send the old key. Neither the proof nor a contact address can replace it.";

interface ProvenRecovery {
  challenge: Challenge;
  accountId: string;
}

/** Replaces a client, given a new proof and the old recovery key. The account keeps its scopes and sites. */
export const recoveries: IdentityEndpoint<typeof recoveryInput, typeof recoveryOutput, ProvenRecovery> = {
  id: "recoveries",
  title: "Recover",
  about:
    "Replaces the account's client with a new one with the same sites, and the same scopes unless you send others, and its recovery key with the challenge's. The old client and all its tokens are revoked immediately.",
  input: recoveryInput,
  output: recoveryOutput,

  async reach({ body, now, internet }) {
    const challenge = await openChallenge(body.challenge_id, "recover", now);
    const oldKey = digest(body.recovery_key);
    requireSameClient(challenge, body.client_id ?? null);
    if (sameDigest(challenge.recoveryHash, oldKey)) {
      const message = "is the challenge's new key; send the old key, and request a challenge with another new key";
      throw invalidInput([{ path: "recovery_key", message }]);
    }
    const account = await findAccount(challenge, new Uint8Array(oldKey));
    if (!account || !sameDigest(account.recoveryHash, oldKey)) throw await countWrongKey(challenge, now);
    await prove(challenge, oldKey, now, internet);
    return { challenge, accountId: account.id };
  },

  async work(tx, { body, now, requestId }, { challenge, accountId }) {
    await spendChallenge(tx, challenge, now);
    const { count } = await tx.machineAccount.updateMany({
      where: { id: accountId, recoveryHash: hashOf(body.recovery_key) },
      data: { recoveryHash: challenge.recoveryHash ?? new Uint8Array() },
    });
    if (count === 0) throw new Refusal("recovery_key_wrong", WRONG_KEY);
    const { client, replaced, ...granted } = await replaceClients(tx, accountId, body.scopes ?? null, now);
    await writeAudit(tx, {
      at: now,
      clientId: client.id,
      operation: "identity.recoveries",
      requestId,
      detail: { account: accountId, domain: challenge.domain, replaced, scopes: granted.scopes },
    });
    await emailPeople(tx, granted, challenge, now);
    return credentialsOf(client, granted);
  },
};

/** Requires the same client_id in challenge and call, so that a mix-up cannot replace the wrong client. */
function requireSameClient(challenge: Challenge, clientId: string | null): void {
  if (challenge.clientId === clientId) return;
  const message =
    challenge.clientId === null
      ? "was not in the challenge; omit it here too, or request a challenge with it"
      : "must be the client_id of the challenge";
  throw invalidInput([{ path: "client_id", message }]);
}

/**
 * Finds the account by its client, or by the old key if the client is unknown. Ignores accounts without active
 * clients.
 */
function findAccount({ domain, clientId }: Challenge, oldKey: Uint8Array<ArrayBuffer>) {
  const match = clientId === null ? { recoveryHash: oldKey } : { clients: { some: { id: clientId } } };
  return db().machineAccount.findFirst({
    where: { AND: [{ domain, clients: { some: { revokedAt: null } } }, match] },
    orderBy: { createdAt: "desc" },
  });
}

/** Same response and work whether the key is wrong or the account does not exist. */
async function countWrongKey(challenge: Challenge, now: Date): Promise<Refusal> {
  const refusal = await wrongKey(challenge, WRONG_KEY, now);
  const { limit, seconds } = WRONG_KEYS_OF_A_DOMAIN;
  const key = `identity:wrong-keys:${challenge.domain}`;
  const { allowed, retryAfter } = await takeRate(key, limit, seconds * 1000, now);
  if (allowed) return refusal;
  const message = `At most ${limit} wrong recovery keys an hour for one domain. Try again after Retry-After.`;
  return new Refusal("rate_limited", message, undefined, retryAfter);
}

/** Emails the account's person or, without one, the owners of its sites, because the new client acts on their sites. */
async function emailPeople(
  tx: Db,
  { ownerId, siteIds, scopes }: Pick<Replacement, "ownerId" | "siteIds" | "scopes">,
  { domain }: Challenge,
  now: Date,
): Promise<void> {
  const people = await tx.person.findMany({ where: ownerId === null ? ownersOf(siteIds) : { id: ownerId } });
  for (const person of people) {
    const message = writeEmail(person, () => ({
      subject: t("An agent has new credentials: {domain}", { domain }),
      paragraphs: [
        t(
          "On {time} the agent of {domain} verified the domain again, sent its recovery key and got new credentials. Its sites are unchanged; its old credentials no longer work.",
          { time: formatUtc(now), domain },
        ),
        scopesInWords(scopes),
        t("If you did not expect this, disconnect the agent: {url}", { url: `${env().BASE_URL}/agents` }),
      ],
      why: ownerId === null ? t("the agent has access to your site") : t("the agent acts for you"),
      kept: [domain],
    }));
    await queueEmail(tx, message, now);
  }
}

const ownersOf = (siteIds: number[]) =>
  ({ memberships: { some: { siteId: { in: siteIds }, role: "owner" } } }) satisfies Prisma.PersonWhereInput;

interface Replacement {
  client: FreshClient;
  replaced: string[];
  scopes: Scope[];
  siteIds: number[];
  ownerId: number | null;
}

/**
 * Revokes all active clients of the account and creates a new one with the sites of the newest, and its scopes unless others
 * are asked for.
 */
async function replaceClients(tx: Db, accountId: string, asked: Scope[] | null, now: Date): Promise<Replacement> {
  const revoked = await revokeClients(tx, { accountId }, now);
  const [old] = revoked.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  // A person disconnected it in the meantime.
  if (!old) throw new Refusal("recovery_key_wrong", WRONG_KEY);
  const sites = await tx.clientSite.findMany({ where: { clientId: old.id }, orderBy: { siteId: "asc" } });
  const siteIds = sites.map(({ siteId }) => siteId);
  const held = old.grantedScopes.filter((scope): scope is Scope => scope in SCOPES);
  const scopes = asked ?? held;
  if (!scopes.every((scope) => held.includes(scope))) await requireNobodyToAsk(tx, old.ownerId, siteIds);
  const client = await makeClient(tx, {
    kind: "machine",
    name: old.name,
    accountId,
    ownerId: old.ownerId,
    requestedScopes: asked ?? old.requestedScopes,
    grantedScopes: scopes,
    createdAt: now,
    sites: { create: siteIds.map((siteId) => ({ siteId, createdAt: now })) },
  });
  return { client, replaced: revoked.map(({ id }) => id), scopes, siteIds, ownerId: old.ownerId };
}

/**
 * Requires that no person owns the account or one of its sites: they decide what the agent may do there, and a proof of the
 * domain is not their consent.
 */
async function requireNobodyToAsk(tx: Db, ownerId: number | null, siteIds: number[]): Promise<void> {
  if (ownerId === null && (await tx.person.count({ where: ownersOf(siteIds) })) === 0) return;
  const way =
    ownerId === null
      ? "a person who has taken over all of its sites, at /agents/claim/<client_id>, can grant more."
      : "the person who owns the account grants more at /oauth/device/code.";
  throw new Refusal(
    "role_denied",
    `A person owns this account or a site of it, so a recovery adds no scopes. Recover without scopes; ${way}`,
  );
}
