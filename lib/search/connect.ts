import { sidHashOf } from "@/lib/auth/session-row";
import { connectionSentence } from "@/lib/contract/connection-words";
import type { Owner } from "@/lib/contract/define";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { lockSite } from "@/lib/gateway/changes/lock-site";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { requireRate } from "@/lib/platform/rate";
import { freshSecret, hashOf, seal, unseal } from "@/lib/platform/secrets";
import { analyticsProperties } from "@/lib/search/analytics-api";
import { saveImportConnection } from "@/lib/search/analytics-connection";
import { ProviderFault, StaleToken } from "@/lib/search/faults";
import { fittingProperties, readableProperties } from "@/lib/search/properties";
import { SEARCH_PROVIDERS, type SearchProvider, searchClient } from "@/lib/search/providers";
import { ANALYTICS_SCOPE, consentAddress, exchangeCode, sealToken } from "@/lib/search/tokens";
import { siteFor } from "@/lib/sites/access";

/**
 * Connecting a site: its owner is sent to the provider, consents there, and comes back with a code. The way back is bound to
 * their session by a state that works once.
 */

const WAY_MS = 15 * 60_000;
const STARTS = { limit: 20, windowMs: 10 * 60_000 };
const LONGEST_CODE = 4096;

const verifierPlace = (state: string) => `search_authorization.verifier:${state}`;

/** What a consent is for: search data every night, or an import of Google Analytics. The state of the way begins with it. */
export type Purpose = "search" | "import";
const STATE = /^([1-9]\d{0,9})\.(import\.)?/;
const purposeOf = (state: string): Purpose => (STATE.exec(state)?.[2] ? "import" : "search");
const scopeOf = (purpose: Purpose): [] | [string] => (purpose === "import" ? [ANALYTICS_SCOPE] : []);

/**
 * Returns the address at the provider where the owner of a site consents.
 *
 * @throws Refusal `not_found` when the operator has not registered this service there, `role_denied` below owner.
 */
export async function startConnecting(
  { personId, sid }: Pick<Owner, "personId" | "sid">,
  siteId: number,
  provider: SearchProvider,
  now: Date,
  purpose: Purpose = "search",
): Promise<string> {
  if (!searchClient(provider)) throw notSetUp(provider);
  await siteFor(db(), { kind: "owner", personId }, siteId, "owner");
  const message = "Too many attempts to connect. Wait a few minutes, then try again.";
  await requireRate(`search-connect:${personId}`, STARTS.limit, STARTS.windowMs, now, message);
  // The site leads the way back to its page, also when the state is no longer valid.
  const prefix = purpose === "import" ? "import." : "";
  const [state, verifier] = [`${siteId}.${prefix}${freshSecret()}`, freshSecret()];
  await db().searchAuthorization.create({
    data: {
      stateHash: hashOf(state),
      sidHash: sidHashOf(sid),
      siteId,
      provider,
      verifier: new Uint8Array(seal(Buffer.from(verifier), verifierPlace(state))),
      expiresAt: new Date(now.getTime() + WAY_MS),
    },
  });
  return consentAddress(provider, { state, verifier }, ...scopeOf(purpose));
}

export const notSetUp = (provider: SearchProvider): Refusal =>
  new Refusal("not_found", connectionSentence("not_set_up", SEARCH_PROVIDERS[provider].name));

/** How the way back ended; the settings page says what to do. */
export const CONNECT_OUTCOMES = [
  "connected",
  "cancelled",
  "expired",
  "no_permission",
  "no_property",
  "role",
  "setup",
  "unreachable",
  "failed",
] as const;
export type Outcome = (typeof CONNECT_OUTCOMES)[number];

interface WayBack {
  provider: SearchProvider;
  /** The query of the address that the provider has sent the browser to. */
  params: URLSearchParams;
  /** The person of the browser's session; null without one. */
  owner: Pick<Owner, "personId" | "sid"> | null;
  requestId: string;
  now: Date;
}

/** Connects the site that a browser was sent away for. @returns how it ended, and the path of the page that says so */
export async function finishConnecting(way: WayBack): Promise<{ outcome: Outcome; path: string }> {
  const state = way.params.get("state") ?? "";
  const siteId = STATE.exec(state)?.[1];
  const outcome = await connect(way).catch((error) => {
    if (error instanceof ProviderFault || error instanceof StaleToken) {
      log.warn({ request_id: way.requestId, provider: way.provider }, error.message);
      return outcomeOf(error);
    }
    if (error instanceof Refusal)
      return error.code === "role_denied" || error.code === "site_not_granted" ? "role" : "failed";
    log.error({ request_id: way.requestId, ...describeError(error) }, "a site could not be connected");
    return "failed" as const;
  });
  const query = `?${new URLSearchParams({ provider: way.provider, outcome })}`;
  const page = purposeOf(state) === "import" ? "import" : "search";
  return { outcome, path: siteId ? `/sites/${siteId}/settings/${page}${query}` : "/sites" };
}

function outcomeOf(error: ProviderFault | StaleToken): Outcome {
  if (!(error instanceof ProviderFault)) return "failed";
  if (error.code === "no_access") return "no_permission";
  if (error.code === "setup") return "setup";
  return error.code === "unreachable" || error.code === "quota" ? "unreachable" : "failed";
}

async function connect({ provider, params, owner, requestId, now }: WayBack): Promise<Outcome> {
  const state = params.get("state") ?? "";
  const journey = await takeJourney(state, provider, owner, now);
  if (!owner || !journey) return "expired";
  if (params.has("error")) return params.get("error") === "access_denied" ? "cancelled" : "failed";
  const code = params.get("code") ?? "";
  if (code === "" || code.length > LONGEST_CODE || !searchClient(provider)) return "failed";
  const { siteId, verifier } = journey;
  const principal = { kind: "owner", personId: owner.personId } as const;
  await siteFor(db(), principal, siteId, "owner");
  const purpose = purposeOf(state);
  const { access, refresh } = await exchangeCode(provider, { code, verifier }, ...scopeOf(purpose));
  const token = sealToken(siteId, provider, refresh);
  const isImport = purpose === "import";
  const readable = isImport ? await analyticsProperties(access) : [];
  const properties = isImport
    ? []
    : fittingProperties(await readableProperties(provider, access), await hostsOf(siteId));
  return db().$transaction(async (tx) => {
    await lockSite(tx, siteId);
    await siteFor(tx, principal, siteId, "owner");
    const audited = { at: now, siteId, personId: owner.personId, requestId };
    if (isImport) {
      await saveImportConnection(tx, siteId, { token, properties: readable, personId: owner.personId }, now);
      await changeSite(tx, siteId);
      await writeAudit(tx, { ...audited, operation: "imports.connect", detail: { properties: readable.length } });
      return readable.length > 0 ? "connected" : "no_property";
    }
    const [best] = properties;
    if (best === undefined) {
      await tx.searchPurge.create({ data: { siteId, provider, personId: owner.personId, token } });
      return "no_property";
    }
    const property = await saveConnection(tx, { siteId, provider, token, properties, best, ...principal }, now);
    await changeSite(tx, siteId);
    await writeAudit(tx, { ...audited, operation: "search.connect", detail: { provider, property } });
    return "connected";
  });
}

/** Uses up a state. @returns null when it is unknown, used, expired, of another session or for another provider */
async function takeJourney(
  state: string,
  provider: SearchProvider,
  owner: WayBack["owner"],
  now: Date,
): Promise<{ siteId: number; verifier: string } | null> {
  if (!owner) return null;
  const mine = { stateHash: hashOf(state), sidHash: sidHashOf(owner.sid), provider, expiresAt: { gt: now } };
  const row = await db().searchAuthorization.findFirst({ where: mine });
  if (!row) return null;
  const { count } = await db().searchAuthorization.deleteMany({ where: mine });
  if (count === 0) return null;
  return { siteId: row.siteId, verifier: unseal(row.verifier, verifierPlace(state)).toString() };
}

const hostsOf = async (siteId: number): Promise<string[]> => {
  const domains = await db().siteDomain.findMany({
    where: { siteId },
    orderBy: [{ isPrimary: "desc" }, { id: "asc" }],
    select: { host: true },
  });
  return domains.map(({ host }) => host);
};

interface NewConnection {
  siteId: number;
  provider: SearchProvider;
  token: Uint8Array<ArrayBuffer>;
  properties: string[];
  best: string;
  personId: number;
}

/** Stores a consent. Numbers of the property that the site had before stay, if the account may still read it. */
async function saveConnection(tx: Db, connection: NewConnection, now: Date): Promise<string> {
  const { siteId, provider, token, properties, best, personId } = connection;
  const key = { siteId_provider: { siteId, provider } };
  const known = await tx.searchConnection.findUnique({ where: key });
  const property = known && properties.includes(known.property) ? known.property : best;
  const fetchNow = { connectedAt: now, askedAt: now, nextFetchAt: now };
  const data = {
    property,
    properties,
    token,
    personId,
    problem: null,
    fault: null,
    failures: 0,
    failedAt: null,
    ...fetchNow,
  };
  if (!known) await tx.searchConnection.create({ data: { siteId, provider, ...data } });
  else {
    await tx.searchConnection.update({ where: key, data });
    if (known.property !== property) await renewNumbers(tx, known.id);
  }
  return property;
}

/** Gives a connection a new id, so that the numbers of its old property are deleted. */
export async function renewNumbers(tx: Db, connectionId: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE search_connection SET id = nextval(pg_get_serial_sequence('search_connection', 'id')), succeeded_at = NULL
    WHERE id = ${connectionId}`;
}
