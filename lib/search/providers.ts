import { env } from "@/lib/platform/env";

/** The providers of search data: how this service is registered there, and where their APIs are. */

export const SEARCH_PROVIDERS = {
  google: {
    name: "Google Search Console",
    /** Where a person takes back what they have consented to. */
    consents: "https://myaccount.google.com/connections",
  },
  bing: {
    name: "Bing Webmaster Tools",
    consents: "https://www.bing.com/webmasters",
  },
} as const;
export type SearchProvider = keyof typeof SEARCH_PROVIDERS;
export const searchProviders = Object.keys(SEARCH_PROVIDERS) as [SearchProvider, ...SearchProvider[]];

export interface SearchClient {
  id: string;
  secret: string;
}

/** Returns the client as which the operator has registered this service at a provider; null if they have not. */
export function searchClient(provider: SearchProvider): SearchClient | null {
  const { GOOGLE_SEARCH_CONSOLE_CLIENT_ID, GOOGLE_SEARCH_CONSOLE_CLIENT_SECRET } = env();
  const { BING_WEBMASTER_CLIENT_ID, BING_WEBMASTER_CLIENT_SECRET } = env();
  const [id, secret] = {
    google: [GOOGLE_SEARCH_CONSOLE_CLIENT_ID, GOOGLE_SEARCH_CONSOLE_CLIENT_SECRET],
    bing: [BING_WEBMASTER_CLIENT_ID, BING_WEBMASTER_CLIENT_SECRET],
  }[provider];
  return id && secret ? { id, secret } : null;
}

/** The redirect address that the operator registers at a provider, byte by byte. */
export const redirectAddress = (provider: SearchProvider): string =>
  `${env().BASE_URL}/api/search/${provider}/callback`;

interface Endpoints {
  authorize: string;
  token: string;
  /** RFC 7009; null where the provider has none. */
  revoke: string | null;
  api: string;
}

const ENDPOINTS: Record<SearchProvider, Endpoints> = {
  google: {
    authorize: "https://accounts.google.com/o/oauth2/v2/auth",
    token: "https://oauth2.googleapis.com/token",
    revoke: "https://oauth2.googleapis.com/revoke",
    api: "https://www.googleapis.com/webmasters/v3",
  },
  bing: {
    authorize: "https://www.bing.com/webmasters/oauth/authorize",
    token: "https://www.bing.com/webmasters/oauth/token",
    revoke: null,
    // Tokens of OAuth are for this host; keys are for ssl.bing.com.
    api: "https://www.bing.com/webmaster/api.svc/json",
  },
};

/** The Admin API and the Data API of Google Analytics, which know the tokens of Google. */
export function analyticsEndpoints(): { admin: string; data: string } {
  const [admin, data] = ["https://analyticsadmin.googleapis.com/v1beta", "https://analyticsdata.googleapis.com/v1beta"];
  const { SEARCH_STAND_IN } = env();
  return SEARCH_STAND_IN
    ? { admin: `${SEARCH_STAND_IN}/google/admin`, data: `${SEARCH_STAND_IN}/google/data` }
    : { admin, data };
}

/** Returns the endpoints of a provider; in tests, with the origin of the stand-in. */
export function endpointsOf(provider: SearchProvider): Endpoints {
  const { SEARCH_STAND_IN } = env();
  const endpoints = ENDPOINTS[provider];
  if (!SEARCH_STAND_IN) return endpoints;
  const moved = (address: string) => `${SEARCH_STAND_IN}/${provider}${new URL(address).pathname}`;
  return {
    authorize: moved(endpoints.authorize),
    token: moved(endpoints.token),
    revoke: endpoints.revoke && moved(endpoints.revoke),
    api: moved(endpoints.api),
  };
}
