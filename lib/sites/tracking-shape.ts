import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";
import { eventDebugRecordShape } from "@/lib/ingest/debug/debug-record-schema";
import { DEBUG_OUTCOMES, type DebugOutcome } from "@/lib/ingest/debug/debug-record-text";
import { MAX_WINDOW_EVENTS } from "@/lib/ingest/store/live-window";

const classes = Object.keys(TRAFFIC_CLASSES) as [TrafficClass, ...TrafficClass[]];
const outcomes = Object.keys(DEBUG_OUTCOMES) as [DebugOutcome, ...DebugOutcome[]];

/** A tracking test of a site in API responses and on its page. */
export const trackingTestShape = z
  .object({
    site_id: siteId,
    status: z.enum(["none", "running", "ended"]).meta({
      description: "none: there was no test within the last hour, or its data was deleted",
    }),
    started_at: z.iso.datetime().nullable(),
    ends_at: z.iso.datetime().nullable().meta({ description: "When it ends or ended automatically" }),
    stopped_at: z.iso.datetime().nullable().meta({ description: "When it was stopped early; null if it was not" }),
    kept_until: z.iso.datetime().nullable().meta({ description: "When its data is deleted" }),
    seconds_left: z.int(),
    counts: z
      .array(z.object({ outcome: z.enum(outcomes), traffic: z.enum(classes).nullable(), events: z.int() }))
      .meta({ description: "Counts of all events of the test, by outcome and traffic class" }),
    hits: z.array(z.object({ id: z.string(), at: z.iso.datetime(), ...eventDebugRecordShape.shape })).meta({
      description: `The newest ${MAX_WINDOW_EVENTS} events, newest first. At high rates some events are only counted.`,
    }),
  })
  .meta({ id: "TrackingTest" });
export type TrackingTest = z.infer<typeof trackingTestShape>;
export type TrackedEvent = TrackingTest["hits"][number];
