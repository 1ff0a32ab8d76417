import { type Sql, sql } from "@/lib/platform/sql";

/**
 * Returns the statement that locks the days of a site until the transaction ends: imports wait for each other, and for
 * whatever deletes days or dimension values.
 */
export const lockDays = (siteId: number): Sql =>
  sql`SELECT 1 FROM pg_advisory_xact_lock(hashtext('facts.days'), ${siteId}::int)`;
