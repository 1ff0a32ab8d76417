import { watchForms } from "@/lib/tracker/clicks";
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
      const isSent = isAllowed(options) && adapt(event as Request, options);
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
      extensions: filesOf(files),
    });
    if (options.formSubmissions ?? isConfigured) watchForms();
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
  const given = typeof files === "object" ? files.fileExtensions : tag.fileTypes?.split(",").map((type) => type.trim());
  const added = tag.addFileTypes?.split(",").map((type) => type.trim()) ?? [];
  return [...(given ?? FILE_EXTENSIONS), ...added];
};

function answer(callbacks: Map<string, CallOptions["callback"]>, id: string | undefined, status?: number): void {
  const callback = callbacks.get(id ?? "");
  callbacks.delete(id ?? "");
  if (callback)
    callback(status === undefined ? undefined : status > 0 ? { status } : { error: new TypeError("Network error") });
}

/** Whether this page may send anything: not from a machine of a developer, an opted-out browser or an excluded page. */
function isAllowed({ captureOnLocalhost }: Init): boolean {
  const { hostname, pathname, hash } = location;
  if (!captureOnLocalhost && !has("local") && /^localhost$|^127(\.\d+){0,2}\.\d+$|^\[::1?\]$/.test(hostname))
    return false;
  try {
    if (localStorage.plausible_ignore === "true") return false;
  } catch {
    // Storage is not available.
  }
  if (!has("exclusions")) return true;
  const path = pathname + (has("hash") ? hash : "");
  const matches = (patterns: string) => patterns.split(",").some((pattern) => patternOf(pattern.trim()).test(path));
  return !(tag.include && !matches(tag.include)) && !(tag.exclude && matches(tag.exclude));
}

const patternOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
      .replace(/\*\*/g, "\0")
      .replace(/([^\\])\*/g, "$1[^\\s/]*")
      .replace(/\0/g, ".*")}/?$`,
  );

/** Adds the properties of the page, and lets the page change or drop the event. */
function adapt(event: Request, { customProperties, transformRequest }: Init): boolean {
  const name = event.name as string;
  if (name === "engagement") return true;
  const ofPage = has("pageview-props") || isConfigured ? attributeProps() : {};
  const custom = typeof customProperties === "function" ? customProperties(name) : customProperties;
  const props = { ...ofPage, ...(custom && typeof custom === "object" ? custom : {}), ...(event.props as Props) };
  if (Object.keys(props).length > 0) event.props = props;
  if (!transformRequest) return true;
  const { url, domain, referrer, props: all, revenue, interactive } = event;
  const changed = transformRequest({
    n: name,
    u: url,
    d: domain,
    r: referrer ?? null,
    p: all,
    $: revenue,
    i: interactive,
  });
  if (!changed) return false;
  const { n, u, d, r, p, $, i } = changed;
  Object.assign(event, { name: n, url: u, domain: d, referrer: r, props: p, revenue: $, interactive: i });
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
