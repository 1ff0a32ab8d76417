import { randomUUID } from "node:crypto";
import { afterAll } from "vitest";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { finishConnecting, type Outcome, startConnecting } from "@/lib/search/connect";
import { type FetchLimits, fetchDue } from "@/lib/search/fetch";
import type { SearchProvider } from "@/lib/search/providers";
import { createSite } from "@/lib/sites/create";
import { newOwner } from "@/lib/testing/owners";
import {
  type Account,
  type Search,
  type SearchProviderServer,
  searchProviderServer,
} from "@/lib/testing/search-provider";

/** Sites that are connected to the server of `search-provider.ts`. */

export const SEARCH_TIME = new Date("2026-11-20T12:00:00Z");

/** Starts a provider for the tests of a file, which stops after them. They share it: each sets its next account and answers. */
export async function searchProviderForTests(): Promise<SearchProviderServer> {
  const server = await searchProviderServer();
  Object.assign(env(), server.env);
  afterAll(() => {
    Object.assign(env(), Object.fromEntries(Object.keys(server.env).map((name) => [name, undefined])));
    return server.stop();
  });
  return server;
}

export interface SearchSite {
  id: number;
  host: string;
  ownerId: number;
  owner: Owner;
}

/** Creates a site whose owner is signed in. */
export async function searchSite(owner?: Owner): Promise<SearchSite> {
  const who = owner ?? (await newOwner(SEARCH_TIME));
  const host = `${randomUUID()}.example`;
  const creator = { kind: "owner", personId: who.personId } as const;
  const id = await createSite(db(), { host, name: null, timezone: "UTC", public: false, creator, now: SEARCH_TIME });
  return { id, host, ownerId: who.personId, owner: who };
}

/** Returns an account at the provider that has a site. */
export const accountOf = (
  { host }: { host: string },
  searches: Search[] = [],
  more: Partial<Account> = {},
): Account => ({
  google: [{ siteUrl: `sc-domain:${host}`, permissionLevel: "siteOwner" }],
  bing: [{ Url: `https://${host}/`, IsVerified: true }],
  searches,
  finalUntil: "2999-01-01",
  ...more,
});

/** Comes back from the provider with these parameters. */
export const comeBack = (
  owner: Owner | null,
  params: URLSearchParams,
  provider: SearchProvider = "google",
  now = SEARCH_TIME,
) => finishConnecting({ provider, params, owner, requestId: randomUUID(), now });

/** Connects a site with the account, as its owner. */
export async function connectSite(
  server: SearchProviderServer,
  site: SearchSite,
  account: Account,
  provider: SearchProvider = "google",
): Promise<Outcome> {
  server.account = account;
  const address = await startConnecting(site.owner, site.id, provider, SEARCH_TIME);
  return (await comeBack(site.owner, server.consent(address).searchParams, provider)).outcome;
}

export const connectionOf = (site: { id: number }, provider: SearchProvider = "google") =>
  db().searchConnection.findUniqueOrThrow({ where: { siteId_provider: { siteId: site.id, provider } } });

/** Fetches the connection of a site, which is due, and no other. */
export async function fetchSite(
  site: { id: number },
  {
    provider = "google" as SearchProvider,
    now = SEARCH_TIME,
    ...limits
  }: FetchLimits & { provider?: SearchProvider; now?: Date } = {},
) {
  await fetchDue(now, { ...limits, only: [(await connectionOf(site, provider)).id] });
  return connectionOf(site, provider);
}

/** One search of a day: 1 click of 10 impressions at position 5 on the home page, unless it says something else. */
export const searchOf = (
  site: { host: string },
  day: string,
  query: string,
  more: Partial<Search> & { path?: string } = {},
): Search => {
  const { path = "/", ...numbers } = more;
  return { day, query, page: `https://www.${site.host}${path}`, clicks: 1, impressions: 10, position: 5, ...numbers };
};
