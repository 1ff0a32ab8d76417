import { cutText, foreignStatus, isMissing, type Sent } from "@/lib/ingest/compat/sent";
import { DAY_MS } from "@/lib/platform/durations";
import { type Issue, Refusal } from "@/lib/platform/errors";
import type { Answer } from "@/lib/platform/http/http";
import { isObject } from "@/lib/platform/json";
import { parseUrl } from "@/lib/platform/text";

/**
 * Reads what Plausible's clients send to `/api/event`: short names, properties and revenue as JSON text, addresses of apps, and
 * several domains. Their answers are our own; they read the status alone.
 */

/** Schemes of pages in apps. Their host names the app or the device, not a site. */
const APP = /^(app|capacitor|ionic|tauri):\/\//i;
const LONGEST_ENGAGEMENT_MS = DAY_MS;

/** Whether an event needs `fromPlausible`. A cheap look, because every event gets it. */
export function isPlausible(sent: unknown): sent is Sent {
  if (!isObject(sent)) return false;
  const { props, revenue, url, domain } = sent;
  return (
    hasShortNames(sent) ||
    typeof props === "string" ||
    typeof revenue === "string" ||
    (typeof url === "string" && APP.test(url)) ||
    (typeof domain === "string" && domain.includes(","))
  );
}

/** Whether one of Plausible's clients sent an event, which own clients and callers by hand never do in this form. */
export const hasShortNames = ({ n, d, u }: Sent): boolean => n !== undefined || d !== undefined || u !== undefined;

/** Whether our script under Plausible's names sent an event: it has our names, and says only by this field whose tag it serves. */
export const isOfPlausibleScript = (sent: unknown): boolean => isObject(sent) && sent.client === "plausible";

/** An event in the names of our Events API, still to be validated. */
interface FromPlausible {
  event: Record<string, unknown>;
  /** The domains that it names; not validated. */
  domains: unknown[];
  warnings: Issue[];
}

export function fromPlausible(sent: Sent): FromPlausible {
  const either = (long: string, short: string) => sent[long] ?? sent[short];
  const name = either("name", "n");
  const url = either("url", "u");
  const domains = domainsOf(either("domain", "d") ?? hostOf(url));
  const warnings: Issue[] = [];
  // Without the short names, so that a refusal names each field once, by the name that `errors` of Plausible has.
  const { n: _n, u: _u, d: _d, r: _r, p: _p, m: _m, $: _$, w: _w, i: _i, h: _h, e: _e, sd: _sd, ...named } = sent;
  const event: Record<string, unknown> = {
    ...named,
    domain: domains[0],
    name,
    url: typeof url === "string" && APP.test(url) ? pageOfApp(url, domains[0]) : url,
    referrer: either("referrer", "r"),
    props: cutProps(either("props", "p") ?? either("meta", "m")),
    revenue: revenueOf(either("revenue", "$"), warnings),
    screen: screenOf(either("screen_width", "w")) ?? sent.screen,
  };
  const interactive = either("interactive", "i");
  if (!isMissing(interactive)) event.interactive = interactive;
  const path = isHashMode(either("hash_mode", "h") ?? sent.hashMode) ? hashPath(url) : undefined;
  if (path !== undefined) event.path = path;
  if (name === "engagement" && sent.engagement === undefined) event.engagement = engagementOf(sent);
  return { event, domains, warnings };
}

function domainsOf(domain: unknown): unknown[] {
  if (typeof domain !== "string" || !domain.includes(",")) return [domain];
  const names = domain.split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

/** Without a domain, an event is about the site of its page. */
const hostOf = (url: unknown): unknown => (typeof url === "string" ? parseUrl(url)?.hostname : undefined);

/** A page of an app counts as a page of the site. */
function pageOfApp(url: string, domain: unknown): string {
  const read = parseUrl(url);
  return read && typeof domain === "string" ? `https://${domain}${read.pathname || "/"}${read.search}` : url;
}

/** Text that is no JSON stays as it is, and is refused where it is validated. */
function fromJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function cutProps(sent: unknown): unknown {
  const props = fromJson(sent);
  if (!isObject(props)) return props;
  return Object.fromEntries(Object.entries(props).map(([key, value]) => [key, cutText(value)]));
}

/** Their script sends an empty object with elements that have no revenue. */
function revenueOf(sent: unknown, warnings: Issue[]): unknown {
  const revenue = fromJson(sent);
  if (typeof revenue !== "object" || revenue === null) return revenue;
  const { amount, currency } = revenue as Sent;
  if (isMissing(amount) && isMissing(currency)) return undefined;
  if (!isMissing(amount) && !isMissing(currency)) return revenue;
  warnings.push({ path: "revenue", message: "needs an amount and a currency; no revenue is counted" });
  return undefined;
}

const screenOf = (width: unknown): unknown => (typeof width === "number" ? `${Math.round(width)}` : width);

const isHashMode = (mode: unknown): boolean => mode === 1 || mode === "1" || mode === true;

/** The page of a site whose routes are in the hash, named as our own tracker names it. */
function hashPath(url: unknown): string | undefined {
  const read = typeof url === "string" ? parseUrl(url) : null;
  if (!read?.hash) return undefined;
  return (read.pathname + read.hash.split("?")[0]).replace(/\/*#!?\/*/, "/");
}

function engagementOf({ e, sd }: Sent): unknown {
  const ms =
    typeof e === "number" && Number.isFinite(e)
      ? Math.min(LONGEST_ENGAGEMENT_MS, Math.max(0, Math.round(e)))
      : (e ?? 0);
  // 255 says that the page's height is unknown.
  const scroll = typeof sd === "number" && sd >= 0 && sd < 255 ? { scroll: Math.min(100, Math.round(sd)) } : {};
  return { ms, ...scroll };
}

/** Returns our answer to an invalid event as Plausible's clients know it: status 400, and messages by field in `errors`. */
export function refusedAsPlausible(answer: Answer, error: unknown): Answer {
  if (!(error instanceof Refusal)) return answer;
  const issues = (error.details?.issues ?? []) as { path: string; message: string }[];
  const errors: Record<string, string[]> = {};
  for (const { path, message } of issues.slice(0, 50))
    errors[path || "body"] = [...(errors[path || "body"] ?? []), message];
  const body = JSON.stringify({
    ...JSON.parse(answer.body),
    errors: issues.length > 0 ? errors : { request: [error.message] },
  });
  return { ...answer, status: foreignStatus(answer), body };
}
