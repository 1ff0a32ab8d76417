import type pg from "pg";
import { dateOfNumber, dayNumbers, dayStarts } from "@/lib/analytics/calendar/buckets";
import { type DimensionKey, EVERYTHING, ROLLED } from "@/lib/analytics/query/dimensions";
import { changedFacts } from "@/lib/ingest/store/changed-facts";
import { type DictionaryName, intern, textOf } from "@/lib/ingest/store/dictionary";
import { localDay, startOfDay, Temporal } from "@/lib/platform/time";
import { numberIn, type Service, TABLES } from "@/lib/transfer/daily-sums";
import { changingDays, ImportRefused, patiently, type Target } from "@/lib/transfer/import";
import { closeAll, openAll, readFile, type SumsFile } from "@/lib/transfer/sums-files";

/** Takes the daily sums of another service over, for the days before a site's own first event. */

const BATCH_ROWS = 2_000;
export interface ImportedSums {
  rows: number;
  days: number;
  /** Sentences about files and rows that were left out. */
  left: string[];
  /** Days on which the site has counted itself: what was told of these is left out. */
  ownDays: number;
}

/**
 * Imports files of one service, all or none: nothing is written before every file is understood. What an earlier import
 * told of the same days by the same dimensions is replaced.
 *
 * @throws BrokenLine, ImportRefused
 */
export async function importSums(service: Service, files: readonly SumsFile[], target: Target): Promise<ImportedSums> {
  const { opened, left } = await openAll(service, files);
  try {
    return await changingDays(target.siteId, async (client) => {
      for (const { make } of Object.values(TABLES)) await client.query(make);
      let rows = 0;
      for (const file of opened) {
        const read = await readFile(client, file);
        rows += read.rows;
        left.push(...read.left);
      }
      await refuseOverlaps(client);
      if (service.addUp) await addUp(client, service.addUp, target);
      return { rows, left, ...(await keep(client, service, target)) };
    });
  } finally {
    await closeAll(opened);
  }
}

/** Sums of one day by one dimension come from one file, and those of everything from one row: else they count twice. */
async function refuseOverlaps(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query(
    patiently(
      `SELECT dimension, day::text, min(file) AS one, max(file) AS other FROM given GROUP BY dimension, given.day
       HAVING count(DISTINCT file) > 1 OR (dimension = $1 AND count(*) > 1) ORDER BY given.day, dimension LIMIT 1`,
      [EVERYTHING],
    ),
  );
  const [found] = rows;
  if (!found) return;
  throw new ImportRefused(
    found.one === found.other
      ? `${found.one} has more than one row of totals for ${found.day}: remove the column that splits the day, or give one row a day.`
      : `${found.one} and ${found.other} both have ${found.dimension === EVERYTHING ? "totals" : "sums by the same dimension"} of ${found.day}: give only one of them.`,
  );
}

async function addUp(client: pg.PoolClient, text: string, { timezone }: Target): Promise<void> {
  const { rows } = await client.query(
    patiently(
      `SELECT count(DISTINCT website)::int AS websites, (count(*) - count(DISTINCT id))::int AS again,
              min(at) AS first, max(at) AS last FROM hit`,
    ),
  );
  const [{ websites, again, first, last }] = rows;
  if (websites > 1) throw new ImportRefused(`These are events of ${websites} websites: give only the rows of one.`);
  if (again > 0)
    throw new ImportRefused(`${again} events are given more than once, by their event_id: give each of them once.`);
  if (websites === 0) return;
  // Where days begin is worked out here, as for every report: Postgres may know other rules of a time zone.
  const starts = dayStarts({
    start: startOfDay(localDay(first, timezone), timezone),
    end: new Date(+last + 1),
    timezone,
  });
  await client.query(patiently(text, [starts, dayNumbers(starts, timezone).map(dateOfNumber)]));
}

async function keep(
  client: pg.PoolClient,
  { name }: Service,
  target: Target,
): Promise<{ days: number; ownDays: number }> {
  const { siteId, timezone } = target;
  const own = await client.query(
    patiently("SELECT ts FROM facts.event WHERE site_id = $1 ORDER BY ts LIMIT 1", [siteId]),
  );
  const firstOwn = own.rows[0] ? localDay(own.rows[0].ts, timezone).toString() : null;
  const gone = await client.query(
    patiently(
      `WITH gone AS (DELETE FROM given WHERE day >= $1::date RETURNING day)
       SELECT count(DISTINCT day)::int AS days FROM gone`,
      [firstOwn],
    ),
  );
  const given = await client.query(
    patiently("SELECT min(day)::text AS first, count(DISTINCT day)::int AS days FROM given"),
  );
  const [{ first, days }] = given.rows;
  if (days === 0) throw new ImportRefused("Nothing of it is of a day before the site's own first event.");
  await client.query(patiently(REPLACE, [siteId]));
  await client.query(patiently(KEEP, [siteId, name]));
  await refuseWithoutTotals(client, siteId);
  await client.query(patiently(TOTAL_EVENTS, [siteId, EVERYTHING, numberIn("event")]));
  await internWords(client, target);
  // Copies read all that was imported whenever anything has changed.
  const day = startOfDay(Temporal.PlainDate.from(first), timezone);
  await client.query(changedFacts([{ siteId, start: day, end: day }]));
  return { days, ownDays: gone.rows[0].days };
}

const REPLACE = `
  DELETE FROM facts.imported AS old USING (SELECT DISTINCT dimension, day FROM given) AS anew
  WHERE old.site_id = $1 AND old.dimension = anew.dimension AND old.day = anew.day`;
const KEEP = `
  INSERT INTO facts.imported (site_id, source, dimension, day, word, visitors, visits, bounces, duration_ms, pageviews, events)
  SELECT $1, $2, dimension, day, word, sum(visitors), sum(visits), sum(bounces), sum(duration_ms), sum(pageviews), sum(events)
  FROM given GROUP BY dimension, day, word`;

/** Custom events are told by their names alone; each of them is one, so that a day has as many as its names together. */
const TOTAL_EVENTS = `
  UPDATE facts.imported AS total SET events = named.events
  FROM (SELECT day, sum(events) AS events FROM facts.imported
        WHERE site_id = $1 AND dimension = $3 AND day IN (SELECT day FROM given) GROUP BY day) AS named
  WHERE total.site_id = $1 AND total.dimension = $2 AND total.day = named.day`;

/** Headline numbers are never made up from parts: visitors of several words are not people. */
async function refuseWithoutTotals(client: pg.PoolClient, siteId: number): Promise<void> {
  const { rows } = await client.query(
    patiently(
      `SELECT min(day)::text AS first, count(*)::int AS days FROM (
             SELECT day FROM given EXCEPT SELECT day FROM facts.imported WHERE site_id = $1 AND dimension = $2) AS missing`,
      [siteId, EVERYTHING],
    ),
  );
  if (rows[0].days > 0)
    throw new ImportRefused(
      `The sums of ${rows[0].days} whole days are missing, of ${rows[0].first} and on: import the file without a dimension too (Plausible: imported_visitors; Google Analytics: Date, Total users, Sessions and Views), in the same command.`,
    );
}

/** Words are known in the dictionaries, where reports look them up. */
async function internWords(client: pg.PoolClient, { siteId, host }: Target): Promise<void> {
  for (const [key, number] of Object.entries(ROLLED) as [DimensionKey, number][]) {
    const { rows } = await client.query(
      patiently(
        "SELECT word, min(day)::text AS first, max(day)::text AS last FROM given WHERE dimension = $1 AND word <> '' GROUP BY word",
        [number],
      ),
    );
    const place = PLACES[key];
    for (let from = 0; place && from < rows.length; from += BATCH_ROWS) {
      const some = rows.slice(from, from + BATCH_ROWS);
      const words = some.map(({ word, first, last }) => {
        return { siteId, at: Date.parse(last), day: () => first, text: textOf(place.values(word, host)) };
      });
      await intern(place.dictionary, words, false);
    }
  }
}

interface Place {
  dictionary: DictionaryName;
  values(word: string, host: string): string[];
}

const inPlace = (dictionary: DictionaryName, width: number, column: number): Place => ({
  dictionary,
  values: (word) => Array.from({ length: width }, (_, index) => (index === column ? word : "")),
});
const PAGE: Place = { dictionary: "page", values: (word, host) => [host, word] };

/** Where the words of a dimension stand in the dictionaries. */
const PLACES: Partial<Record<DimensionKey, Place>> = {
  page: PAGE,
  entry_page: PAGE,
  exit_page: PAGE,
  source: inPlace("referrer", 4, 0),
  channel: inPlace("referrer", 4, 1),
  country: inPlace("place", 4, 0),
  region: inPlace("place", 4, 1),
  city: inPlace("place", 4, 2),
  browser: inPlace("agent", 7, 0),
  os: inPlace("agent", 7, 2),
  device: inPlace("agent", 7, 4),
  utm_source: inPlace("campaign", 5, 0),
  utm_medium: inPlace("campaign", 5, 1),
  utm_campaign: inPlace("campaign", 5, 2),
  event: inPlace("name", 1, 0),
};
