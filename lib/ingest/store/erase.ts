import { dictionaryNames } from "@/lib/ingest/event/catalogue";
import { ingestPool } from "@/lib/platform/pool";
import { raw, type Sql, sql } from "@/lib/platform/sql";
import type { Temporal } from "@/lib/platform/time";

/** Deletes facts of a site: all, or those older than its retention limit. */

/** The first day that a site's retention limit retains. */
export interface RetentionLimit {
  siteId: number;
  /** The first retained local day, and when it starts. */
  first: Temporal.PlainDate;
  start: Date;
}

/**
 * A table, and the column after `site_id` in an index to delete it by; none where many rows share each of its values.
 */
interface ErasedTable {
  table: Sql;
  orderBy?: Sql;
}

/** All tables with data of a site's visitors. */
const ALL: readonly ErasedTable[] = [
  { table: sql`facts.event`, orderBy: sql`ts` },
  { table: sql`facts.visit`, orderBy: sql`started` },
  { table: sql`facts.event_key`, orderBy: sql`key` },
  { table: sql`facts.returning_visitor` },
  { table: sql`facts.timed_visitor`, orderBy: sql`seq` },
  { table: sql`facts.page_key`, orderBy: sql`key` },
  ...dictionaryNames.map((name) => ({ table: raw(`facts.${name}`), orderBy: sql`id` })),
  { table: sql`facts.reclassified`, orderBy: sql`site_id` },
  { table: sql`facts.imported` },
  { table: sql`facts.intake`, orderBy: sql`day` },
  { table: sql`facts.change`, orderBy: sql`seq` },
  { table: sql`facts.site_sequence` },
  { table: sql`facts.tracking_event`, orderBy: sql`id` },
  { table: sql`facts.tracking_count`, orderBy: sql`started_at` },
];

/**
 * Deletes all data of a site's visitors.
 *
 * @param shouldContinue called before each statement.
 * @returns whether nothing is left.
 */
export async function eraseSite(siteId: number, shouldContinue: () => boolean): Promise<boolean> {
  const where = sql`site_id = ${siteId}`;
  for (const rows of ALL) if (!(await deleteRows(rows, where, shouldContinue))) return false;
  return true;
}

/**
 * Deletes the facts before a retention limit. Dictionaries are cleaned by `deleteUnusedValues`. Parameters as in
 * `eraseSite`.
 */
export async function eraseBefore(
  { siteId, first, start }: RetentionLimit,
  shouldContinue: () => boolean,
): Promise<boolean> {
  const beforeFirst = sql`day < ${`${first}`}::date`;
  const expired: readonly (ErasedTable & { where: Sql })[] = [
    { table: sql`facts.event`, orderBy: sql`ts`, where: sql`ts < ${start}` },
    { table: sql`facts.visit`, orderBy: sql`started`, where: sql`started < ${start}` },
    { table: sql`facts.event_key`, where: beforeFirst },
    { table: sql`facts.imported`, where: beforeFirst },
    { table: sql`facts.intake`, where: beforeFirst },
    { table: sql`facts.returning_visitor`, where: beforeFirst },
  ];
  for (const { where, ...rows } of expired) {
    const condition = sql`site_id = ${siteId} AND ${where}`;
    if (!(await deleteRows(rows, condition, shouldContinue))) return false;
  }
  return true;
}

/** Rows per statement: few enough that neither a lock nor a stopping server waits for long. */
const CHUNK_ROWS = 5_000;

/**
 * Deletes rows in chunks that are committed one by one. Uses another pool than the transaction that may hold the site's
 * lock, so that the two never wait for each other's connections.
 *
 * @returns whether none is left.
 */
async function deleteRows(
  { table, orderBy }: ErasedTable,
  where: Sql,
  shouldContinue: () => boolean,
): Promise<boolean> {
  const chunk = orderBy
    ? sql`${where} AND ${orderBy} <= (
        SELECT place FROM (SELECT ${orderBy} AS place FROM ${table} WHERE ${where} ORDER BY ${orderBy} LIMIT ${CHUNK_ROWS}) AS chunk
        ORDER BY place DESC LIMIT 1)`
    : sql`${where} AND ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${CHUNK_ROWS}))`;
  let deleted = CHUNK_ROWS;
  while (deleted >= CHUNK_ROWS) {
    if (!shouldContinue()) return false;
    deleted = (await ingestPool().query(sql`DELETE FROM ${table} WHERE ${chunk}`)).rowCount ?? 0;
  }
  return true;
}
