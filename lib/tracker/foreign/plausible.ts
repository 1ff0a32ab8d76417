import { FILE_EXTENSIONS, watchClicks } from "@/lib/tracker/foreign/plausible-clicks";
import type { Details, Settings } from "@/lib/tracker/send";
import { startTracker } from "@/lib/tracker/start";

/**
 * The script under Plausible's names: `/js/script.js` and `/js/plausible.js` with their extensions (`script.hash.manual.js`),
 * and `/js/pa-….js`, whose options `plausible.init` has. It sets `window.plausible` and answers calls that waited in
 * `plausible.q`.
 */

/** The server replaces this text by the name under which it serves the script. */
const NAME = "__FOOTFALL_SCRIPT_NAME__";

type Props = Record<string, string | number | boolean | null>;
interface CallOptions {
  props?: Props;
  revenue?: Details["revenue"];
  interactive?: boolean;
  u?: string;
  url?: string;
  callback?(result?: { status?: number; error?: unknown }): void;
}
type Request = Record<string, unknown>;
interface Init {
  domain?: string;
  endpoint?: string;
  autoCapturePageviews?: boolean;
  hashBasedRouting?: boolean;
  outboundLinks?: boolean;
  fileDownloads?: boolean | { fileExtensions?: string[] };
  formSubmissions?: boolean;
  captureOnLocalhost?: boolean;
  customProperties?: Props | ((name: string) => Props);
  transformRequest?(request: Request): Request | null | undefined;
}
interface Plausible {
  (name: string, options?: CallOptions): void;
  q?: ArrayLike<unknown>[];
  o?: Init;
  init?(options?: Init): void;
  l?: boolean;
}

const win = window as unknown as { plausible?: Plausible };
const script = (document.currentScript ?? document.querySelector("script[data-domain]")) as HTMLScriptElement | null;
const tag = script?.dataset ?? {};
const isConfigured = NAME.startsWith("pa-");
const extensions = isConfigured ? [] : NAME.split(".").slice(1, -1);
const has = (extension: string): boolean => extensions.includes(extension);

/** Names the site of a configured script: its options, its file (`pa-example.com.js`), or the page. */
function domainOf(options: Init): string {
  const inFile = /^pa-(.+\..+)\.js$/.exec(NAME)?.[1];
  return options.domain ?? tag.domain ?? inFile ?? location.hostname.replace(/^www\./, "");
}

function start(options: Init): void {
  const queued = win.plausible?.q ?? [];
  const origin = script?.src ? new URL(script.src).origin : "";
  const isHash = options.hashBasedRouting ?? has("hash");
  const isManual = options.autoCapturePageviews === false || has("manual");
  const callbacks = new Map<string, CallOptions["callback"]>();
  const settings: Settings = {
    domain: domainOf(options),
    api: options.endpoint ?? tag.api ?? `${origin}/api/event`,
    ...(isHash ? { hash: "" } : {}),
    ...(isManual ? { manual: "" } : {}),
    adapt(event) {
      const isSent = adapt(event as Request, options);
      if (!isSent) answer(callbacks, event.event_id);
      // For the live test, which shows whose client sent an event.
      Object.assign(event, { client: "plausible" });
      return isSent;
    },
    answered: (status, body) => answer(callbacks, JSON.parse(body).event_id, status),
  };
  const { fileDownloads: files = isConfigured } = options;
  const started = startTracker(settings, () => {
    watchClicks({
      outbound: options.outboundLinks ?? (isConfigured || has("outbound-links")),
      files: has("file-downloads") || Boolean(files),
      tagged: isConfigured || has("tagged-events"),
      forms: options.formSubmissions ?? isConfigured,
      extensions: filesOf(files),
    });
    return () => {};
  });
  // Another tag of ours on the page is already counting.
  const track = started ?? (window as unknown as { footfall?: typeof started }).footfall;
  if (!track) return;
  const plausible: Plausible = (name, { props, revenue, interactive, u, url = u, callback } = {}) => {
    const event_id = crypto.getRandomValues(new Uint16Array(4)).join("__");
    if (callback) callbacks.set(event_id, callback);
    const own = { ...(props && { props }), ...(revenue && { revenue }), ...(interactive === false && { interactive }) };
    track(name, { ...own, ...(url && { url }), event_id });
  };
  plausible.l = true;
  plausible.init = () => {};
  win.plausible = plausible;
  for (const [name, details] of Array.from(queued, (call) => Array.from(call)))
    plausible(name as string, (details ?? undefined) as CallOptions | undefined);
}

const filesOf = (files: Init["fileDownloads"]): readonly string[] => {
  const added = typesIn("add-file-types");
  if (added) return [...added, ...FILE_EXTENSIONS];
  return (typeof files === "object" ? files.fileExtensions : typesIn("file-types")) ?? FILE_EXTENSIONS;
};

/** Plausible's attributes have no `data-` before them; some templates add it. */
const typesIn = (attribute: string): string[] | undefined =>
  (script?.getAttribute(attribute) ?? script?.getAttribute(`data-${attribute}`))?.split(",").map((type) => type.trim());

function answer(callbacks: Map<string, CallOptions["callback"]>, id: string | undefined, status?: number): void {
  const callback = callbacks.get(id ?? "");
  callbacks.delete(id ?? "");
  if (callback)
    callback(status === undefined ? undefined : status > 0 ? { status } : { error: new TypeError("Network error") });
}

/** Whether this page may send anything: not from a machine of a developer, nor from an opted-out browser. */
function isAllowed({ captureOnLocalhost }: Init): boolean {
  const isLocal = /^localhost$|^127(\.\d+){0,2}\.\d+$|^\[::1?\]$/.test(location.hostname);
  if (isLocal && !captureOnLocalhost && !has("local")) return false;
  try {
    return localStorage.plausible_ignore !== "true";
  } catch {
    // Storage is not available.
    return true;
  }
}

/** Whether the tag leaves out the views of this page. Its other events count, as in Plausible. */
function isExcluded(): boolean {
  if (!has("exclusions")) return false;
  const { pathname, hash } = location;
  const path = pathname + (has("hash") ? hash : "");
  const matches = (patterns: string) => patterns.split(",").some((pattern) => patternOf(pattern.trim()).test(path));
  return Boolean((tag.include && !matches(tag.include)) || (tag.exclude && matches(tag.exclude)));
}

const patternOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
      .replace(/\*\*/g, "\0")
      .replace(/([^\\])\*/g, "$1[^\\s/]*")
      .replace(/\0/g, ".*")}/?$`,
  );

/** What was sent of the current view; null if it was held back. Its engagement follows it. */
let viewed: { url: unknown; path: unknown } | null = null;

/** Adds the properties of the page, and lets the page change the event or hold it back. @returns whether to send it */
function adapt(event: Request, options: Init): boolean {
  const isView = event.name === "pageview";
  if (isView) viewed = null;
  if (!isAllowed(options) || (isView && isExcluded())) return false;
  if (event.name === "engagement") {
    Object.assign(event, viewed);
    return viewed !== null;
  }
  if (!change(event, options)) return false;
  if (isView) viewed = { url: event.url, path: event.path };
  return true;
}

function change(event: Request, { customProperties, transformRequest }: Init): boolean {
  const name = event.name as string;
  const ofPage = has("pageview-props") || isConfigured ? attributeProps() : {};
  const custom = typeof customProperties === "function" ? customProperties(name) : customProperties;
  const props = { ...ofPage, ...(custom && typeof custom === "object" ? custom : {}), ...(event.props as Props) };
  if (Object.keys(props).length > 0) event.props = props;
  if (!transformRequest) return true;
  const { url, domain, referrer = null, props: p, revenue, interactive } = event;
  const changed = transformRequest({ n: name, u: url, d: domain, r: referrer, p, $: revenue, i: interactive });
  if (!changed) return false;
  // A path is of the address that the page has replaced.
  if (changed.u !== url) event.path = undefined;
  const { n, u, d, r, p: all, $, i } = changed;
  Object.assign(event, { name: n, url: u, domain: d, referrer: r, props: all, revenue: $, interactive: i });
  return true;
}

/** `event-author="Ada"` on the tag is a property of each event. */
function attributeProps(): Props {
  const props: Props = {};
  for (const { name, value } of script?.attributes ?? []) if (name.startsWith("event-")) props[name.slice(6)] = value;
  return props;
}

if (!win.plausible?.l) {
  const before = win.plausible;
  if (!isConfigured) start({});
  else if (before?.o) start(before.o);
  else {
    const calls: unknown[][] = [];
    const waiting: Plausible = before ?? ((...call) => void calls.push(call));
    waiting.q ??= calls;
    waiting.init = (options = {}) => start(options);
    win.plausible = waiting;
  }
}
