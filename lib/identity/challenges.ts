import { z } from "zod";
import { emailAddress } from "@/lib/auth/email";
import { domainName } from "@/lib/contract/fields";
import type { IdentityEndpoint } from "@/lib/identity/answer";
import { agentName, challengeId, recoveryKey, sentClientId } from "@/lib/identity/fields";
import { countedAddress } from "@/lib/platform/counted-address";
import { normalDomain } from "@/lib/platform/domain-names";
import { invalidInput } from "@/lib/platform/errors";
import { CHALLENGE_MINUTES, CHALLENGES_OF_A_DOMAIN } from "@/lib/platform/limits";
import { proofPlaces } from "@/lib/platform/outbound/domain-proof";
import { requireRate } from "@/lib/platform/rate";
import { freshSecret, hashOf, hexDigest } from "@/lib/platform/secrets";

const method = z.enum(["dns", "https"], "must be dns or https").meta({
  description: "How the proof is published: as a TXT record, or as a file on the domain's web server",
});
const purpose = z.enum(["register", "recover"], "must be register or recover");

export const challengeInput = z.strictObject({
  domain: domainName.meta({ description: "The domain that you control, such as example.com" }),
  method,
  recovery_key: recoveryKey.meta({
    description:
      "32 random bytes in lowercase hexadecimal that you generate and keep: the account's recovery key, or in a recovery its new one. Never returned, never published.",
  }),
  purpose: purpose.default("register").meta({ description: "What the challenge is for" }),
  name: agentName
    .nullish()
    .meta({ description: "Display name of the agent and its site. A recovery keeps the old one." }),
  contact_email: emailAddress
    .nullish()
    .meta({ description: "A contact address for people. It cannot sign in or recover the account." }),
  client_id: sentClientId
    .nullish()
    .meta({ description: "With recover: the client to replace. Omit it if you never received its client_id." }),
});

export const challengeOutput = z.object({
  challenge_id: challengeId,
  purpose,
  domain: z.string().meta({ description: "The normalised domain" }),
  method,
  value: z.string().meta({ description: "The exact value to publish. It is public and grants no access by itself." }),
  dns_name: z.string().meta({ description: "With dns: the name of the TXT record to create" }),
  https_url: z.string().meta({ description: "With https: the URL that must return the value as its body" }),
  expires_at: z.iso.datetime().meta({ description: "When the challenge expires: 30 minutes after its creation" }),
});

/**
 * Creates a challenge: a value to publish where only the domain's owner can. It reserves nothing and reveals nothing.
 */
export const challenges: IdentityEndpoint<typeof challengeInput, typeof challengeOutput> = {
  id: "challenges",
  title: "Request a challenge",
  about:
    "Creates a challenge to prove that you control a domain. It creates no account and reserves no domain; it expires after 30 minutes.",
  input: challengeInput,
  output: challengeOutput,

  async admit({ body, address, now }) {
    if (body.purpose === "register" && body.client_id) {
      throw invalidInput([{ path: "client_id", message: "is only allowed with purpose recover; omit it" }]);
    }
    const domain = provableDomain(body.domain);
    const { limit, seconds } = CHALLENGES_OF_A_DOMAIN;
    // Per address too, so that strangers cannot use up the limit of a domain.
    const key = `identity:challenges:of:${domain}:${hexDigest(countedAddress(address))}`;
    const message = `At most ${limit} challenges an hour for one domain from one address. Try again after Retry-After.`;
    await requireRate(key, limit, seconds * 1000, now, message);
  },

  async work(tx, { body, now }) {
    const token = freshSecret();
    const challenge = await tx.challenge.create({
      data: {
        id: `chl_${freshSecret().slice(0, 24)}`,
        purpose: body.purpose,
        domain: provableDomain(body.domain),
        method: body.method,
        value: `footfall-verify=${freshSecret()}`,
        token,
        recoveryHash: hashOf(body.recovery_key),
        clientId: body.client_id ?? null,
        name: body.name ?? null,
        contactEmail: body.contact_email ?? null,
        createdAt: now,
        expiresAt: new Date(now.getTime() + CHALLENGE_MINUTES * 60_000),
      },
    });
    return {
      challenge_id: challenge.id,
      purpose: body.purpose,
      domain: challenge.domain,
      method: challenge.method,
      value: challenge.value,
      ...proofPlaces(challenge.domain, token),
      expires_at: challenge.expiresAt.toISOString(),
    };
  },
};

const MAX_NAME_LENGTH = 253;
/** Special-use top-level domains (RFC 6761, 6762, 7686, 9476). */
const SPECIAL_USE = ["arpa", "internal", "invalid", "local", "localhost", "onion", "test"];

/**
 * Normalises a domain and checks that its ownership can be verified publicly.
 *
 * @throws Refusal `invalid_input` naming `domain`.
 */
function provableDomain(typed: string): string {
  const domain = normalDomain(typed);
  const last = domain.slice(domain.lastIndexOf(".") + 1);
  if (SPECIAL_USE.includes(last))
    throw fault(`ends in .${last}, which is reserved; use a domain of the public Internet`);
  if (proofPlaces(domain, "").dns_name.length > MAX_NAME_LENGTH) {
    throw fault("is too long: prefixed with _footfall-challenge. it must have at most 253 characters");
  }
  return domain;
}

const fault = (message: string) => invalidInput([{ path: "domain", message }]);
