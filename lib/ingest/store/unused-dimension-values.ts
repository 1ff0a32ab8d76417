import {
  type DictionaryName,
  dictionaryNames,
  type FactTable,
  idColumns,
  VISIT_SPAN_MS,
} from "@/lib/ingest/event/catalogue";
import type { RetentionLimit } from "@/lib/ingest/store/erase";
import { lockDays } from "@/lib/ingest/store/imported-sums";
import { changedFacts } from "@/lib/ingest/store/sequence";
import { DAY_MS } from "@/lib/platform/durations";
import { controlPool, inTransaction } from "@/lib/platform/pool";
import { join, raw, type Sql, sql, withTimeout } from "@/lib/platform/sql";

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
