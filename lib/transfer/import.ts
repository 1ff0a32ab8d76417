import type pg from "pg";
import { inIngestTransaction } from "@/lib/platform/pool";

/** What is imported into, and how it ends when it cannot go on. */

export interface Target {
  siteId: number;
  timezone: string;
  /** The site's primary domain. */
  host: string;
}

/** A line that is not what it should be. The message says which, why, and what to do. */
export class BrokenLine extends Error {
  constructor(line: number, why: string, file?: string) {
    super(
      `${file ? `${file}, line` : "Line"} ${line}: ${why}. Then import it again: what is there already is not added twice.`,
    );
  }
}

/** There is nothing to be imported, or something to be added to it first. */
export class ImportRefused extends Error {}

/** Statements of the writer are to be answered within seconds; those of an import may work or wait for as long as this. */
const PATIENCE_MS = 30 * 60_000;

/** A statement that may take long. */
export const patiently = (text: string, values: unknown[] = []): pg.QueryConfig & { query_timeout: number } => ({
  text,
  values,
  query_timeout: PATIENCE_MS,
});

/** Does something with a site's days, all or nothing. Another import is waited for, and so is the job that deletes unused words. */
export const changingDays = <Result>(
  siteId: number,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> =>
  inIngestTransaction(async (client) => {
    await client.query(patiently("SELECT pg_advisory_xact_lock(hashtext('facts.days'), $1::int)", [siteId]));
    return work(client);
  });
