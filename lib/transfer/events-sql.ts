import { EVERYTHING } from "@/lib/analytics/query/dimensions";
import { dimensionNumber } from "@/lib/transfer/daily-sums";

/** SQL that adds up single events of other services into daily sums. $1: start of each local day, $2: its date. */

/** SQL for the local day of a time. */
export const localDaySql = (moment: string): string => `($2::date[])[width_bucket(${moment}, $1::timestamptz[])]`;

/**
 * Adds up events whose source names the session and visit of each. A visitor of a day is a session with an event on it.
 * A field that is null in all events of a visit is one that the source lacks, so its dimension has no sums.
 */
export const VISITS_OF_EVENTS = `
  WITH visit AS (
    SELECT ${localDaySql("min(at)")} AS day, session, visit AS id, count(*) FILTER (WHERE is_view) AS pageviews,
           count(*) FILTER (WHERE NOT is_view) AS events,
           (extract(epoch FROM max(at) - min(at)) * 1000)::bigint AS duration_ms,
           (array_agg(path ORDER BY at) FILTER (WHERE is_view))[1] AS entry,
           (array_agg(path ORDER BY at DESC) FILTER (WHERE is_view))[1] AS exit,
           (array_agg(source ORDER BY at))[1] AS source, (array_agg(channel ORDER BY at))[1] AS channel,
           (array_agg(utm_source ORDER BY at))[1] AS utm_source, (array_agg(utm_medium ORDER BY at))[1] AS utm_medium,
           (array_agg(utm_campaign ORDER BY at))[1] AS utm_campaign,
           max(coalesce(nullif(raw_event.browser, ''), raw_session.browser, raw_event.browser)) AS browser,
           max(coalesce(nullif(raw_event.os, ''), raw_session.os, raw_event.os)) AS os,
           max(coalesce(nullif(raw_event.device, ''), raw_session.device, raw_event.device)) AS device,
           max(coalesce(nullif(raw_event.country, ''), raw_session.country, raw_event.country)) AS country,
           max(coalesce(nullif(raw_event.city, ''), raw_session.city, raw_event.city, unknown_city)) AS city
    FROM raw_event LEFT JOIN (SELECT DISTINCT ON (session) * FROM raw_session) AS raw_session USING (session)
    -- One file may have cities and another none.
    LEFT JOIN (SELECT '' AS unknown_city WHERE EXISTS (SELECT FROM raw_event WHERE city IS NOT NULL)
      OR EXISTS (SELECT FROM raw_session WHERE city IS NOT NULL)) AS known ON true
    GROUP BY session, visit),
  visit_value AS (
    SELECT one.dimension, day, one.word, session, id, pageviews, events, duration_ms FROM visit, LATERAL (VALUES
      (${EVERYTHING}, ''), (${dimensionNumber("entry_page")}, entry), (${dimensionNumber("exit_page")}, exit),
      (${dimensionNumber("source")}, source), (${dimensionNumber("channel")}, channel), (${dimensionNumber("utm_source")}, utm_source),
      (${dimensionNumber("utm_medium")}, utm_medium), (${dimensionNumber("utm_campaign")}, utm_campaign),
      (${dimensionNumber("country")}, country), (${dimensionNumber("city")}, city), (${dimensionNumber("device")}, device), (${dimensionNumber("browser")}, browser),
      (${dimensionNumber("os")}, os)) AS one(dimension, word) WHERE one.word IS NOT NULL),
  present AS (SELECT DISTINCT session, visit, ${localDaySql("at")} AS day FROM raw_event)
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
  SELECT ${EVERYTHING}, ${localDaySql("at")}, '', 0, 0, 0, 0,
         count(*) FILTER (WHERE is_view), count(*) FILTER (WHERE NOT is_view)
  FROM raw_event GROUP BY 2
  UNION ALL
  SELECT CASE WHEN is_view THEN ${dimensionNumber("page")} ELSE ${dimensionNumber("event")} END, ${localDaySql("at")},
         CASE WHEN is_view THEN path ELSE name END, count(DISTINCT session), 0, NULL, NULL,
         count(*) FILTER (WHERE is_view), CASE WHEN NOT bool_and(is_view) THEN count(*) END
  FROM raw_event GROUP BY 1, 2, 3
  UNION ALL
  SELECT CASE WHEN is_view THEN ${dimensionNumber("page")} ELSE ${dimensionNumber("event")} END, visit.day,
         CASE WHEN is_view THEN path ELSE name END, 0, count(DISTINCT visit.id), NULL, NULL, 0, 0
  FROM raw_event JOIN visit ON visit.session = raw_event.session AND visit.id = raw_event.visit GROUP BY 1, 2, 3`;
