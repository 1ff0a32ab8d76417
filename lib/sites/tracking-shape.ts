import { z } from "zod";
import { siteId } from "@/lib/contract/fields";
import { TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";
import { eventDebugRecordShape } from "@/lib/ingest/debug/debug-record-schema";
import { DEBUG_OUTCOMES, type DebugOutcome } from "@/lib/ingest/debug/debug-record-text";
import { MAX_WINDOW_EVENTS } from "@/lib/ingest/store/live-window";

const classes = Object.keys(TRAFFIC_CLASSES) as [TrafficClass, ...TrafficClass[]];
const outcomes = Object.keys(DEBUG_OUTCOMES) as [DebugOutcome, ...DebugOutcome[]];

/** A tracking test of a site, as operations and the page tell it. */
export const trackingTestShape = z
  .object({
    site_id: siteId,
    status: z.enum(["none", "running", "ended"]).meta({
      description: "none: there was no test within the last hour, or what it saw is gone",
    }),
    started_at: z.iso.datetime().nullable(),
    ends_at: z.iso.datetime().nullable().meta({ description: "When it ends, or ended, by itself" }),
    stopped_at: z.iso.datetime().nullable().meta({ description: "When somebody ended it before" }),
    kept_until: z.iso.datetime().nullable().meta({ description: "When what it saw is deleted" }),
    seconds_left: z.int(),
    counts: z
      .array(z.object({ outcome: z.enum(outcomes), traffic: z.enum(classes).nullable(), events: z.int() }))
      .meta({ description: "All events of the test, by what became of them and by class" }),
    hits: z
      .array(z.object({ id: z.string(), at: z.iso.datetime(), ...eventDebugRecordShape.shape }))
      .meta({ description: `The newest ${MAX_WINDOW_EVENTS}, the newest first; of a flood some are only counted` }),
  })
  .meta({ id: "TrackingTest" });
export type TrackingTest = z.infer<typeof trackingTestShape>;
export type TrackedHit = TrackingTest["hits"][number];
