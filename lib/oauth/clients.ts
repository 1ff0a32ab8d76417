import { timingSafeEqual } from "node:crypto";
import type { Form } from "@/lib/oauth/form";
import type { Client } from "@/lib/oauth/tokens";
import { countedAddress } from "@/lib/platform/counted-address";
import { db } from "@/lib/platform/db";
import { OAuthRefusal } from "@/lib/platform/errors";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import type { Incoming } from "@/lib/platform/http/http";
import { OAUTH_RATES } from "@/lib/platform/limits";
import { isUsedUp, takeRate } from "@/lib/platform/rate";
import { digest, hexDigest } from "@/lib/platform/secrets";

interface Credentials {
  id: string;
  secret: string;
}

/**
 * Authenticates the calling client by `client_secret_post` or `client_secret_basic`. An unknown client, a wrong secret
 * and a revoked client get the same response after the same work.
 *
 * @throws OAuthRefusal `invalid_client` (401), `invalid_request` when both methods are used, `temporarily_unavailable`
 *   (429) for 15 minutes after 10 failures of a client id from one address, or 100 from one address; the correct secret
 *   is refused too.
 */
export async function authenticateClient(request: Incoming, form: Form, now: Date): Promise<Client> {
  const credentials = readCredentials(request, form);
  if (!credentials) throw invalidClient();
  const counts = failureCounts(credentials.id, request.header(CALLER_HEADERS.address) || "unknown");
  for (const { key, limit } of counts) {
    const { usedUp, retryAfter } = await isUsedUp(key, limit, now);
    if (usedUp) throw tooManyFailures(retryAfter);
  }
  const client = await verifyCredentials(credentials);
  if (client) return client;
  for (const { key, limit, seconds } of counts) {
    const { allowed, retryAfter } = await takeRate(key, limit, seconds * 1000, now);
    if (!allowed) throw tooManyFailures(retryAfter);
  }
  throw invalidClient();
}

const failureCounts = (clientId: string, address: string) => [
  { key: `oauth:failed:${hexDigest(clientId)}:${hexDigest(countedAddress(address))}`, ...OAUTH_RATES.failures },
  failuresOf(address),
];

/** The count of failures of one address, for all client ids. */
export const failuresOf = (address: string) => ({
  key: `oauth:failed:${hexDigest(countedAddress(address))}`,
  ...OAUTH_RATES.addressFailures,
});

export const invalidClient = () =>
  new OAuthRefusal(
    "invalid_client",
    "Client authentication failed. Send the client_id and client_secret of an active client. An assistant without a secret registers at /oauth/register.",
  );
export const tooManyFailures = (retryAfter: number) =>
  new OAuthRefusal("temporarily_unavailable", "Too many failed authentications. Try again after Retry-After.", {
    status: 429,
    retryAfter,
  });

/** Compares digests, which have the same length for any input, so that the comparison takes constant time. */
async function verifyCredentials({ id, secret }: Credentials): Promise<Client | null> {
  const client = isClientId(id) ? await db().client.findUnique({ where: { id } }) : null;
  const isCorrect = timingSafeEqual(digest(secret), client?.secretHash ?? digest(""));
  return isCorrect && client?.revokedAt === null ? client : null;
}

/** Only visible ASCII characters (RFC 6749 appendix A.1): Postgres rejects some others. */
const isClientId = (id: string) => /^[\x20-\x7e]{1,255}$/.test(id);

/** @returns null when there are no readable credentials. */
function readCredentials(request: Incoming, form: Form): Credentials | null {
  const header = request.header("authorization");
  const id = form.get("client_id");
  const secret = form.get("client_secret");
  if (header === null) return id !== null && secret !== null ? { id, secret } : null;
  if (secret !== null) {
    throw new OAuthRefusal("invalid_request", "Use one authentication method: the body or the Authorization header.");
  }
  const basic = readBasic(header);
  if (basic && id !== null && id !== basic.id) {
    throw new OAuthRefusal(
      "invalid_request",
      "The client_id in the body differs from the one in the Authorization header.",
    );
  }
  return basic;
}

/** Id and secret are form-encoded before they are joined (RFC 6749 section 2.3.1), so there is exactly one colon. */
function readBasic(header: string): Credentials | null {
  const base64 = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const pair = /^([^:]+):([^:]+)$/.exec(Buffer.from(base64 ?? "", "base64").toString());
  const [id, secret] = (pair?.slice(1) ?? []).map(formDecode);
  return id && secret ? { id, secret } : null;
}

function formDecode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
