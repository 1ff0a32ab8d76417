import { microsecondsOf } from "@/lib/ingest/event/sent-time";
import { type Issue, invalidInput, Refusal } from "@/lib/platform/errors";
import type { Answer } from "@/lib/platform/http/http";
import { parseUrl } from "@/lib/platform/text";

/** Reads what Umami's clients send to `/api/send` and `/api/batch`, and answers in their form. */

type Sent = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Sent =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const MAX_DEPTH = 5;

/** An event of an Umami client. */
export interface FromUmami {
  type: "event" | "identify";
  /** A domain or a website id. */
  website: string;
  payload: Sent;
}

/** Reads the frame of an event. @throws Refusal `invalid_input` */
export function readUmami(sent: unknown): FromUmami {
  if (!isObject(sent))
    throw invalidInput([{ path: "", message: 'must be an object such as {"type": "event", "payload": {…}}' }]);
  const { type, payload } = sent;
  if (type !== "event" && type !== "identify")
    throw invalidInput([{ path: "type", message: "must be event or identify" }]);
  if (!isObject(payload)) throw invalidInput([{ path: "payload", message: "must be an object with at least website" }]);
  const { website } = payload;
  if (typeof website !== "string" || website === "" || website.length > 269)
    throw invalidInput([{ path: "payload.website", message: "must be a website id, or a domain of a site" }]);
  return { type, website, payload };
}

/** What an event of Umami is in our Events API. */
export interface UmamiEvent {
  /** Still to be validated. */
  event: Record<string, unknown>;
  /** In epoch microseconds, if it has a time. */
  at: number | undefined;
}

/**
 * Returns an event in the names of our Events API; null for an `identify` without an id: there is nothing to store, because
 * no profile is kept of a visitor.
 *
 * @throws Refusal `invalid_input` for an invalid time.
 */
export function fromUmami({ type, payload }: FromUmami, domain: string): UmamiEvent | null {
  const { hostname, name, referrer, title, screen, language, data, id, tag, timestamp, url } = payload;
  const host = typeof hostname === "string" && hostname !== "" ? hostname : domain;
  const isIdentify = type === "identify";
  if (isIdentify && (id === undefined || id === null || id === "")) return null;
  const isView = !isIdentify && (name === undefined || name === null || name === "");
  const event = {
    domain,
    name: isIdentify ? "identify" : isView ? "pageview" : name,
    ...(isIdentify ? { type: "identify" } : {}),
    url: addressOf(url === undefined && isView ? "/" : url, host),
    referrer: addressOf(referrer, host),
    title,
    screen,
    language: language === "" ? undefined : language,
    user_id: id === "" ? undefined : id,
    props: isIdentify ? undefined : propsOf(data, tag),
  };
  return { event, at: timeOf(timestamp) };
}

/** Umami's older clients send the path alone. */
function addressOf(url: unknown, host: string): unknown {
  if (url === "" || url === null || url === undefined) return undefined;
  return typeof url === "string" && url.startsWith("/") ? `https://${host}${url}` : url;
}

const TIME = "must be a number of seconds since 1970";

function timeOf(timestamp: unknown): number | undefined {
  if (timestamp === undefined || timestamp === null) return undefined;
  const at = typeof timestamp === "string" && /^\d{1,13}$/.test(timestamp) ? Number(timestamp) : timestamp;
  if (typeof at === "number" && at >= 0 && at <= 8.64e15) return microsecondsOf(at);
  throw invalidInput([{ path: "payload.timestamp", message: TIME }]);
}

/** Nested data gets names with dots, as in Umami's reports; lists become their JSON. */
function propsOf(data: unknown, tag: unknown): unknown {
  const props: [string, unknown][] = [];
  const add = (name: string, value: unknown, depth: number): void => {
    if (!isObject(value) || depth > MAX_DEPTH)
      props.push([name, typeof value === "object" && value !== null ? JSON.stringify(value) : value]);
    else for (const [key, item] of Object.entries(value)) add(name === "" ? key : `${name}.${key}`, item, depth + 1);
  };
  if (data !== undefined && data !== null) {
    // What is no object is refused where it is validated.
    if (!isObject(data)) return data;
    add("", data, 0);
  }
  if (typeof tag === "string" && tag !== "" && !props.some(([name]) => name === "tag")) props.push(["tag", tag]);
  return props.length > 0 ? Object.fromEntries(props) : undefined;
}

/** The hosts that say which site an event is about, when nobody knows its website. */
export function hostsOf({ hostname, url }: Sent, origin: string | null): string[] {
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
      return { path: isOurs ? ["payload", NAMES[field] ?? field, ...rest].join(".") : path, message };
    }),
  );
}

/** A session and a visit that name nobody. */
const NOBODY = "00000000-0000-0000-0000-000000000000";
export const UMAMI_ANSWER = { cache: "none", sessionId: NOBODY, visitId: NOBODY };

/** Returns our refusal in the form of Umami's API: status 400 for what was sent, and a code with dashes. */
export function refusedAsUmami(answer: Answer): Answer {
  const { error, request_id } = JSON.parse(answer.body);
  const status = answer.status === 422 ? 400 : answer.status;
  const code = status === 400 ? "bad-request" : error.code.replaceAll("_", "-");
  return { ...answer, status, body: JSON.stringify({ error: { ...error, code, status }, request_id }) };
}
