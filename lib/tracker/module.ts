import { watchAll } from "@/lib/tracker/all";
import type { Footfall, start as Start } from "@/lib/tracker/footfall";
import { startTracker } from "@/lib/tracker/start";

/** The tracker as an ES module, at /footfall.mjs with types beside it: `start({ domain, api })`. See footfall.d.ts. */
export const start: typeof Start = ({ domain, api, hash, manual, user, off, search }) => {
  if (typeof window === "undefined") return idle;
  const present = (wanted?: boolean) => (wanted ? "" : undefined);
  const settings = { domain, api, hash: present(hash), manual: present(manual), user, off: off?.join(" ") };
  const started = watchAll((watch) => startTracker({ ...settings, search: search?.join(" ") }, watch));
  return started || (window as unknown as { footfall?: Footfall }).footfall || idle;
};

const nothing = () => {};
const idle: Footfall = Object.assign(nothing, { exposure: nothing, optOut: nothing, optIn: nothing });
