import { type Details, type Page, send, settings } from "@/lib/tracker/send";

/** The pages that are shown, in documents and in single-page applications, and how long and how far they are read. */

/** Routers set the title after the address, and may redirect at once: the page is what stands after this. */
const SETTLE_MS = 300;
/** Less new attention than this is not worth a request. */
const LEAST_MS = 3_000;
/** A long read tells that it goes on. It is also the most one look can last: a longer one was a sleeping machine. */
const REPORT_MS = 300_000;

/** The page being read; none while a router is on its way to the next. */
export let page: Page | undefined;
let route: string | undefined;
let settling: ReturnType<typeof setTimeout> | undefined;
/** Visible and focused since then; 0 when it is not. */
let since = 0;
/** Attention and depth that have not been reported, and the depth that has. */
let ms = 0;
let deepest = 0;
let height = 0;
let reported = 0;

/** Begins with the page that is shown. */
export function watchPages(): void {
  look();
  if (settings.manual == null) {
    view();
    for (const method of ["pushState", "replaceState"] as const) {
      const original = history[method];
      history[method] = (...args) => {
        original.apply(history, args);
        navigated();
      };
    }
    // Also when only what stands behind the # has changed.
    addEventListener("popstate", navigated);
    // Back from the browser's memory: the page is shown again, but its script does not start again.
    addEventListener("pageshow", (event) => event.persisted && view());
  }
  for (const type of ["scroll", "load", "focus", "blur", "visibilitychange"]) addEventListener(type, turn);
  setInterval(pause, REPORT_MS);
}

/** Sends an event of the page that is shown; one that a router has just led to is counted first. */
export function tell(name: string, details?: Details): void {
  settle();
  send(name, page || here(), details);
}

/** What is open now. What stands behind the # can be a secret, and stays here unless the site's routes are there. */
function here(
  url = location.href.slice(0, 4096).split("#")[0],
  path = settings.hash == null ? undefined : whereabouts().replace(/\/*#!?\/*/, "/"),
): Page {
  return { url, path, title: document.title.slice(0, 1000) };
}

const whereabouts = () => location.pathname + (settings.hash == null ? "" : location.hash);

/** Counts a pageview, now. */
export function view(details?: Details): void {
  leave();
  // The first of the document tells where its visitor came from.
  const referrer = route ? undefined : document.referrer.slice(0, 4096);
  route = whereabouts();
  page = here(details?.url, details?.path);
  deepest = reported = ms = 0;
  measure();
  tell("pageview", { referrer, ...details });
  settings.notice?.();
}

/** Counts the page that a router has led to, if it has not been yet. */
function settle(): void {
  if (settling) view();
}

/** Ends the page being read, if one is. */
function leave(): void {
  settling = void clearTimeout(settling);
  look();
  report(true);
  page = undefined;
}

function navigated(): void {
  if (route !== whereabouts()) {
    route = whereabouts();
    leave();
    settling = setTimeout(view, SETTLE_MS);
  } else if (page) settings.notice?.();
}

/** Adds up the time for which somebody looked, and notes whether somebody does. */
function look(): void {
  const now = performance.now();
  if (since) ms += Math.min(now - since, REPORT_MS);
  since = !document.hidden && document.hasFocus() ? now : 0;
}

/** Somebody may have turned to the page or away from it, or read on. */
function turn(): void {
  const looked = since;
  look();
  measure();
  if (document.hidden || (looked && !since)) pause();
}

function pause(): void {
  look();
  settle();
  report(document.hidden);
}

/** Documents grow while they load: the depth in pixels is kept, its share is worked out when it is told. */
function measure(): void {
  height = Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight || 1);
  deepest = Math.max(deepest, scrollY + innerHeight);
}

function report(leaving: boolean): void {
  if (!page) return;
  if (leaving) settings.notice?.(true);
  const scroll = Math.max(reported, Math.min(100, Math.round((100 * deepest) / height)));
  if (scroll === reported && ms < LEAST_MS) return;
  reported = scroll;
  tell("engagement", { engagement: { ms: Math.round(ms), scroll } });
  ms = 0;
}
