import { randomBytes, randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Scope } from "@/lib/contract/access";
import { answerIdentity, type IdentityEndpoint } from "@/lib/identity/answer";
import { challenges } from "@/lib/identity/challenges";
import { delegations } from "@/lib/identity/delegations";
import { recoveries } from "@/lib/identity/recoveries";
import { registrations } from "@/lib/identity/registrations";
import { issueAccessToken } from "@/lib/oauth/tokens";
import { db } from "@/lib/platform/db";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import type { Internet } from "@/lib/platform/outbound/outbound";
import type { DnsServer } from "@/lib/testing/dns";

/** Creates agents through the identity endpoints, with proofs in the name server of the test. */

const ENDPOINTS = { challenges, registrations, recoveries, delegations };
export type EndpointName = keyof typeof ENDPOINTS;

/** 32 random bytes in lowercase hexadecimal: a recovery key or an Idempotency-Key. */
export const freshKey = (): string => randomBytes(32).toString("hex");
export const freshDomain = (): string => `${randomUUID()}.example`;

export interface IdentityCall {
  /** The Idempotency-Key; null for none, random by default. */
  key?: string | null;
  method?: string;
  headers?: Record<string, string>;
  /** The address of the caller; unique by default. */
  address?: string;
  now?: Date;
  internet?: Internet;
}

/** Calls an identity endpoint like an HTTP request, and parses the answer. A text body is sent unchanged. */
export async function callIdentity(name: EndpointName, body: object | string, call: IdentityCall = {}) {
  const { key = freshKey(), method = "POST", headers = {}, address = randomUUID(), now, internet } = call;
  const all: Record<string, string> = {
    "content-type": "application/json",
    [CALLER_HEADERS.address]: address,
    ...(key === null ? {} : { "idempotency-key": key }),
    ...headers,
  };
  const sent = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const request = {
    method,
    header: (header: string) => all[header] ?? null,
    bytes: async (limit: number) => (sent.length > limit ? null : sent),
  };
  const endpoint = ENDPOINTS[name] as unknown as IdentityEndpoint<z.ZodObject, z.ZodObject, unknown>;
  const {
    status,
    headers: answered,
    body: text,
  } = await answerIdentity(request, endpoint, now ?? new Date(), internet);
  return { status, headers: answered, text, body: JSON.parse(text) };
}

/** Returns the status and error code of an answer. */
export const codeOf = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body.error?.code,
];

export interface Agent {
  domain: string;
  recoveryKey: string;
  clientId: string;
  clientSecret: string;
  siteId: number;
  accountId: string;
  /** An access token with all of its scopes. */
  token: string;
}

/** Requests a challenge and publishes its value. @returns its `challenge_id`. */
export async function provenChallenge(
  dns: Pick<DnsServer, "set">,
  body: { domain: string; recovery_key: string; purpose?: "register" | "recover"; client_id?: string; name?: string },
  now = new Date(),
): Promise<string> {
  const answer = await callIdentity("challenges", { method: "dns", ...body }, { now });
  if (answer.status !== 201) throw new Error(`No challenge: ${answer.text}`);
  dns.set(answer.body.data.dns_name, { TXT: [answer.body.data.value] });
  return answer.body.data.challenge_id;
}

/** Registers an agent: account, machine client and private site. */
export async function registerAgent(
  dns: Pick<DnsServer, "set">,
  options: { scopes: readonly Scope[]; domain?: string; name?: string; recoveryKey?: string; now?: Date },
): Promise<Agent> {
  const { scopes, domain = freshDomain(), recoveryKey = freshKey(), now = new Date(), name } = options;
  const challenge = { domain, recovery_key: recoveryKey, ...(name === undefined ? {} : { name }) };
  const challenge_id = await provenChallenge(dns, challenge, now);
  const answer = await callIdentity("registrations", { challenge_id, scopes, recovery_key: recoveryKey }, { now });
  if (answer.status !== 201) throw new Error(`Not registered: ${answer.text}`);
  const { client_id: clientId, client_secret: clientSecret, site_ids } = answer.body.data;
  const { accountId } = await db().client.findUniqueOrThrow({ where: { id: clientId } });
  const token = await issueAccessToken(db(), { clientId, ownerId: null, scopes, now });
  return { domain, recoveryKey, clientId, clientSecret, siteId: site_ids[0], accountId: `${accountId}`, token };
}
