import { z } from "zod";
import { about, untrusted } from "@/lib/contract/fields";
import { EVENT_TYPES, TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { ADDRESSES_FROM, DEBUG_OUTCOMES, SURFACES } from "@/lib/ingest/debug/debug-record-text";
import { SCRUBBED } from "@/lib/ingest/scrubbing/kinds";

const keysOf = <T extends object>(table: T) => Object.keys(table) as [keyof T & string, ...(keyof T & string)[]];
const nullableText = z.string().nullable();
const text = untrusted.nullable();
const textLike = (example: string) => text.meta({ examples: [example] });

/** An event as the live window shows it: how each field was read. null: unknown, or not read. */
export const eventDebugRecordShape = z.object({
  surface: about(
    z.enum(keysOf(SURFACES)),
    "The API that it was sent to, or the product whose client sent it",
    "events_api",
  ),
  events: about(z.int(), "Number of events in this record: a batch refused as a whole is one record", 1),
  outcome: z.enum(keysOf(DEBUG_OUTCOMES)).meta({ examples: ["stored"] }),
  reason: nullableText.meta({ description: "Why it was not stored: a filter reason of the site, or an error code" }),
  because: text.meta({ description: "The reason in a sentence" }),
  issues: z
    .array(z.object({ path: untrusted, message: untrusted }))
    .meta({ description: "Invalid fields and what is wrong with them", examples: [[]] }),
  type: z
    .enum(keysOf(EVENT_TYPES))
    .nullable()
    .meta({ examples: ["event"] }),
  name: textLike("Signup"),
  page: z
    .object({ hostname: untrusted, path: untrusted, title: text })
    .nullable()
    .meta({ examples: [{ hostname: "example.com", path: "/pricing", title: "Pricing" }] }),
  source: z
    .object({
      source: text.meta({ description: "null: direct or unknown" }),
      channel: untrusted,
      rule: z.string().meta({ description: "The rule that chose the channel" }),
      because: nullableText.meta({ description: "When that rule applies" }),
      referrer: text,
    })
    .nullable()
    .meta({
      examples: [
        {
          source: "Google",
          channel: "Organic Search",
          rule: "organic_search",
          because: "the source is a search engine",
          referrer: "https://www.google.com/",
        },
      ],
    }),
  campaign: z
    .object({ source: text, medium: text, campaign: text, term: text, content: text })
    .nullable()
    .meta({ examples: [null] }),
  place: z
    .object({ country: text, region: text, city: text })
    .nullable()
    .meta({
      description: "At the site's location precision",
      examples: [{ country: "DE", region: "Berlin", city: "Berlin" }],
    }),
  language: textLike("de"),
  agent: z
    .object({ browser: text, browser_version: text, os: text, os_version: text, device: text, screen: text })
    .nullable()
    .meta({
      examples: [
        {
          browser: "Firefox",
          browser_version: "145",
          os: "macOS",
          os_version: "15",
          device: "Desktop",
          screen: "Laptop",
        },
      ],
    }),
  class: z
    .object({
      traffic: z.enum(keysOf(TRAFFIC_CLASSES)),
      reason: nullableText.meta({ description: "null: human visitor" }),
      because: nullableText,
      bot: text,
      operator: text,
      purpose: nullableText,
      verified: nullableText.meta({ description: "Whether the operator publishes the address" }),
    })
    .nullable(),
  visit: z
    .enum(["new", "continued", "none"])
    .nullable()
    .meta({ examples: ["new"], description: "none: an event that names no visitor and belongs to no visit" }),
  visitor: z
    .object({
      known_by: z.enum(["user_id", "session_id", "address", "agent", "none"]),
      address_from: z.enum(keysOf(ADDRESSES_FROM)),
      because: nullableText.meta({ description: "Why a forwarded address is not used" }),
    })
    .nullable()
    .meta({ description: "How the visitor was identified; the identity itself is not stored" }),
  revenue: z
    .object({ amount: z.string(), currency: z.string() })
    .nullable()
    .meta({ examples: [null] }),
  engagement: z
    .object({ ms: z.int(), scroll: z.int().nullable() })
    .nullable()
    .meta({ examples: [null] }),
  properties: about(z.record(untrusted, untrusted).nullable(), "As stored; long values are cut", { plan: "pro" }),
  properties_left_out: z.int().meta({ description: "Number of stored properties that are not listed here" }),
  scrubbed: z
    .array(z.enum(keysOf(SCRUBBED)))
    .meta({ description: "Kinds of personal data that were replaced before storing", examples: [[]] }),
});
export type EventDebugRecord = z.infer<typeof eventDebugRecordShape>;
