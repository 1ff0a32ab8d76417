import { dictionaryNames } from "@/lib/ingest/event/catalogue";
import { Prisma } from "@/lib/platform/db";
import { ingestPool } from "@/lib/platform/pool";
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
interface Table {
  table: Prisma.Sql;
  orderBy?: Prisma.Sql;
}

/** All tables with data of a site's visitors. */
const ALL: readonly Table[] = [
  { table: Prisma.sql`facts.event`, orderBy: Prisma.sql`ts` },
  { table: Prisma.sql`facts.visit`, orderBy: Prisma.sql`started` },
  { table: Prisma.sql`facts.event_key`, orderBy: Prisma.sql`key` },
  { table: Prisma.sql`facts.returning_visitor` },
  { table: Prisma.sql`facts.page_key`, orderBy: Prisma.sql`key` },
  ...dictionaryNames.map((name) => ({ table: Prisma.raw(`facts.${name}`), orderBy: Prisma.sql`id` })),
  { table: Prisma.sql`facts.reclassified`, orderBy: Prisma.sql`site_id` },
  { table: Prisma.sql`facts.imported` },
  { table: Prisma.sql`facts.intake`, orderBy: Prisma.sql`day` },
  { table: Prisma.sql`facts.change`, orderBy: Prisma.sql`seq` },
  { table: Prisma.sql`facts.site_sequence` },
  { table: Prisma.sql`facts.tracking_event`, orderBy: Prisma.sql`id` },
  { table: Prisma.sql`facts.tracking_count`, orderBy: Prisma.sql`started_at` },
];

/**
 * Deletes all data of a site's visitors.
 *
 * @param shouldContinue called before each statement.
 * @returns whether nothing is left.
 */
export async function eraseSite(siteId: number, shouldContinue: () => boolean): Promise<boolean> {
  const where = Prisma.sql`site_id = ${siteId}`;
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
  const beforeFirst = Prisma.sql`day < ${`${first}`}::date`;
  const expired: readonly (Table & { where: Prisma.Sql })[] = [
    { table: Prisma.sql`facts.event`, orderBy: Prisma.sql`ts`, where: Prisma.sql`ts < ${start}` },
    { table: Prisma.sql`facts.visit`, orderBy: Prisma.sql`started`, where: Prisma.sql`started < ${start}` },
    { table: Prisma.sql`facts.event_key`, where: beforeFirst },
    { table: Prisma.sql`facts.imported`, where: beforeFirst },
    { table: Prisma.sql`facts.intake`, where: beforeFirst },
    { table: Prisma.sql`facts.returning_visitor`, where: beforeFirst },
  ];
  for (const { where, ...rows } of expired) {
    const condition = Prisma.sql`site_id = ${siteId} AND ${where}`;
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
  { table, orderBy }: Table,
  where: Prisma.Sql,
  shouldContinue: () => boolean,
): Promise<boolean> {
  const chunk = orderBy
    ? Prisma.sql`${where} AND ${orderBy} <= (
        SELECT place FROM (SELECT ${orderBy} AS place FROM ${table} WHERE ${where} ORDER BY ${orderBy} LIMIT ${CHUNK_ROWS}) AS chunk
        ORDER BY place DESC LIMIT 1)`
    : Prisma.sql`${where} AND ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${CHUNK_ROWS}))`;
  let deleted = CHUNK_ROWS;
  while (deleted >= CHUNK_ROWS) {
    if (!shouldContinue()) return false;
    const { text, values } = Prisma.sql`DELETE FROM ${table} WHERE ${chunk}`;
    deleted = (await ingestPool().query(text, values)).rowCount ?? 0;
  }
  return true;
}
