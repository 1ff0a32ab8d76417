import type { Footfall } from "@/lib/tracker/footfall";
import { sendEvent, view, watchPages } from "@/lib/tracker/pages";
import { choose, type Details, type Plugin, prepare, type Settings } from "@/lib/tracker/send";

type Call = [name: string, details?: Details];
export type CreatePlugin = (settings: Settings) => Plugin;
type Base = Pick<Footfall, "optOut" | "optIn"> & ((...call: Call) => void);

/** `q` holds calls made before the script was loaded. */
const win = globalThis as unknown as { footfall?: Partial<Base> & { q?: Call[] } };

/**
 * Starts the tracker and sets `window.footfall`; does nothing if another copy is already running.
 *
 * @param createPlugin creates the automatic tracking (`settings.plugin`), before the first pageview.
 */
export function startTracker(settings: Settings, createPlugin?: CreatePlugin): Base | undefined {
  const { optOut, q } = win.footfall || {};
  if (optOut || !/^http/.test(location.protocol) || (settings.frames === "off" && top !== self)) return;
  let queued: Call[] | undefined = q || [];
  prepare(settings);
  const begin = () => {
    // A prerendered page or background tab has not been seen yet.
    if (document.hidden) document.addEventListener("visibilitychange", begin, { once: true });
    else {
      settings.plugin = createPlugin?.(settings);
      watchPages();
      for (const call of queued as Call[]) handleCall(...call);
      queued = undefined;
    }
  };
  begin();
  const footfall = (...call: Call) => {
    if (queued) queued.push(call);
    else handleCall(...call);
  };
  win.footfall = footfall;
  footfall.optOut = () => choose("true");
  footfall.optIn = () => choose("count");
  return footfall;
}

function handleCall(...[name, details]: Call): void {
  if (name === "pageview") view(details);
  else sendEvent(name, details);
}

/** Starts the tracker with the settings of the script's own tag. */
export function startFromTag(createPlugin?: CreatePlugin): Base | undefined {
  // A module has no current script.
  const script = (document.currentScript || document.querySelector("script[data-domain]")) as HTMLScriptElement | null;
  const tag = script?.dataset;
  // The endpoint is relative to the script, whatever the domain and path it is served from.
  const api = tag?.api || (script?.src && new URL("api/event", script.src).href);
  if (tag?.domain && api) return startTracker({ ...(tag as typeof tag & { domain: string }), api }, createPlugin);
  // A tag of Umami; or a mistake, which that script reports.
  if (script?.src) import(new URL("umami.js", script.src).href);
}
