import { randomUUID } from "node:crypto";
import { invalidInput, Refusal } from "@/lib/contract/errors";
import type { Answer, Incoming } from "@/lib/gateway/http";
import { answer, readBody, refuse, requestIdOf } from "@/lib/gateway/respond";
import { readHints } from "@/lib/ingest/client-hints";
import type { Outcome } from "@/lib/ingest/hit";
import { countIntake } from "@/lib/ingest/intake";
import { challengeOf, noSuchKey, requireKey } from "@/lib/ingest/keys";
import { limitGuesses, limitQuota, limitRate } from "@/lib/ingest/limits";
import { understand } from "@/lib/ingest/pipeline";
import { visitorAddress } from "@/lib/ingest/proxied";
import { readEvent, type SentEvent } from "@/lib/ingest/schema";
import { type IngestSite, isKnownDomain, siteByDomain } from "@/lib/ingest/sites";
import type { PageHeaders } from "@/lib/ingest/suspicion";
import { writer } from "@/lib/ingest/writer";
import { parseJson } from "@/lib/json";
import { belongsTo } from "@/lib/sites/domains";

export const EVENT_LIMIT_BYTES = 64 * 1024;

const CORS = { "access-control-allow-origin": "*" };

/**
 * `POST /api/event`: one event of a site, from its pages or its backends. Answers 202 with
 * `{ status, event_id, reason?, request_id }` after the event is committed; see `contract/errors.ts` for each "no".
 *
 * @param caller the address the request came from, already freed of proxies, and the time of its arrival.
 */
export async function collect(request: Incoming, caller: { address: string | null; now: Date }): Promise<Answer> {
  const requestId = requestIdOf(request);
  try {
    const body = await readBody(request, EVENT_LIMIT_BYTES, ["application/json", "text/plain"]);
    const event = readEvent(parseJson(body));
    const site = await siteOf(event, caller);
    const outcome = await counted(site, caller.now, () => record({ event, body }, site, request, caller));
    const { status, ...reason } = outcome;
    const eventId = event.event_id ?? randomUUID().replaceAll("-", "");
    return answer(202, { status, event_id: eventId, ...reason, request_id: requestId }, requestId, CORS);
  } catch (error) {
    return refuse(error, requestId, { headers: { ...CORS, ...challengeOf(error) } });
  }
}

/** What browsers ask before a page of another origin may post JSON. */
export function preflight(): Answer {
  return {
    status: 204,
    headers: {
      ...CORS,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type, authorization, x-request-id",
      "access-control-max-age": "86400",
    },
    body: "",
  };
}

async function siteOf(event: SentEvent, caller: { address: string | null; now: Date }): Promise<IngestSite> {
  // Whoever guesses domains must not be able to keep the database busy.
  if (!isKnownDomain(event.domain)) limitGuesses(caller.address, caller.now);
  const site = await siteByDomain(event.domain);
  if (site) return site;
  throw invalidInput([
    { path: "domain", message: `${event.domain.slice(0, 100)} is not a domain of any site here; add the site first` },
  ]);
}

async function record(
  { event, body }: { event: SentEvent; body: Uint8Array },
  site: IngestSite,
  request: Incoming,
  caller: { address: string | null; now: Date },
): Promise<Outcome> {
  checkOrigin(request, site);
  if (request.header("authorization") !== null) await checkKey(request, site, caller);
  const address = visitorAddress(request, body, site.proxies, caller);
  limitRate(site.id, address, caller.now);
  await limitQuota(site.id, caller.now);
  const sender = {
    address,
    userAgent: (request.header("user-agent") ?? "").slice(0, 1000),
    gpc: request.header("sec-gpc") === "1" || request.header("dnt") === "1",
    page: pageHeaders(request),
    hints: readHints((name) => request.header(name)),
  };
  const hit = await understand(event, site, sender, caller.now);
  return "filtered" in hit ? { status: "filtered", reason: hit.filtered } : writer.write(hit);
}

/** A backend that passes its visitor's user agent on sends no Origin; nothing else about it is the visitor's. */
function pageHeaders(request: Incoming): PageHeaders | null {
  if (request.header("origin") === null) return null;
  return { acceptLanguage: request.header("accept-language"), brands: request.header("sec-ch-ua") };
}

/** A page may only report for the site it belongs to. A backend sends no Origin. */
function checkOrigin(request: Incoming, site: IngestSite): void {
  const origin = request.header("origin");
  if (origin === null) return;
  if (URL.canParse(origin) && belongsTo(new URL(origin).hostname, site.domains)) return;
  throw invalidInput([
    {
      path: "Origin",
      message: `${origin.slice(0, 100)} is not on ${site.domains.join(" or ")}; add its domain to the site`,
    },
  ]);
}

/** A backend may show an ingest key; what it shows must be one of this site's. A page sends an Origin and has none. */
async function checkKey(
  request: Incoming,
  site: IngestSite,
  caller: { address: string | null; now: Date },
): Promise<void> {
  if (request.header("origin") !== null || !/^bearer /i.test(request.header("authorization") ?? "")) return;
  const key = await requireKey(request, caller);
  if (key.siteId !== site.id) throw noSuchKey();
}

/** Keeps count, for the owner, of what became of a site's hits. */
async function counted(site: IngestSite, now: Date, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    const outcome = await work();
    countIntake(site.id, now, outcome.status, "reason" in outcome ? outcome.reason : "");
    return outcome;
  } catch (error) {
    if (error instanceof Refusal) countIntake(site.id, now, "refused", refusalReason(error));
    throw error;
  }
}

const refusalReason = ({ code, details }: Refusal): string => {
  const path = (details?.issues as { path: string }[] | undefined)?.[0]?.path;
  return path ? `${code}:${path}` : code;
};
