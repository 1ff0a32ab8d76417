import type pg from "pg";
import { ROLLED } from "@/lib/analytics/query/dimensions";
import { VIEWS } from "@/lib/analytics/query/event-types";
import { EVENT_TYPES, PRESENCE } from "@/lib/contract/vocabulary";
import { hasPagesOn } from "@/lib/ingest/site/sites";
import { OperatorError } from "@/lib/platform/errors";
import { localDay, startOfDay, Temporal } from "@/lib/platform/time";
import type { ImportedFile } from "@/lib/transfer/archive";
import { clippedName } from "@/lib/transfer/daily-sums";
import { readExport } from "@/lib/transfer/export-lines";
import { ImportRefused, type Target, withDaysLock, withLongTimeout } from "@/lib/transfer/import";
import { type ImportedEvents, importEvents, readEvents } from "@/lib/transfer/import-events";
import type { EventLine } from "@/lib/transfer/line";

/** Uploaded files of Footfall's own export of events. They are read and stored as `npm run import` does. */

/** The events of one import. The operator can import more, and older ones, whose months each need tables of their own. */
export const MAX_EVENTS = 10_000_000;
const MAX_AGE_YEARS = 15;
const BATCH_ROWS = 2_000;
/** Foreign hosts that a sentence names. */
const MAX_HOSTS = 5;

/** What an import of events would store. The counts are of people, as reports have them. */
export interface EventsPreview {
  from: string;
  to: string;
  days: number;
  /** Days with imported totals, which give way to their events. */
  replacedDays: number;
  rows: number;
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
  dimensions: string[];
  notes: string[];
}

/** The domains of a site, as `hasPagesOn` takes them. */
export type Pages = Parameters<typeof hasPagesOn>[0];

/**
 * Imports the events of all files. Importing them again changes nothing.
 *
 * @throws OperatorError naming the file. Events before the fault stay.
 */
export async function importExports(files: readonly ImportedFile[], target: Target): Promise<ImportedEvents> {
  const sums: ImportedEvents = { lines: 0, added: 0 };
  for (const file of files) {
    const { lines, added } = await naming(file, () => importEvents(linesOf(file), target));
    sums.lines += lines;
    sums.added += added;
  }
  return sums;
}

/**
 * Returns what `importExports` would store, and stores nothing.
 *
 * @throws OperatorError naming the file, for lines that are invalid, too old or too many, or of another site
 */
export const previewExports = (files: readonly ImportedFile[], target: Target, pages: Pages): Promise<EventsPreview> =>
  withDaysLock(target.siteId, async (client) => {
    await client.query(CREATE);
    const hosts = new Hosts(pages);
    let rows = 0;
    let batch: object[] = [];
    const flush = async () => {
      await client.query(INSERT, [JSON.stringify(batch)]);
      batch = [];
    };
    for (const file of files) {
      await naming(file, async () => {
        for await (const event of readEvents(linesOf(file), target)) {
          rows++;
          refuseUnbounded(rows, event, target);
          hosts.add(event.hostname);
          batch.push(rowOf(event, target));
          if (batch.length === BATCH_ROWS) await flush();
        }
      });
    }
    await flush();
    if (rows === 0) throw new ImportRefused("The files have no events.");
    hosts.refuseForeign();
    return { rows, ...(await summedUp(client, target)), notes: [...(await notesOf(client, target)), ...hosts.notes()] };
  });

const linesOf = ({ textLines }: ImportedFile) => readExport(textLines());

/** Adds the name of the file to refusals that have none. */
async function naming<Result>({ name }: ImportedFile, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OperatorError) || error.message.startsWith(name)) throw error;
    throw new ImportRefused(`${name}: ${error.message}`);
  }
}

function refuseUnbounded(rows: number, { time }: EventLine, { now, timezone }: Target): void {
  if (rows > MAX_EVENTS)
    throw new ImportRefused(
      `An upload may have ${MAX_EVENTS.toLocaleString("en")} events, and there are more. The operator of the server can import the file with npm run import.`,
    );
  const day = localDay(new Date(time), timezone);
  const oldest = localDay(now, timezone).subtract({ years: MAX_AGE_YEARS });
  if (Temporal.PlainDate.compare(day, oldest) < 0)
    throw new ImportRefused(
      `There is an event of ${day}. An upload may have events since ${oldest}. The operator of the server can import the file with npm run import.`,
    );
}

/** Which hosts the pages of events are on: those of another site would spoil the numbers for ever. */
class Hosts {
  readonly #known = new Map<string, boolean>();
  readonly #foreign = new Set<string>();
  #own = 0;
  #others = 0;

  constructor(readonly pages: Pages) {}

  add(host: string | null): void {
    if (host === null || host === "") return;
    if (this.#isOwn(host)) this.#own++;
    else {
      this.#others++;
      if (this.#foreign.size <= MAX_HOSTS) this.#foreign.add(clippedName(host));
    }
  }

  #isOwn(host: string): boolean {
    const known = this.#known.get(host);
    if (known !== undefined) return known;
    const isOwn = hasPagesOn(this.pages, host);
    if (this.#known.size < 1_000) this.#known.set(host, isOwn);
    return isOwn;
  }

  refuseForeign(): void {
    if (this.#own > 0 || this.#others === 0) return;
    throw new ImportRefused(
      `The events are of pages on ${this.#names()}, which is no domain of this site. Choose the export of this site, or add the domain first under Settings, Domains.`,
    );
  }

  notes(): string[] {
    return this.#others === 0
      ? []
      : [
          `${this.#others} events are of pages on ${this.#names()}, which no domain of this site has. They are imported too.`,
        ];
  }

  #names(): string {
    const names = [...this.#foreign];
    return names.length > MAX_HOSTS ? `${names.slice(0, MAX_HOSTS).join(", ")} and others` : names.join(", ");
  }
}

const CREATE = `CREATE TEMP TABLE exported_event (id text, day date, visit_id bigint, visitor_id bigint, began boolean,
  present boolean, viewed boolean, happened boolean) ON COMMIT DROP`;
const INSERT = "INSERT INTO exported_event SELECT * FROM jsonb_populate_recordset(NULL::exported_event, $1::jsonb)";

/** Nothing limits the length of an id in a file. */
const MAX_ID_LENGTH = 64;

/** Returns what is counted of an event, of people alone. */
function rowOf({ event_id, time, visit_id, visitor_id, ...event }: EventLine, { timezone }: Target): object {
  const type = EVENT_TYPES[event.type];
  const isHuman = event.traffic === "human";
  return {
    id: event_id.slice(0, MAX_ID_LENGTH),
    day: localDay(new Date(time), timezone).toString(),
    visit_id,
    visitor_id,
    began: visitor_id !== null && event.visit_traffic === "human",
    present: isHuman && PRESENCE.includes(type),
    viewed: isHuman && VIEWS.includes(type),
    happened: isHuman && (event.type === "event" || event.type === "commerce"),
  };
}

/** Adds the events up; those that two files have count once. */
async function summedUp(client: pg.PoolClient, { siteId }: Target) {
  const { rows } = await client.query(
    withLongTimeout(
      `WITH once AS (SELECT DISTINCT ON (id) * FROM exported_event)
       SELECT min(day)::text AS "from", max(day)::text AS "to", count(DISTINCT day)::int AS days,
              count(DISTINCT visitor_id) FILTER (WHERE present)::float8 AS visitors,
              count(DISTINCT visit_id) FILTER (WHERE began)::float8 AS visits,
              count(*) FILTER (WHERE viewed)::float8 AS pageviews, count(*) FILTER (WHERE happened)::float8 AS events,
              (SELECT count(DISTINCT day)::int FROM facts.imported WHERE site_id = $1
                 AND day IN (SELECT day FROM exported_event)) AS "replacedDays"
       FROM once`,
      [siteId],
    ),
  );
  return { ...rows[0], dimensions: Object.keys(ROLLED) } as Omit<EventsPreview, "rows" | "notes">;
}

/** Says on how many days the site has events already, beside which those of the files are stored. */
async function notesOf(client: pg.PoolClient, { siteId, timezone }: Target): Promise<string[]> {
  const { rows } = await client.query(withLongTimeout("SELECT DISTINCT day::text FROM exported_event ORDER BY 1"));
  const days = rows.map(({ day }) => Temporal.PlainDate.from(day));
  const starts = days.map((day) => startOfDay(day, timezone));
  const ends = days.map((day) => startOfDay(day.add({ days: 1 }), timezone));
  const {
    rows: [found],
  } = await client.query(
    withLongTimeout(
      `SELECT count(*)::int AS days FROM unnest($2::timestamptz[], $3::timestamptz[]) AS day(start, "end")
       WHERE EXISTS (SELECT FROM facts.event WHERE site_id = $1 AND ts >= start AND ts < "end")`,
      [siteId, starts, ends],
    ),
  );
  if (found.days === 0) return [];
  return [
    `The site has events on ${found.days} of these days. Equal ones are not added again, the others are added beside them: what both services counted at the same time counts twice.`,
  ];
}
