/** The API for pages: `window.footfall` with the script, and the return value of the module's `start`. */
export interface Footfall {
  /** Sends an event, such as `footfall("Signup", { props: { plan: "pro" } })`. */
  (name: string, details?: EventDetails): void;
  /** Records that this visitor saw a variant of an experiment. */
  exposure(experiment: string, variant: string): void;
  /** Stops tracking in this browser. */
  optOut(): void;
  /** Reverts `optOut` and `?footfall=ignore`. */
  optIn(): void;
  /** Calls made before the script was loaded. */
  q?: ArrayLike<unknown>[];
}

export interface EventDetails {
  /** Up to 50 properties with plain values, at most 8 KiB of JSON. */
  props?: Record<string, string | number | boolean | null>;
  /** `currency` is an ISO 4217 code, such as EUR. */
  revenue?: { amount: string | number; currency: string };
  /** false: the event does not end a bounce. */
  interactive?: boolean;
  /** Full URL to use instead of the current one, on a domain of the site. */
  url?: string;
  /** Path to use instead of the one in `url`, with the query that makes it another page. */
  path?: string;
  title?: string;
  referrer?: string;
  /** For `footfall("exposure", …)` before `footfall.exposure` is loaded. */
  exposure?: { experiment: string; variant: string };
  /**
   * Pseudonymous id of the signed-in user; stored only as a hash. Also applies to later events of the page, until null.
   */
  user_id?: string | null;
  /** Deduplication key instead of the generated one: 12 to 32 characters of A-Z a-z 0-9 _ - */
  event_id?: string;
}

/** Automatic tracking of the full tracker. */
export type Feature = "links" | "forms" | "404" | "search" | "vitals";

export interface Options {
  /** The domain of the site. */
  domain: string;
  /** Endpoint for events: `https://stats.example.com/api/event`, or a path of yours that is proxied to it. */
  api: string;
  /** Use the hash (#) as the route. */
  hash?: boolean;
  /** Query parameters that make a page, such as `["p"]` for `/?p=12`. */
  query?: readonly string[];
  /** Send pageviews only by `footfall("pageview")`. */
  manual?: boolean;
  /** "off": count nothing in a frame of another page. */
  frames?: "off";
  /** Pseudonymous id of the signed-in user, if known from the start. */
  user?: string;
  /** Automatic tracking to turn off. */
  off?: readonly Feature[];
  /** Query parameters that hold the search term. Default: q, s, search and query. */
  search?: readonly string[];
}

/** Starts tracking, once per page; a second call returns the result of the first. Does nothing outside a browser. */
export declare function start(options: Options): Footfall;
