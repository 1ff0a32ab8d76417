import type { EventBody } from "@/lib/ingest/event/sent-event";

/** Sends events. Never throws into the page, and events survive the closing of the page. */

export type Details = Partial<Omit<EventBody, "domain" | "name">>;
export type Page = Pick<EventBody, "url" | "path" | "title">;

/** Called with `true` when a page is hidden or left, otherwise when it is shown or its URL has changed. */
export type Plugin = (leaving?: boolean) => void;

/** Whether this is a build for the tags of other products, which know more options. */
declare const FOREIGN: boolean;

/** Settings of the tag or the module. A bare attribute of the tag is an empty string. */
export interface Settings {
  domain: string;
  api: string;
  hash?: string;
  /** Query parameters that make a page, separated by commas. */
  query?: string;
  manual?: string;
  /** `off`: nothing is counted in a frame of another page. */
  frames?: string;
  /** Pseudonymous id of the signed-in user, if the page knows it from the start. */
  user?: string;
  /** Automatic tracking to turn off, separated by spaces. */
  off?: string;
  /** Query parameters that hold the search term, separated by spaces. */
  search?: string;
  /** The automatic tracking of the full tracker. */
  plugin?: Plugin;
  /** In foreign builds: changes an event before it is sent, and returns whether to send it; a promise if the page needs time. */
  adapt?(event: EventBody): boolean | Promise<boolean>;
  /** In foreign builds: called with the status of each answer, or with 0 without one. */
  answered?(status: number, body: string): void;
}

/**
 * Retry delay when a busy server does not send one, and the longest delay: ids are stored for little more than a week.
 */
const BUSY_MS = 9e3;
const LONGEST_MS = 6e8;

export let settings: Settings;
/** The stored choice of this browser: `true` to send nothing, `ignore` to send as own traffic, `count`. */
let choice: string | undefined;
/** The last user id, added to all later events of the document; stored nowhere. */
let userId: string | null | undefined;

export function prepare(initial: Settings): void {
  settings = initial;
  // As the server reads it: a full address, capital letters and www. are the same domain.
  settings.domain = initial.domain.toLowerCase().replace(/^(https?:\/\/)?(www\.)?|[/:].*/g, "");
  userId = initial.user;
  choose(/[?&]footfall=(ignore|count)\b/.exec(location.search)?.[1]);
}

/** Stores a choice, or reads the stored one. Without storage, no choice is stored. */
export function choose(chosen?: string): void {
  choice = chosen;
  try {
    if (chosen) localStorage.footfall_ignore = chosen;
    else choice = localStorage.footfall_ignore;
  } catch {
    // Storage is not available.
  }
}

/** Sends one event of a page, unless the visitor opted out. */
export function send(name: string, page: Page, details?: Details): void {
  if (choice === "true") return;
  try {
    ({ user_id: userId = userId } = details || {});
    // In the order that compresses best.
    const event: EventBody = {
      own: choice === "ignore",
      // What tools leave in a page that they drive from within.
      automated: navigator.webdriver || ["Cypress", "_phantom", "__nightmare"].some((tool) => tool in window),
      // The width of the window, not the screen: the page layout depends on it.
      screen: `${innerWidth}`,
      domain: settings.domain,
      user_id: userId,
      language: navigator.language,
      // Identifies retries: 64 random bits in a format that nobody chooses by hand.
      event_id: crypto.getRandomValues(new Uint16Array(4)).join("__"),
      name,
      ...page,
      ...details,
    };
    if (FOREIGN && settings.adapt) {
      const isSent = settings.adapt(event);
      if (isSent === true) post(JSON.stringify(event));
      else if (isSent)
        isSent.then(
          (sent) => sent && post(JSON.stringify(event)),
          () => {},
        );
    } else post(JSON.stringify(event));
  } catch {
    // Props that are not JSON or an invalid URL must not break the page.
  }
}

/**
 * Posts a body as text/plain, which needs no preflight. Retries once after the delay that a busy server requests, or
 * after a network error; while offline, sends again when the browser is back online.
 */
function post(body: string, isRetry?: true): void {
  const retry = (ms: number) => {
    if (!navigator.onLine) addEventListener("online", () => post(body), { once: true });
    else if (!isRetry) setTimeout(post, Math.min(ms || BUSY_MS, LONGEST_MS), body, true);
  };
  // Without keepalive, which all browsers know since 2024, a request is cancelled with its page.
  fetch(settings.api, { method: "POST", body, keepalive: true, credentials: "omit" }).then(
    ({ status, headers }) => {
      if (FOREIGN) settings.answered?.(status, body);
      // Retries 429 and 5xx; no other status above 428 is returned for an event.
      if (status > 428) retry(1e3 * (headers.get("retry-after") as unknown as number));
    },
    () => {
      if (FOREIGN && isRetry) settings.answered?.(0, body);
      retry(0);
    },
  );
}
