import { z } from "zod";
import { defineEndpoint, type Endpoint } from "@/lib/contract/define";
import { keysOf } from "@/lib/contract/fields";
import { FILTER_REASONS, type FilterReason } from "@/lib/ingest/event/values";
import { eventShape } from "@/lib/ingest/pipeline/schema";
import { SERVER_EVENTS } from "@/lib/publish/event-facts";
import { EVENT_EXAMPLES } from "@/lib/publish/open-events";
import { IDENTITY_ENDPOINTS } from "@/lib/publish/open-identity";
import { BATCH_ENDPOINT, warningsShape } from "@/lib/publish/open-measurement";
import { OAUTH_ENDPOINTS } from "@/lib/publish/open-oauth";
import { EVENT_REFUSALS } from "@/lib/publish/refusals";
import { storedClass } from "@/lib/publish/schemas";

const ABOUT = `Stores one event of a site and answers after the commit. Always send \`domain\` and \`name\`; for a pageview also \`url\` or \`path\`; for \`engagement\`, \`vitals\` or \`exposure\` also the field of that name; for \`identify\` also \`user_id\`. Unknown fields are ignored. An \`Origin\` header, which browsers send, must belong to the site. Needs no token. ${SERVER_EVENTS} Give each event your own \`event_id\` and send it again with that id when no answer came: it is stored once.`;

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
const health = z.object({ status: z.string(), version: z.string(), database: z.string() });
const healthOf = (status: string) => ({ status, version: "1.0.0", database: status });

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
    input: eventShape,
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
  defineEndpoint({
    id: "health",
    method: "GET",
    path: "/api/health",
    title: "Check the service",
    about: "For monitoring: reports whether the service answers requests and can reach its database.",
    tag: "Service",
    input: null,
    answers: {
      200: { about: "The service works", output: health, example: healthOf("ok") },
      503: { about: "The service or its database is unavailable", output: health, example: healthOf("unavailable") },
    },
    refusals: [],
  }),
];
