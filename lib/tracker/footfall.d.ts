/** What pages call. It is `window.footfall` beside the script, and what `start` of the module returns. */
export interface Footfall {
  /** Counts an event by its name, such as `footfall("Signup", { props: { plan: "pro" } })`. */
  (name: string, details?: EventDetails): void;
  /** Notes that this visitor was shown a variant of an experiment. */
  exposure(experiment: string, variant: string): void;
  /** Sends nothing from this browser any more. */
  optOut(): void;
  /** Takes `optOut` and `?footfall=ignore` back. */
  optIn(): void;
  /** Calls made before the script was there. */
  q?: ArrayLike<unknown>[];
}

export interface EventDetails {
  /** Up to 50 names with plain values. */
  props?: Record<string, string | number | boolean | null>;
  /** `currency` is an ISO 4217 code, such as EUR. */
  revenue?: { amount: string | number; currency: string };
  /** false: the event does not end a bounce. */
  interactive?: boolean;
  /** Whole address of the page, on a domain of the site, in the place of the one that is open. */
  url?: string;
  /** Path of the page, in the place of the one in `url`. */
  path?: string;
  title?: string;
  referrer?: string;
  /** For `footfall("exposure", …)` where `footfall.exposure` is not there yet. */
  exposure?: { experiment: string; variant: string };
  /** Pseudonymous id of a person who is signed in; stored only as a hash. Later events of the page bear it too, until null. */
  user_id?: string | null;
  /** Deduplication key, in the place of the one that is made: 12 to 32 of A-Z a-z 0-9 _ - */
  event_id?: string;
}

/** What the full tracker notices by itself. */
export type Feature = "links" | "forms" | "404" | "search" | "vitals";

export interface Options {
  /** The domain of the site. */
  domain: string;
  /** Where events go: `https://stats.example.com/api/event`, or a path of your own that leads there. */
  api: string;
  /** Routes stand behind the #. */
  hash?: boolean;
  /** Pageviews only by `footfall("pageview")`. */
  manual?: boolean;
  /** Pseudonymous id of the person who is signed in, when it is known from the start. */
  user?: string;
  /** What not to notice. */
  off?: readonly Feature[];
  /** The query parameters that carry what was searched for; q, s, search and query when not given. */
  search?: readonly string[];
}

/** Starts counting, once per page; a second call returns the first one's. Does nothing where there is no browser. */
export declare function start(options: Options): Footfall;
