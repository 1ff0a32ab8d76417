import { z } from "zod";
import { SCOPES, type Scope } from "@/lib/contract/vocabulary";
import { formatUtc, queueEmail, writeEmail } from "@/lib/email/mailer";
import { writeAudit } from "@/lib/gateway/changes/audit";
import type { IdentityEndpoint } from "@/lib/identity/answer";
import { credentialsOf, type FreshClient, makeClient } from "@/lib/identity/credentials";
import { challengeId, clientId, credentialsShape, recoveryKey } from "@/lib/identity/fields";
import {
  type Challenge,
  openChallenge,
  prove,
  sameDigest,
  spendChallenge,
  wrongKey,
} from "@/lib/identity/open-challenge";
import { revokeClients } from "@/lib/oauth/revoke-clients";
import { type Db, db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { WRONG_KEYS_OF_A_DOMAIN } from "@/lib/platform/limits";
import { takeRate } from "@/lib/platform/rate";
import { digest } from "@/lib/platform/secrets";

export const recoveryInput = z.strictObject({
  challenge_id: challengeId.meta({ description: "A challenge with purpose recover whose value is published" }),
  recovery_key: recoveryKey.meta({ description: "The account's old recovery key; the challenge holds the new one" }),
  client_id: clientId
    .nullish()
    .meta({ description: "The client to be replaced, as in the challenge; in neither when its answer was lost" }),
});
export const recoveryOutput = credentialsShape;

const WRONG =
  "This is not the recovery key of an account of this domain with a live client; send the old key. Neither the proof nor a contact address stands in for it.";

interface Found {
  challenge: Challenge;
  accountId: string;
}

/** A fresh proof and the old recovery key replace a client. The account, its scopes and its sites stay. */
export const recoveries: IdentityEndpoint<typeof recoveryInput, typeof recoveryOutput, Found> = {
  id: "recoveries",
  title: "Recover",
  about:
    "Replaces the account's client by a new one with the same scopes and sites, and its recovery key by the challenge's. The old client and all its tokens end in the same moment.",
  input: recoveryInput,
  output: recoveryOutput,

  async reach({ body, now, internet }) {
    const challenge = await openChallenge(body.challenge_id, "recover", now);
    const oldKey = digest(body.recovery_key);
    requireSameClient(challenge, body.client_id ?? null);
    if (sameDigest(challenge.recoveryHash, oldKey)) {
      const message = "is the challenge's new key; send the old one, and ask for a challenge with another new key";
      throw invalidInput([{ path: "recovery_key", message }]);
    }
    const account = await findAccount(challenge, new Uint8Array(oldKey));
    if (!account || !sameDigest(account.recoveryHash, oldKey)) throw await countedWrongKey(challenge, now);
    await prove(challenge, oldKey, now, internet);
    return { challenge, accountId: account.id };
  },

  async work(tx, { body, now, requestId }, { challenge, accountId }) {
    await spendChallenge(tx, challenge, now);
    const { count } = await tx.machineAccount.updateMany({
      where: { id: accountId, recoveryHash: new Uint8Array(digest(body.recovery_key)) },
      data: { recoveryHash: challenge.recoveryHash ?? new Uint8Array() },
    });
    if (count === 0) throw new Refusal("recovery_key_wrong", WRONG);
    const { client, replaced, ...granted } = await replaceClients(tx, accountId, now);
    await writeAudit(tx, {
      at: now,
      clientId: client.id,
      operation: "identity.recoveries",
      requestId,
      detail: { account: accountId, domain: challenge.domain, replaced },
    });
    if (granted.ownerId !== null) await tellOwner(tx, granted.ownerId, challenge, now);
    return credentialsOf(client, granted);
  },
};

/** What is replaced was said when the challenge was made; saying it twice keeps a mix-up from doing harm. */
function requireSameClient(challenge: Challenge, given: string | null): void {
  if (challenge.clientId === given) return;
  const message =
    challenge.clientId === null
      ? "was not in the challenge; leave it out here too, or ask for a challenge with it"
      : "must be the client_id that the challenge was made with; send the same here";
  throw invalidInput([{ path: "client_id", message }]);
}

/** The account that is meant, by its client or, when that is not known, by the key. One that a human has ended is none. */
function findAccount({ domain, clientId }: Challenge, oldKey: Uint8Array<ArrayBuffer>) {
  const meant = clientId === null ? { recoveryHash: oldKey } : { clients: { some: { id: clientId } } };
  return db().machineAccount.findFirst({
    where: { AND: [{ domain, clients: { some: { revokedAt: null } } }, meant] },
    orderBy: { createdAt: "desc" },
  });
}

/** The same answer after the same work, whether the key is wrong or the account does not exist. */
async function countedWrongKey(challenge: Challenge, now: Date): Promise<Refusal> {
  const refusal = await wrongKey(challenge, WRONG, now);
  const { limit, seconds } = WRONG_KEYS_OF_A_DOMAIN;
  const key = `identity:wrong-keys:${challenge.domain}`;
  const { allowed, retryAfter } = await takeRate(key, limit, seconds * 1000, now);
  if (allowed) return refusal;
  const message = `At most ${limit} wrong recovery keys an hour for one domain; go on after the time in Retry-After.`;
  return new Refusal("rate_limited", message, undefined, retryAfter);
}

/** The human behind the account hears of it: whoever has the recovery key now acts for them. */
async function tellOwner(tx: Db, ownerId: number, { domain }: Challenge, now: Date): Promise<void> {
  const { email } = await tx.person.findUniqueOrThrow({ where: { id: ownerId } });
  const paragraphs = [
    `On ${formatUtc(now)} the agent of ${domain} proved the domain anew, showed its recovery key and got new credentials. Its scopes and sites are what they were; its old credentials no longer work.`,
    `If this is not what you expect, end its access: ${env().BASE_URL}/agents`,
  ];
  const subject = `An agent has new credentials: ${domain}`;
  const letter = writeEmail(email, subject, paragraphs, "the agent acts for you", [domain]);
  await queueEmail(tx, letter, now);
}

interface Replacement {
  client: FreshClient;
  replaced: string[];
  scopes: Scope[];
  siteIds: number[];
  ownerId: number | null;
}

/** Ends every live client of the account; what the newest of them was passes on to one with a new secret. */
async function replaceClients(tx: Db, accountId: string, now: Date): Promise<Replacement> {
  const ended = await revokeClients(tx, { accountId }, now);
  const [old] = ended.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  // A human has ended it in the meantime.
  if (!old) throw new Refusal("recovery_key_wrong", WRONG);
  const sites = await tx.clientSite.findMany({ where: { clientId: old.id }, orderBy: { siteId: "asc" } });
  const siteIds = sites.map(({ siteId }) => siteId);
  const client = await makeClient(tx, {
    kind: "machine",
    name: old.name,
    accountId,
    ownerId: old.ownerId,
    requestedScopes: old.requestedScopes,
    grantedScopes: old.grantedScopes,
    createdAt: now,
    sites: { create: siteIds.map((siteId) => ({ siteId, createdAt: now })) },
  });
  const scopes = old.grantedScopes.filter((scope): scope is Scope => scope in SCOPES);
  return { client, replaced: ended.map(({ id }) => id), scopes, siteIds, ownerId: old.ownerId };
}
