import { numbersOf, ofTypes, wordsOf } from "@/lib/analytics/query/dimension-sql";
import { VIEWS } from "@/lib/analytics/query/event-types";
import { NO_FILTERS } from "@/lib/analytics/query/filters";
import { groupsSql } from "@/lib/analytics/query/groups";
import type { Sums } from "@/lib/analytics/query/metrics";
import { eventsIn, queryCopy, type Scope, visitsIn } from "@/lib/analytics/query/scope";
import { bucketed, byAlphabet, inBuckets, type Trend } from "@/lib/analytics/reports/trend";
import { TRAFFIC_CLASSES, type Traffic } from "@/lib/contract/vocabulary";
import { SEARCHING } from "@/lib/ingest/event/verdict";
import { raw, type Sql, sql } from "@/lib/platform/sql";

/**
 * What AI agents and crawlers of search engines read: their page views, each answered by a page or by an error. A page view
 * without a known status is a read, because most senders do not tell.
 */

/** AI agents, and robots that collect pages for a search engine. */
const READERS = {
  ai: sql`fact.traffic = ${TRAFFIC_CLASSES.ai}`,
  bot: sql`(fact.traffic = ${TRAFFIC_CLASSES.bot} AND fact.agent IN (SELECT id FROM robot WHERE purpose = ${SEARCHING}))`,
};
type ReaderClass = keyof typeof READERS;

const ALL_READERS = sql`(${READERS.ai} OR ${READERS.bot})`;

/** SQL for the readers that a traffic filter leaves: `ai` or `bot` one of the two, a class without readers none. */
function readersOf(traffic: Traffic): Sql {
  if (traffic === "ai" || traffic === "bot") return READERS[traffic];
  return traffic === "human" || traffic === "all" ? ALL_READERS : sql`false`;
}

/** The same scope of visits and events that meet a condition on their own columns, of any class. */
const ofReaders = (scope: Scope, condition: Sql): Scope => ({
  ...scope,
  traffic: "all",
  imported: false,
  filters: { ...scope.filters, visit: [...scope.filters.visit, condition] },
});

export interface AgentRow {
  traffic: ReaderClass;
  agent: string | null;
  operator: string | null;
  purpose: string | null;
  reads: number;
  errors: number;
  /** Distinct pages that were read. */
  pages: number;
  /** Epoch milliseconds. */
  last: number;
  visits: number;
  verified: number;
  claimed: number;
  spoofed: number;
  /** Reads in each bucket. */
  trend: number[];
}

interface ReaderTotals {
  agents: number;
  reads: number;
  errors: number;
  pages: number;
  visits: number;
}

interface PurposeRow {
  purpose: string | null;
  reads: number;
  errors: number;
  trend: number[];
}

export interface Readings {
  totals: Record<ReaderClass, ReaderTotals>;
  /** Of AI agents, most reads first. */
  purposes: PurposeRow[];
  /** Those with a page view, most reads first. */
  agents: AgentRow[];
  /** Reads of search engines in each bucket. */
  searchTrend: number[];
  /** Errors that AI agents got in each bucket. */
  errorTrend: number[];
  /** How many AI agents there were in each bucket. */
  agentTrend: number[];
}

interface PageRow {
  page: string | null;
  reads: number;
  purposes: { purpose: string | null; reads: number }[];
  agents: number;
  last: number;
  /** How many requests were answered with a status of each class; null where no status is known. */
  status: Record<"2xx" | "3xx" | "4xx" | "5xx" | "unknown", number> | null;
}

interface ErrorRow {
  page: string | null;
  status: number;
  requests: number;
  agents: string[];
  last: number;
}

interface UnreadRow {
  page: string;
  pageviews: number;
  visitors: number;
}

interface ReadPages {
  pages: PageRow[];
  errors: ErrorRow[];
  /** Null where no request of any reader is known, so that nobody can tell what they have not read. */
  unread: UnreadRow[] | null;
}

const MOST_NAMES = 10;

/**
 * A statement that makes a table `reading` of the requests of a scope's readers, by bucket, agent, page and status.
 */
const readingTable = (scope: Scope, trend: Trend): Sql => sql`
  CREATE TEMP TABLE reading AS
  SELECT counted.bucket, counted.traffic, counted.status, counted.requests, counted.last, counted.status < 400 AS is_read,
    nullif(robot.bot, '') AS agent, nullif(robot.operator, '') AS operator, nullif(robot.purpose, '') AS purpose,
    pages.number AS page
  FROM (
    SELECT buckets.number AS bucket, fact.traffic, fact.agent, fact.page, fact.status, count(*) AS requests,
      epoch_ms(max(fact.ts)) AS last
    FROM event AS fact ${bucketed(scope, trend)}
    WHERE ${eventsIn(scope)} AND ${ofTypes(VIEWS)} GROUP BY ALL) AS counted
  JOIN robot ON robot.id = counted.agent
  JOIN ${numbersOf("page")} AS pages ON pages.id = counted.page`;

const READS = raw("coalesce(sum(requests) FILTER (WHERE is_read), 0)::BIGINT AS reads");
const ERROR_SUM = raw("coalesce(sum(requests) FILTER (WHERE NOT is_read), 0)::BIGINT AS errors");
const PAGES = raw("count(DISTINCT page) FILTER (WHERE is_read) AS pages");

const CLASS_OF = raw(`CASE traffic WHEN ${TRAFFIC_CLASSES.ai} THEN 'ai' ELSE 'bot' END AS traffic`);

const totalsSql = sql`
  SELECT ${CLASS_OF}, count(DISTINCT coalesce(agent, '')) AS agents, ${READS}, ${ERROR_SUM}, ${PAGES} FROM reading GROUP BY ALL`;

const agentsSql = sql`
  SELECT ${CLASS_OF}, agent, any_value(operator) AS operator, any_value(purpose) AS purpose, ${READS}, ${ERROR_SUM}, ${PAGES},
    max(last) AS last
  FROM reading GROUP BY reading.traffic, agent ORDER BY reads DESC, errors DESC, agent NULLS LAST, traffic`;

const trendSql = sql`
  SELECT bucket, ${CLASS_OF}, agent, purpose, ${READS}, ${ERROR_SUM} FROM reading GROUP BY bucket, reading.traffic, agent, purpose`;

const visitsSql = (scope: Scope): Sql => sql`
  SELECT CASE counted.traffic WHEN ${TRAFFIC_CLASSES.ai} THEN 'ai' ELSE 'bot' END AS traffic, nullif(robot.bot, '') AS agent,
    sum(visits)::BIGINT AS visits,
    coalesce(sum(visits) FILTER (WHERE verdict.verified = 'verified'), 0)::BIGINT AS verified,
    coalesce(sum(visits) FILTER (WHERE verdict.verified = 'claimed'), 0)::BIGINT AS claimed,
    coalesce(sum(visits) FILTER (WHERE verdict.verified = 'spoofed'), 0)::BIGINT AS spoofed
  FROM (
    SELECT fact.traffic, fact.agent, fact.verdict, count(*) AS visits FROM visit AS fact
    WHERE ${visitsIn(scope)} GROUP BY ALL) AS counted
  JOIN robot ON robot.id = counted.agent LEFT JOIN verdict ON verdict.id = counted.verdict
  GROUP BY counted.traffic, robot.bot`;

type ReadingAgent = Pick<AgentRow, "traffic" | "agent">;
type VisitsRow = ReadingAgent & Pick<AgentRow, "visits" | "verified" | "claimed" | "spoofed">;
type TrendRow = ReadingAgent & Pick<PurposeRow, "purpose" | "reads" | "errors"> & { bucket: number };
type Rows = [
  unknown[],
  (Omit<ReaderTotals, "visits"> & { traffic: ReaderClass })[],
  Omit<AgentRow, "trend" | keyof Omit<VisitsRow, keyof ReadingAgent>>[],
  TrendRow[],
  VisitsRow[],
];

const statementsOf = (readers: Scope, trend: Trend): Sql[] => [
  readingTable(readers, trend),
  totalsSql,
  agentsSql,
  trendSql,
  visitsSql(readers),
];

/** Who read how much in a scope. */
export async function readingsOf(scope: Scope, trend: Trend): Promise<Readings> {
  const readers = ofReaders(scope, readersOf(scope.traffic));
  return readings((await queryCopy(readers, ...statementsOf(readers, trend))) as unknown as Rows, trend);
}

/**
 * Who read how much, and which pages.
 *
 * @param people the scope of people, without the filters that choose robots.
 * @param limit of each list of pages.
 */
export async function readingsAndPages(
  scope: Scope,
  people: Scope,
  trend: Trend,
  limit: number,
): Promise<Readings & ReadPages> {
  const readers = ofReaders(scope, readersOf(scope.traffic));
  const anyReader = ofReaders({ ...scope, filters: NO_FILTERS }, ALL_READERS);
  const statements = statementsOf(readers, trend);
  const rows = await queryCopy(
    readers,
    ...statements,
    pagesSql(limit),
    errorsSql(limit),
    unreadSql({ ...people, traffic: "human", imported: false }, limit),
    sql`SELECT count(*) > 0 AS known FROM (
      SELECT 1 FROM event AS fact WHERE ${eventsIn(anyReader)} AND ${ofTypes(VIEWS)} LIMIT 1) AS any_request`,
  );
  const [pages, errors, unread, [known]] = rows.slice(statements.length) as unknown as [
    PageRow[],
    ErrorRow[],
    (Sums & { values: [string] })[],
    [{ known: boolean }],
  ];
  return {
    ...readings(rows as unknown as Rows, trend),
    pages,
    errors,
    unread: known.known
      ? unread.map(({ values: [page], pageviews, visitors }) => ({ page, pageviews, visitors }))
      : null,
  };
}

function readings([, totals, agents, trendRows, visits]: Rows, trend: Trend): Readings {
  const trendOf = (isCounted: (row: TrendRow) => boolean) =>
    inBuckets(trend, trendRows.filter(isCounted), ({ reads }) => reads);
  const isOf = (one: ReadingAgent) => (other: ReadingAgent) =>
    one.traffic === other.traffic && one.agent === other.agent;
  const totalsOf = (traffic: ReaderClass): ReaderTotals => {
    const found = totals.find((row) => row.traffic === traffic);
    const { agents: count = 0, reads = 0, errors = 0, pages = 0 } = found ?? {};
    const all = visits.filter((row) => row.traffic === traffic).reduce((sum, row) => sum + row.visits, 0);
    return { agents: count, reads, errors, pages, visits: all };
  };
  const purposes = [...new Set(trendRows.filter(isAi).map(({ purpose }) => purpose))].map((purpose): PurposeRow => {
    const isOfPurpose = (row: TrendRow) => isAi(row) && row.purpose === purpose;
    const rows = trendRows.filter(isOfPurpose);
    const sum = (name: "reads" | "errors") => rows.reduce((total, row) => total + row[name], 0);
    return { purpose, reads: sum("reads"), errors: sum("errors"), trend: trendOf(isOfPurpose) };
  });
  return {
    totals: { ai: totalsOf("ai"), bot: totalsOf("bot") },
    purposes: purposes.sort((a, b) => b.reads - a.reads || b.errors - a.errors || byAlphabet(a.purpose, b.purpose)),
    agents: agents.map((row) => {
      const { visits: count, verified, claimed, spoofed } = visits.find(isOf(row)) ?? NO_VISITS;
      return { ...row, visits: count, verified, claimed, spoofed, trend: trendOf(isOf(row)) };
    }),
    searchTrend: trendOf((row) => !isAi(row)),
    errorTrend: inBuckets(trend, trendRows.filter(isAi), ({ errors }) => errors),
    agentTrend: trend.starts.map((_, bucket) => {
      const present = trendRows.filter((row) => isAi(row) && row.bucket === bucket);
      return new Set(present.map(({ agent }) => agent)).size;
    }),
  };
}

const isAi = ({ traffic }: ReadingAgent): boolean => traffic === "ai";
const NO_VISITS = { visits: 0, verified: 0, claimed: 0, spoofed: 0 };

/** The pages that were read, most often read first. */
const pagesSql = (limit: number): Sql => sql`
  WITH answered AS (
    SELECT page, ${READS}, count(DISTINCT coalesce(agent, '')) FILTER (WHERE is_read) AS agents,
      max(last) FILTER (WHERE is_read) AS last, sum(requests) FILTER (WHERE status > 0) AS known, {
        '2xx': ${ofStatus(200)}, '3xx': ${ofStatus(300)}, '4xx': ${ofStatus(400)}, '5xx': ${ofStatus(500)},
        'unknown': coalesce(sum(requests) FILTER (WHERE status = 0), 0)::BIGINT} AS status
    FROM reading GROUP BY page HAVING reads > 0),
  meant AS (
    SELECT page, list({'purpose': purpose, 'reads': reads} ORDER BY reads DESC, purpose NULLS LAST) AS purposes FROM (
      SELECT page, purpose, sum(requests)::BIGINT AS reads FROM reading WHERE is_read GROUP BY ALL) AS by_purpose
    GROUP BY page)
  SELECT nullif(words.word, '') AS page, answered.reads, meant.purposes, answered.agents, answered.last,
    CASE WHEN answered.known > 0 THEN answered.status END AS status
  FROM answered JOIN meant ON meant.page = answered.page JOIN ${wordsOf("page")} AS words ON words.id = answered.page
  ORDER BY answered.reads DESC, nullif(words.word, '') NULLS LAST LIMIT ${limit}`;

const ofStatus = (from: number): Sql =>
  raw(`coalesce(sum(requests) FILTER (WHERE status BETWEEN ${from} AND ${from + 99}), 0)::BIGINT`);

/** Pages and what they were answered with, the most requests first. */
const errorsSql = (limit: number): Sql => sql`
  SELECT nullif(words.word, '') AS page, failed.* EXCLUDE (page) FROM (
    SELECT page, status, sum(requests)::BIGINT AS requests,
      list_slice(list_sort(coalesce(list(DISTINCT agent) FILTER (WHERE agent IS NOT NULL), [])), 1, ${MOST_NAMES}) AS agents,
      max(last) AS last
    FROM reading WHERE NOT is_read GROUP BY page, status) AS failed
  JOIN ${wordsOf("page")} AS words ON words.id = failed.page
  ORDER BY requests DESC, nullif(words.word, '') NULLS LAST, status LIMIT ${limit}`;

/** The pages that people saw and no reader of `reading` has read, most page views first. */
const unreadSql = (people: Scope, limit: number): Sql =>
  groupsSql(people, {
    by: ["page"],
    parts: ["visitors", "counts"],
    order: raw("pageviews DESC, visitors DESC"),
    having: sql`sum(pageviews) > 0 AND k0 IS NOT NULL AND k0 NOT IN (
      SELECT words.word FROM reading JOIN ${wordsOf("page")} AS words ON words.id = reading.page WHERE is_read)`,
    limit,
  });
