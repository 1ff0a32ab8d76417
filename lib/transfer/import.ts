import pLimit from "p-limit";
import type pg from "pg";
import type { ColumnQuestion } from "@/lib/contract/import-columns";
import { lockDays } from "@/lib/ingest/store/imported-facts";
import { OperatorError } from "@/lib/platform/errors";
import { inIngestTransaction } from "@/lib/platform/pool";
import { type Sql, withTimeout } from "@/lib/platform/sql";
import { localDay } from "@/lib/platform/time";

/** Shared parts of all imports: target, errors and the lock. */

export interface Target {
  siteId: number;
  timezone: string;
  /** The site's primary domain. */
  host: string;
  /** The query parameters that make a page. */
  pageQuery: readonly string[];
  now: Date;
}

/** @throws Error with the reason when a local day, as YYYY-MM-DD, has not begun in the site's timezone. */
export function refuseFuture(day: string, { timezone, now }: Target): void {
  const today = localDay(now, timezone).toString();
  if (day > today) throw new Error(`${day} is in the future: today is ${today} in ${timezone}, the site's timezone`);
}

/** A line is invalid. The message says which one, why, and what to do. */
export class InvalidLine extends OperatorError {
  constructor(line: number, why: string, file?: string, unit: "line" | "record" = "line") {
    const number = unit === "line" ? `line ${line}` : `record ${line}`;
    const at = file ? `${file}, ${number}` : `Line ${line}`;
    super(`${at}: ${why}. Then import the file again. Data that was already imported is not added twice.`);
  }
}

/** The files cannot be imported. The message says why and what to do. */
export class ImportRefused extends OperatorError {
  /** @param questions answers to them would make the files known */
  constructor(
    message: string,
    readonly questions: readonly ColumnQuestion[] = [],
  ) {
    super(message);
  }
}

/** Timeout of import statements. Those of the ingest writer have only a few seconds. */
const LONG_TIMEOUT_MS = 30 * 60_000;

/** Returns a statement with a long timeout. */
export const patient = (statement: Pick<Sql, "text" | "values">) => withTimeout(LONG_TIMEOUT_MS, statement);
export const withLongTimeout = (text: string, values: unknown[] = []) => patient({ text, values });

/**
 * Runs work in a transaction that holds the lock of a site's days. Waits for other imports, and for the job that
 * deletes unused dimension values.
 */
export const withDaysLock = <Result>(
  siteId: number,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> =>
  limitImports(() =>
    inIngestTransaction(async (client) => {
      await client.query(patient(lockDays(siteId)));
      return work(client);
    }),
  );

/** An import looks up values by a second connection: as many imports as connections would wait for each other for ever. */
const limitImports = pLimit(2);
