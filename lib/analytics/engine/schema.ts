import {
  columnsOfFacts,
  type DictionaryName,
  dictionaryColumns,
  dictionaryNames,
  extraOf,
  type FactTable,
} from "@/lib/ingest/event/catalogue";

/**
 * The tables of a site's file: what reports read of Postgres's schema `facts`. Null or missing values are 0 or '' here, and
 * each dictionary has a row 0 for unknown, so that every id has a row.
 */

/** Files of other versions are built again. */
export const SCHEMA_VERSION = 10;

export type CopiedTable = Exclude<FactTable, "returning_visitor">;

/** Columns of Postgres, as the copy has them. */
const copied = (table: CopiedTable): string[] =>
  columnsOfFacts(table).flatMap(([name, { copied }]) => (copied ? `${name} ${copied}` : []));

/** The local day of a fact is the number of days since 1970-01-01. Times are UTC, in microseconds. */
const DAY = "day INTEGER";

const COPIED_EVENT = [
  ...copied("event"),
  ...[DAY, "lcp DOUBLE", "inp DOUBLE", "cls DOUBLE", "fcp DOUBLE", "ttfb DOUBLE", "view UBIGINT"],
].join(", ");

/** The columns of a dictionary's values. */
export const valueColumns = (name: DictionaryName): string[] => [...dictionaryColumns(name), ...extraOf(name)];

const DICTIONARY_TABLES = Object.fromEntries(
  dictionaryNames.map((name) => [
    name,
    `id INTEGER, ${valueColumns(name)
      .map((column) => `${column} VARCHAR`)
      .join(", ")}`,
  ]),
) as Record<DictionaryName, string>;

export const TABLES = {
  event: COPIED_EVENT,
  visit: [...copied("visit"), DAY].join(", "),
  ...DICTIONARY_TABLES,
  /** Sums of closed local days by a value of a dimension (0: no dimension), of human visitors or of all traffic. */
  rollup: `day INTEGER, everything BOOLEAN, dimension TINYINT, value INTEGER, visitors INTEGER, visits INTEGER, bounces INTEGER, duration_ms BIGINT, pageviews INTEGER, events INTEGER, engagement_ms BIGINT, engaged INTEGER,
    scroll INTEGER, scrolled INTEGER`,
  /** The values of `rollup`: grouping by numbers takes a quarter of the time that grouping by texts takes. */
  rollup_value: "id INTEGER, value VARCHAR",
  /** Events with revenue, and purchases: see `query/commerce-events.ts`. Reading properties and rounding amounts is slow in queries. */
  money: `${COPIED_EVENT}, kind VARCHAR, amount DECIMAL(38, 9), order_id VARCHAR, coupon VARCHAR,
    tax DECIMAL(38, 9), shipping DECIMAL(38, 9), items VARCHAR, items_currency VARCHAR`,
  /** The paths of visits of closed local days, as numbers of their steps. */
  visit_path: "started TIMESTAMP, day INTEGER, visit_id BIGINT, traffic TINYINT, steps UBIGINT[], ended BOOLEAN",
  /** Null is unknown. */
  imported: `dimension SMALLINT, day INTEGER, word VARCHAR, visitors INTEGER, visits INTEGER, bounces INTEGER,
    duration_ms BIGINT, pageviews INTEGER, events INTEGER`,
} as const;

export type Table = keyof typeof TABLES;

/** Views of a site's file. */
export const SQL_VIEWS = {
  /** What is known of the robot of an agent, by the latest verdict on its name: each event has its agent, only visits have a verdict. */
  robot: `SELECT agent.id, agent.bot, coalesce(known.operator, '') AS operator, coalesce(known.purpose, '') AS purpose
    FROM agent LEFT JOIN (
      SELECT bot, arg_max(operator, version) AS operator, arg_max(purpose, version) AS purpose
      FROM verdict WHERE bot <> '' GROUP BY bot) AS known ON known.bot = agent.bot`,
} as const;
