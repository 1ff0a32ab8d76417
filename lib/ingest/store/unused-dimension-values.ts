import { changedFacts } from "@/lib/ingest/store/changed-facts";
import type { RetentionLimit } from "@/lib/ingest/store/erase";
import { type Db, db, Prisma } from "@/lib/platform/db";

/** Deletes dictionary values that only deleted days used. */

/**
 * Facts of the first retained days may use a row whose `last_used` day is before them: a visit keeps its values for 49
 * hours, and rows know UTC days. Later facts do not.
 */
const OVERLAP_DAYS = 5;
const DELETE_WITHIN_MS = 120_000;

interface Dictionary {
  table: Prisma.Sql;
  /** Columns of events, visits and returning visitors that hold ids of its rows. */
  eventColumn?: Prisma.Sql;
  visitColumns?: Prisma.Sql[];
  returningColumn?: Prisma.Sql;
}

/** A column that visits, events and returning visitors have. */
const inAll = (column: Prisma.Sql) => ({ eventColumn: column, visitColumns: [column], returningColumn: column });

const DICTIONARIES: readonly Dictionary[] = [
  {
    table: Prisma.sql`facts.page`,
    eventColumn: Prisma.sql`page`,
    visitColumns: [Prisma.sql`entry_page`, Prisma.sql`exit_page`],
  },
  {
    table: Prisma.sql`facts.referrer`,
    ...inAll(Prisma.sql`referrer`),
  },
  {
    table: Prisma.sql`facts.campaign`,
    ...inAll(Prisma.sql`campaign`),
  },
  {
    table: Prisma.sql`facts.place`,
    ...inAll(Prisma.sql`place`),
  },
  {
    table: Prisma.sql`facts.agent`,
    ...inAll(Prisma.sql`agent`),
  },
  { table: Prisma.sql`facts.name`, eventColumn: Prisma.sql`name` },
  { table: Prisma.sql`facts.verdict`, visitColumns: [Prisma.sql`verdict`] },
];

/**
 * Deletes the values that no retained day uses, after the facts of deleted days. Ingest never finds a retired row, and
 * a row found for a later event is not retired. Waits for running imports.
 */
export async function deleteUnusedValues(limit: RetentionLimit): Promise<void> {
  await db().$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('facts.days'), ${limit.siteId}::int)`;
      for (const dictionary of DICTIONARIES) {
        await retire(tx, limit, dictionary);
        await tx.$executeRaw`DELETE FROM ${dictionary.table} WHERE site_id = ${limit.siteId} AND retired`;
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
async function retire(tx: Db, limit: RetentionLimit, dictionary: Dictionary): Promise<void> {
  const { siteId, first } = limit;
  const { table } = dictionary;
  const day = Prisma.sql`${`${first}`}::date`;
  // Imported sums refer to values by their text.
  const last = Prisma.sql`CASE WHEN EXISTS (SELECT FROM facts.imported WHERE site_id = ${siteId} AND day = ${day})
    THEN ${day} - 1 ELSE ${day} END`;
  await tx.$executeRaw`
    WITH used AS MATERIALIZED (${usedInFirstDays(limit, dictionary)}),
      unused AS MATERIALIZED (
        SELECT stored.id FROM ${table} AS stored
        WHERE stored.site_id = ${siteId} AND NOT stored.retired AND stored.last_used <= ${last}
          AND stored.id NOT IN (SELECT id FROM used WHERE id IS NOT NULL)
        ORDER BY stored.id FOR NO KEY UPDATE OF stored)
    UPDATE ${table} AS stored SET retired = true FROM unused WHERE stored.site_id = ${siteId} AND stored.id = unused.id`;
}

/** SQL for the ids that facts of the first retained days use. */
function usedInFirstDays(
  { siteId, first, start }: RetentionLimit,
  { eventColumn, visitColumns = [], returningColumn }: Dictionary,
): Prisma.Sql {
  const end = new Date(start.getTime() + OVERLAP_DAYS * 24 * 3600_000);
  const [from, to] = [`${first}`, `${first.add({ days: OVERLAP_DAYS })}`];
  const parts = [
    ...(eventColumn
      ? [
          Prisma.sql`SELECT ${eventColumn} AS id FROM facts.event WHERE site_id = ${siteId} AND ts >= ${start} AND ts < ${end}`,
        ]
      : []),
    ...visitColumns.map(
      (column) =>
        Prisma.sql`SELECT ${column} AS id FROM facts.visit WHERE site_id = ${siteId} AND started >= ${start} AND started < ${end}`,
    ),
    ...(returningColumn
      ? [
          Prisma.sql`SELECT ${returningColumn} AS id FROM facts.returning_visitor
            WHERE site_id = ${siteId} AND day BETWEEN ${from}::date AND ${to}::date`,
        ]
      : []),
  ];
  return Prisma.join(parts, " UNION ");
}
