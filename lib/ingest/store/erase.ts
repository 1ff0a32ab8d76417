import {
  type DictionaryName,
  dictionaryNames,
  type FactTable,
  idColumns,
  VISIT_SPAN_MS,
} from "@/lib/ingest/event/catalogue";
import { lockDays } from "@/lib/ingest/store/imported-facts";
import { changedFacts } from "@/lib/ingest/store/sequence";
import { DAY_MS } from "@/lib/platform/durations";
import { controlPool, ingestPool, inTransaction } from "@/lib/platform/pool";
import { join, raw, type Sql, sql, withTimeout } from "@/lib/platform/sql";
import type { Temporal } from "@/lib/platform/time";

/** Deletes facts of a site: all, or those older than its retention limit. */

/** The first day that a site's retention limit retains. */
interface RetentionLimit {
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

/** Deletes dictionary values that only deleted days used. */

/**
 * Facts of the first retained days may use a row whose `last_used` day is before them: a visit keeps its values, and rows
 * know UTC days. Later facts do not.
 */
const OVERLAP_DAYS = Math.ceil(VISIT_SPAN_MS / DAY_MS) + 2;
const STATEMENT_MS = 120_000;

/**
 * Deletes the values that no retained day uses, after the facts of deleted days. Ingest never finds a retired row, and
 * a row found for a later event is not retired. Waits for running imports, on a connection that no event needs.
 */
export async function deleteUnusedValues(limit: RetentionLimit): Promise<void> {
  await inTransaction(controlPool(), async (client) => {
    await client.query(withTimeout(STATEMENT_MS, lockDays(limit.siteId)));
    for (const name of dictionaryNames) {
      await client.query(withTimeout(STATEMENT_MS, retire(limit, name)));
      await client.query(
        withTimeout(STATEMENT_MS, sql`DELETE FROM ${tableOf(name)} WHERE site_id = ${limit.siteId} AND retired`),
      );
    }
    // The facts of these days are already deleted: copies drop them together with their values.
    await client.query(changedFacts({ siteId: limit.siteId, start: null, end: limit.start }));
  });
}

/**
 * Returns the statement that retires unused rows, so that ingest no longer finds them. It locks them in the order of ingest and checks them again
 * after waiting for another transaction.
 */
function retire(limit: RetentionLimit, name: DictionaryName): Sql {
  const { siteId, first } = limit;
  const table = tableOf(name);
  const day = sql`${`${first}`}::date`;
  // Imported sums refer to values by their text.
  const last = sql`CASE WHEN EXISTS (SELECT FROM facts.imported WHERE site_id = ${siteId} AND day = ${day})
    THEN ${day} - 1 ELSE ${day} END`;
  return sql`
    WITH used AS MATERIALIZED (${usedInFirstDays(limit, name)}),
      unused AS MATERIALIZED (
        SELECT stored.id FROM ${table} AS stored
        WHERE stored.site_id = ${siteId} AND NOT stored.retired AND stored.last_used <= ${last}
          AND stored.id NOT IN (SELECT id FROM used WHERE id IS NOT NULL)
        ORDER BY stored.id FOR NO KEY UPDATE OF stored)
    UPDATE ${table} AS stored SET retired = true FROM unused WHERE stored.site_id = ${siteId} AND stored.id = unused.id`;
}

const tableOf = (name: DictionaryName): Sql => raw(`facts.${name}`);

/** SQL for the ids that facts of the first retained days use. */
function usedInFirstDays({ siteId, first, start }: RetentionLimit, name: DictionaryName): Sql {
  const end = new Date(start.getTime() + OVERLAP_DAYS * DAY_MS);
  const [from, to] = [`${first}`, `${first.add({ days: OVERLAP_DAYS })}`];
  const inFirstDays: Record<FactTable, Sql> = {
    event: sql`ts >= ${start} AND ts < ${end}`,
    visit: sql`started >= ${start} AND started < ${end}`,
    returning_visitor: sql`day BETWEEN ${from}::date AND ${to}::date`,
  };
  const tables = Object.entries(inFirstDays) as [FactTable, Sql][];
  const parts = tables.flatMap(([table, when]) =>
    idColumns(table, name).map(
      (column) => sql`SELECT ${raw(column)} AS id FROM ${raw(`facts.${table}`)} WHERE site_id = ${siteId} AND ${when}`,
    ),
  );
  return join(parts, " UNION ");
}
