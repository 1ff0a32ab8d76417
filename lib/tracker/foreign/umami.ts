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
  const isElsewhere = domains && !domains.split(",").some((name) => name.trim() === location.hostname);
  if (isElsewhere || isDisabled()) return;
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

function isDisabled(): boolean {
  const { navigator } = window;
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

function adapt(event: Data): boolean {
  if (typeof event.url === "string" && excludeSearch === "true") event.url = event.url.replace(/\?[^#]*/, "");
  if (typeof event.url === "string" && excludeHash === "true") event.url = event.url.split("#")[0];
  if (event.name === "engagement" || event.name === "vitals") return true;
  if (label && event.name !== "identify") event.props = { tag: label, ...(event.props as Data) };
  const change = beforeSend ? (window as unknown as Record<string, unknown>)[beforeSend] : undefined;
  if (typeof change !== "function") return true;
  const { name, url, title, referrer, props } = event;
  const payload = change("event", { name: name === "pageview" ? undefined : name, url, title, referrer, data: props });
  if (!payload) return false;
  Object.assign(event, { url: payload.url, title: payload.title, referrer: payload.referrer, props: payload.data });
  return true;
}

if (tag && websiteId) start(tag, websiteId);
// biome-ignore lint/suspicious/noConsole: whoever adds the tag looks here
else console.warn("Footfall needs data-domain");
