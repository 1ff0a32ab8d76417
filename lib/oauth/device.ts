import { SCOPES, type Scope } from "@/lib/contract/access";
import type { OAuthCall, OAuthEndpoint } from "@/lib/oauth/entry-point";
import type { Form } from "@/lib/oauth/form";
import { knownScopes, requireResource, resolveScopes } from "@/lib/oauth/request-parameters";
import {
  type Client,
  issueAccessToken,
  issueFamily,
  revokeTokens,
  type TokenResponse,
  tokenResponse,
  withClientLock,
} from "@/lib/oauth/tokens";
import { newUserCode, userCodeHashes } from "@/lib/oauth/user-code";
import type { Db, Prisma } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { Fault, OAuthRefusal } from "@/lib/platform/errors";
import { MAX_DEVICE_CODES, OAUTH_RATES } from "@/lib/platform/limits";
import { lockRow } from "@/lib/platform/lock-row";
import { freshSecret, hashOf } from "@/lib/platform/secrets";

/** Lifetime of a device code, and the initial polling interval. */
export const DEVICE_CODE_SECONDS = 600;
export const INTERVAL_SECONDS = 5;
/** How much an early poll adds to the interval, and its maximum. */
export const SLOW_DOWN_SECONDS = 5;
const MAX_INTERVAL_SECONDS = 60;
/** Tolerance for network jitter: a poll may arrive this much early. */
const TOLERANCE_MS = 500;

/** Device authorization response (RFC 8628 section 3.2). */
export interface DeviceAuthorizationResponse {
  device_code: string;
  user_code: string;
  verification_uri: string;
  expires_in: number;
  interval: number;
}

/** `POST /oauth/device/code`: device authorization request (RFC 8628 section 3.1). */
export const deviceEndpoint: OAuthEndpoint = { id: "device", run: (call) => authorizeDevice(call) };

/** @throws OAuthRefusal `unauthorized_client` for a client that nobody can consent to: a machine without a person. */
export function requireAnswerable({ id, kind, ownerId }: Client): void {
  if (kind === "delegated" || (kind === "machine" && ownerId !== null)) return;
  throw new OAuthRefusal(
    "unauthorized_client",
    `No human has taken over this account, so nobody can grant it more. While nobody owns any of its sites, recover it with other scopes by a fresh proof of the domain. Or let a human take over all of its sites: ${env().BASE_URL}/agents/claim/${id}`,
  );
}
/**
 * The scopes that a request names. A machine may ask its person for any, and asks for other sites alone without `scope`;
 * a delegated client only for those that it was created with.
 */
const requestedBy = ({ kind, requestedScopes, grantedScopes }: Client, form: Form): Scope[] =>
  kind === "machine"
    ? resolveScopes(form, Object.keys(SCOPES) as Scope[], knownScopes(grantedScopes))
    : resolveScopes(form, knownScopes(requestedScopes));

/**
 * Issues a device code and a user code.
 *
 * @param makeCode generates the user code; called again if the code is in use.
 * @throws OAuthRefusal `temporarily_unavailable` (429) beyond 5 pending codes or 10 codes an hour.
 */
export async function authorizeDevice(
  call: OAuthCall,
  makeCode: () => string = newUserCode,
): Promise<DeviceAuthorizationResponse> {
  const { client, form, address, now } = call;
  requireAnswerable(client);
  const resource = form.resources.length > 0 ? requireResource(form) : null;
  const scopes = requestedBy(client, form);
  const deviceCode = `ffd_${freshSecret()}`;
  const row = { hash: hashOf(deviceCode), clientId: client.id, scopes, askedFrom: address, resource };
  const userCode = await withClientLock(client.id, async (tx) => {
    await enforceCodeLimits(tx, client.id, now);
    return insertCode(tx, row, makeCode, now);
  });
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: `${env().BASE_URL}/device`,
    expires_in: DEVICE_CODE_SECONDS,
    interval: INTERVAL_SECONDS,
  };
}

async function enforceCodeLimits(tx: Db, clientId: string, now: Date): Promise<void> {
  const { limit, seconds } = OAUTH_RATES.deviceCodes;
  const waiting = await tx.deviceCode.findMany({
    where: { clientId, status: { in: ["pending", "approved"] }, expiresAt: { gt: now } },
    orderBy: { expiresAt: "desc" },
    take: MAX_DEVICE_CODES,
  });
  const recent = await tx.deviceCode.findMany({
    where: { clientId, createdAt: { gt: new Date(now.getTime() - seconds * 1000) } },
    orderBy: { createdAt: "desc" },
    take: limit,
  });
  const until = Math.max(
    waiting.length < MAX_DEVICE_CODES ? 0 : (waiting.at(-1)?.expiresAt.getTime() ?? 0),
    recent.length < limit ? 0 : (recent.at(-1)?.createdAt.getTime() ?? 0) + seconds * 1000,
  );
  if (until === 0) return;
  throw new OAuthRefusal(
    "temporarily_unavailable",
    `A client may have ${MAX_DEVICE_CODES} pending device codes and request ${limit} an hour. Use an existing code, or try again after Retry-After.`,
    { status: 429, retryAfter: Math.max(1, Math.ceil((until - now.getTime()) / 1000)) },
  );
}

async function insertCode(
  tx: Db,
  row: {
    hash: Uint8Array<ArrayBuffer>;
    clientId: string;
    scopes: Scope[];
    askedFrom: string | null;
    resource: string | null;
  },
  makeCode: () => string,
  now: Date,
): Promise<string> {
  const userCode = makeCode();
  const [userCodeHash] = userCodeHashes(userCode);
  if (!userCodeHash) throw new Fault("No key for hashing user codes");
  const times = { createdAt: now, expiresAt: new Date(now.getTime() + DEVICE_CODE_SECONDS * 1000) };
  const { count } = await tx.deviceCode.createMany({
    data: [{ ...row, ...times, userCodeHash, interval: INTERVAL_SECONDS }],
    skipDuplicates: true,
  });
  return count === 1 ? userCode : insertCode(tx, row, makeCode, now);
}

/**
 * Handles one poll of the token endpoint (RFC 8628 section 3.5). Its writes are committed even when it returns an
 * error.
 */
export async function pollDeviceCode(call: OAuthCall, deviceCode: string): Promise<TokenResponse> {
  const hash = hashOf(deviceCode);
  return withClientLock(call.client.id, (tx) => poll(tx, call, hash));
}

type DeviceRow = Prisma.DeviceCodeGetPayload<{ include: { client: true } }>;

/** Checks in this order: client, resource, status, expiry. */
async function poll(tx: Db, call: OAuthCall, hash: Uint8Array<ArrayBuffer>): Promise<TokenResponse | OAuthRefusal> {
  const { client, form, now } = call;
  await lockRow(tx, "device_code", hash);
  const row = await tx.deviceCode.findUnique({ where: { hash }, include: { client: true } });
  if (!row || row.clientId !== client.id) throw invalidGrant();
  const audience = requireResource(form, row.resource === null ? undefined : [row.resource]);
  if (row.status === "redeemed") throw invalidGrant();
  if (row.status === "denied") throw new OAuthRefusal("access_denied", "Your human denied the request. Stop polling.");
  if (row.expiresAt <= now) throw new OAuthRefusal("expired_token", "This device code has expired. Request a new one.");
  return row.status === "pending" ? answerPending(tx, row, now) : redeem(tx, row, audience, now);
}

const invalidGrant = () =>
  new OAuthRefusal("invalid_grant", "This device code is invalid or has been used. Request a new one.");

/** `slow_down` increases the interval for all later polls (RFC 8628 section 3.5), so it is stored. */
async function answerPending(tx: Db, row: DeviceRow, now: Date): Promise<OAuthRefusal> {
  const next = row.lastPolledAt && row.lastPolledAt.getTime() + row.interval * 1000 - TOLERANCE_MS;
  const early = next !== null && now.getTime() < next;
  const interval = early ? Math.min(row.interval + SLOW_DOWN_SECONDS, MAX_INTERVAL_SECONDS) : row.interval;
  await tx.deviceCode.update({ where: { hash: row.hash }, data: { lastPolledAt: now, interval } });
  return early
    ? new OAuthRefusal("slow_down", `Poll every ${interval} seconds from now on.`, { retryAfter: interval })
    : new OAuthRefusal("authorization_pending", "Your human has not decided yet. Keep polling.", {
        retryAfter: interval,
      });
}

/**
 * Redeems an approved code, once. A delegated client gets a token family, and its earlier tokens are revoked: a new
 * consent replaces the old. A machine gets an access token with all that it has now, and keeps its other tokens.
 */
async function redeem(tx: Db, row: DeviceRow, audience: string, now: Date): Promise<TokenResponse> {
  const { client, personId } = row;
  const scopes = knownScopes(row.consentedScopes).filter((scope) => client.grantedScopes.includes(scope));
  if (personId === null || client.ownerId !== personId || client.revokedAt !== null || scopes.length === 0) {
    throw new OAuthRefusal("access_denied", "The consent has been revoked. Stop polling.");
  }
  const { count } = await tx.deviceCode.updateMany({
    where: { hash: row.hash, status: "approved" },
    data: { status: "redeemed", lastPolledAt: now },
  });
  if (count === 0) throw invalidGrant();
  const claims = { clientId: client.id, audience, ownerId: personId, scopes, now };
  if (client.kind === "machine") return tokenResponse(await issueAccessToken(tx, claims), scopes);
  await revokeTokens(tx, { clientId: client.id }, now);
  return issueFamily(tx, claims);
}
