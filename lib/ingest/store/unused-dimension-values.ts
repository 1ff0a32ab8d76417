import type { RetentionLimit } from "@/lib/ingest/store/erase";
import { type Db, db, Prisma } from "@/lib/platform/db";

/** Deletes from a site's dictionaries what only days used that are not kept any more. */

/**
 * The facts of the first kept days may use a row that says it was last used before them: a visit takes its words along for
 * 49 hours, and the row knows UTC days. Later facts do not.
 */
const OVERLAP_DAYS = 5;
const DELETE_WITHIN_MS = 120_000;

interface Dictionary {
  table: Prisma.Sql;
  /** Which columns of facts hold ids of its rows. */
  ofEvents?: Prisma.Sql;
  ofVisits?: Prisma.Sql[];
  ofReturning?: Prisma.Sql;
}

/** Ids that a visit, its events and those who come back have alike. */
const ofAll = (column: Prisma.Sql) => ({ ofEvents: column, ofVisits: [column], ofReturning: column });

const DICTIONARIES: readonly Dictionary[] = [
  {
    table: Prisma.sql`facts.page`,
    ofEvents: Prisma.sql`page`,
    ofVisits: [Prisma.sql`entry_page`, Prisma.sql`exit_page`],
  },
  {
    table: Prisma.sql`facts.referrer`,
    ...ofAll(Prisma.sql`referrer`),
  },
  {
    table: Prisma.sql`facts.campaign`,
    ...ofAll(Prisma.sql`campaign`),
  },
  {
    table: Prisma.sql`facts.place`,
    ...ofAll(Prisma.sql`place`),
  },
  {
    table: Prisma.sql`facts.agent`,
    ...ofAll(Prisma.sql`agent`),
  },
  { table: Prisma.sql`facts.name`, ofEvents: Prisma.sql`name` },
  { table: Prisma.sql`facts.verdict`, ofVisits: [Prisma.sql`verdict`] },
];

/**
 * Deletes the values that no kept day uses, once the facts of the others are gone. Ingest never finds a retired row, and a
 * row that it has found for a later event is not retired. Imports are waited for.
 */
export async function deleteUnusedValues(kept: RetentionLimit): Promise<void> {
  await db().$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('facts.days'), ${kept.siteId}::int)`;
      for (const dictionary of DICTIONARIES) {
        await retire(tx, kept, dictionary);
        await tx.$executeRaw`DELETE FROM ${dictionary.table} WHERE site_id = ${kept.siteId} AND retired`;
      }
      // The facts of these days are gone by now: copies forget them together with their words.
      await tx.$executeRaw`
        INSERT INTO facts.change (site_id, start, "end") VALUES (${kept.siteId}, '-infinity', ${kept.start})`;
    },
    { maxWait: 10_000, timeout: DELETE_WITHIN_MS },
  );
}

/** Takes rows from ingest. They are locked in its order, and looked at again once another transaction lets go of them. */
async function retire(tx: Db, kept: RetentionLimit, dictionary: Dictionary): Promise<void> {
  const { siteId, first } = kept;
  const { table } = dictionary;
  const day = Prisma.sql`${`${first}`}::date`;
  // Imported sums know words by their texts.
  const last = Prisma.sql`CASE WHEN EXISTS (SELECT FROM facts.imported WHERE site_id = ${siteId} AND day = ${day})
    THEN ${day} - 1 ELSE ${day} END`;
  await tx.$executeRaw`
    WITH used AS MATERIALIZED (${usedSoon(kept, dictionary)}),
      unused AS MATERIALIZED (
        SELECT word.id FROM ${table} AS word
        WHERE word.site_id = ${siteId} AND NOT word.retired AND word.used <= ${last}
          AND word.id NOT IN (SELECT id FROM used WHERE id IS NOT NULL)
        ORDER BY word.id FOR NO KEY UPDATE OF word)
    UPDATE ${table} AS word SET retired = true FROM unused WHERE word.site_id = ${siteId} AND word.id = unused.id`;
}

/** SQL for the ids that facts of the first kept days use. */
function usedSoon(
  { siteId, first, start }: RetentionLimit,
  { ofEvents, ofVisits = [], ofReturning }: Dictionary,
): Prisma.Sql {
  const end = new Date(start.getTime() + OVERLAP_DAYS * 24 * 3600_000);
  const [from, to] = [`${first}`, `${first.add({ days: OVERLAP_DAYS })}`];
  const parts = [
    ...(ofEvents
      ? [
          Prisma.sql`SELECT ${ofEvents} AS id FROM facts.event WHERE site_id = ${siteId} AND ts >= ${start} AND ts < ${end}`,
        ]
      : []),
    ...ofVisits.map(
      (column) =>
        Prisma.sql`SELECT ${column} AS id FROM facts.visit WHERE site_id = ${siteId} AND started >= ${start} AND started < ${end}`,
    ),
    ...(ofReturning
      ? [
          Prisma.sql`SELECT ${ofReturning} AS id FROM facts.returning_visitor
            WHERE site_id = ${siteId} AND day BETWEEN ${from}::date AND ${to}::date`,
        ]
      : []),
  ];
  return Prisma.join(parts, " UNION ");
}
