import { knownSource } from "@/lib/ingest/sources";
import { channelOf } from "@/lib/transfer/arrival";
import { columnsOf, EVERYTHING, numberIn, type Service } from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/machines";

/**
 * Umami's tables as CSV with a header: website_event, and session where the events do not tell of the browser themselves
 * (https://github.com/umami-software/umami, prisma/schema.prisma). A visitor of a day is a session that began a visit on it.
 */

type Of = (name: string) => string;

function hitOf(of: Of): object {
  const host = (name: string) => of(name).replace(/^www\./, "");
  const referrer = host("referrer_domain") === host("hostname") ? "" : host("referrer_domain");
  const tags = { utm_source: of("utm_source"), utm_medium: of("utm_medium"), utm_campaign: of("utm_campaign") };
  const known = referrer === "" ? undefined : knownSource(referrer);
  const source = known?.name ?? referrer;
  return {
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
    FROM hit LEFT JOIN sitting USING (session) GROUP BY session, visit),
  told AS (
    SELECT one.dimension, day, one.word, session, pageviews, events, duration_ms FROM tour, LATERAL (VALUES
      (${EVERYTHING}, ''), (${numberIn("entry_page")}, entry), (${numberIn("exit_page")}, exit),
      (${numberIn("source")}, source), (${numberIn("channel")}, channel), (${numberIn("utm_source")}, utm_source),
      (${numberIn("utm_medium")}, utm_medium), (${numberIn("utm_campaign")}, utm_campaign),
      (${numberIn("country")}, country), (${numberIn("device")}, device), (${numberIn("browser")}, browser),
      (${numberIn("os")}, os)) AS one(dimension, word) WHERE one.word IS NOT NULL)
  INSERT INTO given (dimension, day, word, visitors, visits, bounces, duration_ms, pageviews, events)
  SELECT dimension, day, word, count(DISTINCT session), count(*),
         count(*) FILTER (WHERE pageviews < 2 AND events = 0), sum(duration_ms), sum(pageviews), sum(events)
  FROM told GROUP BY dimension, day, word
  UNION ALL
  SELECT CASE WHEN is_view THEN ${numberIn("page")} ELSE ${numberIn("event")} END, ${dayOf("at")},
         CASE WHEN is_view THEN path ELSE name END, count(DISTINCT session), count(DISTINCT visit), 0, 0,
         count(*) FILTER (WHERE is_view), count(*) FILTER (WHERE NOT is_view)
  FROM hit GROUP BY 1, 2, 3`;

export const UMAMI: Service = {
  name: "umami",
  reader(header) {
    const named = columnsOf(header);
    const has = (columns: string) => columns.split(" ").every((column) => header.includes(column));
    if (has("website_id session_id visit_id created_at url_path event_type"))
      return { into: "hit", read: (fields) => [hitOf(named(fields))] };
    if (has("session_id browser os device country"))
      return {
        into: "sitting",
        read: (fields) => [{ session: named(fields)("session_id"), ...machineOf(named(fields)) }],
      };
    return null;
  },
  addUp: ADD_UP,
};
