import { EVERYTHING } from "@/lib/analytics/query/dimensions";
import { knownSource } from "@/lib/ingest/enrich/sources";
import { canonicalTypedPath } from "@/lib/platform/canonical";
import { clip } from "@/lib/platform/text";
import { Temporal } from "@/lib/platform/time";
import { channelOf } from "@/lib/transfer/acquisition";
import { columnsOf, dateOf, dimensionNumber, type Service, UnknownFile } from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/device-names";

/**
 * Imports tables of Umami as CSV with a header: website_event, and session if the events do not contain the browser
 * (https://github.com/umami-software/umami, prisma/schema.prisma). The visitors of a day are the sessions with
 * an event on it. Every row is one event or one session, so additional columns are ignored.
 */

type Of = (name: string) => string;

function eventOf(of: Of) {
  const host = (name: string) => of(name).replace(/^www\./, "");
  const referrer = host("referrer_domain") === host("hostname") ? "" : host("referrer_domain");
  const tags = { utm_source: of("utm_source"), utm_medium: of("utm_medium"), utm_campaign: of("utm_campaign") };
  const known = referrer === "" ? undefined : knownSource(referrer);
  const source = known?.name ?? referrer;
  return {
    id: of("event_id"),
    website: of("website_id"),
    session: of("session_id"),
    visit: of("visit_id"),
    at: momentOf(of("created_at")),
    is_view: of("event_type") === "1",
    path: canonicalTypedPath(of("url_path")),
    name: of("event_name"),
    source: source || tags.utm_source,
    channel: channelOf({ known, source, hasReferrer: referrer !== "", ...tags }),
    ...tags,
    ...deviceFields(of),
  };
}

const deviceFields = (of: Of) => ({
  browser: browserOf(of("browser")),
  os: systemOf(of("os")),
  device: deviceOf(of("device")),
  country: of("country"),
});

/** Parses a time in the format of Postgres or ClickHouse; UTC without an offset. */
function momentOf(text: string): string {
  const [, date, time, zone] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(text) ?? [];
  try {
    dateOf(date ?? "");
    return Temporal.Instant.from(`${date}T${time}${zone ?? "Z"}`).toString();
  } catch {
    throw new Error(`created_at is not a valid time: ${text}`);
  }
}

/** SQL for the local day of a time. */
const dayOf = (moment: string): string => `($2::date[])[width_bucket(${moment}, $1::timestamptz[])]`;

const AGGREGATE = `
  WITH visit AS (
    SELECT ${dayOf("min(at)")} AS day, session, visit AS id, count(*) FILTER (WHERE is_view) AS pageviews,
           count(*) FILTER (WHERE NOT is_view) AS events,
           (extract(epoch FROM max(at) - min(at)) * 1000)::bigint AS duration_ms,
           (array_agg(path ORDER BY at) FILTER (WHERE is_view))[1] AS entry,
           (array_agg(path ORDER BY at DESC) FILTER (WHERE is_view))[1] AS exit,
           (array_agg(source ORDER BY at))[1] AS source, (array_agg(channel ORDER BY at))[1] AS channel,
           (array_agg(utm_source ORDER BY at))[1] AS utm_source, (array_agg(utm_medium ORDER BY at))[1] AS utm_medium,
           (array_agg(utm_campaign ORDER BY at))[1] AS utm_campaign,
           max(coalesce(nullif(raw_event.browser, ''), raw_session.browser, '')) AS browser,
           max(coalesce(nullif(raw_event.os, ''), raw_session.os, '')) AS os,
           max(coalesce(nullif(raw_event.device, ''), raw_session.device, '')) AS device,
           max(coalesce(nullif(raw_event.country, ''), raw_session.country, '')) AS country
    FROM raw_event LEFT JOIN (SELECT DISTINCT ON (session) * FROM raw_session) AS raw_session USING (session)
    GROUP BY session, visit),
  visit_value AS (
    SELECT one.dimension, day, one.word, session, id, pageviews, events, duration_ms FROM visit, LATERAL (VALUES
      (${EVERYTHING}, ''), (${dimensionNumber("entry_page")}, entry), (${dimensionNumber("exit_page")}, exit),
      (${dimensionNumber("source")}, source), (${dimensionNumber("channel")}, channel), (${dimensionNumber("utm_source")}, utm_source),
      (${dimensionNumber("utm_medium")}, utm_medium), (${dimensionNumber("utm_campaign")}, utm_campaign),
      (${dimensionNumber("country")}, country), (${dimensionNumber("device")}, device), (${dimensionNumber("browser")}, browser),
      (${dimensionNumber("os")}, os)) AS one(dimension, word) WHERE one.word IS NOT NULL),
  present AS (SELECT DISTINCT session, visit, ${dayOf("at")} AS day FROM raw_event)
  INSERT INTO daily_sum (dimension, day, word, visitors, visits, bounces, duration_ms, pageviews, events)
  SELECT dimension, day, word, 0, count(*),
         count(*) FILTER (WHERE pageviews < 2 AND events = 0), sum(duration_ms),
         coalesce(sum(pageviews) FILTER (WHERE dimension <> ${EVERYTHING}), 0),
         coalesce(sum(events) FILTER (WHERE dimension <> ${EVERYTHING}), 0)
  FROM visit_value GROUP BY dimension, day, word
  UNION ALL
  -- Visits count on the day they started; visitors, pageviews and events on each day with an event.
  SELECT dimension, present.day, word, count(DISTINCT session), 0, 0, 0, 0, 0
  FROM visit_value JOIN present USING (session) WHERE present.visit = visit_value.id GROUP BY 1, 2, 3
  UNION ALL
  SELECT ${EVERYTHING}, ${dayOf("at")}, '', 0, 0, 0, 0,
         count(*) FILTER (WHERE is_view), count(*) FILTER (WHERE NOT is_view)
  FROM raw_event GROUP BY 2
  UNION ALL
  SELECT CASE WHEN is_view THEN ${dimensionNumber("page")} ELSE ${dimensionNumber("event")} END, ${dayOf("at")},
         CASE WHEN is_view THEN path ELSE name END, count(DISTINCT session), 0, NULL, NULL,
         count(*) FILTER (WHERE is_view), count(*) FILTER (WHERE NOT is_view)
  FROM raw_event GROUP BY 1, 2, 3
  UNION ALL
  SELECT CASE WHEN is_view THEN ${dimensionNumber("page")} ELSE ${dimensionNumber("event")} END, visit.day,
         CASE WHEN is_view THEN path ELSE name END, 0, count(DISTINCT visit.id), NULL, NULL, 0, 0
  FROM raw_event JOIN visit ON visit.session = raw_event.session AND visit.id = raw_event.visit GROUP BY 1, 2, 3`;

const EVENT_COLUMNS = "event_id website_id session_id visit_id created_at url_path event_type";
const SESSION_COLUMNS = "session_id browser os device country";
/** Identifying columns of tables that cannot be stored in daily sums. */
const SKIPPED: readonly [columns: string, reason: string][] = [
  ["event_data_id data_key", "event properties cannot be stored in daily sums"],
  ["session_data_id data_key", "session properties cannot be stored in daily sums"],
];

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
    const named = columnsOf(header);
    const has = (columns: string) => columns.split(" ").every((column) => header.includes(column));
    if (has(EVENT_COLUMNS)) {
      const skipReason = (fields: readonly string[]) => {
        const type = named(fields)("event_type");
        const reason = EVENT_TYPES[type];
        if (reason === undefined) throw new Error(`event_type ${type} is unknown; expected 1 to 5`);
        return reason;
      };
      return { table: "raw_event", skipReason, read: (fields) => [eventOf(named(fields))] };
    }
    if (has(SESSION_COLUMNS))
      return {
        table: "raw_session",
        read: (fields) => [{ session: named(fields)("session_id"), ...deviceFields(named(fields)) }],
      };
    const skipped = SKIPPED.find(([columns]) => has(columns));
    if (skipped) return { skipReason: skipped[1] };
    throw new UnknownFile(`its columns are ${header.map((column) => clip(column, 100)).join(", ")}`);
  },
  aggregate: AGGREGATE,
};
