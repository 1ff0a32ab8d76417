import { domainName } from "@/lib/contract/fields";
import { EVENT_LIMIT_BYTES } from "@/lib/ingest/api/body-limits";
import { interpretNamed, type Warning } from "@/lib/ingest/api/commerce";
import { challengeOf, noSuchKey, requireKey } from "@/lib/ingest/api/keys";
import { CORS } from "@/lib/ingest/api/preflight";
import { recordingRefusals } from "@/lib/ingest/api/refused";
import { ingestEvent } from "@/lib/ingest/api/take-in";
import { readHints } from "@/lib/ingest/enrich/client-hints";
import type { PageHeaders } from "@/lib/ingest/enrich/suspicion";
import { saltsFor } from "@/lib/ingest/identity/salts";
import { type Arrival, describeDuplicate } from "@/lib/ingest/pipeline/debug-record";
import { readEvent, type SentEvent, typeOf } from "@/lib/ingest/pipeline/schema";
import { limitGuesses, limitQuota, limitRate } from "@/lib/ingest/site/limits";
import { checkForwarded, visitorOf } from "@/lib/ingest/site/proxied";
import { type IngestSite, isKnownDomain, reloadSite, siteByDomain } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import { FreshIds } from "@/lib/ingest/store/event-id";
import type { Outcome } from "@/lib/ingest/store/event-row";
import { showInLiveWindow } from "@/lib/ingest/store/live-window";
import { isStored } from "@/lib/ingest/store/resent";
import { countOutcome } from "@/lib/ingest/store/stats/ingest-stats";
import { belongsTo } from "@/lib/platform/domain-names";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { answer, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { readJson, refuseFaults } from "@/lib/platform/json";
import { parseUrl } from "@/lib/platform/text";

const surface = "events_api";

interface Caller {
  /** Where the request came from, already freed of proxies. */
  address: string | null;
  /** When it arrived. */
  now: Date;
}

/**
 * `POST /api/event`: one event of a site, from its pages or its backends. Answers 202 with
 * `{ status, event_id, class?, reason?, warnings?, request_id }` after the event is committed; see `contract/errors.ts` for each "no".
 */
export async function collect(request: Incoming, caller: Caller): Promise<Answer> {
  const requestId = requestIdOf(request);
  const timestamp = reserveTimestamps(caller.now, 1);
  try {
    const body = await readBody(request, EVENT_LIMIT_BYTES, ["application/json", "text/plain"]);
    const { event, warnings } = interpret(await understood(body, request, caller));
    const site = await siteOf(event.domain, caller);
    const attempt = { siteId: site.id, now: caller.now, surface, sent: event } as const;
    const outcome = await recordingRefusals(attempt, () => record({ event, body, timestamp }, site, request, caller));
    const { status } = outcome;
    const reason = status === "filtered" ? { reason: outcome.reason } : {};
    countOutcome(site.id, caller.now, status, reason.reason);
    const ids = new FreshIds(site.id);
    const eventId = event.event_id ?? (status === "stored" ? ids.stored(0) : ids.other());
    const traffic = status === "stored" ? { class: outcome.traffic } : {};
    const beside = status === "stored" && warnings.length > 0 ? { warnings } : {};
    const told = { status, event_id: eventId, ...traffic, ...reason, ...beside, request_id: requestId };
    return answer(202, told, requestId, CORS);
  } catch (error) {
    return refuse(error, requestId, { headers: { ...CORS, ...challengeOf(error) } });
  }
}

/** Adds the revenue that the properties of a purchase or refund name, where the event does not say it itself. */
function interpret(sent: SentEvent): { event: SentEvent; warnings: Warning[] } {
  if (sent.revenue || typeOf(sent) !== "event") return { event: sent, warnings: [] };
  const { revenue, warnings } = interpretNamed(sent.name, sent.props ?? {}, "props");
  return { event: revenue ? { ...sent, revenue } : sent, warnings };
}

/** Reads an event. @throws Refusal for one that is not valid, once that is counted. */
function understood(body: Uint8Array, request: Incoming, caller: Caller): SentEvent | Promise<never> {
  let sent: unknown = null;
  try {
    sent = readJson(body);
    mendTitle(sent);
    refuseFaults(sent);
    return readEvent(sent);
  } catch (error) {
    return countInvalid(error, sent, request, caller);
  }
}

/**
 * Pages cut their titles, within an emoji as well, and every event of a page bears its title: half of a character is
 * no reason to lose them all.
 */
function mendTitle(sent: unknown): void {
  const page = sent as { title?: unknown } | null;
  if (typeof page?.title === "string") page.title = page.title.toWellFormed();
}

/** What is not valid counts against its sender as any event does, and for the site that it names, if it names one. */
async function countInvalid(error: unknown, sent: unknown, request: Incoming, caller: Caller): Promise<never> {
  const { data: domain } = domainName.safeParse((sent as { domain?: unknown } | null)?.domain);
  if (domain === undefined) limitGuesses(caller.address, caller.now);
  const site = domain !== undefined && (await findSite(domain, caller).catch(unlessLimited));
  if (site) {
    await recordingRefusals({ siteId: site.id, now: caller.now, surface, sent }, () => {
      limitRate(site.id, visitorOf(request, site.proxies, caller.address).address, caller.now);
      throw error;
    });
  }
  throw error;
}

/** Whoever names no site must not be able to keep the database busy, nor this process. @throws Refusal `rate_limited`. */
async function findSite(domain: string, { address, now }: Caller): Promise<IngestSite | null> {
  const known = isKnownDomain(domain);
  if (!known) limitGuesses(address, now);
  const site = await siteByDomain(domain);
  if (known && !site) limitGuesses(address, now);
  return site;
}

/** What is wrong with an event is told whatever else fails, but for a limit. */
function unlessLimited(error: unknown): null {
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
  { event, body, timestamp }: { event: SentEvent; body: Uint8Array; timestamp: number },
  site: IngestSite,
  request: Incoming,
  caller: Caller,
): Promise<Outcome> {
  const { address, forwarded } = visitorOf(request, site.proxies, caller.address);
  const arrival = { surface, from: forwarded === null ? "connection" : forwardedBy(site.proxies) } as const;
  // Before anything else is asked, so that a flood costs little; what is not valid was counted by `understood`.
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
  };
  const salts = await saltsFor(site, caller.now);
  return ingestEvent(event, { site, salts, sender, arrival, now: caller.now, timestamp });
}

const forwardedBy = (proxies: IngestSite["proxies"]): Arrival["from"] =>
  proxies?.mustSign ? "forwarded_signed" : "forwarded";

/** A backend that passes its visitor's user agent on sends no Origin; nothing else about it is the visitor's. */
function pageHeaders(request: Incoming): PageHeaders | null {
  if (request.header("origin") === null) return null;
  return { acceptLanguage: request.header("accept-language"), brands: request.header("sec-ch-ua") };
}

/** A page may only report for the site it belongs to. A backend sends no Origin. */
function checkOrigin(request: Incoming, site: IngestSite): void {
  const origin = request.header("origin");
  if (origin === null) return;
  // As nearly every page's stands.
  if (site.domains.some((domain) => origin === `https://${domain}`)) return;
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
 * Whether a backend showed an ingest key of this site. A page sends an Origin and has none.
 *
 * @throws Refusal `invalid_token` for a key that is not one of this site.
 */
async function checkKey(request: Incoming, site: IngestSite, caller: Caller): Promise<boolean> {
  const shown = request.header("authorization");
  if (shown === null || request.header("origin") !== null || !/^bearer /i.test(shown)) return false;
  const key = await requireKey(request, caller);
  if (key.siteId !== site.id) throw noSuchKey();
  return true;
}
