import { cutText, foreignStatus, isMissing, type Sent } from "@/lib/ingest/compat/sent";
import { microsecondsOf } from "@/lib/ingest/event/sent-event";
import { type Issue, invalidInput, Refusal } from "@/lib/platform/errors";
import type { Answer } from "@/lib/platform/http/http";
import { isObject } from "@/lib/platform/json";
import { parseUrl } from "@/lib/platform/text";

/** Reads what Umami's clients send to `/api/send` and `/api/batch`, and answers in their form. */

const MAX_DEPTH = 5;
/** A longer title is cut, as in Umami. */
const LONGEST_TITLE = 1000;

const TYPES = ["event", "identify", "performance"] as const;

/** An event of an Umami client. */
export interface FromUmami {
  type: (typeof TYPES)[number];
  /** A domain or a website id. */
  website: string;
  payload: Sent;
}

/** Reads the frame of an event. @throws Refusal `invalid_input` */
export function readUmami(sent: unknown): FromUmami {
  if (!isObject(sent))
    throw invalidInput([
      { path: "", message: 'The event must be an object such as {"type": "event", "payload": {…}}' },
    ]);
  const { payload } = sent;
  const type = TYPES.find((one) => one === sent.type);
  if (type === undefined) throw invalidInput([{ path: "type", message: "must be event, identify or performance" }]);
  if (!isObject(payload)) throw invalidInput([{ path: "payload", message: "must be an object with at least website" }]);
  const { website } = payload;
  for (const path of ["link", "pixel"])
    if (!isMissing(payload[path]) && isMissing(website))
      throw invalidInput([
        { path: `payload.${path}`, message: "is not known here; send the website that it belongs to" },
      ]);
  if (typeof website !== "string" || website === "" || website.length > 269)
    throw invalidInput([{ path: "payload.website", message: "must be a website id, or a domain of a site" }]);
  return { type, website, payload };
}

/** What an event of Umami is in our Events API, or why there is nothing to store. */
type UmamiEvent =
  | { note: string }
  | {
      /** Still to be validated. */
      event: Record<string, unknown>;
      /** In epoch microseconds, if it has a time. */
      at: number | undefined;
      /** The visitor's own, which a server forwards. */
      userAgent: string | undefined;
      ip: string | undefined;
      warnings: Issue[];
    };

const NO_PROFILE = "is not stored: no profile is kept of a visitor";
const FROM_AGENT = "is not used: browser, system and device are read from userAgent";

/** Returns an event in the names of our Events API. @throws Refusal `invalid_input` */
export function fromUmami({ type, payload }: FromUmami, domain: string): UmamiEvent {
  const { hostname, name, referrer, title, screen, language, data, id, tag, timestamp, url } = payload;
  const host = typeof hostname === "string" && hostname !== "" ? hostname : domain;
  if (type === "identify" && isMissing(id)) return { note: `An identify without an id ${NO_PROFILE}.` };
  const vitals = type === "performance" ? measuredVitals(payload) : undefined;
  if (vitals === null) return { note: "A performance without lcp, inp, cls, fcp or ttfb has nothing to store." };
  const isView = type === "event" && isMissing(name);
  const event = {
    domain,
    ...(type === "identify" && { name: "identify", type: "identify" }),
    ...(vitals && { name: "vitals", type: "vitals", vitals }),
    ...(type === "event" && { name: isView ? "pageview" : name, props: flatProps(data, tag) }),
    url: addressOf(isMissing(url) && (isView || vitals) ? "/" : url, host),
    referrer: addressOf(referrer, host),
    title: cutText(title, LONGEST_TITLE),
    screen,
    language: language === "" ? undefined : language,
    user_id: id === "" ? undefined : id,
  };
  const unused = ["browser", "os", "device"].filter((field) => !isMissing(payload[field]));
  const warnings = unused.map((field) => ({ path: `payload.${field}`, message: FROM_AGENT }));
  if (type === "identify" && isObject(data) && Object.keys(data).length > 0)
    warnings.push({ path: "payload.data", message: NO_PROFILE });
  const [userAgent, ip] = [textIn(payload, "userAgent"), textIn(payload, "ip")];
  return { event, at: microsecondsIn(timestamp), userAgent, ip, warnings };
}

function textIn(payload: Sent, field: string): string | undefined {
  const text = payload[field];
  if (isMissing(text)) return undefined;
  if (typeof text === "string") return text;
  throw invalidInput([{ path: `payload.${field}`, message: "must be text" }]);
}

const SENT_VITALS = ["lcp", "inp", "cls", "fcp", "ttfb"] as const;

/** Returns the web vitals that were measured; null if there are none. */
function measuredVitals(payload: Sent): object | null {
  const measured = SENT_VITALS.filter((vital) => !isMissing(payload[vital]));
  return measured.length > 0 ? Object.fromEntries(measured.map((vital) => [vital, payload[vital]])) : null;
}

/** Addresses may be relative: Umami's older clients send the path alone. */
function addressOf(url: unknown, host: string): unknown {
  if (isMissing(url)) return undefined;
  if (typeof url !== "string" || !/^[/?#]|^[^:]*$/.test(url)) return url;
  return `https://${host}${url.startsWith("/") ? "" : "/"}${url}`;
}

const TIME = "must be a number of seconds since 1970";

function microsecondsIn(timestamp: unknown): number | undefined {
  if (isMissing(timestamp)) return undefined;
  const at = typeof timestamp === "string" && /^\d{1,13}$/.test(timestamp) ? Number(timestamp) : timestamp;
  if (typeof at === "number" && at >= 0 && at <= 8.64e15) return microsecondsOf(at);
  throw invalidInput([{ path: "payload.timestamp", message: TIME }]);
}

const SAME_DOTTED_NAME =
  "has a name with dots that a nested value gets too, such as a.b beside {a: {b}}; rename one of them";

/** Nested data gets names with dots, as in Umami's reports; lists become their JSON. */
function flatProps(data: unknown, tag: unknown): unknown {
  const props: [string, unknown][] = [];
  const add = (name: string, value: unknown, depth: number): void => {
    if (!isObject(value) || depth > MAX_DEPTH) props.push([name, plain(value)]);
    else for (const [key, item] of Object.entries(value)) add(name === "" ? key : `${name}.${key}`, item, depth + 1);
  };
  if (data !== undefined && data !== null) {
    // What is no object is refused where it is validated.
    if (!isObject(data)) return data;
    add("", data, 0);
  }
  if (new Set(props.map(([name]) => name)).size < props.length)
    throw invalidInput([{ path: "payload.data", message: SAME_DOTTED_NAME }]);
  if (typeof tag === "string" && tag !== "" && !props.some(([name]) => name === "tag")) props.push(["tag", tag]);
  return props.length > 0 ? Object.fromEntries(props) : undefined;
}

/** A list becomes its JSON. */
function plain(value: unknown): unknown {
  return cutText(typeof value === "object" && value !== null ? JSON.stringify(value) : value);
}

/** The hosts that say which site an event is about, when nobody knows its website. */
export function namedHosts({ hostname, url }: Sent, origin: string | null): string[] {
  const given = [
    hostname,
    ...[url, origin].map((text) => (typeof text === "string" ? parseUrl(text)?.hostname : null)),
  ];
  return [
    ...new Set(given.filter((host): host is string => typeof host === "string" && host !== "" && host.length <= 253)),
  ];
}

/** `@umami/node` names itself like a browser, and is a server. */
export const umamiAgent = (userAgent: string): string => userAgent.replace(/^Mozilla\/5\.0 (?=Umami\/)/, "");

const NAMES: Record<string, string> = { props: "data", user_id: "id", domain: "website" };

/** Returns a refusal with the fields as they stand in the payload. */
export function inUmamiNames(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.code !== "invalid_input") return error;
  const issues = (error.details?.issues ?? []) as Issue[];
  return invalidInput(
    issues.map(({ path, message }) => {
      const [field = "", ...rest] = path.split(".");
      const isOurs = field !== "payload" && /^[a-z]/.test(field) && field !== "type";
      // Web vitals stand directly in the payload.
      const theirs = field === "vitals" ? [] : [NAMES[field] ?? field];
      return { path: isOurs ? ["payload", ...theirs, ...rest].join(".") : path, message };
    }),
  );
}

/** A session and a visit that name nobody. */
const NOBODY = "00000000-0000-0000-0000-000000000000";
export const UMAMI_ANSWER = { cache: "none", sessionId: NOBODY, visitId: NOBODY };

/** Returns our refusal in the form of Umami's API: status 400 for what was sent, and a code with dashes. */
export function refusedAsUmami(answer: Answer): Answer {
  const { error, request_id } = JSON.parse(answer.body);
  const status = foreignStatus(answer);
  const code = status === 400 ? "bad-request" : error.code.replaceAll("_", "-");
  return { ...answer, status, body: JSON.stringify({ error: { ...error, code, status }, request_id }) };
}
