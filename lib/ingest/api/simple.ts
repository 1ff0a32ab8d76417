import { domainName } from "@/lib/contract/fields";
import { interpretNamed, type Warning } from "@/lib/ingest/api/commerce";
import { ingestEvent, recordingRefusals } from "@/lib/ingest/api/ingest-event";
import { challengeOf, invalidKey, requireKey } from "@/lib/ingest/api/keys";
import { CORS, EVENT_LIMIT_BYTES } from "@/lib/ingest/api/requests";
import { readHints } from "@/lib/ingest/enrich/agent";
import type { PageHeaders } from "@/lib/ingest/enrich/suspicion";
import { readSignature } from "@/lib/ingest/enrich/web-bot-auth";
import type { Outcome } from "@/lib/ingest/event/decided-event";
import { type EventBody, readEventBody, typeOfEvent } from "@/lib/ingest/event/sent-event";
import { saltsFor } from "@/lib/ingest/identity/salts";
import { type Arrival, describeDuplicate } from "@/lib/ingest/pipeline/debug-record";
import { limitGuesses, limitQuota, limitRate } from "@/lib/ingest/site/limits";
import { checkForwarded, visitorOf } from "@/lib/ingest/site/proxied";
import { type IngestSite, isKnownDomain, reloadSite, siteByDomain } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import { FreshIds, isStored } from "@/lib/ingest/store/event-id";
import { showInLiveWindow } from "@/lib/ingest/store/live-window";
import { countOutcome } from "@/lib/ingest/store/stats/ingest-stats";
import { belongsTo } from "@/lib/platform/domain-names";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { answer, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { readJson, refuseFaults } from "@/lib/platform/json";
import { parseUrl } from "@/lib/platform/text";

const surface = "events_api";

interface Caller {
  /** The address the request came from, behind our own proxies. */
  address: string | null;
  /** Arrival time. */
  now: Date;
}

/**
 * Handles `POST /api/event`: one event of a site, from its pages or its backends. Answers 202 with `{ status, event_id,
 * class?, reason?, warnings?, request_id }` after the event is committed; see `contract/errors.ts` for refusals.
 */
export async function collect(request: Incoming, caller: Caller): Promise<Answer> {
  const requestId = requestIdOf(request);
  const timestamp = reserveTimestamps(caller.now, 1);
  try {
    const body = await readBody(request, EVENT_LIMIT_BYTES, ["application/json", "text/plain"]);
    const { event, warnings } = interpret(await parseEvent(body, request, caller));
    const site = await siteOf(event.domain, caller);
    const attempt = { siteId: site.id, now: caller.now, surface, sent: event } as const;
    const outcome = await recordingRefusals(attempt, () => record({ event, body, timestamp }, site, request, caller));
    const { status } = outcome;
    const reason = status === "filtered" ? { reason: outcome.reason } : {};
    countOutcome(site.id, caller.now, status, reason.reason);
    const ids = new FreshIds(site.id);
    const eventId = event.event_id ?? (status === "stored" ? ids.stored(0) : ids.other());
    const traffic = status === "stored" ? { class: outcome.traffic } : {};
    const extra = status === "stored" && warnings.length > 0 ? { warnings } : {};
    const result = { status, event_id: eventId, ...traffic, ...reason, ...extra, request_id: requestId };
    return answer(202, result, requestId, CORS);
  } catch (error) {
    return refuse(error, requestId, { headers: { ...CORS, ...challengeOf(error) } });
  }
}

/** Adds the revenue from the properties of an event, unless it has a revenue field. */
function interpret(sent: EventBody): { event: EventBody; warnings: Warning[] } {
  if (sent.revenue || typeOfEvent(sent) !== "event") return { event: sent, warnings: [] };
  const { revenue, warnings } = interpretNamed(sent.name, sent.props ?? {}, "props", null);
  return { event: revenue ? { ...sent, revenue } : sent, warnings };
}

/** Parses an event. @throws Refusal for an invalid one, after counting it. */
function parseEvent(body: Uint8Array, request: Incoming, caller: Caller): EventBody | Promise<never> {
  let sent: unknown = null;
  try {
    sent = readJson(body);
    repairTitle(sent);
    refuseFaults(sent);
    return readEventBody(sent);
  } catch (error) {
    return countInvalid(error, sent, request, caller);
  }
}

/**
 * Repairs a title that a page cut within a character such as an emoji: every event has the title and would be refused.
 */
function repairTitle(sent: unknown): void {
  const page = sent as { title?: unknown } | null;
  if (typeof page?.title === "string") page.title = page.title.toWellFormed();
}

/** Counts an invalid event towards the sender's rate limit, and for the site that it names. */
async function countInvalid(error: unknown, sent: unknown, request: Incoming, caller: Caller): Promise<never> {
  const { data: domain } = domainName.safeParse((sent as { domain?: unknown } | null)?.domain);
  if (domain === undefined) limitGuesses(caller.address, caller.now);
  const site = domain !== undefined && (await findSite(domain, caller).catch(ignoreUnlessLimited));
  if (site) {
    await recordingRefusals({ siteId: site.id, now: caller.now, surface, sent }, () => {
      limitRate(site.id, visitorOf(request, site.proxies, caller.address).address, caller.now);
      throw error;
    });
  }
  throw error;
}

/**
 * Finds a site by its domain. Unknown domains are rate limited, to protect the database and this process. @throws
 * Refusal `rate_limited`.
 */
async function findSite(domain: string, { address, now }: Caller): Promise<IngestSite | null> {
  const known = isKnownDomain(domain);
  if (!known) limitGuesses(address, now);
  const site = await siteByDomain(domain);
  if (known && !site) limitGuesses(address, now);
  return site;
}

/** Ignores errors other than a rate limit, so that the sender gets the error of the event. */
function ignoreUnlessLimited(error: unknown): null {
  if (error instanceof Refusal && error.code === "rate_limited") throw error;
  return null;
}

async function siteOf(domain: string, caller: Caller): Promise<IngestSite> {
  const site = await findSite(domain, caller);
  if (site) return site;
  throw invalidInput([
    { path: "domain", message: `${domain.slice(0, 100)} is not a domain of any site here; add the site first` },
  ]);
}

async function record(
  { event, body, timestamp }: { event: EventBody; body: Uint8Array; timestamp: number },
  site: IngestSite,
  request: Incoming,
  caller: Caller,
): Promise<Outcome> {
  const { address, forwarded } = visitorOf(request, site.proxies, caller.address);
  const arrival = { surface, from: forwarded === null ? "connection" : forwardedBy(site.proxies) } as const;
  // Before any other check, so that a flood costs little; invalid events were counted by `parseEvent`.
  limitRate(site.id, address, caller.now);
  checkOrigin(request, site);
  const keyed = await checkKey(request, site, caller);
  const reload = async () => (await reloadSite(event.domain, site.id, caller.now))?.proxies ?? null;
  await checkForwarded(request, body, { proxies: site.proxies, reload }, { forwarded, now: caller.now });
  await limitQuota(site.id, caller.now);
  if (event.event_id !== undefined && (await isStored(event.event_id, site.id))) {
    showInLiveWindow(site.id, caller.now, () => describeDuplicate(arrival));
    return { status: "duplicate" };
  }
  const sender = {
    address,
    userAgent: (request.header("user-agent") ?? "").slice(0, 1000),
    gpc: request.header("sec-gpc") === "1" || request.header("dnt") === "1",
    page: pageHeaders(request),
    keyed,
    hints: readHints((name) => request.header(name)),
    signature: readSignature((name) => request.header(name)),
  };
  const salts = await saltsFor(site, caller.now);
  return ingestEvent(event, { site, salts, sender, arrival, now: caller.now, timestamp });
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
  if (from && belongsTo(from.hostname, site.domains)) return;
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
async function checkKey(request: Incoming, site: IngestSite, caller: Caller): Promise<boolean> {
  const header = request.header("authorization");
  if (header === null || request.header("origin") !== null || !/^bearer /i.test(header)) return false;
  const key = await requireKey(request, caller);
  if (key.siteId !== site.id) throw invalidKey();
  return true;
}
