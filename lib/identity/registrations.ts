import { z } from "zod";
import { writeAudit } from "@/lib/gateway/changes/audit";
import type { IdentityCall, IdentityEndpoint } from "@/lib/identity/answer";
import { credentialsOf, makeClient } from "@/lib/identity/credentials";
import { challengeId, credentialsShape, recoveryKey, requestedScopes } from "@/lib/identity/fields";
import {
  type Challenge,
  openChallenge,
  prove,
  sameDigest,
  spendChallenge,
  wrongKey,
} from "@/lib/identity/open-challenge";
import { managementResource } from "@/lib/oauth/tokens";
import type { Db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { digest, freshSecret, hashOf } from "@/lib/platform/secrets";
import { type Contest, contestDomain, whatHappensNext } from "@/lib/sites/contested-domains";
import { createSite } from "@/lib/sites/create";
import { recordGain, takeOverDomain } from "@/lib/sites/domain-takeover";
import { inLanguage } from "@/lib/texts/in-language";

export const registrationInput = z.strictObject({
  challenge_id: challengeId.meta({ description: "A challenge with purpose register, its value published" }),
  scopes: requestedScopes.meta({ description: "The client's scopes, for its own sites" }),
  recovery_key: recoveryKey.meta({ description: "The recovery key of the challenge" }),
});
export const registrationOutput = credentialsShape;

type Call = IdentityCall<z.output<typeof registrationInput>>;

/** Creates an account, a confidential client and a private site for a proven domain, in one transaction. */
export const registrations: IdentityEndpoint<typeof registrationInput, typeof registrationOutput, Challenge> = {
  id: "registrations",
  title: "Register",
  about:
    "Checks the published value and creates a machine account, a confidential client and a private site of the domain. The proof alone is not enough: the recovery key must be the challenge's.",
  input: registrationInput,
  output: registrationOutput,

  async reach({ body, now, internet }) {
    const challenge = await openChallenge(body.challenge_id, "register", now);
    const keyDigest = digest(body.recovery_key);
    if (!sameDigest(challenge.recoveryHash, keyDigest)) {
      const message =
        "This is not the recovery key of the challenge. Send the key that the challenge was created with.";
      throw await wrongKey(challenge, message, now);
    }
    await prove(challenge, keyDigest, now, internet);
    const contest = await contestDomain(challenge.domain, null, now, internet);
    if (!isOver(contest, now)) throw staysTaken(challenge, contest);
    return challenge;
  },

  async work(tx, call, challenge) {
    const { body, now } = call;
    await spendChallenge(tx, challenge, now);
    const accountId = await makeAccount(tx, challenge, body.recovery_key, now);
    const client = await makeClient(tx, {
      kind: "machine",
      name: challenge.name ?? challenge.domain,
      accountId,
      requestedScopes: body.scopes,
      grantedScopes: body.scopes,
      createdAt: now,
    });
    const siteId = await makeProvenSite(tx, challenge, { clientId: client.id, call });
    const detail = { account: accountId, domain: challenge.domain, scopes: body.scopes };
    await writeAudit(tx, {
      at: now,
      siteId,
      clientId: client.id,
      operation: "identity.registrations",
      requestId: call.requestId,
      detail,
    });
    return credentialsOf(client, { scopes: body.scopes, siteIds: [siteId], ownerId: null });
  },
};

/** Whether a contest leaves the domain to whoever has proven it. */
const isOver = ({ proof, moves_at }: Contest, now: Date) =>
  proof === "none" || (proof === "missing" && moves_at !== null && new Date(moves_at) <= now);

const staysTaken = ({ domain }: Challenge, contest: Contest) =>
  new Refusal("domain_taken", `${domain}: ${inLanguage("en", () => whatHappensNext(contest, "register"))}`, {
    issues: [{ path: "challenge_id", message: "is for a domain that belongs to another site" }],
    contest,
  });

async function makeAccount(tx: Db, challenge: Challenge, key: string, now: Date): Promise<string> {
  const { id } = await tx.machineAccount.create({
    data: {
      id: `acc_${freshSecret().slice(0, 24)}`,
      domain: challenge.domain,
      name: challenge.name,
      contactEmail: challenge.contactEmail,
      recoveryHash: hashOf(key),
      createdAt: now,
    },
  });
  return id;
}

/** Creates the account's first site. A site that has the domain and has not verified it, or no longer, loses it. */
async function makeProvenSite(
  tx: Db,
  { domain, name, value, token }: Challenge,
  { clientId, call }: { clientId: string; call: Call },
): Promise<number> {
  const { now, requestId } = call;
  const by = { clientId, personId: null, operation: "identity.registrations", requestId, now };
  const isMoved = await takeOverDomain(tx, domain, by);
  const siteId = await createSite(tx, {
    host: domain,
    name,
    timezone: "UTC",
    public: false,
    creator: {
      kind: "client",
      clientId,
      clientKind: "machine",
      personId: null,
      scopes: [],
      resource: managementResource(),
    },
    provedAt: now,
    proof: { value, token },
    now,
  });
  if (isMoved) await recordGain(tx, siteId, domain, by);
  return siteId;
}
