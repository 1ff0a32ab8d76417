import type { SentEvent } from "@/lib/ingest/schema";

/**
 * The browser script, served at /script.js. Counts the pages that are shown, in documents and in single-page
 * applications, and how long and how far they are read. Sets no cookie, stores nothing of its own accord, and never
 * throws into the page that carries it.
 *
 * `<script defer data-domain="example.com" src="…/script.js"></script>`, with, if wanted, `data-api` (where events
 * go), `data-hash` (the route stands behind the #) and `data-manual` (pageviews only by `footfall("pageview")`).
 */
type Details = Partial<Omit<SentEvent, "domain" | "name">>;
type Page = Pick<SentEvent, "url" | "path" | "title">;

interface Footfall {
  (name: string, details?: Details): void;
  /** Calls made before the script was there. */
  q?: ArrayLike<unknown>[];
  optOut?: () => void;
  optIn?: () => void;
}

/** Routers set the title after the address, and may redirect at once: the page is what stands after this. */
const SETTLE_MS = 300;
/** Less new attention than this is not worth a request. */
const LEAST_MS = 3_000;
/** A long read tells that it goes on. It is also the most one look can last: a longer one was a sleeping machine. */
const REPORT_MS = 300_000;
const IGNORE = "footfall_ignore";

const win = window as unknown as { footfall?: Footfall };
const script = document.currentScript as HTMLScriptElement | null;
const { domain, api, hash: hashRoutes, manual } = script ? script.dataset : ({} as DOMStringMap);

/** The page being read; none while a router is on its way to the next. */
let page: Page | undefined;
let route: string;
let settling = 0;
/** Visible and focused since then; 0 when it is not. */
let since = 0;
/** Attention and depth that have not been reported, and the depth that has. */
let ms = 0;
let deepest = 0;
let height = 0;
let reported = 0;

/** Sends one event of the page. Text without a content type goes out as text/plain, which needs no preflight. */
function send(name: string, details?: Details): void {
  try {
    if (localStorage[IGNORE] === "true") return;
  } catch {
    // A page without storage cannot have opted out.
  }
  try {
    const { language } = navigator;
    // The width of the window rather than of the screen: it is what the layout of the page went by.
    const body = JSON.stringify({ domain, name, screen: `${innerWidth}`, language, ...(page || here()), ...details });
    const to = api || new URL("api/event", (script as HTMLScriptElement).src).href;
    // Without keepalive a request dies with its page; the browsers that lack it have the beacon.
    if ("keepalive" in Request.prototype)
      fetch(to, { method: "POST", body, keepalive: true, credentials: "omit" }).catch(() => {});
    else navigator.sendBeacon(to, body);
  } catch {
    // Props that are no JSON, an address that is none: nothing a page should break on.
  }
}

/** What is open now. What stands behind the # can be a secret, and stays here unless the site's routes are there. */
function here(): Page {
  const path = hashRoutes == null ? undefined : (location.pathname + location.hash).replace(/\/*#!?\/*/, "/");
  return { url: location.href.split("#")[0]?.slice(0, 4096), path, title: document.title.slice(0, 1000) };
}

const whereabouts = () => location.pathname + (hashRoutes == null ? "" : location.hash);

/** Counts a pageview, now. */
function view(details?: Details): void {
  leave();
  route = whereabouts();
  page = { ...here(), ...(details?.url && { url: details.url }) };
  deepest = reported = 0;
  measure();
  send("pageview", details);
}

/** Counts the page that a router has led to, if it has not been yet. */
function settle(): void {
  if (settling) view();
}

/** Ends the page being read. */
function leave(): void {
  clearTimeout(settling);
  settling = 0;
  if (!page) return;
  look();
  report();
  ms = 0;
  page = undefined;
}

function navigated(): void {
  if (route === whereabouts()) return;
  route = whereabouts();
  leave();
  settling = window.setTimeout(view, SETTLE_MS);
}

/** Adds up the time for which somebody looked, and notes whether somebody does. */
function look(looking = document.visibilityState === "visible" && document.hasFocus()): void {
  const now = performance.now();
  if (since) ms += Math.min(now - since, REPORT_MS);
  since = looking ? now : 0;
}

/** Somebody may have turned to the page or away from it. */
function turn(): void {
  look();
  if (!since) pause();
}

function pause(): void {
  settle();
  measure();
  report();
}

/** Documents grow while they load: the depth in pixels is kept, its share is worked out when it is told. */
function measure(): void {
  height = Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0, 1);
  deepest = Math.max(deepest, scrollY + innerHeight);
}

function report(): void {
  const scroll = Math.min(100, Math.round((100 * deepest) / height));
  if (!page || (scroll <= reported && ms < LEAST_MS)) return;
  reported = Math.max(scroll, reported);
  send("engagement", { engagement: { ms: Math.round(ms), scroll: reported } });
  ms = 0;
}

function watchRoutes(): void {
  for (const method of ["pushState", "replaceState"] as const) {
    const original = history[method];
    history[method] = function (this: History, ...args) {
      original.apply(this, args);
      navigated();
    };
  }
  addEventListener("popstate", navigated);
  addEventListener("hashchange", navigated);
  // Back from the browser's memory: the page is shown again, but its script does not start again.
  addEventListener("pageshow", (event) => event.persisted && view());
}

function watchAttention(): void {
  for (const type of ["scroll", "resize", "load"]) addEventListener(type, measure, { passive: true });
  for (const type of ["focus", "blur"]) addEventListener(type, turn);
  document.addEventListener("visibilitychange", turn);
  addEventListener("pagehide", () => {
    look(false);
    pause();
  });
  setInterval(() => {
    look();
    pause();
  }, REPORT_MS);
}

/** Starts once the page is shown: one that was only prerendered or opened in the background was not seen by anyone. */
function begin(): void {
  if (document.visibilityState !== "visible") {
    document.addEventListener("visibilitychange", begin, { once: true });
    return;
  }
  const early = (win.footfall as Footfall).q || [];
  install((name, details) => {
    if (name === "pageview") return view(details);
    settle();
    send(name, details);
  });
  look();
  if (manual == null) {
    view({ referrer: document.referrer.slice(0, 4096) });
    watchRoutes();
  }
  watchAttention();
  for (const [name, details] of early as unknown as Parameters<Footfall>[]) (win.footfall as Footfall)(name, details);
}

/** Puts `window.footfall` there. Its `optOut` also tells a second copy of the script that there is a first. */
function install(footfall: Footfall): void {
  footfall.optOut = () => remember("true");
  footfall.optIn = () => remember("");
  win.footfall = footfall;
}

function remember(choice: string): void {
  try {
    localStorage[IGNORE] = choice;
  } catch {
    // A browser that keeps nothing keeps no choice either.
  }
}

if (domain && (api || script?.src) && /^http/.test(location.protocol) && !win.footfall?.optOut) {
  const q = win.footfall?.q || [];
  install((...call) => q.push(call));
  (win.footfall as Footfall).q = q;
  begin();
}
