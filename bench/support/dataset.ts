import type pg from "pg";
import { DAY_MS } from "@/lib/platform/durations";

/**
 * A site's history, generated in Postgres from a fixed seed: more visitors by day than by night, few popular pages,
 * occasional sign-ups, searches and purchases. 3.5 events per visit, as measured on real sites: 9.5 M events in 2.7 M
 * visits over 90 days.
 */
export interface Dataset {
  siteId: number;
  /** Approximate number. */
  events: number;
  days: number;
  end: Date;
}

const EVENTS_PER_VISIT = 3.5;

/** Fills the facts of a site that has none yet. */
export async function createDataset(
  client: pg.Client,
  { siteId, events, days, end }: Dataset,
  report: (text: string) => void,
) {
  await client.query("SET work_mem = '512MB'; SET maintenance_work_mem = '512MB'; SET synchronous_commit = off");
  await client.query(CHANCE);
  await client.query(DICTIONARIES.replaceAll("$site", `${siteId}`));
  await client.query(TABLES);
  for (let month = -1; month <= days / 28 + 1; month++) {
    const at = new Date(end.getTime() - month * 28 * DAY_MS);
    await client.query("SELECT facts.add_month($1::date)", [at.toISOString().slice(0, 10)]);
  }
  const visits = Math.round(events / EVENTS_PER_VISIT / days);
  for (let day = 0; day < days; day++) {
    const begin = new Date(end.getTime() - (days - day) * DAY_MS);
    await client.query("TRUNCATE made_visit, made_event");
    await client.query(VISITS, [day * visits, (day + 1) * visits - 1, begin, day, Math.round(visits * 0.8)]);
    await client.query(PAGES);
    await client.query(MORE_EVENTS);
    await client.query(INSERT_EVENTS, [siteId, end]);
    await client.query(COUNT_ON, [siteId]);
    await client.query(INSERT_VISITS, [siteId, end]);
    if (day % 10 === 9) report(`${day + 1} of ${days} days generated`);
  }
  // The values above have explicit ids: advances the sequences, so that ingest continues after them.
  for (const dictionary of ["page", "referrer", "campaign", "place", "agent", "name"]) {
    const table = `facts.${dictionary}`;
    await client.query(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), (SELECT max(id) FROM ${table}))`);
  }
  await client.query("VACUUM ANALYZE");
}

/** A number from 0 to 1 that is deterministic for its two arguments. */
const CHANCE = `
  CREATE SCHEMA IF NOT EXISTS bench;
  CREATE OR REPLACE FUNCTION bench.chance(n bigint, seed bigint) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (hashint8extended(n, seed) & 2147483647)::float8 / 2147483648 $$;
  -- A number from 1 to most, skewed towards low ones.
  CREATE OR REPLACE FUNCTION bench.pick(n bigint, seed bigint, most int, skew float8) RETURNS int LANGUAGE sql IMMUTABLE
    PARALLEL SAFE AS $$ SELECT 1 + floor(most * power(bench.chance(n, seed), skew))::int $$`;

const DICTIONARIES = `
  INSERT INTO facts.page (id, site_id, first_seen, hostname, path, title) OVERRIDING SYSTEM VALUE
    SELECT n, $site, '2026-01-01', 'bench.example', CASE n WHEN 1 THEN '/' WHEN 2 THEN '/pricing' WHEN 3 THEN '/signup'
      WHEN 4 THEN '/thanks' ELSE (ARRAY['/blog/post-', '/docs/page-', '/product/item-'])[1 + n % 3] || n END, 'Page ' || n
    FROM generate_series(1, 5000) AS n;
  INSERT INTO facts.referrer (id, site_id, first_seen, source, channel, url, rule) OVERRIDING SYSTEM VALUE
    SELECT n, $site, '2026-01-01', CASE WHEN n = 1 THEN '' WHEN n < 20 THEN 'Google' WHEN n < 30 THEN 'ChatGPT' ELSE 'source-' || n % 60 END,
      CASE WHEN n = 1 THEN 'Direct' WHEN n < 20 THEN 'Organic Search' WHEN n < 30 THEN 'AI assistants' ELSE 'Referral' END,
      CASE WHEN n = 1 THEN '' ELSE 'https://source-' || n % 60 || '.example/' || n END, 'direct'
    FROM generate_series(1, 500) AS n;
  INSERT INTO facts.campaign (id, site_id, first_seen, source, medium, campaign, term, content) OVERRIDING SYSTEM VALUE
    SELECT n, $site, '2026-01-01', 'source-' || n % 8, (ARRAY['cpc', 'email', 'social'])[1 + n % 3], 'campaign-' || n, '', ''
    FROM generate_series(1, 40) AS n;
  INSERT INTO facts.place (id, site_id, first_seen, country, region, city, language) OVERRIDING SYSTEM VALUE
    SELECT n, $site, '2026-01-01', chr(65 + c / 26) || chr(65 + c % 26), 'region-' || n % 300, 'city-' || n, (ARRAY['en', 'de', 'fr', 'es'])[1 + n % 4]
    FROM (SELECT n, floor(60 * power(n / 1500.0, 2))::int AS c FROM generate_series(1, 1500) AS n) AS places;
  INSERT INTO facts.agent (id, site_id, first_seen, browser, browser_version, os, os_version, device, screen, bot) OVERRIDING SYSTEM VALUE
    SELECT n, $site, '2026-01-01', (ARRAY['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet'])[1 + n % 5], (90 + n % 50)::text,
      (ARRAY['Windows', 'Android', 'iOS', 'macOS', 'Linux'])[1 + n % 5], (n % 12)::text, (ARRAY['desktop', 'mobile', 'tablet'])[1 + n % 3], 'm', ''
    FROM generate_series(1, 300) AS n;
  INSERT INTO facts.name (id, site_id, first_seen, name) OVERRIDING SYSTEM VALUE
    SELECT n, $site, '2026-01-01', (ARRAY['Signup', 'Search', 'Download', 'Outbound link', 'Play', 'product_viewed', 'cart_added',
      'checkout_started', 'purchase', 'Headline test'])[n] FROM generate_series(1, 10) AS n`;

const TABLES = `
  CREATE TEMP TABLE made_visit (i bigint, started timestamptz, visitor bigint, usr bigint, referrer int, campaign int,
    place int, agent int, traffic smallint, pages int);
  CREATE TEMP TABLE made_event (i bigint, ts timestamptz, page int, type smallint, name int, engagement int, scroll smallint,
    revenue numeric, props jsonb)`;

/** The visits $1 to $2 of day $4, which starts at $3 and has $5 visitors. */
const VISITS = `
  INSERT INTO made_visit
  SELECT i, $3::timestamptz + make_interval(secs => 86400 * (bench.chance(i, 0) + bench.chance(i, 1)) / 2),
    CASE WHEN usr IS NULL THEN hashint8extended(floor(bench.chance(i, 2) * $5::int)::bigint, 1000 + $4::int) ELSE hashint8extended(usr, 77) END,
    hashint8extended(usr, 77),
    CASE WHEN bench.chance(i, 4) < 0.35 THEN 1 ELSE bench.pick(i, 5, 500, 2.5) END,
    CASE WHEN bench.chance(i, 6) < 0.08 THEN bench.pick(i, 7, 40, 2) ELSE 0 END,
    bench.pick(i, 8, 1500, 2.5), bench.pick(i, 9, 300, 2),
    CASE WHEN c < 0.92 THEN 1 WHEN c < 0.96 THEN 2 WHEN c < 0.98 THEN 3 WHEN c < 0.99 THEN 4 ELSE 5 END,
    least(12, 1 + floor(-ln(1 - bench.chance(i, 11)) * 1.4)::int)
  FROM (SELECT i, bench.chance(i, 10) AS c, CASE WHEN bench.chance(i, 3) < 0.1 THEN bench.pick(i, 12, 20000, 1.5)::bigint END AS usr
        FROM generate_series($1::bigint, $2::bigint) AS i) AS people`;

/** Their pageviews, about 40 seconds apart; some visits go from pricing to sign-up and its thank-you page. */
const PAGES = `
  INSERT INTO made_event
  SELECT i, started + make_interval(secs => (k - 1) * (15 + 50 * bench.chance(i * 16 + k, 20))),
    CASE WHEN bench.chance(i, 21) < 0.03 AND k BETWEEN 2 AND 4 THEN k ELSE bench.pick(i * 16 + k, 22, 5000, 3.5) END,
    1, 0, NULL, NULL, NULL, NULL
  FROM made_visit, generate_series(1, pages) AS k`;

/** Other events on these pages: engagement, custom events, searches, vitals, exposures and commerce. */
const MORE_EVENTS = `
  INSERT INTO made_event
  SELECT i, ts + interval '12 seconds', page, 4, 0, 3000 + (40000 * bench.chance(n, 30))::int, (10 + 90 * bench.chance(n, 31))::int, NULL, NULL
  FROM (SELECT *, i * 16 + row_number() OVER (PARTITION BY i ORDER BY ts) AS n FROM made_event) AS pages WHERE bench.chance(n, 32) < 0.55
  UNION ALL
  SELECT i, ts + interval '6 seconds', page, CASE WHEN what = 10 THEN 7 WHEN what IN (6, 7, 8, 9) THEN 8 ELSE 2 END, what, NULL, NULL,
    CASE WHEN what = 9 THEN round((5 + 200 * bench.chance(n, 33))::numeric, 2) END,
    CASE what WHEN 2 THEN jsonb_build_object('term', 'term ' || bench.pick(n, 34, 500, 2)) WHEN 1 THEN jsonb_build_object('plan', 'plan ' || bench.pick(n, 35, 4, 1))
      WHEN 10 THEN jsonb_build_object('variant', (ARRAY['control', 'bold'])[1 + (i % 2)])
      WHEN 9 THEN jsonb_build_object('order_id', 'o' || n, 'items', jsonb_build_array(jsonb_build_object('product_id', 'p' || bench.pick(n, 36, 200, 2), 'price', 20, 'quantity', 1))) END
  FROM (SELECT *, bench.pick(n, 37, 10, 1.3) AS what FROM (
    SELECT *, i * 16 + row_number() OVER (PARTITION BY i ORDER BY ts) AS n FROM made_event) AS pages WHERE bench.chance(n, 38) < 0.13) AS acts
  UNION ALL
  SELECT i, ts + interval '13 seconds', page, 9, 0, NULL, NULL, NULL,
    jsonb_build_object('lcp', (800 + 4000 * bench.chance(n, 39))::int, 'cls', round(bench.chance(n, 40)::numeric / 4, 3), 'inp', (40 + 400 * bench.chance(n, 41))::int)
  FROM (SELECT *, i * 16 + row_number() OVER (PARTITION BY i ORDER BY ts) AS n FROM made_event) AS pages WHERE bench.chance(n, 42) < 0.1`;

/** In the order of their time. */
const INSERT_EVENTS = `
  INSERT INTO facts.event (ts, visit_id, visitor_id, site_id, name, page, referrer, campaign, place, agent, type, traffic, engagement_ms,
    scroll, user_hash, revenue, currency, props, seq)
  SELECT ts, hashint8extended(i, 99), visitor, $1::int, nullif(name, 0), page, referrer, nullif(campaign, 0), place, agent, type, traffic, engagement, scroll, usr,
    revenue, CASE WHEN revenue IS NOT NULL THEN 'EUR' END, props,
    (SELECT coalesce(max(last), 0) FROM facts.site_sequence WHERE site_id = $1::int) + row_number() OVER (ORDER BY ts)
  FROM made_event JOIN made_visit USING (i) WHERE ts < $2::timestamptz ORDER BY ts`;

/** What ingest does in the same transaction. */
const COUNT_ON = `
  INSERT INTO facts.site_sequence (site_id, last) SELECT $1::int, max(seq) FROM facts.event WHERE site_id = $1::int
  ON CONFLICT (site_id) DO UPDATE SET last = excluded.last`;

const INSERT_VISITS = `
  INSERT INTO facts.visit (started, visit_id, visitor_id, site_id, duration_ms, entry_page, exit_page, referrer, campaign, place, agent,
    pageviews, interactions, traffic)
  SELECT started, hashint8extended(i, 99), visitor, $1::int, extract(epoch FROM max(ts) - started) * 1000,
    (array_agg(page ORDER BY ts) FILTER (WHERE type = 1))[1], (array_agg(page ORDER BY ts DESC) FILTER (WHERE type = 1))[1],
    referrer, campaign, place, agent, count(*) FILTER (WHERE type = 1), count(*) FILTER (WHERE type IN (2, 8)), traffic
  FROM made_event JOIN made_visit USING (i) WHERE ts < $2::timestamptz
  GROUP BY i, started, visitor, referrer, campaign, place, agent, traffic ORDER BY started ON CONFLICT DO NOTHING`;
