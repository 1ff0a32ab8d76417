import type { Warning } from "@/lib/ingest/api/commerce";
import {
  type DecidedOrFiltered,
  type From,
  ingestEvent,
  recordingRefusals,
  recordRefusal,
  writeDecided,
} from "@/lib/ingest/api/ingest-event";
import { invalidKey, requireKey } from "@/lib/ingest/api/keys";
import { isWebsiteId } from "@/lib/ingest/compat/sent";
import type { EventDebugRecord } from "@/lib/ingest/debug/debug-record-schema";
import { readHints } from "@/lib/ingest/enrich/agent";
import type { PageHeaders } from "@/lib/ingest/enrich/classify";
import { readSignature } from "@/lib/ingest/enrich/web-bot-auth";
import type { Outcome } from "@/lib/ingest/event/decided-event";
import { type EventBody, type EventTime, type SentEvent, timesOf } from "@/lib/ingest/event/sent-event";
import { saltsAt, saltsFor } from "@/lib/ingest/identity/salts";
import { type Arrival, describeDuplicate } from "@/lib/ingest/pipeline/debug-record";
import { decideEvent } from "@/lib/ingest/pipeline/pipeline";
import { checkForwarded, publicAddress, visitorOf } from "@/lib/ingest/site/forwarded-address";
import { limitGuesses, limitRate, requireOpenSite } from "@/lib/ingest/site/limits";
import {
  hasPagesOn,
  type IngestSite,
  isKnownAlias,
  isKnownDomain,
  reloadSite,
  siteByAlias,
  siteByDomain,
} from "@/lib/ingest/site/sites";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { FreshIds, isStored } from "@/lib/ingest/store/event-id";
import { countOutcome } from "@/lib/ingest/store/ingest-stats";
import { showInLiveWindow } from "@/lib/ingest/store/live-window";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import type { Incoming } from "@/lib/platform/http/http";
import { parseUrl } from "@/lib/platform/text";

/** Takes one event of a page or of a backend, whoever's client sent it: finds its site, checks its sender and stores it. */

export interface Caller {
  /** The address the request came from, behind our own proxies. */
  address: string | null;
  /** Arrival time. */
  now: Date;
}

/** A caller with the path that it called, which a signature may cover. */
export interface PathCaller extends Caller {
  path: string;
}

/** An event with the request that brought it. */
export interface Submission {
  event: EventBody & Pick<SentEvent, "at">;
  /** The raw body, which a proxy's signature covers. */
  body: Uint8Array;
  time: EventTime;
  surface: EventDebugRecord["surface"];
  /** Instead of that of the request. */
  userAgent?: string;
  /** The visitor's address, if a server names it. */
  ip?: string | null;
}

/** Returns the times of the events of one request; null stands for one that is refused. @param first a reserved timestamp. */
export const timesOfEvents = (events: readonly (Submission["event"] | null)[], first: number, now: Date): EventTime[] =>
  timesOf(
    events.map((event) => ({ at: event?.at ?? null, content: event?.at === undefined ? "" : JSON.stringify(event) })),
    first,
    now,
  );

/** What became of an event, for its sender. */
export interface Submitted {
  status: Outcome["status"];
  event_id: string;
  class?: string;
  reason?: string;
  warnings?: Warning[];
}

/** Stores an event of a site. @throws Refusal, after counting it. */
export async function submit(
  submission: Submission,
  site: IngestSite,
  request: Incoming,
  caller: PathCaller,
): Promise<Submitted> {
  const { event, surface } = submission;
  const attempt = { siteId: site.id, now: caller.now, surface, sent: event } as const;
  let warnings: Warning[] = [];
  const outcome = await recordingRefusals(attempt, async () => {
    const admitted = await admit(submission, site, request, caller);
    if (!admitted) return { status: "duplicate" } as const;
    ({ warnings } = admitted);
    return ingestEvent(event, admitted.from);
  });
  return submitted(outcome, submission, { site, now: caller.now, warnings });
}

/**
 * Stores an event of several sites: in all of them, or in none if one refuses it. Returns what became of it in the first that
 * stored it.
 */
export async function submitToAll(
  submission: Submission,
  sites: readonly IngestSite[],
  request: Incoming,
  caller: PathCaller,
): Promise<Submitted> {
  const { event, surface } = submission;
  const { now } = caller;
  const decided: { site: IngestSite; from: From; decided: DecidedOrFiltered }[] = [];
  const work = async (): Promise<Submitted[]> => {
    const admitted = await Promise.all(sites.map((site) => admit(submission, site, request, caller)));
    for (const [index, site] of sites.entries()) {
      const from = admitted[index]?.from;
      if (from) decided.push({ site, from, decided: decideEvent(event, from) });
    }
    const outcomes = await Promise.all(decided.map((one) => writeDecided(one.decided, event, one.from)));
    const written = decided.map(({ site }, index) =>
      submitted(outcomes[index] as Outcome, submission, { site, now, warnings: [] }),
    );
    const repeated = sites
      .filter((_, index) => !admitted[index])
      .map((site) => submitted({ status: "duplicate" }, submission, { site, now, warnings: [] }));
    return [...written, ...repeated];
  };
  // Each of the sites counts the refusal.
  const counted = sites.reduce<() => Promise<Submitted[]>>(
    (inner, site) => () => recordingRefusals({ siteId: site.id, now, surface, sent: event }, inner),
    work,
  );
  const results = await counted();
  return results.find(({ status }) => status === "stored") ?? (results[0] as Submitted);
}

function submitted(
  outcome: Outcome,
  { event }: Submission,
  { site, now, warnings }: { site: IngestSite; now: Date; warnings: Warning[] },
): Submitted {
  const { status } = outcome;
  const reason = status === "filtered" ? { reason: outcome.reason } : {};
  countOutcome(site.id, now, status, reason.reason);
  const ids = new FreshIds(site.id);
  const event_id = event.event_id ?? (status === "stored" ? ids.stored(0) : ids.other());
  const traffic = status === "stored" ? { class: outcome.traffic } : {};
  const late = status === "stored" && warnings.length > 0 ? { warnings } : {};
  return { status, event_id, ...traffic, ...reason, ...late };
}

/**
 * Finds a site by its domain, or by a website id that is mapped to it. Unknown ones are rate limited, to protect the database
 * and this process. @throws Refusal `rate_limited`, and `invalid_input` for what is neither.
 */
export async function findSite(domain: string, { address, now }: Caller): Promise<IngestSite | null> {
  const alias = isWebsiteId(domain) ? domain.toLowerCase() : null;
  const known = alias === null ? isKnownDomain(domain) : isKnownAlias(alias);
  if (!known) limitGuesses(address, now);
  const site = await (alias === null ? siteByDomain(domain) : siteByAlias(alias));
  if (known && !site) limitGuesses(address, now);
  return site;
}

/** An event that may be decided. */
interface Admitted {
  from: From;
  warnings: Warning[];
}

/** Checks the sender of an event. @returns null for a repeated event. @throws Refusal */
async function admit(
  { event, body, time, surface, userAgent, ip = null }: Submission,
  site: IngestSite,
  request: Incoming,
  caller: PathCaller,
): Promise<Admitted | null> {
  const { address, forwarded } = visitorOf(request, site.proxies, caller.address);
  const arrival = { surface, from: forwarded === null ? "connection" : forwardedBy(site.proxies) } as const;
  // Before any other check, so that a flood costs little; invalid events are counted where they are read.
  limitRate(site.id, address, caller.now);
  checkOrigin(request, site);
  const keyed = await hasKeyOf(request, site, caller);
  const reload = async () => (await reloadSite(site.domains[0] as string, site.id, caller.now))?.proxies ?? null;
  await checkForwarded(request, body, { proxies: site.proxies, reload }, { forwarded, now: caller.now });
  await requireOpenSite(site, caller.now);
  if (event.event_id !== undefined && (await isStored(event.event_id, site.id))) {
    showInLiveWindow(site.id, caller.now, () => describeDuplicate(arrival));
    return null;
  }
  const given = ip === null ? null : givenAddress(ip, keyed);
  const sender = {
    address: given?.address ?? address,
    userAgent: (userAgent ?? request.header("user-agent") ?? "").slice(0, 1000),
    gpc: request.header("sec-gpc") === "1" || request.header("dnt") === "1",
    page: pageHeaders(request),
    keyed,
    hints: readHints((name) => request.header(name)),
    signature: readSignature(request, { path: caller.path, body }),
  };
  const salts = await (time.isTimed
    ? saltsAt(site, new Date(millisecondOf(time.timestamp)), caller.now)
    : saltsFor(site, caller.now));
  const from = { site, salts, sender, arrival, now: caller.now, timestamp: time.timestamp, isTimed: time.isTimed };
  const late = time.warning === null ? [] : [{ path: "timestamp", message: time.warning }];
  return { from, warnings: [...late, ...(given?.warnings ?? [])] };
}

/** Returns the visitor's address that a server names, which needs a key: anybody could name anybody's. */
function givenAddress(ip: string, keyed: boolean): { address: string | null; warnings: Warning[] } {
  const address = keyed ? publicAddress(ip) : null;
  if (address !== null) return { address, warnings: [] };
  const message = keyed
    ? "is not a public address; it is not used"
    : "is used only with an ingest key of the site, in the header Authorization: Bearer <key>";
  return { address, warnings: [{ path: "ip", message }] };
}

const forwardedBy = (proxies: IngestSite["proxies"]): Arrival["from"] =>
  proxies?.mustSign ? "forwarded_signed" : "forwarded";

/**
 * Returns the headers of a page's request. A backend that forwards its visitor's user agent sends no Origin, and none
 * of its other headers are the visitor's.
 */
function pageHeaders(request: Incoming): PageHeaders | null {
  if (request.header("origin") === null) return null;
  return { acceptLanguage: request.header("accept-language"), brands: request.header("sec-ch-ua") };
}

/** Refuses events from pages that are not on the site. A backend sends no Origin. */
function checkOrigin(request: Incoming, site: IngestSite): void {
  const origin = request.header("origin");
  if (origin === null) return;
  const from = parseUrl(origin);
  if (from && hasPagesOn(site, from.hostname)) return;
  throw invalidInput([
    {
      path: "Origin",
      message: `${origin.slice(0, 100)} is not on ${site.domains.join(" or ")}; add its domain to the site`,
    },
  ]);
}

/**
 * Whether the request has an ingest key of this site. Requests with an Origin come from pages, which have none.
 *
 * @throws Refusal `invalid_token` for a key that is not of this site.
 */
async function hasKeyOf(request: Incoming, site: IngestSite, caller: Caller): Promise<boolean> {
  const header = request.header("authorization");
  if (header === null || request.header("origin") !== null || !/^bearer /i.test(header)) return false;
  const key = await requireKey(request, caller);
  if (key.siteId !== site.id) throw invalidKey();
  return true;
}

/** Says that an event names no site that is known. */
function messageOf(named: string): string {
  const name = named.slice(0, 100);
  return isWebsiteId(named)
    ? `${name} is mapped to no site here; map it in the settings of the site, under Installation, Coming from Umami`
    : `${name} is not a domain of any site here; add the site first`;
}

/** A text that is no domain is one of no site. */
export const findByDomain = (domain: string, caller: Caller): Promise<IngestSite | null> =>
  findSite(domain, caller).catch((error) => {
    if (error instanceof Refusal && error.code === "invalid_input") return null;
    throw error;
  });

const MAX_LOOKUPS = 4;

interface About {
  /** The hosts that its request names. */
  hosts: readonly string[];
  surface: EventDebugRecord["surface"];
  sent: { name?: unknown; url?: unknown };
}

/**
 * Refuses an event that names no site that is known. If a site's pages sent it, its owner sees the refusal: clients of other
 * products ignore errors, and who looks for missing visits looks there.
 *
 * @param named the domain or website id. @param path the field that has it. @throws Refusal always.
 */
export async function refuseUnknown(
  { named, path }: { named: string; path: string },
  about: About,
  request: Incoming,
  caller: Caller,
): Promise<never> {
  const message = messageOf(named);
  const field = isWebsiteId(named) ? "website" : "domain";
  await countAtSite(invalidInput([{ path: field, message }]), about, request, caller);
  throw invalidInput([{ path, message }]);
}

/** Counts a refusal at the site whose pages sent the event, where its owner sees it. */
export async function countAtSite(
  refusal: unknown,
  { hosts, surface, sent }: About,
  request: Incoming,
  caller: Caller,
): Promise<void> {
  // Also as a subdomain of a site.
  const names = hosts.flatMap((host) => {
    const labels = host.split(".");
    return labels.length > 1 ? labels.slice(0, -1).map((_, index) => labels.slice(index).join(".")) : [host];
  });
  for (const name of names.slice(0, MAX_LOOKUPS)) {
    const site = await findByDomain(name, caller);
    if (!site) continue;
    limitRate(site.id, visitorOf(request, site.proxies, caller.address).address, caller.now);
    recordRefusal({ siteId: site.id, now: caller.now, surface, sent: { name: sent.name, url: sent.url } }, refusal);
    return;
  }
}
