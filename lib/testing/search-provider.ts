import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { analytics } from "@/lib/testing/analytics-provider";

/**
 * A server that speaks the documented APIs of Google Search Console and Bing Webmaster Tools: OAuth 2.0 with PKCE, access
 * tokens that expire, consents that are revoked, paging, and the errors of both.
 */

/** What people searched for. One result with two pages of a site is one impression of the property. */
export interface Search {
  day: string;
  query: string;
  page: string;
  clicks: number;
  impressions: number;
  position: number;
  /** Few people asked it: it counts for the property and the page, and is no query. */
  anonymous?: boolean;
}

/** What the server answers instead, once for each. */
export interface Instead {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface Account {
  google: { siteUrl: string; permissionLevel: string }[];
  bing: { Url: string; IsVerified: boolean }[];
  searches: Search[];
  /** Properties of Google Analytics, in answers of two accounts each. */
  analytics?: AnalyticsAccount[];
  /** The days until this one are final at Google. */
  finalUntil: string;
}

export interface AnalyticsAccount {
  name: string;
  properties: AnalyticsData[];
}

/** What happened at a property, one row for each session. */
export interface AnalyticsData {
  property: string;
  name: string;
  timezone: string;
  sessions: {
    day: string;
    user: string;
    views: string[];
    events?: string[];
    seconds: number;
    dimensions?: Record<string, string>;
  }[];
  /** What its answers say of themselves. */
  metadata?: object;
}

export interface SearchProviderServer {
  origin: string;
  /** The account that consents next. */
  account: Account;
  /** Requests so far, as `POST /google/token`. */
  requests: string[];
  /** The queries to Google's search analytics so far. */
  queries: Record<string, unknown>[];
  /** Answers in place of the right ones, for the next requests whose path contains a text. */
  instead: { path: string; answers: Instead[] }[];
  /** Runs before a request is answered; tests change the world meanwhile. */
  meanwhile: ((path: string) => Promise<void>) | null;
  /** The most rows that Google has in one answer, whatever was asked for. */
  mostRows: number;
  /** The tokens that were revoked, by us. */
  revoked: string[];
  /** Whether consents are without the permission, as when people untick it. */
  withoutPermission: boolean;
  /** Consents as a person does, and returns the address to which the browser is sent back. */
  consent(address: string): URL;
  /** Ends all access tokens. */
  expireAccess(): void;
  /** The person takes back all consents. */
  revokeAll(): void;
  /** Replaces refresh tokens when they are used. */
  rotates: boolean;
  /** The environment of a server that uses it. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

const ANALYTICS_SCOPE = "https://www.googleapis.com/auth/analytics.readonly";
export const CLIENT = { id: "footfall-client", secret: "a client secret of the tests" };

interface Consent {
  account: Account;
  scope: string;
}

/** A refusal in the form of RFC 6749. */
class OauthError extends Error {}

export async function searchProviderServer(): Promise<SearchProviderServer> {
  const codes = new Map<
    string,
    { challenge: string | null; redirect: string; provider: string; account: Account; scope: string }
  >();
  const refreshTokens = new Map<string, Consent>();
  const accessTokens = new Map<string, Consent>();

  function tokensFor(provider: string, consent: Consent, refresh: string | null): object {
    const access = `access-${randomUUID()}`;
    accessTokens.set(access, consent);
    const scope = provider === "google" && state.withoutPermission ? "openid" : consent.scope;
    const more = refresh === null ? {} : { refresh_token: refresh };
    return { access_token: access, expires_in: 3599, token_type: "Bearer", scope, ...more };
  }

  function newRefresh(consent: Consent): string {
    const refresh = `refresh-${randomUUID()}`;
    refreshTokens.set(refresh, consent);
    return refresh;
  }

  function exchange(provider: string, form: URLSearchParams): object {
    if (form.get("client_id") !== CLIENT.id || form.get("client_secret") !== CLIENT.secret)
      throw new OauthError("invalid_client");
    if (form.get("grant_type") === "refresh_token") {
      const given = form.get("refresh_token") ?? "";
      const consent = refreshTokens.get(given);
      if (!consent) throw new OauthError("invalid_grant");
      if (!state.rotates) return tokensFor(provider, consent, null);
      refreshTokens.delete(given);
      return tokensFor(provider, consent, newRefresh(consent));
    }
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isProven = !code?.challenge || code.challenge === challenge;
    if (form.get("grant_type") !== "authorization_code" || code?.provider !== provider || !isProven)
      throw new OauthError("invalid_grant");
    if (code.redirect !== form.get("redirect_uri")) throw new OauthError("redirect_uri_mismatch");
    return tokensFor(provider, code, newRefresh(code));
  }

  async function answer(request: IncomingMessage): Promise<Instead> {
    const url = new URL(request.url ?? "", "http://provider.invalid");
    state.requests.push(`${request.method} ${url.pathname}`);
    const body = await textOf(request);
    await state.meanwhile?.(url.pathname);
    const planned = state.instead.find(({ path, answers }) => url.pathname.includes(path) && answers.length > 0);
    const instead = planned?.answers.shift();
    if (instead) return instead;
    const provider = url.pathname.split("/")[1] ?? "";
    if (url.pathname.endsWith("/token")) return { status: 200, body: exchange(provider, new URLSearchParams(body)) };
    if (url.pathname.endsWith("/revoke")) {
      const token = new URLSearchParams(body).get("token") ?? "";
      state.revoked.push(token);
      refreshTokens.delete(token);
      return { status: 200, body: {} };
    }
    const consent = accessTokens.get((request.headers.authorization ?? "").replace("Bearer ", ""));
    const account = consent?.account;
    const isAnalytics = /^\/google\/(admin|data)\//.test(url.pathname);
    if (account && provider === "google" && isAnalytics !== (consent.scope === ANALYTICS_SCOPE))
      return { status: 403, body: googleError(403, "insufficientPermissions", "PERMISSION_DENIED") };
    if (account && isAnalytics) return analytics(account, url, body, state);
    if (provider === "google") return account ? google(account, url, body) : { status: 401, body: UNAUTHENTICATED };
    if (provider === "bing") return account ? bing(account, url) : { status: 400, body: bingError(3, "InvalidToken") };
    return { status: 404, body: {} };
  }

  function google(account: Account, { pathname }: URL, body: string): Instead {
    if (pathname === "/google/webmasters/v3/sites") return { status: 200, body: { siteEntry: account.google } };
    const named = /^\/google\/webmasters\/v3\/sites\/([^/]+)\/searchAnalytics\/query$/.exec(pathname)?.[1];
    const property = decodeURIComponent(named ?? "");
    if (!account.google.some(({ siteUrl }) => siteUrl === property))
      return { status: 403, body: googleError(403, "forbidden", "PERMISSION_DENIED") };
    const asked = JSON.parse(body);
    state.queries.push(asked);
    const rows = rowsOf(account, asked);
    const shown = rows.slice(asked.startRow, asked.startRow + Math.min(asked.rowLimit, state.mostRows, 25_000));
    return { status: 200, body: { ...(shown.length > 0 && { rows: shown }), responseAggregationType: "byPage" } };
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://provider.invalid");
    if (url.pathname.endsWith("/auth") || url.pathname.endsWith("/authorize")) return consentPage(url, response);
    void answer(request)
      .catch((error): Instead => {
        if (!(error instanceof OauthError)) throw error;
        return { status: 400, body: { error: error.message, error_description: "Bad Request" } };
      })
      .then(({ status, body, headers }) => {
        const text = typeof body === "string" ? body : JSON.stringify(body);
        response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers }).end(text);
      });
  });

  /** The page of the provider, on which a person consents or cancels. */
  function consentPage(url: URL, response: ServerResponse): void {
    const [yes, no] = [state.consent(url.href), new URL(url.searchParams.get("redirect_uri") ?? "")];
    no.search = `${new URLSearchParams({ error: "access_denied", state: url.searchParams.get("state") ?? "" })}`;
    const link = (to: URL, text: string) => `<p><a href="${to.href.replaceAll("&", "&amp;")}">${text}</a></p>`;
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(`<!doctype html><title>Consent</title><h1>Consent</h1>${link(yes, "Allow")}${link(no, "Cancel")}`);
  }

  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: SearchProviderServer = {
    origin,
    account: { google: [], bing: [], searches: [], finalUntil: "2999-01-01" },
    requests: [],
    queries: [],
    instead: [],
    meanwhile: null,
    mostRows: 25_000,
    revoked: [],
    withoutPermission: false,
    rotates: false,
    consent(address) {
      const asked = new URL(address).searchParams;
      const code = randomUUID();
      const redirect = asked.get("redirect_uri") ?? "";
      const provider = new URL(address).pathname.split("/")[1] ?? "";
      const scope = asked.get("scope") ?? "";
      codes.set(code, { challenge: asked.get("code_challenge"), redirect, provider, account: state.account, scope });
      const back = new URL(redirect);
      back.search = `${new URLSearchParams({ code, state: asked.get("state") ?? "" })}`;
      return back;
    },
    expireAccess: () => accessTokens.clear(),
    revokeAll() {
      accessTokens.clear();
      refreshTokens.clear();
    },
    env: {
      SEARCH_STAND_IN: origin,
      GOOGLE_SEARCH_CONSOLE_CLIENT_ID: CLIENT.id,
      GOOGLE_SEARCH_CONSOLE_CLIENT_SECRET: CLIENT.secret,
      BING_WEBMASTER_CLIENT_ID: CLIENT.id,
      BING_WEBMASTER_CLIENT_SECRET: CLIENT.secret,
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return state;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}

const UNAUTHENTICATED = {
  error: { code: 401, status: "UNAUTHENTICATED", message: "Request had invalid credentials." },
};
export const googleError = (code: number, reason: string, status: string) => ({
  error: { code, message: "An error of Google", errors: [{ domain: "global", reason }], status },
});
export const bingError = (code: number, name: string) => ({ ErrorCode: code, Message: `ERROR!!! ${name}` });

interface Asked {
  startDate: string;
  endDate: string;
  dimensions: ("date" | "query" | "page")[];
}

/** Returns the rows that Google has of a query, those with the most clicks first. */
function rowsOf({ searches, finalUntil }: Account, { startDate, endDate, dimensions }: Asked): object[] {
  const byPage = dimensions.includes("page");
  const groups = new Map<string, Search[]>();
  for (const search of searches) {
    if (search.day < startDate || search.day > endDate || search.day > finalUntil) continue;
    if (search.anonymous && dimensions.includes("query")) continue;
    const keys = dimensions.map(
      (dimension) => ({ date: search.day, query: search.query, page: search.page })[dimension],
    );
    groups.set(JSON.stringify(keys), [...(groups.get(JSON.stringify(keys)) ?? []), search]);
  }
  const rows = [...groups].map(([keys, found]) => {
    const seen = byPage ? found : onceEach(found);
    const sum = (of: (search: Search) => number) => seen.reduce((all, search) => all + of(search), 0);
    const impressions = sum((search) => search.impressions);
    const position = sum((search) => search.position * search.impressions) / impressions;
    const clicks = found.reduce((all, search) => all + search.clicks, 0);
    return { keys: JSON.parse(keys), clicks, impressions, ctr: clicks / impressions, position };
  });
  return rows.sort((a, b) => b.clicks - a.clicks || b.impressions - a.impressions);
}

/** A property is shown once where two of its pages are: with the best position. */
const onceEach = (searches: Search[]): Search[] => {
  const best = new Map<string, Search>();
  for (const search of searches) {
    const key = `${search.day} ${search.query}`;
    const known = best.get(key);
    if (!known || search.position < known.position) best.set(key, search);
  }
  return [...best.values()];
};

/** Midnight in Pacific time, as Bing writes it. */
const bingDate = (day: string): string => `/Date(${Date.parse(`${day}T00:00:00-08:00`)}-0800)/`;

function bing({ bing: sites, searches }: Account, url: URL): Instead {
  const method = url.pathname.split("/").at(-1);
  if (method === "GetUserSites")
    return { status: 200, body: { d: sites.map((site) => ({ __type: "Site", ...site })) } };
  if (!sites.some(({ Url }) => Url === url.searchParams.get("siteUrl")))
    return { status: 400, body: bingError(14, "NotAuthorized") };
  const stats = (search: Search, Query: string) => ({
    __type: "QueryStats:#Microsoft.Bing.Webmaster.Api",
    AvgClickPosition: search.clicks > 0 ? search.position : -1,
    AvgImpressionPosition: search.position,
    Clicks: search.clicks,
    Date: bingDate(search.day),
    Impressions: search.impressions,
    Query,
  });
  const ofDays = [...new Set(searches.map(({ day }) => day))].map((day) => {
    const sum = (of: (search: Search) => number) =>
      searches.filter((search) => search.day === day).reduce((all, search) => all + of(search), 0);
    return { Date: bingDate(day), Clicks: sum(({ clicks }) => clicks), Impressions: sum((one) => one.impressions) };
  });
  if (method === "GetRankAndTrafficStats") return { status: 200, body: { d: ofDays } };
  const asked = searches.filter(({ anonymous }) => !anonymous).map((search) => stats(search, search.query));
  if (method === "GetQueryStats") return { status: 200, body: { d: asked } };
  const pages = searches.map((search) => stats(search, search.page));
  if (method === "GetPageStats") return { status: 200, body: { d: pages } };
  return { status: 400, body: bingError(8, "InvalidParameter") };
}
