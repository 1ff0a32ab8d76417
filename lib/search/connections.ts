import { z } from "zod";
import { connectionSentence } from "@/lib/contract/connection-words";
import { about } from "@/lib/contract/fields";
import { changeSite, type LockedSite } from "@/lib/gateway/changes/site-revision";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { requireRate } from "@/lib/platform/rate";
import { notSetUp, renewNumbers } from "@/lib/search/connect";
import { type Problem, sentenceOf, type TemporaryFault } from "@/lib/search/faults";
import { SEARCH_PROVIDERS, type SearchProvider, searchClient, searchProviders } from "@/lib/search/providers";

/** The connections of a site to providers of search data, as people and agents see and change them. */

export const CONNECTION_STATES = {
  not_configured: "the operator has not registered this service at the provider",
  not_connected: "no owner has connected the site",
  connected: "numbers are fetched every night",
  broken: "an owner must connect the site again",
} as const;
export type ConnectionState = keyof typeof CONNECTION_STATES;
const states = Object.keys(CONNECTION_STATES) as [ConnectionState, ...ConnectionState[]];

export const searchProvider = z.enum(searchProviders, `must be one of ${searchProviders.join(", ")}`).meta({
  description: "google: Google Search Console; bing: Bing Webmaster Tools",
});

export const connectionState = z.enum(states).meta({
  description: states.map((state) => `${state}: ${CONNECTION_STATES[state]}`).join("; "),
});

const timestamp = (description: string) => z.iso.datetime().nullable().meta({ description });
const day = (description: string) => about(z.string().nullable(), description, "2026-11-17");

export const connectionShape = z
  .object({
    provider: searchProvider,
    name: z.string().meta({ examples: [SEARCH_PROVIDERS.google.name] }),
    state: connectionState,
    about: about(z.string(), "The state in a sentence, with the way out", "Fetched every night."),
    property: about(z.string().nullable(), "What the provider calls the site", "sc-domain:example.com"),
    properties: about(z.array(z.string()), "Properties of the account at the provider that fit the site", [
      "sc-domain:example.com",
    ]),
    connect_url: about(
      z.string().nullable(),
      "The page where an owner of the site connects it; null where the service is not set up",
      "https://stats.example.com/sites/1/settings/search",
    ),
    connected_at: timestamp("When it was connected; null without a connection"),
    fetched_at: timestamp("When numbers were last fetched; null before"),
    next_fetch_at: timestamp("When they are fetched next; null when they are not"),
    fresh_until: day("The last day with numbers, in the calendar of the provider"),
    days_left: about(z.int(), "Earlier days whose queries and pages are still to be fetched", 0),
    error: about(z.string().nullable(), "What went wrong with the last fetch, if a later one may succeed"),
  })
  .meta({ id: "SearchConnection" });

type Row = Prisma.SearchConnectionGetPayload<object>;

/** A connection, as reports need it. */
export interface KnownConnection {
  provider: SearchProvider;
  state: ConnectionState;
  about: string;
  /** What its numbers belong to; null without any. */
  connectionId: number | null;
  property: string | null;
  /** The days that it has numbers from and until. */
  freshFrom: string | null;
  freshUntil: string | null;
}

interface Progress {
  connectionId: number;
  freshFrom: string;
  freshUntil: string;
  daysLeft: number;
}

async function read(on: Db, siteId: number): Promise<{ rows: Map<string, Row>; progress: Map<number, Progress> }> {
  const rows = await on.searchConnection.findMany({ where: { siteId } });
  const ids = rows.map(({ id }) => id);
  const found =
    ids.length === 0
      ? []
      : await on.$queryRaw<Progress[]>`
          SELECT connection_id AS "connectionId", min(day)::text AS "freshFrom", max(day)::text AS "freshUntil",
            count(*) FILTER (WHERE fetched_at IS NULL)::int AS "daysLeft"
          FROM search_day WHERE connection_id = ANY (${ids}) GROUP BY connection_id`;
  return {
    rows: new Map(rows.map((row) => [row.provider, row])),
    progress: new Map(found.map((row) => [row.connectionId, row])),
  };
}

function stateOf(provider: SearchProvider, row: Row | undefined): { state: ConnectionState; about: string } {
  const { name } = SEARCH_PROVIDERS[provider];
  if (!searchClient(provider)) {
    return { state: "not_configured", about: connectionSentence("not_configured", name) };
  }
  if (row?.problem) return { state: "broken", about: sentenceOf(row.problem as Problem, provider) };
  if (!row?.token) return { state: "not_connected", about: connectionSentence("not_connected", name) };
  const fault = row.fault && sentenceOf(row.fault as TemporaryFault, provider);
  if (fault) return { state: "connected", about: fault };
  return { state: "connected", about: connectionSentence(row.succeededAt ? "fetched" : "begins", name) };
}

/** Returns the connection of a site to each provider, in the order of the providers. */
export async function knownConnections(siteId: number): Promise<KnownConnection[]> {
  const { rows, progress } = await read(db(), siteId);
  return searchProviders.map((provider) => {
    const row = rows.get(provider);
    const known = row && progress.get(row.id);
    return {
      provider,
      ...stateOf(provider, row),
      connectionId: row && known ? row.id : null,
      property: row?.property ?? null,
      freshFrom: known?.freshFrom ?? null,
      freshUntil: known?.freshUntil ?? null,
    };
  });
}

/** Returns the connections of a site for API responses. */
export async function describeConnections(siteId: number, on: Db): Promise<z.input<typeof connectionShape>[]> {
  const { rows, progress } = await read(on, siteId);
  return searchProviders.map((provider) => {
    const row = rows.get(provider);
    const known = row && progress.get(row.id);
    return {
      provider,
      name: SEARCH_PROVIDERS[provider].name,
      ...stateOf(provider, row),
      property: row?.property ?? null,
      properties: row?.properties ?? [],
      connect_url: searchClient(provider) ? `${env().BASE_URL}/sites/${siteId}/settings/search` : null,
      connected_at: (row?.token && row.connectedAt.toISOString()) || null,
      fetched_at: row?.succeededAt?.toISOString() ?? null,
      next_fetch_at: row?.nextFetchAt?.toISOString() ?? null,
      fresh_until: known?.freshUntil ?? null,
      days_left: provider === "google" ? (known?.daysLeft ?? 0) : 0,
      error: row?.fault ? sentenceOf(row.fault as TemporaryFault, provider) : null,
    };
  });
}

/** Returns the connection of a site as shown in API responses. */
export async function describeConnection(on: Db, siteId: number, provider: SearchProvider) {
  const connections = await describeConnections(siteId, on);
  return connections.find((one) => one.provider === provider) as z.input<typeof connectionShape>;
}

/** @throws Refusal `not_found` when the site has neither a connection nor numbers of an earlier one */
export async function requireConnection(on: Db, siteId: number, provider: SearchProvider): Promise<Row> {
  const row = await on.searchConnection.findUnique({ where: { siteId_provider: { siteId, provider } } });
  if (row) return row;
  if (!searchClient(provider)) throw notSetUp(provider);
  throw new Refusal(
    "not_found",
    `This site is not connected to ${SEARCH_PROVIDERS[provider].name}. An owner connects it at ${env().BASE_URL}/sites/${siteId}/settings/search.`,
  );
}

/**
 * Ends a connection: its token is deleted here and, where the provider allows, revoked there.
 *
 * @param keepsNumbers whether what was fetched stays in reports.
 * @throws Refusal `not_found` without a connection
 */
export async function disconnect(
  { db: tx, site }: LockedSite,
  provider: SearchProvider,
  keepsNumbers: boolean,
): Promise<void> {
  const { id, token, siteId, personId } = await requireConnection(tx, site.id, provider);
  if (!keepsNumbers) await tx.searchConnection.delete({ where: { id } });
  else {
    const data = { token: null, problem: null, fault: null, failedAt: null, failures: 0, nextFetchAt: null };
    await tx.searchConnection.update({ where: { id }, data });
    if (token) await tx.searchPurge.create({ data: { siteId, provider, personId, token } });
  }
  await changeSite(tx, site.id);
}

/**
 * Chooses another property of the account; the numbers of the one before are deleted.
 *
 * @throws Refusal `not_found` without a connection, `invalid_input` for a property that the account does not have
 */
export async function chooseProperty(
  { db: tx, site, now }: LockedSite,
  provider: SearchProvider,
  property: string,
): Promise<void> {
  const { id, properties, property: known, token } = await requireConnection(tx, site.id, provider);
  if (!properties.includes(property)) {
    const names = properties.join(", ");
    throw invalidInput([{ path: "property", message: `must be one of the properties that fit the site: ${names}` }]);
  }
  if (property === known) return;
  const data = { property, fault: null, failures: 0, ...(token && { askedAt: now, nextFetchAt: now }) };
  await tx.searchConnection.update({ where: { id }, data });
  await renewNumbers(tx, id);
  await changeSite(tx, site.id);
}

const REFRESHES = { limit: 2, windowMs: 3600_000 };

/**
 * Plans a fetch for now.
 *
 * @throws Refusal `not_found` without a connection, `invalid_input` for a broken one, `rate_limited` after two fetches in an
 *   hour, and while the provider has asked to wait
 */
export async function askForFetch({ db: tx, site, now }: LockedSite, provider: SearchProvider): Promise<void> {
  const { id, token, fault, problem, nextFetchAt } = await requireConnection(tx, site.id, provider);
  if (!token) {
    const message = problem ? "is broken; an owner must connect it again" : "is disconnected; an owner must connect it";
    throw invalidInput([{ path: "provider", message }]);
  }
  if (fault === "quota" && nextFetchAt && nextFetchAt > now) {
    const retryAfter = Math.ceil((nextFetchAt.getTime() - now.getTime()) / 1000);
    throw new Refusal("rate_limited", sentenceOf("quota", provider), undefined, retryAfter);
  }
  const message =
    "The numbers were fetched twice in the last hour. Wait, then try again: providers have new numbers once a day.";
  await requireRate(`search-fetch:${id}`, REFRESHES.limit, REFRESHES.windowMs, now, message);
  await tx.searchConnection.update({ where: { id }, data: { askedAt: now, nextFetchAt: now } });
}
