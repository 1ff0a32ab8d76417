import type { SentEvent } from "@/lib/ingest/pipeline/schema";

/** How an event leaves the browser: it never throws into the page, and survives that the page is closed. */

export type Details = Partial<Omit<SentEvent, "domain" | "name">>;
export type Page = Pick<SentEvent, "url" | "path" | "title">;

/** What runs when a page is hidden or left, and else when it was shown or its address has changed. */
export type Part = (leaving?: boolean) => void;

/** How the tag or the module was set up. What a tag has as a bare attribute is there as empty text. */
export interface Settings {
  domain: string;
  api: string;
  hash?: string;
  manual?: string;
  /** Pseudonymous id of the person who is signed in, when the page knows it from the start. */
  user?: string;
  /** What not to notice, with spaces between. */
  off?: string;
  /** The query parameters that carry what was searched for, with spaces between. */
  search?: string;
  /** The parts that the full tracker adds. */
  notice?: Part;
}

const CHOICE = "footfall_ignore";
/** When to come again, where a server that was too busy does not say; and in a week ids are remembered, not for good. */
const BUSY_MS = 9e3;
const LONGEST_MS = 6e8;

export let settings: Settings;
/** What this browser's person chose: `true` for nothing sent, `ignore` for sent as the owner's own, `count`. */
let choice: string | undefined;
/** Who was named last is named with every later event of the document; it is stored nowhere. */
let person: string | null | undefined;

export function prepare(given: Settings): void {
  settings = given;
  person = given.user;
  choose(/[?&]footfall=(ignore|count)\b/.exec(location.search)?.[1]);
}

/** Notes what the browser's person chose, or reads it. A browser that keeps nothing keeps no choice either. */
export function choose(chosen?: string): void {
  choice = chosen;
  try {
    if (chosen) localStorage[CHOICE] = chosen;
    else choice = localStorage[CHOICE];
  } catch {
    // A page without storage cannot have chosen.
  }
}

/** Sends one event of a page, unless the visitor opted out. */
export function send(name: string, page: Page, details?: Details): void {
  if (choice === "true") return;
  try {
    ({ user_id: person = person } = details || {});
    const event: SentEvent = {
      domain: settings.domain,
      name,
      // The width of the window rather than of the screen: it is what the layout of the page went by.
      screen: `${innerWidth}`,
      language: navigator.language,
      own: choice === "ignore",
      automated: navigator.webdriver,
      // What is sent again is known by it: 64 random bits, of a form that nobody chooses.
      event_id: crypto.getRandomValues(new Uint16Array(4)).join("__"),
      user_id: person,
      ...page,
      ...details,
    };
    post(JSON.stringify(event));
  } catch {
    // Props that are no JSON, an address that is none: nothing a page should break on.
  }
}

/**
 * Text without a content type goes out as text/plain, which needs no preflight. What a server had no room for is sent
 * once more after the time that it names; what got no answer too, or, where the network is away, when that is back.
 */
function post(body: string, again?: true): void {
  const retry = (ms: number) => {
    if (!navigator.onLine) addEventListener("online", () => post(body), { once: true });
    else if (!again) setTimeout(post, Math.min(ms || BUSY_MS, LONGEST_MS), body, true);
  };
  // Without keepalive a request dies with its page; the browsers that lack it have the beacon.
  if ("keepalive" in Request.prototype)
    fetch(settings.api, { method: "POST", body, keepalive: true, credentials: "omit" }).then(
      ({ status, headers }) => {
        // 429 and what begins with 5: no server answers an event with another from here on.
        if (status > 428) retry(1e3 * (headers.get("retry-after") as unknown as number));
      },
      () => retry(0),
    );
  else navigator.sendBeacon(settings.api, body);
}
