import { z } from "zod";
import { about, siteId } from "@/lib/contract/fields";
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
      examples: ["running"],
      description: "none: there was no test within the last hour, or its data was deleted",
    }),
    started_at: z.iso
      .datetime()
      .nullable()
      .meta({ examples: ["2026-11-20T09:30:00Z"] }),
    ends_at: about(z.iso.datetime().nullable(), "When it ends or ended automatically", "2026-11-20T09:40:00Z"),
    stopped_at: z.iso.datetime().nullable().meta({ description: "When it was stopped early; null if it was not" }),
    kept_until: about(z.iso.datetime().nullable(), "When its data is deleted", "2026-11-20T10:40:00Z"),
    seconds_left: z.int().meta({ examples: [540] }),
    counts: z
      .array(z.object({ outcome: z.enum(outcomes), traffic: z.enum(classes).nullable(), events: z.int() }))
      .meta({
        description: "Counts of all events of the test, by outcome and traffic class",
        examples: [[{ outcome: "stored", traffic: "human", events: 1 }]],
      }),
    hits: z
      .array(
        z.object({ id: z.string().meta({ examples: ["1-1"] }), at: z.iso.datetime(), ...eventDebugRecordShape.shape }),
      )
      .meta({
        description: `The newest ${MAX_WINDOW_EVENTS} events, newest first. At high rates some events are only counted.`,
      }),
  })
  .meta({ id: "TrackingTest" });
export type TrackingTest = z.infer<typeof trackingTestShape>;
export type TrackedEvent = TrackingTest["hits"][number];
