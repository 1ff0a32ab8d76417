import { type Details, type Page, send, settings } from "@/lib/tracker/send";

/** Tracks pageviews in documents and single-page applications, with engagement time and scroll depth. */

/** Interval of reports on a long read. Also the longest time that is counted at once: a longer one was a sleeping device. */
const REPORT_MS = 300_000;

/** The current page; undefined while a router navigates. */
export let page: Page | undefined;
let route: string | undefined;
let pendingPageview: ReturnType<typeof setTimeout> | undefined;
/** When the page became visible and focused; 0 when it is not. */
let since = 0;
/** Engagement and scroll depth that are not sent yet, and the depth that is. */
let ms = 0;
let deepest = 0;
let height = 0;
let reported = 0;

/** Starts tracking with the current page. */
export function watchPages(): void {
  updateEngagement();
  if (settings.manual == null) {
    view();
    // Sees every router, also one that keeps the original `pushState` or does not use it.
    if (window.navigation) navigation.addEventListener("currententrychange", navigated);
    else {
      for (const method of ["pushState", "replaceState"] as const) {
        const original = history[method];
        history[method] = (...args) => {
          original.apply(history, args);
          navigated();
        };
      }
      // Also fires when only the hash has changed.
      addEventListener("popstate", navigated);
    }
    // Restored from the back/forward cache: the page is shown again without restarting its script.
    addEventListener("pageshow", (event) => event.persisted && view());
  }
  for (const type of ["scroll", "load", "focus", "blur", "visibilitychange"]) addEventListener(type, onActivity);
  setInterval(reportProgress, REPORT_MS);
}

/** Sends an event of the current page. A pageview that is still pending is sent first. */
export function sendEvent(name: string, details?: Details): void {
  if (pendingPageview) view();
  send(name, page || currentPage(), details);
}

/** The current page. The hash can contain secrets and is removed, unless the site uses it as the route. */
function currentPage(
  url = location.href.slice(0, 4096).split("#")[0],
  path = settings.query || settings.hash != null
    ? currentRoute()
        .replace(/\/*#!?\/*/, "/")
        .slice(0, 4096)
    : undefined,
): Page {
  return { title: document.title.slice(0, 1000), url, path };
}

/** What follows `?` in the hash makes no other page, and of the URL's query only the parameters that the tag names. */
const currentRoute = () =>
  location.pathname +
  (settings.hash == null ? "" : location.hash).split("?")[0] +
  (settings.query
    ? "?" +
      location.search
        .split(/[?&]/)
        .filter((sent) => (settings.query as string).split(",").includes(sent.split("=")[0] as string))
        .join("&")
    : "");

/** Sends a pageview immediately. */
export function view(details?: Details): void {
  endPage();
  // Only the first pageview of a document has the referrer.
  const referrer = route ? undefined : document.referrer.slice(0, 4096);
  route = currentRoute();
  page = currentPage(details?.url, details?.path);
  deepest = reported = ms = 0;
  updateDepth();
  sendEvent("pageview", { referrer, ...details });
  settings.plugin?.();
}

/** Ends the current page, if there is one. */
function endPage(): void {
  pendingPageview = void clearTimeout(pendingPageview);
  updateEngagement();
  report(true);
  page = undefined;
}

function navigated(): void {
  /** Routers set the title after the URL and may redirect at once, so a pageview waits this long. */
  const ROUTE_DELAY_MS = 300;
  if (route !== currentRoute()) {
    route = currentRoute();
    endPage();
    pendingPageview = setTimeout(view, ROUTE_DELAY_MS);
  } else if (page) settings.plugin?.();
}

/** Adds the time since the last call if the page was visible and focused, and checks whether it still is. */
function updateEngagement(): void {
  const now = performance.now();
  if (since) ms += Math.min(now - since, REPORT_MS);
  since = document.hidden || !document.hasFocus() ? 0 : now;
}

/** Runs on scroll, focus and visibility changes. */
function onActivity(): void {
  const wasActive = since;
  updateEngagement();
  updateDepth();
  if (document.hidden || (wasActive && !since)) reportProgress();
}

function reportProgress(): void {
  updateEngagement();
  if (pendingPageview) view();
  report(document.hidden);
}

/** Documents grow while they load, so the depth is stored in pixels and converted to a share when it is sent. */
function updateDepth(): void {
  height = Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight || 1);
  deepest = Math.max(deepest, scrollY + innerHeight);
}

function report(leaving: boolean): void {
  /** Engagement below this is not sent without new scroll depth. */
  const MIN_ENGAGEMENT_MS = 3_000;
  if (!page) return;
  if (leaving) settings.plugin?.(true);
  const scroll = Math.max(reported, Math.min(100, Math.round((100 * deepest) / height)));
  if (scroll === reported && ms < MIN_ENGAGEMENT_MS) return;
  reported = scroll;
  sendEvent("engagement", { engagement: { ms: Math.round(ms), scroll } });
  ms = 0;
}
