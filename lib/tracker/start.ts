import type { Footfall } from "@/lib/tracker/footfall";
import { tell, view, watchPages } from "@/lib/tracker/pages";
import { choose, type Details, type Part, prepare, type Settings } from "@/lib/tracker/send";

type Call = [name: string, details?: Details];
export type Watch = (settings: Settings) => Part;
type Base = Pick<Footfall, "optOut" | "optIn"> & ((...call: Call) => void);

/** `q` holds the calls made before the script was there. */
const win = globalThis as unknown as { footfall?: Partial<Base> & { q?: Call[] } };

/**
 * Starts the tracker and puts `window.footfall` there; does nothing when another copy of it was first.
 *
 * @param watch begins what else is to be noticed, before the first page is counted; its answer is `settings.notice`.
 */
export function startTracker(settings: Settings, watch?: Watch): Base | undefined {
  const { optOut, q } = win.footfall || {};
  if (optOut || !/^http/.test(location.protocol)) return;
  let early: Call[] | undefined = q || [];
  prepare(settings);
  const begin = () => {
    // A page that was only prerendered or opened in the background was not seen by anyone, yet.
    if (document.hidden) document.addEventListener("visibilitychange", begin, { once: true });
    else {
      settings.notice = watch?.(settings);
      watchPages();
      for (const call of early as Call[]) count(...call);
      early = undefined;
    }
  };
  begin();
  const footfall = (...call: Call) => {
    if (early) early.push(call);
    else count(...call);
  };
  win.footfall = footfall;
  footfall.optOut = () => choose("true");
  footfall.optIn = () => choose("count");
  return footfall;
}

function count(...[name, details]: Call): void {
  if (name === "pageview") view(details);
  else tell(name, details);
}

/** Reads the script's own tag, and starts what it says. */
export function startFromTag(watch?: Watch): Base | undefined {
  const script = document.currentScript as HTMLScriptElement | null;
  const tag = script?.dataset;
  // The endpoint stands beside the script, under whatever path of whatever domain that is served.
  const api = tag?.api || (script?.src && new URL("api/event", script.src).href);
  if (tag?.domain && api) return startTracker({ ...(tag as typeof tag & { domain: string }), api }, watch);
}
