import { canonicalTypedPath } from "@/lib/platform/canonical";
import { clip } from "@/lib/platform/text";
import { arrivalFrom } from "@/lib/transfer/acquisition";
import { fieldReader, momentOf, type Service, UnknownFile } from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/device-names";
import { VISITS_OF_EVENTS } from "@/lib/transfer/events-sql";

/**
 * Imports tables of Umami as CSV with a header: website_event, and session if the events do not contain the browser
 * (https://github.com/umami-software/umami, prisma/schema.prisma). The visitors of a day are the sessions with
 * an event on it. Every row is one event or one session, so additional columns are ignored.
 */

type Of = (name: string) => string;
type Has = (name: string) => boolean;

function eventOf(of: Of, has: Has) {
  const tags = { utm_source: of("utm_source"), utm_medium: of("utm_medium"), utm_campaign: of("utm_campaign") };
  return {
    id: of("event_id"),
    website: of("website_id"),
    session: of("session_id"),
    visit: of("visit_id"),
    at: momentOf(of("created_at"), "created_at"),
    is_view: of("event_type") === "1",
    path: canonicalTypedPath(of("url_path")),
    name: of("event_name"),
    ...arrivalFrom(of("referrer_domain"), of("hostname"), tags),
    ...tags,
    ...visitorFields(of, has),
  };
}

const visitorFields = (of: Of, has: Has) => ({
  browser: browserOf(of("browser")),
  os: systemOf(of("os")),
  device: deviceOf(of("device")),
  country: of("country"),
  city: has("city") ? of("city") : null,
});

const EVENT_COLUMNS = "event_id website_id session_id visit_id created_at url_path event_type";
const SESSION_COLUMNS = "session_id browser os device country";
/** Identifying columns of tables that cannot be stored in daily sums. */
const SKIPPED: readonly [columns: string, reason: string][] = [
  ["event_data_id data_key", "event properties cannot be stored in daily sums"],
  ["session_data_id data_key", "session properties cannot be stored in daily sums"],
];

/** Umami stores regions as codes of ISO 3166-2; those of our own visits are names. */
const REGION_NOTE = "regions are skipped, because Umami only has codes for them, such as US-CA";

/** Event types of Umami, with the reason to skip them; null to read them. */
const EVENT_TYPES: Readonly<Record<string, string | null>> = {
  1: null,
  2: null,
  3: "clicks on short links, which are not visits of the website",
  4: "pixel loads, which are not visits of the website",
  5: "web vitals, which cannot be stored in daily sums",
};

export const UMAMI: Service = {
  name: "umami",
  expected: `Umami's tables as CSV with a header: website_event (${EVENT_COLUMNS.replaceAll(" ", ", ")} and more) and session (${SESSION_COLUMNS.replaceAll(" ", ", ")} and more). Lists from its dashboard, with columns x and y, have no dates and cannot be imported.`,
  claims: ({ header }) => header.join() === "x,y" || ["website_id", "session_id"].every((one) => header.includes(one)),
  reader({ header }) {
    const named = fieldReader(header);
    const has = (columns: string) => columns.split(" ").every((column) => header.includes(column));
    const note = has("region") ? { note: REGION_NOTE } : {};
    if (has(EVENT_COLUMNS)) {
      const skipReason = (fields: readonly string[]) => {
        const type = named(fields)("event_type");
        const reason = EVENT_TYPES[type];
        if (reason === undefined) throw new Error(`event_type ${type} is unknown; expected 1 to 5`);
        return reason;
      };
      return { table: "raw_event", ...note, skipReason, read: (fields) => [eventOf(named(fields), has)] };
    }
    if (has(SESSION_COLUMNS))
      return {
        table: "raw_session",
        ...note,
        read: (fields) => [{ session: named(fields)("session_id"), ...visitorFields(named(fields), has) }],
      };
    const skipped = SKIPPED.find(([columns]) => has(columns));
    if (skipped) return { skipReason: skipped[1] };
    throw new UnknownFile(`its columns are ${header.map((column) => clip(column, 100)).join(", ")}`);
  },
  aggregate: VISITS_OF_EVENTS,
};
