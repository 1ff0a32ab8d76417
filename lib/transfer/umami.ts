import { EVERYTHING } from "@/lib/analytics/query/dimensions";
import { knownSource } from "@/lib/ingest/enrich/sources";
import { clip } from "@/lib/platform/text";
import { channelOf } from "@/lib/transfer/arrival";
import { columnsOf, numberIn, type Service, UnknownFile } from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/machines";

/**
 * Umami's tables as CSV with a header: website_event, and session where the events do not tell of the browser themselves
 * (https://github.com/umami-software/umami, prisma/schema.prisma). A visitor of a day is a session that began a visit on
 * it. A row is one event or one session whatever else is in it, so that further columns are ignored.
 */

type Of = (name: string) => string;

function hitOf(of: Of): object {
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
    path: of("url_path"),
    name: of("event_name"),
    source: source || tags.utm_source,
    channel: channelOf({ known, source, hasReferrer: referrer !== "", ...tags }),
    ...tags,
    ...machineOf(of),
  };
}

const machineOf = (of: Of) => ({
  browser: browserOf(of("browser")),
  os: systemOf(of("os")),
  device: deviceOf(of("device")),
  country: of("country"),
});

/** A time as Postgres and ClickHouse write it; without a zone it is UTC. */
function momentOf(text: string): string {
  const [, date, time, zone] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(text) ?? [];
  if (!date || Number.isNaN(Date.parse(`${date}T${time}Z`))) throw new Error(`created_at is no time: ${text}`);
  return `${date} ${time}${zone ?? "Z"}`;
}

/** The local day of a moment in SQL. */
const dayOf = (moment: string): string => `($2::date[])[width_bucket(${moment}, $1::timestamptz[])]`;

const ADD_UP = `
  WITH tour AS (
    SELECT ${dayOf("min(at)")} AS day, session, count(*) FILTER (WHERE is_view) AS pageviews,
           count(*) FILTER (WHERE NOT is_view) AS events,
           (extract(epoch FROM max(at) - min(at)) * 1000)::bigint AS duration_ms,
           (array_agg(path ORDER BY at) FILTER (WHERE is_view))[1] AS entry,
           (array_agg(path ORDER BY at DESC) FILTER (WHERE is_view))[1] AS exit,
           (array_agg(source ORDER BY at))[1] AS source, (array_agg(channel ORDER BY at))[1] AS channel,
           (array_agg(utm_source ORDER BY at))[1] AS utm_source, (array_agg(utm_medium ORDER BY at))[1] AS utm_medium,
           (array_agg(utm_campaign ORDER BY at))[1] AS utm_campaign,
           max(coalesce(nullif(hit.browser, ''), sitting.browser, '')) AS browser,
           max(coalesce(nullif(hit.os, ''), sitting.os, '')) AS os,
           max(coalesce(nullif(hit.device, ''), sitting.device, '')) AS device,
           max(coalesce(nullif(hit.country, ''), sitting.country, '')) AS country
    FROM hit LEFT JOIN (SELECT DISTINCT ON (session) * FROM sitting) AS sitting USING (session) GROUP BY session, visit),
  told AS (
    SELECT one.dimension, day, one.word, session, pageviews, events, duration_ms FROM tour, LATERAL (VALUES
      (${EVERYTHING}, ''), (${numberIn("entry_page")}, entry), (${numberIn("exit_page")}, exit),
      (${numberIn("source")}, source), (${numberIn("channel")}, channel), (${numberIn("utm_source")}, utm_source),
      (${numberIn("utm_medium")}, utm_medium), (${numberIn("utm_campaign")}, utm_campaign),
      (${numberIn("country")}, country), (${numberIn("device")}, device), (${numberIn("browser")}, browser),
      (${numberIn("os")}, os)) AS one(dimension, word) WHERE one.word IS NOT NULL)
  INSERT INTO given (dimension, day, word, visitors, visits, bounces, duration_ms, pageviews, events)
  SELECT dimension, day, word, count(DISTINCT session), count(*),
         count(*) FILTER (WHERE pageviews < 2 AND events = 0), sum(duration_ms),
         coalesce(sum(pageviews) FILTER (WHERE dimension <> ${EVERYTHING}), 0),
         coalesce(sum(events) FILTER (WHERE dimension <> ${EVERYTHING}), 0)
  FROM told GROUP BY dimension, day, word
  UNION ALL
  -- Visits count on the day on which they began, pageviews and events on their own.
  SELECT ${EVERYTHING}, ${dayOf("at")}, '', 0, 0, 0, 0,
         count(*) FILTER (WHERE is_view), count(*) FILTER (WHERE NOT is_view)
  FROM hit GROUP BY 2
  UNION ALL
  SELECT CASE WHEN is_view THEN ${numberIn("page")} ELSE ${numberIn("event")} END, ${dayOf("at")},
         CASE WHEN is_view THEN path ELSE name END, count(DISTINCT session), count(DISTINCT visit), 0, 0,
         count(*) FILTER (WHERE is_view), count(*) FILTER (WHERE NOT is_view)
  FROM hit GROUP BY 1, 2, 3`;

const EVENT_COLUMNS = "event_id website_id session_id visit_id created_at url_path event_type";
const SESSION_COLUMNS = "session_id browser os device country";
/** Columns by which tables are known that daily sums have no place for. */
const LEFT_OUT: readonly [columns: string, reason: string][] = [
  ["event_data_id data_key", "properties of events have no place in daily sums"],
  ["session_data_id data_key", "properties of sessions have no place in daily sums"],
];

/** Umami's numbers of types of events, with why those of a type are left out; null for those that are read. */
const EVENT_TYPES: Readonly<Record<string, string | null>> = {
  1: null,
  2: null,
  3: "clicks on short links, which are no visits of the website",
  4: "loads of pixels, which are no visits of the website",
  5: "web vitals, which have no place in daily sums",
};

export const UMAMI: Service = {
  name: "umami",
  expected: `Umami's tables as CSV with a header: website_event (${EVENT_COLUMNS.replaceAll(" ", ", ")} and more) and session (${SESSION_COLUMNS.replaceAll(" ", ", ")} and more). Lists of its dashboard, with columns x and y, have no dates and cannot be imported.`,
  reader({ header }) {
    const named = columnsOf(header);
    const has = (columns: string) => columns.split(" ").every((column) => header.includes(column));
    if (has(EVENT_COLUMNS)) {
      const leftOut = (fields: readonly string[]) => {
        const type = named(fields)("event_type");
        const reason = EVENT_TYPES[type];
        if (reason === undefined) throw new Error(`event_type ${type} is not known; there are 1 to 5`);
        return reason;
      };
      return { into: "hit", leftOut, read: (fields) => [hitOf(named(fields))] };
    }
    if (has(SESSION_COLUMNS))
      return {
        into: "sitting",
        read: (fields) => [{ session: named(fields)("session_id"), ...machineOf(named(fields)) }],
      };
    const other = LEFT_OUT.find(([columns]) => has(columns));
    if (other) return { leftOut: other[1] };
    throw new UnknownFile(`its columns are ${header.map((column) => clip(column, 100)).join(", ")}`);
  },
  addUp: ADD_UP,
};
