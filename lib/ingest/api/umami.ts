import { recordRefusal } from "@/lib/ingest/api/ingest-event";
import { challengeOf } from "@/lib/ingest/api/keys";
import {
  countAtSite,
  findByDomain,
  type PathCaller,
  refuseUnknown,
  type Submission,
  type Submitted,
  submit,
  timesOfEvents,
} from "@/lib/ingest/api/page-events";
import { CORS, EVENT_LIMIT_BYTES, PAGE_BATCH_LIMIT_BYTES } from "@/lib/ingest/api/requests";
import { collect } from "@/lib/ingest/api/simple";
import {
  type FromUmami,
  fromUmami,
  inUmamiNames,
  namedHosts,
  readUmami,
  refusedAsUmami,
  UMAMI_ANSWER,
  umamiAgent,
} from "@/lib/ingest/compat/umami";
import { type EventTime, readEventBody } from "@/lib/ingest/event/sent-event";
import { visitorOf } from "@/lib/ingest/site/forwarded-address";
import { limitGuesses, limitRate } from "@/lib/ingest/site/limits";
import type { IngestSite } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import { invalidInput } from "@/lib/platform/errors";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { answer, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { readJson, refuseFaults } from "@/lib/platform/json";

/** Takes the events of Umami's clients. */

const surface = "umami";
const TYPES = ["application/json", "text/plain"];
const MAX_BATCH = 100;

/** Handles `POST /api/send`: one event of an Umami client. */
export async function collectUmami(request: Incoming, caller: PathCaller): Promise<Answer> {
  const requestId = requestIdOf(request);
  const timestamp = reserveTimestamps(caller.now, 1);
  try {
    const body = await readBody(request, EVENT_LIMIT_BYTES, TYPES);
    const sent = readJson(body);
    // The tag of Umami on our script sends events of ours, to where its pages expect to send.
    if (isOwn(sent)) return collect({ header: request.header, bytes: async () => body }, caller);
    const found = await find(sent, request, caller);
    const [time] = timesOfEvents([eventIn(found)], timestamp, caller.now) as [EventTime];
    const result = await store(found, { body, time, request, caller });
    return answer(200, { ...UMAMI_ANSWER, ...result, request_id: requestId }, requestId, CORS);
  } catch (error) {
    return refusedAsUmami(refuse(error, requestId, { headers: { ...CORS, ...challengeOf(error) } }));
  }
}

/** Handles `POST /api/batch`: up to 100 events, each of which is stored or refused on its own. */
export async function collectUmamiBatch(request: Incoming, caller: PathCaller): Promise<Answer> {
  const requestId = requestIdOf(request);
  const first = reserveTimestamps(caller.now, MAX_BATCH);
  try {
    const body = await readBody(request, PAGE_BATCH_LIMIT_BYTES, TYPES);
    const events = readJson(body);
    if (!Array.isArray(events) || events.length === 0 || events.length > MAX_BATCH) {
      limitGuesses(caller.address, caller.now);
      throw invalidInput([{ path: "", message: `The body must be a list of 1 to ${MAX_BATCH} events` }]);
    }
    // All are read before the first is stored: events of one second keep the order that they have here.
    const found = await Promise.allSettled(events.map((sent) => find(sent, request, caller)));
    const sent = found.map((one) => (one.status === "fulfilled" ? eventIn(one.value) : null));
    const times = timesOfEvents(sent, first, caller.now);
    const taken = await Promise.all(
      found.map((one, index) => {
        const arrived = { body, time: times[index] as EventTime, request, caller };
        const stored = one.status === "fulfilled" ? store(one.value, arrived) : Promise.reject(one.reason);
        return stored.then(
          ({ warnings = [] }) => ({ warnings: warnings.map((warning) => ({ index, ...warning })) }),
          (error: unknown) => ({ index, response: JSON.parse(refusedAsUmami(refuse(error, requestId)).body) }),
        );
      }),
    );
    const details = taken.filter((one) => "response" in one);
    const warnings = taken.flatMap((one) => ("warnings" in one ? one.warnings : []));
    const counts = { size: events.length, processed: events.length - details.length, errors: details.length };
    const extra = { details, ...(warnings.length > 0 && { warnings }) };
    return answer(200, { ...counts, ...extra, ...UMAMI_ANSWER, request_id: requestId }, requestId, CORS);
  } catch (error) {
    return refusedAsUmami(refuse(error, requestId, { headers: { ...CORS, ...challengeOf(error) } }));
  }
}

const isOwn = (sent: unknown): boolean =>
  typeof sent === "object" && sent !== null && "domain" in sent && "name" in sent && !("payload" in sent);

interface Received {
  body: Uint8Array;
  time: EventTime;
  request: Incoming;
  caller: PathCaller;
}

type Taken = Submitted | { note: string; warnings?: undefined };

/** An event with its site, or why there is nothing to store. */
interface Found {
  site: IngestSite;
  found: ReturnType<typeof eventOf>;
}

const eventIn = ({ found }: Found) => ("note" in found ? null : found.event);

/** @throws Refusal, after counting it for the site if one is known. */
async function find(sent: unknown, request: Incoming, caller: PathCaller): Promise<Found> {
  const read = await readFrame(sent, request, caller);
  const site = await siteOf(read, request, caller);
  return { site, found: eventOf(read, site, request, caller) };
}

/** Stores an event, or says why there is nothing to store. @throws Refusal, after counting it for the site. */
async function store({ site, found }: Found, { body, time, request, caller }: Received): Promise<Taken> {
  if ("note" in found) return found;
  const { event, warnings, userAgent = umamiAgent(request.header("user-agent") ?? ""), ip = null } = found;
  const submission: Submission = { event, body, time, surface, userAgent, ip };
  const result = await submit(submission, site, request, caller).catch((error) => {
    throw inUmamiNames(error);
  });
  const more = (result.warnings ?? []).map(({ path, message }) => ({ path: `payload.${path}`, message }));
  const all = [...warnings, ...more];
  return result.status === "stored" && all.length > 0 ? { ...result, warnings: all } : result;
}

/** @throws Refusal, after counting it towards the sender's rate limit, and for the site whose page sent it. */
async function readFrame(sent: unknown, request: Incoming, caller: PathCaller): Promise<FromUmami> {
  let payload: Readonly<Record<string, unknown>> = {};
  try {
    refuseFaults(sent);
    ({ payload = {} } = (sent ?? {}) as { payload?: typeof payload });
    return readUmami(sent);
  } catch (error) {
    limitGuesses(caller.address, caller.now);
    const hosts = namedHosts(payload ?? {}, request.header("origin"));
    await countAtSite(error, { hosts, surface, sent: payload ?? {} }, request, caller);
    throw error;
  }
}

function eventOf(read: FromUmami, site: IngestSite, request: Incoming, caller: PathCaller) {
  const { payload } = read;
  const sent = { name: payload.name, url: payload.url };
  try {
    const converted = fromUmami(read, site.domains[0] as string);
    if ("note" in converted) return converted;
    const { event, at, ...more } = converted;
    return { event: { ...readEventBody(event), at }, ...more };
  } catch (error) {
    limitRate(site.id, visitorOf(request, site.proxies, caller.address).address, caller.now);
    const refusal = inUmamiNames(error);
    recordRefusal({ siteId: site.id, now: caller.now, surface, sent }, refusal);
    throw refusal;
  }
}

async function siteOf({ website, payload }: FromUmami, request: Incoming, caller: PathCaller): Promise<IngestSite> {
  const site = await findByDomain(website, caller);
  if (site) return site;
  const hosts = namedHosts(payload, request.header("origin"));
  const named = { named: website, path: "payload.website" };
  return refuseUnknown(named, { hosts, surface, sent: payload }, request, caller);
}
