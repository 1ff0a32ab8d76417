import { z } from "zod";
import {
  eventId,
  LARGE_PROPERTIES,
  MAX_PROPERTIES_BYTES,
  nameUpTo,
  revenueFields,
  SAME_NAME,
  senderId,
  sentPath,
  textUpTo,
} from "@/lib/ingest/event/sent-event";
import { isJsonLonger } from "@/lib/platform/json";
import { canonicalName, withCanonicalNames } from "@/lib/platform/names";

/** Schema of the Measurement Protocol: six event types with their required fields. Unknown fields are refused. */

const MAX_PROPERTIES = 50;

const eventName = nameUpTo(255, "must have 1 to 255 characters, at least one of them visible");

type Properties = Record<string, unknown>;
const isObject = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Validated without a copy, which would lose a property called `__proto__`. */
const properties = z
  .custom<Properties>(isObject, "must be an object of names and values")
  .superRefine((value, context) => {
    const entries = Object.entries(value);
    if (entries.length > MAX_PROPERTIES) {
      context.addIssue(`has ${entries.length} properties; send at most ${MAX_PROPERTIES}`);
    }
    if (entries.some(([key]) => canonicalName(key) === "" || key.length > 100))
      context.addIssue("must have names of 1 to 100 characters");
    if (new Set(entries.map(([key]) => canonicalName(key))).size < entries.length) context.addIssue(SAME_NAME);
    if (isJsonLonger(value, MAX_PROPERTIES_BYTES)) context.addIssue(LARGE_PROPERTIES);
  })
  .overwrite(withCanonicalNames);

const campaign = z.strictObject(
  {
    source: textUpTo(255).nullish(),
    medium: textUpTo(255).nullish(),
    name: textUpTo(255).nullish(),
    term: textUpTo(255).nullish(),
    content: textUpTo(255).nullish(),
  },
  "must be an object {source, medium, name, term, content}",
);
const page = z.strictObject(
  {
    url: textUpTo(4096).nullish(),
    path: sentPath.nullish(),
    title: textUpTo(1000).nullish(),
    referrer: textUpTo(4096).nullish(),
  },
  "must be an object {url, path, title, referrer}",
);
const visitor = {
  locale: textUpTo(64).nullish(),
  screen: textUpTo(32).nullish(),
  user_agent: textUpTo(1000).nullish(),
  session_id: senderId.nullish(),
  campaign: campaign.nullish(),
};
const context = z.strictObject(
  { page: page.nullish(), ...visitor },
  "must be an object {page, locale, screen, user_agent, session_id, campaign}",
);
const pageContext = z.strictObject(
  {
    page: page
      .refine(({ url, path }) => url || path, "must have a url or a path")
      .meta({ anyOf: [{ required: ["url"] }, { required: ["path"] }] }),
    ...visitor,
  },
  "must be an object {page} with a url or a path in it",
);

const common = {
  event_id: eventId.nullish(),
  name: eventName.nullish(),
  user_id: senderId.nullish(),
  properties: properties.nullish(),
  revenue: z.strictObject(revenueFields, "must be an object {amount, currency}").nullish(),
  context: context.nullish(),
};

/** One event, by its type. */
export const measuredShape = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("page"), ...common, context: pageContext }),
    z.strictObject({ type: z.literal("screen"), ...common, name: eventName }),
    z.strictObject({ type: z.literal("event"), ...common, name: eventName }),
    z.strictObject({ type: z.literal("identify"), ...common, user_id: senderId }),
    z.strictObject({ type: z.literal("experiment"), ...common }),
    z.strictObject({ type: z.literal("commerce"), ...common, name: eventName }),
  ],
  {
    error: ({ input }) =>
      isObject(input)
        ? "must be page, screen, event, identify, experiment or commerce"
        : "must be an object such as {type, name}",
  },
);
export type MeasuredEvent = z.infer<typeof measuredShape>;
