import { z } from "zod";
import { defineEndpoint, type Endpoint } from "@/lib/contract/define";
import { keysOf } from "@/lib/contract/fields";
import { FILTER_REASONS, type FilterReason } from "@/lib/ingest/event/decided-event";
import { eventBodyShape } from "@/lib/ingest/event/sent-event";
import { SERVER_EVENTS } from "@/lib/publish/event-facts";
import { EVENT_EXAMPLES } from "@/lib/publish/open-events";
import { FILE_ENDPOINTS } from "@/lib/publish/open-files";
import { IDENTITY_ENDPOINTS } from "@/lib/publish/open-identity";
import { BATCH_ENDPOINT, warningsShape } from "@/lib/publish/open-measurement";
import { OAUTH_ENDPOINTS } from "@/lib/publish/open-oauth";
import { EVENT_REFUSALS } from "@/lib/publish/refusals";
import { storedClass } from "@/lib/publish/schemas";

const ABOUT = `Stores one event of a site and answers after the commit. Always send \`domain\` and \`name\`; for a pageview also \`url\` or \`path\`; for \`engagement\`, \`vitals\` or \`exposure\` also the field of that name; for \`identify\` also \`user_id\`. Unknown fields are ignored. An \`Origin\` header, which browsers send, must belong to the site. Needs no token. ${SERVER_EVENTS} Give each event your own \`event_id\` and send it again with that id when no answer came: it is stored once. Clients of Plausible send here in their own names, and those of Umami to \`/api/send\` and \`/api/batch\`: see [Coming from Plausible](/docs/from-plausible) and [Coming from Umami](/docs/from-umami).`;

const stored = z.object({
  status: z.enum(["stored", "duplicate", "filtered"]),
  event_id: z.string(),
  class: storedClass,
  reason: z
    .enum(keysOf(FILTER_REASONS) as [FilterReason, ...FilterReason[]])
    .optional()
    .meta({ description: "Why it was filtered: the rule of the site" }),
  warnings: warningsShape,
  request_id: z.string(),
});
const partStatus = z.enum(["ok", "unavailable"]);
const health = z.object({
  status: z
    .enum(["ok", "degraded", "unavailable"])
    .meta({ description: "degraded: events are stored, reports are not answered" }),
  version: z.string(),
  database: partStatus,
  ingest: partStatus.meta({ description: "What stores events" }),
  analytics: partStatus.meta({ description: "What answers reports" }),
});
const HEALTHY = { status: "ok", version: "1.0.0", database: "ok", ingest: "ok", analytics: "ok" };

export const EVENT_ID = "event.send";

/** Every published endpoint that is not an operation. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...IDENTITY_ENDPOINTS,
  ...OAUTH_ENDPOINTS,
  defineEndpoint({
    id: EVENT_ID,
    method: "POST",
    path: "/api/event",
    title: "Send an event",
    about: ABOUT,
    tag: "Events",
    ingestKey: "optional",
    input: eventBodyShape,
    example: EVENT_EXAMPLES.event.value,
    answers: {
      202: {
        about: "The event is stored, was stored before, or is filtered by a rule of the site",
        output: stored,
        example: { status: "stored", event_id: "order-2026-000042", class: "human", request_id: "7d1f0c52" },
      },
    },
    refusals: EVENT_REFUSALS,
  }),
  BATCH_ENDPOINT,
  ...FILE_ENDPOINTS,
  defineEndpoint({
    id: "health",
    method: "GET",
    path: "/api/health",
    title: "Check the service",
    about:
      "For monitoring: asks the database, what stores events (`ingest`) and what answers reports (`analytics`), and names the part that does not work. A part that ends again and again does not work until it has answered for ten seconds.",
    tag: "Service",
    input: null,
    answers: {
      200: {
        about: "Events are stored; reports are answered unless the status is `degraded`",
        output: health,
        example: HEALTHY,
      },
      503: {
        about: "Events are refused: the service starts or stops, or `database` or `ingest` is unavailable",
        output: health,
        example: { ...HEALTHY, status: "unavailable", ingest: "unavailable" },
      },
    },
    refusals: [],
  }),
];
