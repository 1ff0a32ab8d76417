import { watchAll } from "@/lib/tracker/all";
import type { Footfall, start as Start } from "@/lib/tracker/footfall";
import { startTracker } from "@/lib/tracker/start";

/** The tracker as an ES module, served at /footfall.mjs with types: `start({ domain, api })`. See footfall.d.ts. */
export const start: typeof Start = ({ domain, api, hash, query, manual, frames, user, off, search }) => {
  if (typeof window === "undefined") return inactive;
  const asAttribute = (isSet?: boolean) => (isSet ? "" : undefined);
  const attributes = { hash: asAttribute(hash), query: query?.join(), manual: asAttribute(manual), frames };
  const settings = { domain, api, ...attributes, user, off: off?.join(" ") };
  const started = watchAll((watch) => startTracker({ ...settings, search: search?.join(" ") }, watch));
  return started || (window as unknown as { footfall?: Footfall }).footfall || inactive;
};

const noop = () => {};
const inactive: Footfall = Object.assign(noop, { exposure: noop, optOut: noop, optIn: noop });
