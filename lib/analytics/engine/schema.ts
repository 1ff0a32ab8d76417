/**
 * The tables of a site's file: what reports read of Postgres's schema `facts`. Null or missing values are 0 or '' here, and
 * each dictionary has a row 0 for unknown, so that every id has a row.
 */

/** Files of other versions are built again. */
export const SCHEMA_VERSION = 8;

/** The local day of a fact is the number of days since 1970-01-01. Times are UTC, in microseconds. */
const EVENT = `ts TIMESTAMP, written BIGINT, day INTEGER, visit_id BIGINT, visitor_id BIGINT, name INTEGER, page INTEGER, referrer INTEGER,
  campaign INTEGER, place INTEGER, agent INTEGER, type TINYINT, traffic TINYINT, engagement_ms INTEGER, scroll TINYINT,
  user_hash BIGINT, revenue DECIMAL(38, 18), currency VARCHAR, props MAP(VARCHAR, VARCHAR), lcp DOUBLE, inp DOUBLE, cls DOUBLE, fcp DOUBLE,
  ttfb DOUBLE, view UBIGINT`;

export const TABLES = {
  event: EVENT,
  visit: `started TIMESTAMP, day INTEGER, visit_id BIGINT, visitor_id BIGINT, duration_ms INTEGER, entry_page INTEGER,
    exit_page INTEGER, referrer INTEGER, campaign INTEGER, place INTEGER, agent INTEGER, pageviews SMALLINT,
    interactions SMALLINT, traffic TINYINT`,
  page: "id INTEGER, hostname VARCHAR, path VARCHAR, title VARCHAR",
  referrer: "id INTEGER, source VARCHAR, channel VARCHAR, url VARCHAR, rule VARCHAR",
  campaign: "id INTEGER, source VARCHAR, medium VARCHAR, campaign VARCHAR, term VARCHAR, content VARCHAR",
  place: "id INTEGER, country VARCHAR, region VARCHAR, city VARCHAR, language VARCHAR",
  agent: `id INTEGER, browser VARCHAR, browser_version VARCHAR, os VARCHAR, os_version VARCHAR, device VARCHAR,
    screen VARCHAR, bot VARCHAR`,
  name: "id INTEGER, name VARCHAR",
  /** Sums of closed local days by a value of a dimension (0: no dimension), of human visitors or of all traffic. */
  rollup: `day INTEGER, everything BOOLEAN, dimension TINYINT, value INTEGER, visitors INTEGER, visits INTEGER, bounces INTEGER, duration_ms BIGINT, pageviews INTEGER, events INTEGER, engagement_ms BIGINT, engaged INTEGER,
    scroll INTEGER, scrolled INTEGER`,
  /** The values of `rollup`: grouping by numbers takes a quarter of the time that grouping by texts takes. */
  rollup_value: "id INTEGER, value VARCHAR",
  /** Events with revenue, and purchases: see `query/commerce-events.ts`. Reading properties and rounding amounts is slow in queries. */
  money: `${EVENT}, kind VARCHAR, amount DECIMAL(38, 9), order_id VARCHAR, coupon VARCHAR,
    tax DECIMAL(38, 9), shipping DECIMAL(38, 9), items VARCHAR, items_currency VARCHAR`,
  /** The paths of visits of closed local days, as numbers of their steps. */
  visit_path: "started TIMESTAMP, day INTEGER, visit_id BIGINT, traffic TINYINT, steps UBIGINT[], ended BOOLEAN",
  /** Null is unknown. */
  imported: `dimension SMALLINT, day INTEGER, word VARCHAR, visitors INTEGER, visits INTEGER, bounces INTEGER,
    duration_ms BIGINT, pageviews INTEGER, events INTEGER`,
} as const;

export type Table = keyof typeof TABLES;

/** The dictionaries with the columns of their values. */
export const DICTIONARIES = {
  page: ["hostname", "path", "title"],
  referrer: ["source", "channel", "url", "rule"],
  campaign: ["source", "medium", "campaign", "term", "content"],
  place: ["country", "region", "city", "language"],
  agent: ["browser", "browser_version", "os", "os_version", "device", "screen", "bot"],
  name: ["name"],
} as const satisfies Partial<Record<Table, readonly string[]>>;

export type Dictionary = keyof typeof DICTIONARIES;
export const dictionaries = Object.keys(DICTIONARIES) as Dictionary[];
