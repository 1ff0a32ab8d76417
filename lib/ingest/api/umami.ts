import { recordRefusal } from "@/lib/ingest/api/ingest-event";
import { challengeOf } from "@/lib/ingest/api/keys";
import { type Caller, findSite, type Submitted, submit } from "@/lib/ingest/api/page-events";
import { CORS, EVENT_LIMIT_BYTES, PAGE_BATCH_LIMIT_BYTES } from "@/lib/ingest/api/requests";
import {
  type FromUmami,
  fromUmami,
  hostsOf,
  inUmamiNames,
  readUmami,
  refusedAsUmami,
  UMAMI_ANSWER,
  umamiAgent,
  WEBSITE_ID,
} from "@/lib/ingest/compat/umami";
import { readEventBody } from "@/lib/ingest/event/sent-event";
import { limitGuesses, limitRate } from "@/lib/ingest/site/limits";
import { visitorOf } from "@/lib/ingest/site/proxied";
import { type IngestSite, isKnownAlias, siteByAlias } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import { invalidInput, Refusal } from "@/lib/platform/errors";
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
    const result = await take(readJson(body), { body, timestamp, request, caller });
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

async function siteOf(read: FromUmami, request: Incoming, caller: Caller): Promise<IngestSite> {
  const { website, payload } = read;
  const site = await (WEBSITE_ID.test(website) ? findAlias(website, caller) : findByDomain(website, caller));
  if (site) return site;
  const message = WEBSITE_ID.test(website)
    ? `${website} is mapped to no site here; map it on the installation page of the site, under Coming from Umami`
    : `${website.slice(0, 100)} is not a domain of any site here; add the site first`;
  const refusal = invalidInput([{ path: "payload.website", message }]);
  // Umami's clients ignore errors, so the owner has to see them: at the site whose pages send them.
  const about = await siteOfHosts(hostsOf(payload, request.header("origin")), caller);
  if (about) {
    limitRate(about.id, visitorOf(request, about.proxies, caller.address).address, caller.now);
    recordRefusal(
      { siteId: about.id, now: caller.now, surface, sent: { name: payload.name, url: payload.url } },
      invalidInput([{ path: "website", message }]),
    );
  }
  throw refusal;
}

async function findAlias(alias: string, { address, now }: Caller): Promise<IngestSite | null> {
  const known = isKnownAlias(alias);
  if (!known) limitGuesses(address, now);
  const site = await siteByAlias(alias);
  if (known && !site) limitGuesses(address, now);
  return site;
}

/** A text that is no domain is one of no site. */
const findByDomain = (domain: string, caller: Caller): Promise<IngestSite | null> =>
  findSite(domain, caller).catch((error) => {
    if (error instanceof Refusal && error.code === "invalid_input") return null;
    throw error;
  });

/** Returns the site of the first host that belongs to one, also as a subdomain. */
async function siteOfHosts(hosts: readonly string[], caller: Caller): Promise<IngestSite | null> {
  const MAX_LOOKUPS = 4;
  const names = hosts.flatMap((host) => {
    const labels = host.split(".");
    return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
  });
  for (const name of (names.length > 0 ? names : hosts).slice(0, MAX_LOOKUPS)) {
    const site = await findByDomain(name, caller);
    if (site) return site;
  }
  return null;
}
