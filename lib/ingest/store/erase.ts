import { Prisma } from "@/lib/platform/db";
import { ingestPool } from "@/lib/platform/pool";
import type { Temporal } from "@/lib/platform/time";

/** Deletes facts of a site: all of them, or those that its retention limit does not leave. */

/** What a site's retention limit leaves. */
export interface RetentionLimit {
  siteId: number;
  /** The first local day that is kept, and when it begins. */
  first: Temporal.PlainDate;
  start: Date;
}

/** A table, and what an index on (site_id, …) has to walk it by; none where many rows share each of its values. */
interface Table {
  table: Prisma.Sql;
  by?: Prisma.Sql;
}

/** Everything that is kept of a site's visitors. */
const ALL: readonly Table[] = [
  { table: Prisma.sql`facts.event`, by: Prisma.sql`ts` },
  { table: Prisma.sql`facts.visit`, by: Prisma.sql`started` },
  { table: Prisma.sql`facts.event_key`, by: Prisma.sql`key` },
  { table: Prisma.sql`facts.returning_visitor` },
  { table: Prisma.sql`facts.page_key`, by: Prisma.sql`key` },
  { table: Prisma.sql`facts.page`, by: Prisma.sql`id` },
  { table: Prisma.sql`facts.referrer`, by: Prisma.sql`id` },
  { table: Prisma.sql`facts.campaign`, by: Prisma.sql`id` },
  { table: Prisma.sql`facts.place`, by: Prisma.sql`id` },
  { table: Prisma.sql`facts.agent`, by: Prisma.sql`id` },
  { table: Prisma.sql`facts.name`, by: Prisma.sql`id` },
  { table: Prisma.sql`facts.verdict`, by: Prisma.sql`id` },
  { table: Prisma.sql`facts.reclassified`, by: Prisma.sql`site_id` },
  { table: Prisma.sql`facts.imported` },
  { table: Prisma.sql`facts.intake`, by: Prisma.sql`day` },
  { table: Prisma.sql`facts.change`, by: Prisma.sql`at` },
  { table: Prisma.sql`facts.tracking_hit`, by: Prisma.sql`id` },
  { table: Prisma.sql`facts.tracking_count`, by: Prisma.sql`started_at` },
];

/**
 * Deletes everything that is kept of a site's visitors.
 *
 * @param shouldContinue called before each statement.
 * @returns whether nothing is left.
 */
export async function eraseSite(siteId: number, shouldContinue: () => boolean): Promise<boolean> {
  const where = Prisma.sql`site_id = ${siteId}`;
  for (const rows of ALL) if (!(await deleteRows(rows, where, shouldContinue))) return false;
  return true;
}

/** Deletes the facts before a retention limit. Dictionaries stay; see `deleteUnusedValues`. Parameters as `eraseSite`. */
export async function eraseBefore(
  { siteId, first, start }: RetentionLimit,
  shouldContinue: () => boolean,
): Promise<boolean> {
  const ofDays = Prisma.sql`day < ${`${first}`}::date`;
  const old: readonly (Table & { where: Prisma.Sql })[] = [
    { table: Prisma.sql`facts.event`, by: Prisma.sql`ts`, where: Prisma.sql`ts < ${start}` },
    { table: Prisma.sql`facts.visit`, by: Prisma.sql`started`, where: Prisma.sql`started < ${start}` },
    { table: Prisma.sql`facts.event_key`, where: ofDays },
    { table: Prisma.sql`facts.imported`, where: ofDays },
    { table: Prisma.sql`facts.intake`, where: ofDays },
    { table: Prisma.sql`facts.returning_visitor`, where: ofDays },
  ];
  for (const { where, ...rows } of old) {
    const ofSite = Prisma.sql`site_id = ${siteId} AND ${where}`;
    if (!(await deleteRows(rows, ofSite, shouldContinue))) return false;
  }
  return true;
}

/** Rows in one statement: neither a lock nor a stopping server waits for long. */
const CHUNK_ROWS = 5_000;

/**
 * Deletes rows chunk by chunk, each of which is committed by itself: on another pool than the transaction that may hold
 * the site meanwhile, so that these transactions never wait for each other's connections.
 *
 * @returns whether none is left.
 */
async function deleteRows({ table, by }: Table, where: Prisma.Sql, shouldContinue: () => boolean): Promise<boolean> {
  const chunk = by
    ? Prisma.sql`${where} AND ${by} <= (
        SELECT place FROM (SELECT ${by} AS place FROM ${table} WHERE ${where} ORDER BY ${by} LIMIT ${CHUNK_ROWS}) AS chunk
        ORDER BY place DESC LIMIT 1)`
    : Prisma.sql`ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${CHUNK_ROWS}))`;
  let deleted = CHUNK_ROWS;
  while (deleted >= CHUNK_ROWS) {
    if (!shouldContinue()) return false;
    const { text, values } = Prisma.sql`DELETE FROM ${table} WHERE ${chunk}`;
    deleted = (await ingestPool().query(text, values)).rowCount ?? 0;
  }
  return true;
}
