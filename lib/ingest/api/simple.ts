import { domainName } from "@/lib/contract/fields";
import { interpretNamed, type Warning } from "@/lib/ingest/api/commerce";
import { recordingRefusals } from "@/lib/ingest/api/ingest-event";
import { challengeOf } from "@/lib/ingest/api/keys";
import {
  findSite,
  type PathCaller,
  refuseUnknown,
  type Submission,
  submit,
  submitToAll,
  timesOfEvents,
} from "@/lib/ingest/api/page-events";
import { CORS, EVENT_LIMIT_BYTES, pathOfSurface } from "@/lib/ingest/api/requests";
import {
  fromPlausible,
  hasShortNames,
  isOfPlausibleScript,
  isPlausible,
  refusedAsPlausible,
} from "@/lib/ingest/compat/plausible";
import { namedHosts } from "@/lib/ingest/compat/umami";
import { type EventBody, type EventTime, readEventBody, typeOfEvent } from "@/lib/ingest/event/sent-event";
import { visitorOf } from "@/lib/ingest/site/forwarded-address";
import { limitGuesses, limitRate } from "@/lib/ingest/site/limits";
import type { IngestSite } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { answer, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { readJson, refuseFaults } from "@/lib/platform/json";

/** A page may count in its own site and in a few that sum several. */
const MAX_DOMAINS = 10;

/** A request as it was sent, until it is read. */
interface SentRequest {
  value: unknown;
  /** Its domains; one, unless a client of Plausible names several. */
  domains: unknown[];
  warnings: Warning[];
  /** Whether a client of Plausible sent it, which gets its refusals in Plausible's form. */
  isPlausible: boolean;
}

/**
 * Handles `POST /api/event`: one event of a site, from its pages or its backends. Answers 202 with `{ status, event_id,
 * class?, reason?, warnings?, request_id }` after the event is committed; see `contract/errors.ts` for refusals. Plausible's
 * clients send to the same path, in names of their own.
 */
export async function collect(request: Incoming, caller: PathCaller): Promise<Answer> {
  const requestId = requestIdOf(request);
  const timestamp = reserveTimestamps(caller.now, 1);
  const sent: SentRequest = { value: null, domains: [], warnings: [], isPlausible: false };
  try {
    const body = await readBody(request, EVENT_LIMIT_BYTES, ["application/json", "text/plain"]);
    const { event, warnings } = interpret(await parseEvent(body, sent, request, caller));
    const surface = surfaceOf(sent, caller);
    const [time] = timesOfEvents([event], timestamp, caller.now) as [EventTime];
    const submission = { event, body, time, surface };
    const { warnings: late = [], ...result } =
      sent.domains.length > 1
        ? await submitTo(sent.domains as string[], submission, request, caller)
        : await submit(submission, await siteOf(event.domain, submission, request, caller), request, caller);
    const all = [...sent.warnings, ...warnings, ...late];
    const extra = result.status === "stored" && all.length > 0 ? { warnings: all } : {};
    return answer(202, { ...result, ...extra, request_id: requestId }, requestId, CORS);
  } catch (error) {
    const refused = refuse(error, requestId, { headers: { ...CORS, ...challengeOf(error) } });
    return sent.isPlausible ? refusedAsPlausible(refused, error) : refused;
  }
}

/** Only the tag of Umami on our script sends events in our names to Umami's path. */
function surfaceOf({ isPlausible, value }: SentRequest, { path }: PathCaller): "plausible" | "umami" | "events_api" {
  if (isPlausible || isOfPlausibleScript(value)) return "plausible";
  return path === pathOfSurface("umami") ? "umami" : "events_api";
}

/** Adds the revenue from the properties of an event, unless it has a revenue field. */
function interpret(sent: EventBody): { event: EventBody; warnings: Warning[] } {
  if (sent.revenue || typeOfEvent(sent) !== "event") return { event: sent, warnings: [] };
  const { revenue, warnings } = interpretNamed(sent.name, sent.props ?? {}, "props", null);
  return { event: revenue ? { ...sent, revenue } : sent, warnings };
}

/** Parses an event, and notes in `sent` what it was. @throws Refusal for an invalid one, after counting it. */
function parseEvent(
  body: Uint8Array,
  sent: SentRequest,
  request: Incoming,
  caller: PathCaller,
): EventBody | Promise<never> {
  try {
    sent.value = readJson(body);
    if (isPlausible(sent.value)) {
      sent.isPlausible = hasShortNames(sent.value);
      const { event, domains, warnings } = fromPlausible(sent.value);
      Object.assign(sent, { value: event, domains, warnings });
      requireFew(domains);
    }
    repairTitle(sent.value);
    refuseFaults(sent.value);
    return readEventBody(sent.value);
  } catch (error) {
    return countInvalid(error, sent, request, caller);
  }
}

function requireFew(domains: readonly unknown[]): void {
  if (domains.length > MAX_DOMAINS)
    throw invalidInput([{ path: "domain", message: `names more than ${MAX_DOMAINS} domains` }]);
}

/**
 * Repairs a title that a page cut within a character such as an emoji: every event has the title and would be refused.
 */
function repairTitle(sent: unknown): void {
  const page = sent as { title?: unknown } | null;
  if (typeof page?.title === "string") page.title = page.title.toWellFormed();
}

/** Counts an invalid event towards the sender's rate limit, and for the site that it names. */
async function countInvalid(error: unknown, sent: SentRequest, request: Incoming, caller: PathCaller): Promise<never> {
  const { data: domain } = domainName.safeParse((sent.value as { domain?: unknown } | null)?.domain);
  if (domain === undefined) limitGuesses(caller.address, caller.now);
  const site = domain !== undefined && (await findSite(domain, caller).catch(ignoreUnlessLimited));
  if (site) {
    const attempt = { siteId: site.id, now: caller.now, surface: surfaceOf(sent, caller), sent: sent.value };
    await recordingRefusals(attempt, () => {
      limitRate(site.id, visitorOf(request, site.proxies, caller.address).address, caller.now);
      throw error;
    });
  }
  throw error;
}

/** Ignores errors other than a rate limit, so that the sender gets the error of the event. */
function ignoreUnlessLimited(error: unknown): null {
  if (error instanceof Refusal && error.code === "rate_limited") throw error;
  return null;
}

async function siteOf(domain: string, { event, surface }: Submission, request: Incoming, caller: PathCaller) {
  const site = await findSite(domain, caller);
  if (site) return site;
  const hosts = namedHosts({ url: event.url }, request.header("origin"));
  return refuseUnknown({ named: domain, path: "domain" }, { hosts, surface, sent: event }, request, caller);
}

/** Stores an event of several domains. Two of one site count once. */
async function submitTo(domains: readonly string[], submission: Submission, request: Incoming, caller: PathCaller) {
  const sites = new Map<number, IngestSite>();
  for (const domain of domains) {
    const site = await siteOf(domain, submission, request, caller);
    sites.set(site.id, site);
  }
  return submitToAll(submission, [...sites.values()], request, caller);
}
