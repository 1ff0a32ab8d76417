import type { Scope } from "@/lib/contract/vocabulary";
import { askedScopes, knownScopes, requireResource } from "@/lib/oauth/asked";
import type { OAuthCall, OAuthEndpoint } from "@/lib/oauth/entry-point";
import {
  type Client,
  endTokens,
  hashOf,
  inTurn,
  issueAccessToken,
  issueRefreshToken,
  newFamily,
  type TokenAnswer,
  tokenAnswer,
} from "@/lib/oauth/tokens";
import { newUserCode, userCodeHashes } from "@/lib/oauth/user-code";
import type { Db, Prisma } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { OAuthRefusal } from "@/lib/platform/errors";
import { MOST_DEVICE_CODES, OAUTH_RATES } from "@/lib/platform/limits";
import { freshSecret } from "@/lib/platform/secrets";

/** How long a device code is good for, and how far apart its polls are at first, in seconds. */
export const DEVICE_CODE_SECONDS = 600;
export const INTERVAL_SECONDS = 5;
/** What a poll that comes too early adds, and where that ends. */
export const SLOWER_SECONDS = 5;
const SLOWEST_SECONDS = 60;
/** Networks jitter: a poll may come this much early. */
const TOLERANCE_MS = 500;

/** The answer of a device authorization (RFC 8628 section 3.2). */
export interface DeviceAnswer {
  device_code: string;
  user_code: string;
  verification_uri: string;
  expires_in: number;
  interval: number;
}

/** `POST /oauth/device/code`: an agent asks for a code that its human types (RFC 8628 section 3.1). */
export const deviceEndpoint: OAuthEndpoint = { id: "device", run: (call) => authorizeDevice(call) };

/** @throws OAuthRefusal `unauthorized_client` for a machine, which acts for itself. */
export function requireDelegated(client: Client): void {
  if (client.kind === "delegated") return;
  throw new OAuthRefusal("unauthorized_client", "This client acts for itself: use the client_credentials grant.");
}

/**
 * @param makeCode makes the user code; one that is taken is made anew.
 * @throws OAuthRefusal `temporarily_unavailable` (429) beyond 5 waiting codes or 10 an hour.
 */
export async function authorizeDevice(call: OAuthCall, makeCode: () => string = newUserCode): Promise<DeviceAnswer> {
  const { client, form, address, now } = call;
  requireDelegated(client);
  if (form.resources.length > 0) requireResource(form);
  const scopes = askedScopes(form, knownScopes(client.requestedScopes));
  const deviceCode = `ffd_${freshSecret()}`;
  const row = { hash: hashOf(deviceCode), clientId: client.id, scopes, askedFrom: address };
  const userCode = await inTurn(client.id, async (tx) => {
    await requireFewCodes(tx, client.id, now);
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

async function requireFewCodes(tx: Db, clientId: string, now: Date): Promise<void> {
  const { limit, seconds } = OAUTH_RATES.deviceCodes;
  const waiting = await tx.deviceCode.findMany({
    where: { clientId, status: { in: ["pending", "approved"] }, expiresAt: { gt: now } },
    orderBy: { expiresAt: "desc" },
    take: MOST_DEVICE_CODES,
  });
  const recent = await tx.deviceCode.findMany({
    where: { clientId, createdAt: { gt: new Date(now.getTime() - seconds * 1000) } },
    orderBy: { createdAt: "desc" },
    take: limit,
  });
  const until = Math.max(
    waiting.length < MOST_DEVICE_CODES ? 0 : (waiting.at(-1)?.expiresAt.getTime() ?? 0),
    recent.length < limit ? 0 : (recent.at(-1)?.createdAt.getTime() ?? 0) + seconds * 1000,
  );
  if (until === 0) return;
  throw new OAuthRefusal(
    "temporarily_unavailable",
    `At most ${MOST_DEVICE_CODES} codes wait at the same time, and ${limit} are given an hour; use those you have.`,
    { status: 429, retryAfter: Math.max(1, Math.ceil((until - now.getTime()) / 1000)) },
  );
}

async function insertCode(
  tx: Db,
  row: { hash: Uint8Array<ArrayBuffer>; clientId: string; scopes: Scope[]; askedFrom: string | null },
  makeCode: () => string,
  now: Date,
): Promise<string> {
  const userCode = makeCode();
  const [userCodeHash] = userCodeHashes(userCode);
  if (!userCodeHash) throw new Error("There is no key to keep user codes under");
  const times = { createdAt: now, expiresAt: new Date(now.getTime() + DEVICE_CODE_SECONDS * 1000) };
  const { count } = await tx.deviceCode.createMany({
    data: [{ ...row, ...times, userCodeHash, interval: INTERVAL_SECONDS }],
    skipDuplicates: true,
  });
  return count === 1 ? userCode : insertCode(tx, row, makeCode, now);
}

/** One poll of the token endpoint (RFC 8628 section 3.5). What it writes stays, also when it is refused. */
export async function takePoll(call: OAuthCall, deviceCode: string): Promise<TokenAnswer> {
  const hash = hashOf(deviceCode);
  return inTurn(call.client.id, (tx) => poll(tx, call, hash));
}

type DeviceRow = Prisma.DeviceCodeGetPayload<{ include: { client: true } }>;

/** The order of the checks is the policy: whose code it is, what it is for, whether it has ended, whether it waits. */
async function poll(tx: Db, call: OAuthCall, hash: Uint8Array<ArrayBuffer>): Promise<TokenAnswer | OAuthRefusal> {
  const { client, form, now } = call;
  await tx.$queryRaw`SELECT 1 FROM device_code WHERE hash = ${hash} FOR UPDATE`;
  const row = await tx.deviceCode.findUnique({ where: { hash }, include: { client: true } });
  if (!row || row.clientId !== client.id) throw notGood();
  requireResource(form);
  if (row.status === "redeemed") throw notGood();
  if (row.status === "denied") throw new OAuthRefusal("access_denied", "Your human has denied this; stop polling.");
  if (row.expiresAt <= now) throw new OAuthRefusal("expired_token", "This device code has expired; ask for a new one.");
  return row.status === "pending" ? wait(tx, row, now) : redeem(tx, row, now);
}

const notGood = () => new OAuthRefusal("invalid_grant", "This device code is not good (any more); ask for a new one.");

/** The interval grows for this and all later polls (RFC 8628 section 3.5), so it is kept here as well. */
async function wait(tx: Db, row: DeviceRow, now: Date): Promise<OAuthRefusal> {
  const next = row.lastPolledAt && row.lastPolledAt.getTime() + row.interval * 1000 - TOLERANCE_MS;
  const early = next !== null && now.getTime() < next;
  const interval = early ? Math.min(row.interval + SLOWER_SECONDS, SLOWEST_SECONDS) : row.interval;
  await tx.deviceCode.update({ where: { hash: row.hash }, data: { lastPolledAt: now, interval } });
  return early
    ? new OAuthRefusal("slow_down", `Poll every ${interval} seconds from now on.`, { retryAfter: interval })
    : new OAuthRefusal("authorization_pending", "Your human has not decided yet; go on polling.", {
        retryAfter: interval,
      });
}

/** The consent becomes a family of tokens, once; a new consent replaces the one before. */
async function redeem(tx: Db, row: DeviceRow, now: Date): Promise<TokenAnswer> {
  const { client, personId } = row;
  const scopes = knownScopes(row.consented).filter((scope) => client.grantedScopes.includes(scope));
  if (personId === null || client.ownerId !== personId || client.revokedAt !== null || scopes.length === 0) {
    throw new OAuthRefusal("access_denied", "What your human agreed to has been taken back; stop polling.");
  }
  const { count } = await tx.deviceCode.updateMany({
    where: { hash: row.hash, status: "approved" },
    data: { status: "redeemed", lastPolledAt: now },
  });
  if (count === 0) throw notGood();
  await endTokens(tx, { clientId: client.id }, now);
  const family = newFamily(now);
  const claims = { clientId: client.id, ownerId: personId, scopes, now };
  const access = await issueAccessToken(tx, { ...claims, familyId: family.id });
  return tokenAnswer(access, scopes, await issueRefreshToken(tx, { ...claims, family }));
}
