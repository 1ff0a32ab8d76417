import type pg from "pg";
import { dateOfNumber, dayNumbers, dayStarts } from "@/lib/analytics/calendar/buckets";
import { type DimensionKey, dimensionOf, EVERYTHING, ROLLED } from "@/lib/analytics/query/dimensions";
import { type DictionaryName, dictionaryColumns } from "@/lib/ingest/event/catalogue";
import { intern, joinText } from "@/lib/ingest/store/dictionary";
import { deleteReplacedSums, insertSums, setEventTotals } from "@/lib/ingest/store/imported-facts";
import { changedFacts } from "@/lib/ingest/store/sequence";
import { localDay, startOfDay, Temporal } from "@/lib/platform/time";
import {
  dimensionKeysOf,
  IMPORT_TABLES,
  LARGEST_SUMS,
  PAGEVIEWS_ALONE,
  type Reader,
  type Service,
  SUM_DIMENSIONS,
} from "@/lib/transfer/daily-sums";
import { ImportRefused, patient, type Target, withDaysLock, withLongTimeout } from "@/lib/transfer/import";
import { closeAll, openAll, readFile, type SumsFile } from "@/lib/transfer/sums-files";

/** Imports daily sums of another service for the days before a site's own first event. */

const BATCH_ROWS = 2_000;
export interface ImportedSums {
  rows: number;
  days: number;
  /** Sentences about skipped files and rows. */
  skipped: string[];
  /** Days that were skipped because the site has its own data. */
  ownDays: number;
}

/** What an import would store. */
export interface SumsPreview extends ImportedSums {
  from: string;
  to: string;
  /** Days whose sums of an earlier import it would replace, in part or as a whole. */
  replacedDays: number;
  /** Dimensions of the data; empty if there are only totals. */
  dimensions: string[];
  /** Sums over the days; null where a day has none. */
  visitors: number | null;
  visits: number | null;
  pageviews: number | null;
  events: number | null;
}

/**
 * Imports the files of one service in one transaction. Replaces earlier imports of the same days and dimensions.
 *
 * @throws InvalidLine
 * @throws ImportRefused if a file is unknown or the data is unsuitable; nothing is imported
 */
export const importSums = (service: Service, files: readonly SumsFile[], target: Target): Promise<ImportedSums> =>
  withSums(service, files, target, async (client, read, namesEvents) => {
    const { first, ...stored } = await store(client, service, target, namesEvents);
    await internValues(client, target);
    // Any change makes the analytics copies read all imported data again.
    const day = startOfDay(Temporal.PlainDate.from(first), target.timezone);
    await client.query(changedFacts({ siteId: target.siteId, start: day, end: day }));
    return { ...read, ...stored };
  });

/** Returns what `importSums` would store, and stores nothing. @throws what it throws */
export const previewSums = (service: Service, files: readonly SumsFile[], target: Target): Promise<SumsPreview> =>
  withSums(service, files, target, async (client, read, namesEvents) => {
    const { rows: before } = await client.query(
      withLongTimeout(
        `SELECT count(DISTINCT day)::int AS days FROM facts.imported
         WHERE site_id = $1 AND (dimension, day) IN (SELECT dimension, day FROM daily_sum)`,
        [target.siteId],
      ),
    );
    await client.query("SAVEPOINT before_import");
    const { first: _, ...stored } = await store(client, service, target, namesEvents);
    const sums = await storedSums(client, target);
    await client.query("ROLLBACK TO SAVEPOINT before_import");
    return { ...read, ...stored, ...sums, replacedDays: before[0].days };
  });

type NamedEvents = Reader["namesEvents"];

/** Reads the files into the temporary tables, and runs `work` in the same transaction. */
async function withSums<Result>(
  service: Service,
  files: readonly SumsFile[],
  target: Target,
  work: (
    client: pg.PoolClient,
    read: Pick<ImportedSums, "rows" | "skipped">,
    namesEvents: NamedEvents,
  ) => Promise<Result>,
): Promise<Result> {
  const { opened, skipped } = await openAll(service, files);
  try {
    return await withDaysLock(target.siteId, async (client) => {
      for (const { create } of Object.values(IMPORT_TABLES)) await client.query(create);
      let rows = 0;
      for (const file of opened) {
        const read = await readFile(client, service, file, target);
        rows += read.rows;
        skipped.push(...read.skipped);
      }
      await refuseOverlaps(client);
      await refuseHugeSums(client);
      await mergePageviews(client);
      if (service.aggregate !== undefined) await aggregate(client, service.aggregate, target);
      const named = opened.flatMap(({ reader }) => reader.namesEvents ?? []);
      const namesEvents = named.includes("all") ? "all" : named[0];
      return work(client, { rows, skipped }, namesEvents);
    });
  } finally {
    await closeAll(opened);
  }
}

/** Returns the totals of the days in `daily_sum` as they are stored, whichever import they are from. */
async function storedSums(client: pg.PoolClient, { siteId }: Target) {
  const { rows } = await client.query(
    withLongTimeout(
      `SELECT min(day)::text AS "from", max(day)::text AS "to", sum(visitors)::float8 AS visitors,
              CASE WHEN count(*) = count(visits) THEN sum(visits)::float8 END AS visits,
              CASE WHEN count(*) = count(pageviews) THEN sum(pageviews)::float8 END AS pageviews,
              CASE WHEN count(*) = count(events) THEN sum(events)::float8 END AS events,
              (SELECT array_agg(DISTINCT dimension::int) FROM daily_sum) AS numbers
       FROM facts.imported WHERE site_id = $1 AND dimension = $2 AND day IN (SELECT day FROM daily_sum)`,
      [siteId, EVERYTHING],
    ),
  );
  const [{ numbers, ...sums }] = rows;
  return { ...sums, dimensions: dimensionKeysOf(numbers) } as Omit<SumsPreview, keyof ImportedSums | "replacedDays">;
}

/** Refuses a day and dimension from two files, and totals of a day from two rows, which would count twice. */
async function refuseOverlaps(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query(
    withLongTimeout(
      `SELECT dimension, day::text, min(file) AS one, max(file) AS other FROM daily_sum GROUP BY dimension, daily_sum.day, part
       HAVING count(DISTINCT file) > 1 OR (dimension = $1 AND count(*) > greatest(count(DISTINCT hour), 1)) ORDER BY daily_sum.day, dimension LIMIT 1`,
      [EVERYTHING],
    ),
  );
  const [found] = rows;
  if (!found) return;
  throw new ImportRefused(
    found.one === found.other
      ? `${found.one} has more than one row of totals for ${found.day}. Remove the column that splits the day, or keep one row of each day or hour.`
      : found.dimension === EVERYTHING
        ? `${found.one} and ${found.other} both have totals for ${found.day}. Import only one of them.`
        : `${found.one} and ${found.other} both have sums by the same dimension for ${found.day}. Import only one of them.`,
  );
}

/** Refuses a day whose rows, or whose events of all names, add up to more than can be stored. */
async function refuseHugeSums(client: pg.PoolClient): Promise<void> {
  const columns = Object.entries(LARGEST_SUMS);
  const { rows } = await client.query(
    withLongTimeout(
      `SELECT day::text FROM daily_sum GROUP BY dimension, daily_sum.day, word
       HAVING ${columns.map(([column], index) => `sum(${column}) > $${index + 2}`).join(" OR ")}
       UNION ALL SELECT day::text FROM daily_sum WHERE dimension = $1 GROUP BY daily_sum.day HAVING sum(events) > $2 LIMIT 1`,
      [SUM_DIMENSIONS.event, ...columns.map(([, largest]) => largest)],
    ),
  );
  if (rows[0])
    throw new ImportRefused(
      `The rows of ${rows[0].day} add up to more than can be stored. Check the numbers of that day.`,
    );
}

/** Adds pageviews that a file of their own has to the totals of their days, which lack them. */
async function mergePageviews(client: pg.PoolClient): Promise<void> {
  const part = [EVERYTHING, PAGEVIEWS_ALONE];
  await client.query(
    withLongTimeout(
      `UPDATE daily_sum AS total SET pageviews = alone.pageviews FROM daily_sum AS alone
       WHERE total.dimension = $1 AND total.part IS DISTINCT FROM $2 AND total.pageviews IS NULL
         AND alone.dimension = $1 AND alone.part = $2 AND alone.day = total.day`,
      part,
    ),
  );
  const { rows } = await client.query(
    withLongTimeout(
      `WITH alone AS (DELETE FROM daily_sum WHERE dimension = $1 AND part = $2 RETURNING day, pageviews)
       SELECT min(day)::text AS first, count(*)::int AS days FROM alone WHERE pageviews > 0 AND NOT EXISTS (
         SELECT FROM daily_sum AS total WHERE total.dimension = $1 AND total.day = alone.day AND total.part IS DISTINCT FROM $2)`,
      part,
    ),
  );
  if (rows[0].days > 0)
    throw new ImportRefused(
      `The files have pageviews of ${rows[0].days} days without their visitors and visits, starting with ${rows[0].first}. Also import the file with these (Matomo: VisitsSummary.get).`,
    );
}

/** Adds up single events, or counts of them. */
async function aggregate(client: pg.PoolClient, text: string, { timezone }: Target): Promise<void> {
  await refuseRepeatedEvents(client);
  const { rows } = await client.query(
    withLongTimeout(
      "SELECT min(at) AS first, max(at) AS last FROM (SELECT at FROM raw_event UNION ALL SELECT at FROM raw_count) AS read",
    ),
  );
  const [{ first, last }] = rows;
  if (first === null) return;
  const { rowCount: sums } = await client.query(withLongTimeout("SELECT FROM daily_sum LIMIT 1"));
  if (sums)
    throw new ImportRefused(
      "The files have both single events and daily sums, which would count twice. Import only one of the two.",
    );
  // Day starts are computed here, like for reports, because Postgres may have different timezone rules.
  const starts = dayStarts({
    start: startOfDay(localDay(first, timezone), timezone),
    end: new Date(+last + 1),
    timezone,
  });
  await client.query(withLongTimeout(text, [starts, dayNumbers(starts, timezone).map(dateOfNumber)]));
}

/** @throws ImportRefused for events of several websites, and for what several files have and would count twice */
async function refuseRepeatedEvents(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query(
    withLongTimeout(
      `SELECT count(DISTINCT website)::int AS websites, (count(id) - count(DISTINCT id))::int AS duplicates,
              (SELECT array_agg(one.file) FROM (SELECT max(file) AS file FROM raw_event WHERE id IS NULL
                GROUP BY session, at, is_view, path, name HAVING count(DISTINCT file) > 1 LIMIT 1) AS one) AS again,
              (SELECT array_agg(DISTINCT file) FROM raw_count
                WHERE kind IN (SELECT kind FROM raw_count GROUP BY kind HAVING count(DISTINCT file) > 1)) AS counted,
              count(*) > 0 AND EXISTS (SELECT FROM raw_count) AS both
       FROM raw_event`,
    ),
  );
  const [{ websites, duplicates, again, counted, both }] = rows;
  if (websites > 1)
    throw new ImportRefused(`The files contain events of ${websites} websites. Import only the rows of one website.`);
  if (duplicates > 0)
    throw new ImportRefused(`${duplicates} events occur more than once, by their ids. Import each event only once.`);
  if (again) throw new ImportRefused(`${again[0]} has events that another file has too. Import each event only once.`);
  if (counted) throw new ImportRefused(`${counted.join(" and ")} count the same. Import only one of them.`);
  if (both)
    throw new ImportRefused(
      "The files have both single events and counts of them. Import only one of the two exports.",
    );
}

/** Stores the sums of `daily_sum`, without those of days on which the site has its own data. */
async function store(
  client: pg.PoolClient,
  { name }: Service,
  target: Target,
  namesEvents: NamedEvents,
): Promise<{ days: number; ownDays: number; first: string }> {
  const { siteId, timezone } = target;
  const own = await client.query(
    withLongTimeout("SELECT ts FROM facts.event WHERE site_id = $1 ORDER BY ts LIMIT 1", [siteId]),
  );
  const firstOwn = own.rows[0] ? localDay(own.rows[0].ts, timezone).toString() : null;
  const deleted = await client.query(
    withLongTimeout(
      `WITH deleted AS (DELETE FROM daily_sum WHERE day >= $1::date RETURNING day)
       SELECT count(DISTINCT day)::int AS days FROM deleted`,
      [firstOwn],
    ),
  );
  const remaining = await client.query(
    withLongTimeout("SELECT min(day)::text AS first, count(DISTINCT day)::int AS days FROM daily_sum"),
  );
  const [{ first, days }] = remaining.rows;
  if (days === 0) throw new ImportRefused("The files have no data from before the site's own first event.");
  await client.query(patient(deleteReplacedSums(siteId)));
  await client.query(patient(insertSums(siteId, name)));
  await refuseWithoutTotals(client, siteId);
  await client.query(patient(setEventTotals(siteId, SUM_DIMENSIONS, namesEvents)));
  return { days, first, ownDays: deleted.rows[0].days };
}

/**
 * Refuses days without totals. Totals cannot be computed from dimension values, because visitors would count
 * repeatedly.
 */
async function refuseWithoutTotals(client: pg.PoolClient, siteId: number): Promise<void> {
  const { rows } = await client.query(
    withLongTimeout(
      `SELECT min(day)::text AS first, count(*)::int AS days FROM (
             SELECT day FROM daily_sum EXCEPT SELECT day FROM facts.imported WHERE site_id = $1 AND dimension = $2) AS missing`,
      [siteId, EVERYTHING],
    ),
  );
  if (rows[0].days > 0)
    throw new ImportRefused(
      `The totals of ${rows[0].days} days are missing, starting with ${rows[0].first}. Also import the file without a dimension in the same import (Plausible: imported_visitors; Google Analytics: Date, Total users, Sessions and Views; Matomo: VisitsSummary.get; Fathom: Site.csv; Simple Analytics: the page views).`,
    );
}

/** Adds the dimension values to the dictionaries, where reports look them up. */
async function internValues(client: pg.PoolClient, { siteId, host }: Target): Promise<void> {
  for (const [key, number] of Object.entries(ROLLED) as [DimensionKey, number][]) {
    const { rows } = await client.query(
      withLongTimeout(
        "SELECT word, min(day)::text AS first, max(day)::text AS last FROM daily_sum WHERE dimension = $1 AND word <> '' GROUP BY word",
        [number],
      ),
    );
    for (let from = 0; from < rows.length; from += BATCH_ROWS) {
      const batch = rows.slice(from, from + BATCH_ROWS);
      const entries = batch.map(({ word, first, last }) => {
        return {
          siteId,
          at: Date.parse(last),
          timezone: "UTC",
          firstSeen: first,
          text: joinText(entryOf(key, word, host)),
        };
      });
      await intern(dimensionOf(key).dictionary as DictionaryName, entries, false);
    }
  }
}

/** Returns the columns of the dictionary's value that has a value of a dimension; paths are of the site's first host. */
function entryOf(key: DimensionKey, word: string, host: string): string[] {
  const { dictionary, word: own } = dimensionOf(key);
  return dictionaryColumns(dictionary as DictionaryName).map((column) =>
    column === own ? word : column === "hostname" ? host : "",
  );
}
