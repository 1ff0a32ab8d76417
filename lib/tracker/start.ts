import type { Footfall } from "@/lib/tracker/footfall";
import { seen, settle, tell, view, watchPages } from "@/lib/tracker/pages";
import { type Details, prepare, remember, type Settings } from "@/lib/tracker/send";

type Call = [name: string, details?: Details];
type Base = Pick<Footfall, "optOut" | "optIn"> & ((...call: Call) => void);

/** `q` holds the calls made before the script was there. */
const win = () => window as unknown as { footfall?: Partial<Base> & { q?: Call[] } };

/**
 * Starts the tracker and puts `window.footfall` there; does nothing when another copy of it was first.
 *
 * @param watch what else to notice, begun before the first page is counted.
 */
export function startTracker(settings: Settings, watch?: (settings: Settings) => void): Base | undefined {
  const { optOut, q } = win().footfall || {};
  if (optOut || !/^http/.test(location.protocol)) return;
  const early = q || [];
  let begun = false;
  prepare(settings);
  whenSeen(() => {
    watch?.(settings);
    watchPages(settings);
    begun = true;
    for (const call of early) count(...call);
  });
  const footfall = (...call: Call) => {
    if (begun) count(...call);
    else early.push(call);
  };
  win().footfall = footfall;
  footfall.optOut = () => remember("true");
  footfall.optIn = () => remember("");
  return footfall;
}

/** A page that was only prerendered or opened in the background was not seen by anyone, yet. */
function whenSeen(begin: () => void): void {
  if (seen()) begin();
  else document.addEventListener("visibilitychange", () => whenSeen(begin), { once: true });
}

function count(...[name, details]: Call): void {
  if (name === "pageview") view(details);
  else {
    settle();
    tell(name, details);
  }
}

/** Reads the script's own tag, and starts what it says. */
export function startFromTag(watch?: (settings: Settings) => void): Base | undefined {
  const script = document.currentScript as HTMLScriptElement | null;
  const tag = script?.dataset;
  // The endpoint stands beside the script, under whatever path of whatever domain that is served.
  const api = tag?.api || (script?.src && new URL("api/event", script.src).href);
  if (tag?.domain && api) return startTracker({ ...tag, domain: tag.domain, api }, watch);
}
