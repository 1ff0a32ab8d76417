import { EVENT_TYPES, TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { dictionaryNames } from "@/lib/ingest/event/catalogue";
import { compareVisitors, MAX_PAGEVIEWS } from "@/lib/ingest/store/facts";
import { writeImportedFacts } from "@/lib/ingest/store/imported-facts";
import { ensureMonths } from "@/lib/ingest/store/partitions";
import { DAY_MS } from "@/lib/platform/durations";
import { localDay } from "@/lib/platform/time";
import { InvalidLine, refuseFuture, type Target, withDaysLock } from "@/lib/transfer/import";
import { type Ids, internLines } from "@/lib/transfer/intern-lines";
import { type EventLine, eventLine } from "@/lib/transfer/line";

/** Imports the lines of an export into a site. Importing them again changes nothing. */

/** Lines per transaction. */
const BATCH_LINES = 1_000;

/** A line of JSON, with its number in the file unless each line of the file is one. */
export interface ExportedLine {
  text: string;
  line?: number;
}

export interface ImportedEvents {
  lines: number;
  /** Lines whose event was not there yet. */
  added: number;
}

/**
 * Imports the lines of an export in order and in bounded memory. Each batch is one transaction.
 *
 * @param onProgress called after each batch
 * @throws InvalidLine at the first invalid line. The lines before it stay imported.
 */
export async function importEvents(
  lines: AsyncIterable<ExportedLine>,
  target: Target,
  onProgress: (sums: ImportedEvents) => void = () => {},
): Promise<ImportedEvents> {
  const sums: ImportedEvents = { lines: 0, added: 0 };
  let batch: EventLine[] = [];
  const flush = async () => {
    if (batch.length > 0) sums.added += await write(batch, target);
    sums.lines += batch.length;
    batch = [];
    onProgress(sums);
  };
  try {
    for await (const event of readEvents(lines, target)) {
      batch.push(event);
      if (batch.length === BATCH_LINES) await flush();
    }
  } catch (error) {
    if (error instanceof InvalidLine) await flush();
    throw error;
  }
  await flush();
  return sums;
}

/** Returns the events of the lines of an export. @throws InvalidLine */
export async function* readEvents(lines: AsyncIterable<ExportedLine>, target: Target): AsyncGenerator<EventLine> {
  let number = 0;
  for await (const { text, line } of lines) {
    number = line ?? number + 1;
    if (text !== "") yield readLine(text, number, target);
  }
}

/** The longest visit whose length can be stored, in milliseconds, and some days. */
const LONGEST_VISIT_MS = 31 * DAY_MS;

function readLine(text: string, number: number, target: Target): EventLine {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    const reason = "it is incomplete, or the file is not an NDJSON export";
    throw new InvalidLine(number, `${reason}; export the events after the previous line again, or remove the line`);
  }
  const read = eventLine.safeParse(parsed);
  if (read.success) {
    const { time, visit_started } = read.data;
    try {
      refuseFuture(localDay(new Date(time), target.timezone).toString(), target);
    } catch (error) {
      throw new InvalidLine(number, `time: ${(error as Error).message}; fix or remove the line`);
    }
    // Each month of a visit's start has tables of its own.
    if (Math.abs(Date.parse(time) - Date.parse(visit_started)) > LONGEST_VISIT_MS)
      throw new InvalidLine(number, "visit_started: must be at most 31 days from its time; fix or remove the line");
    return read.data;
  }
  const [issue] = read.error.issues;
  throw new InvalidLine(number, `${issue?.path.join(".")}: ${issue?.message}; fix or remove the line`);
}

/** Writes one batch. @returns the number of events that were not there yet */
async function write(lines: readonly EventLine[], target: Target): Promise<number> {
  const moments = lines.flatMap(({ time, visit_started }) => [time, visit_started]);
  await ensureMonths(moments.map((at) => new Date(at)));
  const { siteId } = target;
  return withDaysLock(siteId, async (client) => {
    const ids = await internLines(lines, target);
    return writeImportedFacts(client, siteId, {
      visits: visitsOf(lines, ids),
      events: eventsOf(lines, ids),
      span: spanOf(moments),
    });
  });
}

/** Returns the range of these times. */
function spanOf(moments: readonly string[]): { start: Date; end: Date } {
  const times = moments.map((at) => Date.parse(at));
  return { start: new Date(Math.min(...times)), end: new Date(Math.max(...times) + 1) };
}

/** Returns the ids of a line's values by their dictionaries, as the columns of facts are called. */
const idsOf = (ids: Ids, index: number) => Object.fromEntries(dictionaryNames.map((name) => [name, ids[name][index]]));

const eventsOf = (lines: readonly EventLine[], ids: Ids) =>
  lines.map((line, index) => ({
    ...line,
    ts: line.time,
    ...idsOf(ids, index),
    type: EVENT_TYPES[line.type],
    traffic: TRAFFIC_CLASSES[line.traffic],
    status: line.status ?? 0,
    behind: lines.length - 1 - index,
  }));

/** Returns each visit once, as of its last line, in the lock order that all writers use. */
function visitsOf(lines: readonly EventLine[], ids: Ids) {
  const visits = new Map(
    lines.flatMap((line, index) => {
      const { visitor_id } = line;
      if (visitor_id === null) return [];
      const visit = {
        started: line.visit_started,
        visit_id: line.visit_id,
        visitor_id,
        duration_ms: line.visit_duration_ms,
        ...idsOf(ids, index),
        entry_page: ids.entry[index],
        exit_page: ids.exit[index],
        pageviews: Math.min(line.visit_pageviews, MAX_PAGEVIEWS),
        interactions: line.visit_interactions,
        traffic: TRAFFIC_CLASSES[line.visit_traffic],
      };
      return [[line.visit_id, visit] as const];
    }),
  );
  return [...visits.values()].sort(
    (a, b) => compareVisitors(a.visitor_id, b.visitor_id) || (a.started < b.started ? -1 : 1),
  );
}
