import { Prisma } from "@/lib/db";

/**
 * SQL for rows of a table of WITH, as columns of the same names. Parallel workers cannot read such a table, and so not
 * join it to the facts; arrays they are given.
 *
 * @param columns the first one tells the rows apart.
 */
export function carried(table: Prisma.Sql, columns: readonly Prisma.Sql[], where = Prisma.sql`true`): Prisma.Sql {
  const arrays = columns.map(
    (column) => Prisma.sql`(SELECT array_agg(${column} ORDER BY ${columns[0]}) FROM ${table} WHERE ${where})`,
  );
  return Prisma.sql`unnest(${Prisma.join(arrays)}) AS ${table}(${Prisma.join([...columns])})`;
}
