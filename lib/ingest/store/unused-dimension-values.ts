import {
  type DictionaryName,
  dictionaryNames,
  type FactTable,
  idColumns,
  VISIT_SPAN_MS,
} from "@/lib/ingest/event/catalogue";
import { changedFacts } from "@/lib/ingest/store/changed-facts";
import type { RetentionLimit } from "@/lib/ingest/store/erase";
import { type Db, db, Prisma } from "@/lib/platform/db";

/** Deletes dictionary values that only deleted days used. */

/**
 * Facts of the first retained days may use a row whose `last_used` day is before them: a visit keeps its values, and rows
 * know UTC days. Later facts do not.
 */
const DAY_MS = 24 * 3600_000;
const OVERLAP_DAYS = Math.ceil(VISIT_SPAN_MS / DAY_MS) + 2;
const DELETE_WITHIN_MS = 120_000;

/**
 * Deletes the values that no retained day uses, after the facts of deleted days. Ingest never finds a retired row, and
 * a row found for a later event is not retired. Waits for running imports.
 */
export async function deleteUnusedValues(limit: RetentionLimit): Promise<void> {
  await db().$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('facts.days'), ${limit.siteId}::int)`;
      for (const name of dictionaryNames) {
        await retire(tx, limit, name);
        await tx.$executeRaw`DELETE FROM ${tableOf(name)} WHERE site_id = ${limit.siteId} AND retired`;
      }
      // The facts of these days are already deleted: copies drop them together with their values.
      await tx.$executeRaw(changedFacts({ siteId: limit.siteId, start: null, end: limit.start }));
    },
    { maxWait: 10_000, timeout: DELETE_WITHIN_MS },
  );
}

/**
 * Retires unused rows, so that ingest no longer finds them. Locks them in the order of ingest and checks them again
 * after waiting for another transaction.
 */
async function retire(tx: Db, limit: RetentionLimit, name: DictionaryName): Promise<void> {
  const { siteId, first } = limit;
  const table = tableOf(name);
  const day = Prisma.sql`${`${first}`}::date`;
  // Imported sums refer to values by their text.
  const last = Prisma.sql`CASE WHEN EXISTS (SELECT FROM facts.imported WHERE site_id = ${siteId} AND day = ${day})
    THEN ${day} - 1 ELSE ${day} END`;
  await tx.$executeRaw`
    WITH used AS MATERIALIZED (${usedInFirstDays(limit, name)}),
      unused AS MATERIALIZED (
        SELECT stored.id FROM ${table} AS stored
        WHERE stored.site_id = ${siteId} AND NOT stored.retired AND stored.last_used <= ${last}
          AND stored.id NOT IN (SELECT id FROM used WHERE id IS NOT NULL)
        ORDER BY stored.id FOR NO KEY UPDATE OF stored)
    UPDATE ${table} AS stored SET retired = true FROM unused WHERE stored.site_id = ${siteId} AND stored.id = unused.id`;
}

const tableOf = (name: DictionaryName): Prisma.Sql => Prisma.raw(`facts.${name}`);

/** SQL for the ids that facts of the first retained days use. */
function usedInFirstDays({ siteId, first, start }: RetentionLimit, name: DictionaryName): Prisma.Sql {
  const end = new Date(start.getTime() + OVERLAP_DAYS * DAY_MS);
  const [from, to] = [`${first}`, `${first.add({ days: OVERLAP_DAYS })}`];
  const inFirstDays: Record<FactTable, Prisma.Sql> = {
    event: Prisma.sql`ts >= ${start} AND ts < ${end}`,
    visit: Prisma.sql`started >= ${start} AND started < ${end}`,
    returning_visitor: Prisma.sql`day BETWEEN ${from}::date AND ${to}::date`,
  };
  const tables = Object.entries(inFirstDays) as [FactTable, Prisma.Sql][];
  const parts = tables.flatMap(([table, when]) =>
    idColumns(table, name).map(
      (column) =>
        Prisma.sql`SELECT ${Prisma.raw(column)} AS id FROM ${Prisma.raw(`facts.${table}`)} WHERE site_id = ${siteId} AND ${when}`,
    ),
  );
  return Prisma.join(parts, " UNION ");
}
