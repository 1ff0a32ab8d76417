import { type Details, type Page, type Settings, send } from "@/lib/tracker/send";

/** The pages that are shown, in documents and in single-page applications, and how long and how far they are read. */

/** Routers set the title after the address, and may redirect at once: the page is what stands after this. */
const SETTLE_MS = 300;
/** Less new attention than this is not worth a request. */
const LEAST_MS = 3_000;
/** A long read tells that it goes on. It is also the most one look can last: a longer one was a sleeping machine. */
const REPORT_MS = 300_000;

/** What the full tracker does when a page is hidden or left, and else when it was shown or its address has changed. */
export const parts: ((leaving?: boolean) => void)[] = [];

let hashRoutes = false;
/** The page being read; none while a router is on its way to the next. */
export let page: Page | undefined;
let route: string;
let settling = 0;
/** Visible and focused since then; 0 when it is not. */
let since = 0;
/** Attention and depth that have not been reported, and the depth that has. */
let ms = 0;
let deepest = 0;
let height = 0;
let reported = 0;

/** Begins with the page that is shown. */
export function watchPages({ hash, manual }: Settings): void {
  hashRoutes = hash != null;
  look();
  if (manual == null) {
    view({ referrer: document.referrer.slice(0, 4096) });
    watchRoutes();
  }
  watchAttention();
}

/** Sends an event of the page that is shown. */
export function tell(name: string, details?: Details): void {
  send(name, page || here(), details);
}

/** What is open now. What stands behind the # can be a secret, and stays here unless the site's routes are there. */
function here(): Page {
  const path = hashRoutes ? (location.pathname + location.hash).replace(/\/*#!?\/*/, "/") : undefined;
  return { url: location.href.split("#")[0]?.slice(0, 4096), path, title: document.title.slice(0, 1000) };
}

export const seen = () => document.visibilityState === "visible";
const whereabouts = () => location.pathname + (hashRoutes ? location.hash : "");
const runParts = (leaving?: boolean) => {
  for (const part of parts) part(leaving);
};

/** Counts a pageview, now. */
export function view(details?: Details): void {
  leave();
  route = whereabouts();
  page = { ...here(), ...(details?.url && { url: details.url }) };
  deepest = reported = 0;
  measure();
  tell("pageview", details);
  runParts();
}

/** Counts the page that a router has led to, if it has not been yet. */
export function settle(): void {
  if (settling) view();
}

/** Ends the page being read. */
function leave(): void {
  clearTimeout(settling);
  settling = 0;
  if (!page) return;
  look();
  report(true);
  ms = 0;
  page = undefined;
}

function navigated(): void {
  if (route !== whereabouts()) {
    route = whereabouts();
    leave();
    settling = window.setTimeout(view, SETTLE_MS);
  } else if (page) runParts();
}

/** Adds up the time for which somebody looked, and notes whether somebody does. */
function look(looking = seen() && document.hasFocus()): void {
  const now = performance.now();
  if (since) ms += Math.min(now - since, REPORT_MS);
  since = looking ? now : 0;
}

/** Somebody may have turned to the page or away from it. */
function turn(): void {
  look();
  if (!since) pause();
}

function pause(looking?: boolean): void {
  look(looking);
  settle();
  measure();
  report(looking === false || !seen());
}

/** Documents grow while they load: the depth in pixels is kept, its share is worked out when it is told. */
function measure(): void {
  height = Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight || 1);
  deepest = Math.max(deepest, scrollY + innerHeight);
}

function report(leaving: boolean): void {
  if (!page) return;
  if (leaving) runParts(true);
  const scroll = Math.min(100, Math.round((100 * deepest) / height));
  if (scroll <= reported && ms < LEAST_MS) return;
  reported = Math.max(scroll, reported);
  tell("engagement", { engagement: { ms: Math.round(ms), scroll: reported } });
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
  addEventListener("pagehide", () => pause(false));
  setInterval(pause, REPORT_MS);
}
