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
import { digest } from "@/lib/platform/secrets";

interface Credentials {
  id: string;
  secret: string;
}

/**
 * The client that calls, by its secret: in the body (`client_secret_post`) or as Basic (`client_secret_basic`). An
 * unknown client, a wrong secret and a revoked client are the same answer after the same work.
 *
 * @throws OAuthRefusal `invalid_client` (401), `invalid_request` for both ways at once, `temporarily_unavailable` (429)
 *   in 15 minutes after ten failures of one client id from one address, or a hundred of an address; then even the right
 *   secret is refused.
 */
export async function authenticateClient(request: Incoming, form: Form, now: Date): Promise<Client> {
  const given = credentialsOf(request, form);
  if (!given) throw notKnown();
  const counts = failureCounts(given.id, request.header(CALLER_HEADERS.address) || "unknown");
  for (const { key, limit } of counts) {
    const { usedUp, retryAfter } = await isUsedUp(key, limit, now);
    if (usedUp) throw tooManyFailures(retryAfter);
  }
  const client = await clientOf(given);
  if (client) return client;
  for (const { key, limit, seconds } of counts) {
    const { allowed, retryAfter } = await takeRate(key, limit, seconds * 1000, now);
    if (!allowed) throw tooManyFailures(retryAfter);
  }
  throw notKnown();
}

const hex = (text: string) => digest(text).toString("hex");
const failureCounts = (clientId: string, address: string) => [
  { key: `oauth:failed:${hex(clientId)}:${hex(countedAddress(address))}`, ...OAUTH_RATES.failures },
  { key: `oauth:failed:${hex(countedAddress(address))}`, ...OAUTH_RATES.addressFailures },
];

const notKnown = () =>
  new OAuthRefusal("invalid_client", "Send the client_id and client_secret of a client that is not revoked.");
const tooManyFailures = (retryAfter: number) =>
  new OAuthRefusal("temporarily_unavailable", "Too many failed authentications; come back after Retry-After.", {
    status: 429,
    retryAfter,
  });

/** Digests are compared: they are of one length whatever was sent, and equal only when the secrets are. */
async function clientOf({ id, secret }: Credentials): Promise<Client | null> {
  const client = isClientId(id) ? await db().client.findUnique({ where: { id } }) : null;
  const right = timingSafeEqual(digest(secret), client?.secretHash ?? digest(""));
  return right && client?.revokedAt === null ? client : null;
}

/** What Postgres can be asked for: the visible characters of RFC 6749 appendix A.1. */
const isClientId = (id: string) => /^[\x20-\x7e]{1,255}$/.test(id);

/** @returns null when there are none that can be read. */
function credentialsOf(request: Incoming, form: Form): Credentials | null {
  const header = request.header("authorization");
  const id = form.get("client_id");
  const secret = form.get("client_secret");
  if (header === null) return id !== null && secret !== null ? { id, secret } : null;
  if (secret !== null) {
    throw new OAuthRefusal("invalid_request", "Authenticate in one way: in the body, or by the header Authorization.");
  }
  const basic = readBasic(header);
  if (basic && id !== null && id !== basic.id) {
    throw new OAuthRefusal("invalid_request", "The client_id in the body is not that of the header Authorization.");
  }
  return basic;
}

/** Id and secret are each form-encoded before they are joined (RFC 6749 section 2.3.1): only one colon is left. */
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
