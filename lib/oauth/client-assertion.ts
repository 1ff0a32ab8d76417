import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import type { Form } from "@/lib/oauth/form";
import { boundedMap } from "@/lib/platform/bounded-map";
import { env } from "@/lib/platform/env";
import { OAuthRefusal, Refusal } from "@/lib/platform/errors";
import { parseJson } from "@/lib/platform/json";
import { type Internet, readPage, Unreachable } from "@/lib/platform/outbound/outbound";

/**
 * Requests for tokens that an assistant signs (`private_key_jwt`, RFC 7523 section 2.2). Its public keys are those that its
 * metadata document names.
 */

const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
export const SIGNING_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];
const LIMITS = { limitBytes: 64 * 1024, deadlineMs: 5_000 };
/** The longest time until the expiry of a signature. */
const MAX_AGE_SECONDS = 600;
const KEPT_MS = 600_000;
/** What a signature by a key that we have not read yet fails with; without an id of the key it fails with the second. */
const NEW_KEY_ERRORS = ["ERR_JWKS_NO_MATCHING_KEY", "ERR_JWS_SIGNATURE_VERIFICATION_FAILED"];
/** Keys are read again at most this often for a signature by an unknown key. */
const READ_EVERY_MS = 60_000;

interface Keys {
  set: JSONWebKeySet;
  readAt: number;
}
const keys = boundedMap<string, Keys>("assistant-keys", { max: 500, ttl: KEPT_MS });
const setShape = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

interface Signer {
  id: string;
  jwksUri: string | null;
  mustSign: boolean;
}

/** Returns who says to have signed an assertion; null when it cannot be read. Nothing of it is verified. */
export function signerOf(assertion: string | null): string | null {
  try {
    return assertion === null ? null : (decodeJwt(assertion).sub ?? null);
  } catch {
    return null;
  }
}

/**
 * Requires that an assistant has signed its request, if it signs its requests at all.
 *
 * @param internet replaces the Internet in tests.
 * @throws OAuthRefusal `invalid_client` without a valid signature, `temporarily_unavailable` when its keys cannot be read.
 */
export async function requireSignature(
  assistant: Signer | null,
  form: Form,
  now: Date,
  internet?: Internet,
): Promise<void> {
  const assertion = form.get("client_assertion");
  if (assertion === null && !assistant?.mustSign) return;
  if (!assistant?.jwksUri) throw unsigned("This client does not sign its requests: leave client_assertion out.");
  if (assertion === null || form.get("client_assertion_type") !== TYPE) {
    throw unsigned(`Send client_assertion with client_assertion_type ${TYPE}.`);
  }
  const { exp = 0 } = await verify(assertion, assistant.id, assistant.jwksUri, now, internet);
  if (exp - now.getTime() / 1000 > MAX_AGE_SECONDS) {
    throw unsigned(`client_assertion may be valid for at most ${MAX_AGE_SECONDS} seconds.`);
  }
}

const unsigned = (description: string) => new OAuthRefusal("invalid_client", description);

async function verify(
  assertion: string,
  assistantId: string,
  jwksUri: string,
  now: Date,
  internet?: Internet,
): Promise<JWTPayload> {
  const expected = {
    issuer: assistantId,
    subject: assistantId,
    audience: [env().BASE_URL, `${env().BASE_URL}/oauth/token`, `${env().BASE_URL}/token`],
    algorithms: SIGNING_ALGORITHMS,
    requiredClaims: ["exp"],
    clockTolerance: 30,
    currentDate: now,
  };
  const check = async (isNew: boolean) =>
    jwtVerify(assertion, createLocalJWKSet(await keysAt(jwksUri, now, isNew, internet)), expected);
  try {
    // A client that has changed its keys signs with one that we do not know yet.
    const verified = await check(false).catch((error) => {
      if (NEW_KEY_ERRORS.includes(error?.code)) return check(true);
      throw error;
    });
    return verified.payload;
  } catch (error) {
    if (error instanceof OAuthRefusal) throw error;
    throw unsigned("client_assertion is not valid: check its signature, iss, sub, aud and exp.");
  }
}

async function keysAt(url: string, now: Date, isNew: boolean, internet?: Internet): Promise<JSONWebKeySet> {
  const known = keys.get(url);
  if (known && (!isNew || now.getTime() - known.readAt < READ_EVERY_MS)) return known.set;
  const set = await readKeys(url, internet);
  keys.set(url, { set, readAt: now.getTime() });
  return set;
}

async function readKeys(url: string, internet?: Internet): Promise<JSONWebKeySet> {
  try {
    const { status, body, complete } = await readPage(url, LIMITS, internet);
    const parsed = status === 200 && complete ? setShape.safeParse(parseJson(body)) : null;
    if (parsed?.success) return parsed.data;
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof Refusal)) throw error;
  }
  throw new OAuthRefusal("temporarily_unavailable", "The keys at the jwks_uri of this client cannot be read.", {
    retryAfter: 60,
  });
}
