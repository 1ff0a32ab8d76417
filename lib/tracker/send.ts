import type { SentEvent } from "@/lib/ingest/schema";

/** How an event leaves the browser: it never throws into the page, and survives that the page is closed. */

export type Details = Partial<Omit<SentEvent, "domain" | "name">>;
export type Page = Pick<SentEvent, "url" | "path" | "title">;

/** How the tag or the module was set up. What a tag has as a bare attribute is there as empty text. */
export interface Settings {
  domain: string;
  api: string;
  hash?: string;
  manual?: string;
  /** What not to notice, with spaces between. */
  off?: string;
  /** The query parameters that carry what was searched for, with spaces between. */
  search?: string;
}

const CHOICE = "footfall_ignore";
/** What could not be sent while the network was away. More than this is not kept. */
const MOST_WAITING = 50;
const waiting: string[] = [];
let settings: Settings;

export function prepare(given: Settings): void {
  settings = given;
  const asked = /[?&]footfall=(ignore|count)\b/.exec(location.search)?.[1];
  if (asked) remember(asked === "ignore" ? "own" : "");
  addEventListener("online", () => {
    for (const body of waiting.splice(0)) post(body);
  });
}

/** What this browser's person chose: `true` for nothing sent, `own` for sent as the owner's own traffic. */
function choice(): string | undefined {
  try {
    return localStorage[CHOICE];
  } catch {
    // A page without storage cannot have chosen.
  }
}

export function remember(chosen: string): void {
  try {
    localStorage[CHOICE] = chosen;
  } catch {
    // A browser that keeps nothing keeps no choice either.
  }
}

/** Sends one event of a page, unless the visitor opted out. */
export function send(name: string, page: Page, details?: Details): void {
  const chosen = choice();
  if (chosen === "true") return;
  try {
    const { domain } = settings;
    const { language } = navigator;
    const own = !!chosen || undefined;
    // The width of the window rather than of the screen: it is what the layout of the page went by.
    post(JSON.stringify({ domain, name, screen: `${innerWidth}`, language, own, ...page, ...details }), waiting);
  } catch {
    // Props that are no JSON, an address that is none: nothing a page should break on.
  }
}

/** Text without a content type goes out as text/plain, which needs no preflight. */
function post(body: string, unsent?: string[]): void {
  // Without keepalive a request dies with its page; the browsers that lack it have the beacon.
  if ("keepalive" in Request.prototype)
    fetch(settings.api, { method: "POST", body, keepalive: true, credentials: "omit" }).catch(() => {
      if (unsent && unsent.length < MOST_WAITING) unsent.push(body);
    });
  else navigator.sendBeacon(settings.api, body);
}
