import { recordRefusal } from "@/lib/ingest/api/ingest-event";
import { challengeOf } from "@/lib/ingest/api/keys";
import { type Caller, type Submitted, submit } from "@/lib/ingest/api/page-events";
import { CORS, EVENT_LIMIT_BYTES, PAGE_BATCH_LIMIT_BYTES } from "@/lib/ingest/api/requests";
import { collect } from "@/lib/ingest/api/simple";
import { countAtSite, findByDomain, unknownSite } from "@/lib/ingest/api/unknown-site";
import {
  type FromUmami,
  fromUmami,
  hostsOf,
  inUmamiNames,
  readUmami,
  refusedAsUmami,
  UMAMI_ANSWER,
  umamiAgent,
} from "@/lib/ingest/compat/umami";
import { readEventBody } from "@/lib/ingest/event/sent-event";
import { limitGuesses, limitRate } from "@/lib/ingest/site/limits";
import { visitorOf } from "@/lib/ingest/site/proxied";
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

const NOTE = "An identify without an id is not stored: no profile is kept of a visitor.";

/** Handles `POST /api/send`: one event of an Umami client. */
export async function collectUmami(request: Incoming, caller: Caller): Promise<Answer> {
  const requestId = requestIdOf(request);
  const timestamp = reserveTimestamps(caller.now, 1);
  try {
    const body = await readBody(request, EVENT_LIMIT_BYTES, TYPES);
    const sent = readJson(body);
    // The tag of Umami on our script sends events of ours, to where its pages expect to send.
    if (isOwn(sent)) return collect({ header: request.header, bytes: async () => body }, caller);
    const result = await take(sent, { body, timestamp, request, caller });
    return answer(200, { ...UMAMI_ANSWER, ...(result ?? { note: NOTE }), request_id: requestId }, requestId, CORS);
  } catch (error) {
    return refusedAsUmami(refuse(error, requestId, { headers: { ...CORS, ...challengeOf(error) } }));
  }
}

/** Handles `POST /api/batch`: up to 100 events, each of which is stored or refused on its own. */
export async function collectUmamiBatch(request: Incoming, caller: Caller): Promise<Answer> {
  const requestId = requestIdOf(request);
  const first = reserveTimestamps(caller.now, MAX_BATCH);
  try {
    const body = await readBody(request, PAGE_BATCH_LIMIT_BYTES, TYPES);
    const events = readJson(body);
    if (!Array.isArray(events) || events.length === 0 || events.length > MAX_BATCH) {
      limitGuesses(caller.address, caller.now);
      throw invalidInput([{ path: "", message: `The body must be a list of 1 to ${MAX_BATCH} events` }]);
    }
    const taken = await Promise.all(
      events.map((sent, index) =>
        take(sent, { body, timestamp: first + index, request, caller }).then(
          () => null,
          (error: unknown) => ({ index, response: JSON.parse(refusedAsUmami(refuse(error, requestId)).body) }),
        ),
      ),
    );
    const details = taken.filter((one) => one !== null);
    const counts = { size: events.length, processed: events.length - details.length, errors: details.length };
    return answer(200, { ...counts, details, ...UMAMI_ANSWER, request_id: requestId }, requestId, CORS);
  } catch (error) {
    return refusedAsUmami(refuse(error, requestId, { headers: { ...CORS, ...challengeOf(error) } }));
  }
}

const isOwn = (sent: unknown): boolean =>
  typeof sent === "object" && sent !== null && "domain" in sent && "name" in sent && !("payload" in sent);

interface Received {
  body: Uint8Array;
  timestamp: number;
  request: Incoming;
  caller: Caller;
}

/** Stores an event; null if there is nothing to store. @throws Refusal, after counting it for the site if one is known. */
async function take(sent: unknown, { body, timestamp, request, caller }: Received): Promise<Submitted | null> {
  const read = readFrame(sent, caller);
  const site = await siteOf(read, request, caller);
  const event = eventOf(read, site, request, caller);
  if (!event) return null;
  const userAgent = umamiAgent(request.header("user-agent") ?? "");
  return submit({ event, body, timestamp, surface, userAgent }, site, request, caller).catch((error) => {
    throw inUmamiNames(error);
  });
}

/** @throws Refusal, after counting it towards the sender's rate limit. */
function readFrame(sent: unknown, caller: Caller): FromUmami {
  try {
    refuseFaults(sent);
    return readUmami(sent);
  } catch (error) {
    limitGuesses(caller.address, caller.now);
    throw error;
  }
}

function eventOf(read: FromUmami, site: IngestSite, request: Incoming, caller: Caller) {
  const { payload } = read;
  const sent = { name: payload.name, url: payload.url };
  try {
    const converted = fromUmami(read, site.domains[0] as string);
    return converted && { ...readEventBody(converted.event), at: converted.at };
  } catch (error) {
    limitRate(site.id, visitorOf(request, site.proxies, caller.address).address, caller.now);
    const refusal = inUmamiNames(error);
    recordRefusal({ siteId: site.id, now: caller.now, surface, sent }, refusal);
    throw refusal;
  }
}

async function siteOf({ website, payload }: FromUmami, request: Incoming, caller: Caller): Promise<IngestSite> {
  const site = await findByDomain(website, caller);
  if (site) return site;
  const refusal = unknownSite(website, "payload.website");
  await countAtSite(
    refusal,
    { hosts: hostsOf(payload, request.header("origin")), surface, sent: payload },
    request,
    caller,
  );
  throw refusal;
}
