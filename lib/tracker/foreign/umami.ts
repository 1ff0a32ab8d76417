import { sendEvent } from "@/lib/tracker/pages";
import type { Details, Settings } from "@/lib/tracker/send";
import { startTracker } from "@/lib/tracker/start";
import { watchVitals } from "@/lib/tracker/vitals";

/**
 * What `/script.js` loads for a tag of Umami: `data-website-id` names the site, by a domain or by an id that its owner has
 * mapped. It sets `window.umami`.
 */

type Data = Record<string, unknown>;
type Payload = Data & { name?: string; url?: string; title?: string; referrer?: string; data?: Data; id?: string };
type Track = (name?: string | Payload | ((payload: Payload) => Payload), data?: Data) => void;

const tag = document.querySelector<HTMLScriptElement>("script[data-website-id]");
const {
  websiteId,
  hostUrl,
  domains,
  tag: label,
  autoTrack,
  excludeSearch,
  excludeHash,
  doNotTrack,
  beforeSend,
  performance,
} = tag?.dataset ?? {};

function start(script: HTMLScriptElement, domain: string): void {
  const base = hostUrl ? `${hostUrl.replace(/\/$/, "")}/` : new URL(".", script.src).href;
  const settings: Settings = {
    domain,
    api: `${base}api/send`,
    ...(autoTrack === "false" ? { manual: "" } : {}),
    adapt: (event) => adapt(event as Data),
  };
  let visibleAtStart = true;
  const started = startTracker(settings, () => {
    addEventListener("click", clicked, true);
    return performance === "true" ? watchVitals(settings, visibleAtStart) : () => {};
  });
  visibleAtStart = false;
  // Another tag of ours on the page is already counting.
  const track = started ?? (window as unknown as { footfall?: typeof started }).footfall;
  if (!track) return;
  const send = ({ name, url, title, referrer, data, id }: Payload) => {
    const details: Details = {
      ...(data && { props: flat(data) as Details["props"] }),
      ...(id && { user_id: `${id}` }),
    };
    track(name ?? "pageview", {
      ...details,
      ...(url && { url: new URL(url, location.href).href }),
      ...(title && { title }),
      ...(referrer !== undefined && { referrer }),
    });
  };
  const call: Track = (name, data) => {
    if (typeof name === "function")
      send(
        name({
          website: domain,
          url: location.href,
          title: document.title,
          referrer: document.referrer,
          hostname: location.hostname,
        }),
      );
    else if (typeof name === "object") send(name);
    else send({ ...(name !== undefined && { name }), ...(data && { data }) });
  };
  const identify = (id?: string | Data) => {
    // Without an id there is nothing to store: no profile is kept of a visitor.
    if (typeof id === "string" && id !== "") track("identify", { user_id: id });
  };
  // Pages may wait for a call. Events survive the page, so there is nothing to wait for.
  const soon =
    <Args extends unknown[]>(run: (...args: Args) => void) =>
    async (...args: Args) =>
      run(...args);
  const getSession = () => ({ website: domain });
  (window as unknown as { umami: object }).umami = { track: soon(call), identify: soon(identify), getSession };
}

/** Asked of each event, because a page may let its visitor opt out. */
function isDisabled(): boolean {
  if (domains && !domains.split(",").some((name) => name.trim() === location.hostname)) return true;
  if (doNotTrack === "true" && (navigator as { doNotTrack?: string }).doNotTrack === "1") return true;
  try {
    return Boolean(localStorage["umami.disabled"]);
  } catch {
    return false;
  }
}

/** `data-umami-event="Signup" data-umami-event-plan="pro"` on what is clicked. */
function clicked(event: MouseEvent): void {
  const [target] = event.composedPath() as Element[];
  if (event.button > 1 || !target?.closest) return;
  const tagged = target.closest("[data-umami-event]");
  if (!tagged) return;
  const PREFIX = "data-umami-event";
  const props: Record<string, string> = {};
  for (const { name, value } of tagged.attributes)
    if (name.startsWith(`${PREFIX}-`)) props[name.slice(PREFIX.length + 1)] = value;
  sendEvent(tagged.getAttribute(PREFIX) ?? "", { props });
}

/** Nested data gets names with dots. */
function flat(data: Data, prefix = ""): Data {
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) => {
      if (typeof value !== "object" || value === null) return [[prefix + key, value]];
      return Array.isArray(value)
        ? [[prefix + key, JSON.stringify(value)]]
        : Object.entries(flat(value as Data, `${prefix}${key}.`));
    }),
  );
}

/** The address that was sent of the current view; null if it was held back. What belongs to the view follows it. */
let viewed: { url: unknown } | null = null;

/** Leaves out of an event what the tag excludes, and lets the page change it or hold it back. */
function adapt(event: Data): boolean | Promise<boolean> {
  const isView = event.name === "pageview";
  if (isView) viewed = null;
  if (isDisabled()) return false;
  if (event.name === "engagement" || event.name === "vitals") {
    Object.assign(event, viewed);
    return viewed !== null;
  }
  for (const field of ["url", "referrer"]) {
    if (excludeSearch === "true") event[field] = without(/\?[^#]*/, event[field]);
    if (excludeHash === "true") event[field] = without(/#.*/, event[field]);
  }
  const isIdentify = event.name === "identify";
  const finish = (payload: Payload | null | undefined): boolean => {
    if (!payload) return false;
    const { name = event.name, url, title, referrer, data, id: user_id, tag: labelled } = payload;
    const props = labelled && !isIdentify ? { tag: labelled, ...data } : data;
    Object.assign(event, { name, url, title, referrer, user_id, props });
    if (isView) viewed = { url };
    return true;
  };
  const payload = payloadOf(event, isView || isIdentify);
  const change = beforeSend ? (window as unknown as Record<string, unknown>)[beforeSend] : undefined;
  const changed = typeof change === "function" ? change(isIdentify ? "identify" : "event", payload) : payload;
  return typeof changed?.then === "function" ? Promise.resolve(changed).then(finish) : finish(changed);
}

const without = (part: RegExp, address: unknown) => (typeof address === "string" ? address.replace(part, "") : address);

/** Returns an event as Umami's script hands it to the page. */
function payloadOf(event: Data, isUnnamed: boolean): Payload {
  const { name, url, title, referrer, props, screen, language, user_id } = event as Record<string, string>;
  return {
    ...{ website: websiteId, hostname: location.hostname, screen, language, title, url, referrer, tag: label },
    ...(!isUnnamed && { name }),
    data: props as unknown as Data | undefined,
    id: user_id,
  } as Payload;
}

if (tag && websiteId) start(tag, websiteId);
// biome-ignore lint/suspicious/noConsole: whoever adds the tag looks here
else console.warn("Footfall needs data-domain");
