import { z } from "zod";
import { untrusted } from "@/lib/contract/fields";
import { EVENT_TYPES, TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { ADDRESSES_FROM, DEBUG_OUTCOMES } from "@/lib/ingest/debug/debug-record-text";
import { SCRUBBED } from "@/lib/ingest/event/scrub";

const keysOf = <T extends object>(table: T) => Object.keys(table) as [keyof T & string, ...(keyof T & string)[]];
const word = z.string().nullable();
const text = untrusted.nullable();

/** One hit as a live window tells it: how each of its fields was read. null: unknown, or not read at all. */
export const eventDebugRecordShape = z.object({
  surface: z.enum(["events_api", "measurement_protocol"]),
  events: z.int().meta({ description: "How many events it stands for: a batch refused as a whole is told once" }),
  outcome: z.enum(keysOf(DEBUG_OUTCOMES)),
  reason: word.meta({ description: "Why it was not stored: a rule of the site, or an error's code" }),
  because: text.meta({ description: "The same in a sentence" }),
  issues: z.array(z.object({ path: untrusted, message: untrusted })).meta({ description: "What is wrong, and where" }),
  type: z.enum(keysOf(EVENT_TYPES)).nullable(),
  name: text,
  page: z.object({ hostname: untrusted, path: untrusted, title: text }).nullable(),
  source: z
    .object({
      source: text.meta({ description: "null: nobody led here" }),
      channel: untrusted,
      rule: z.string().meta({ description: "The rule that chose the channel" }),
      because: word.meta({ description: "When that rule fits" }),
      referrer: text,
    })
    .nullable(),
  campaign: z.object({ source: text, medium: text, campaign: text, term: text, content: text }).nullable(),
  place: z
    .object({ country: text, region: text, city: text })
    .nullable()
    .meta({ description: "As exactly as the site keeps places" }),
  language: text,
  agent: z
    .object({ browser: text, browser_version: text, os: text, os_version: text, device: text, screen: text })
    .nullable(),
  class: z
    .object({
      traffic: z.enum(keysOf(TRAFFIC_CLASSES)),
      reason: word.meta({ description: "null: nothing speaks against a person" }),
      because: word,
      bot: text,
      operator: text,
      purpose: word,
      verified: word.meta({ description: "Whether its address is one that its operator publishes" }),
    })
    .nullable(),
  visit: z
    .enum(["new", "continued", "none"])
    .nullable()
    .meta({ description: "none: an event of a server that belongs to no visit" }),
  visitor: z
    .object({
      known_by: z.enum(["user_id", "session_id", "address", "agent", "none"]),
      address_from: z.enum(keysOf(ADDRESSES_FROM)),
      because: word.meta({ description: "Why an address that was passed on is not used" }),
    })
    .nullable()
    .meta({ description: "How the visitor was told apart; who it was is not kept" }),
  revenue: z.object({ amount: z.string(), currency: z.string() }).nullable(),
  engagement: z.object({ ms: z.int(), scroll: z.int().nullable() }).nullable(),
  properties: z.record(untrusted, untrusted).nullable().meta({ description: "As they are stored, long ones cut" }),
  properties_left_out: z.int().meta({ description: "Properties that were stored and are not told here" }),
  scrubbed: z.array(z.enum(keysOf(SCRUBBED))).meta({ description: "Personal data that was replaced before storing" }),
});
export type EventDebugRecord = z.infer<typeof eventDebugRecordShape>;
