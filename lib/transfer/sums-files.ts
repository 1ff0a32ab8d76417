import type pg from "pg";
import { PAGE_DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { storedPath } from "@/lib/platform/canonical";
import { canonicalName } from "@/lib/platform/names";
import { clip } from "@/lib/platform/text";
import { localDay } from "@/lib/platform/time";
import { type CsvRow, readRows } from "@/lib/transfer/csv-rows";
import {
  dimensionNumber,
  type FileHead,
  LARGEST_SUMS,
  type Reader,
  type Service,
  TABLES,
  UnknownFile,
} from "@/lib/transfer/daily-sums";
import { ImportRefused, InvalidLine, refuseFuture, type Target } from "@/lib/transfer/import";
import { beginsJson } from "@/lib/transfer/json-records";
import { recordRows } from "@/lib/transfer/record-rows";

/** Reads CSV and JSON files of another service into the temporary tables of an import. */

/** Rows per insert. */
const BATCH_ROWS = 2_000;
/** Files that a refusal names. */
const MAX_NAMED = 20;
/** Limit of the index on dimension values. */
const MAX_VALUE_LENGTH = 1_000;

/** A CSV or JSON file of the service. */
export interface SumsFile {
  name: string;
  /** Its lines, or its records as JSON. */
  lines: AsyncIterable<{ text: string }>;
}

/** Returns what tells what a file has. */
export async function readHead(file: SumsFile): Promise<FileHead> {
  const { head, rows } = await openTable(file);
  await rows.return(undefined);
  return head;
}

/** A file whose header was read. */
export interface OpenFile {
  head: FileHead;
  rows: AsyncGenerator<CsvRow>;
  reader: Reader;
}

/**
 * Reads the headers of all files.
 *
 * @returns the files with rows to read, and sentences about what is skipped
 * @throws ImportRefused naming each unknown file
 */
export async function openAll(
  service: Service,
  files: readonly SumsFile[],
): Promise<{ opened: OpenFile[]; skipped: string[] }> {
  const opened: OpenFile[] = [];
  const skipped: string[] = [];
  const refused: string[] = [];
  const names = new Set<string>();
  for (const file of files) {
    const { name } = file;
    // Two files of one name would be taken for one, whose days count twice.
    if (names.has(name)) refused.push(`${name}: it occurs twice.`);
    names.add(name);
    const { head, rows } = await openTable(file);
    try {
      const reader = service.reader(head);
      if ("table" in reader) {
        opened.push({ head, rows, reader });
        if (reader.note) skipped.push(`${name}: ${reader.note}.`);
        continue;
      }
      skipped.push(`${name} is skipped: ${reader.skipReason}.`);
    } catch (error) {
      if (!(error instanceof UnknownFile)) throw error;
      refused.push(`${name}: ${error.message}.`);
    }
    await rows.return(undefined);
  }
  if (refused.length === 0) return { opened, skipped };
  await closeAll(opened);
  throw new ImportRefused(
    [
      `Nothing was imported: ${refused.length} of ${files.length} files cannot be read.`,
      ...refused.slice(0, MAX_NAMED),
      `Expected: ${service.expected}`,
    ].join("\n"),
  );
}

/** Closes files that were not read to their end. */
export async function closeAll(opened: readonly OpenFile[]): Promise<void> {
  for (const { rows } of opened) await rows.return(undefined);
}

const isEmpty = ({ fields }: CsvRow) => fields.every((field) => field === "");
const isComment = ({ fields: [first = ""] }: CsvRow) => first.startsWith("#");

/** Rows that tell what a file has. */
const SAMPLE_ROWS = 20;

/** Reads the beginning of a file. @returns it, and all its rows below the header */
async function openTable({ name, lines }: SumsFile): Promise<{ head: FileHead; rows: AsyncGenerator<CsvRow> }> {
  const [all, first] = await peekAt(lines, 1);
  const isJson = beginsJson(first[0]?.text ?? "");
  const header: string[] = [];
  const source = isJson ? recordRows(all, header, name) : readRows(all);
  const comments = isJson ? [] : await readHeader(source, header);
  const [rows, sample] = await peekAt(source, SAMPLE_ROWS);
  return { head: { name, comments, header, sample: sample.map(({ fields }) => fields), isJson }, rows };
}

/** Reads the header of a CSV. @returns the comments before it */
async function readHeader(rows: AsyncGenerator<CsvRow>, header: string[]): Promise<string[]> {
  const comments: string[] = [];
  for (;;) {
    const { value, done } = await rows.next();
    if (done) return comments;
    if (isComment(value)) comments.push(value.fields.join(","));
    else if (!isEmpty(value)) {
      header.push(...value.fields.map((field: string) => field.trim()));
      return comments;
    }
  }
}

/** Returns all elements again, and the first ones beside them. */
async function peekAt<One>(all: AsyncIterable<One>, count: number): Promise<[AsyncGenerator<One>, One[]]> {
  const rest = all[Symbol.asyncIterator]();
  const first: One[] = [];
  while (first.length < count) {
    const { value, done } = await rest.next();
    if (done) break;
    first.push(value);
  }
  const again = (async function* () {
    try {
      yield* first;
      yield* { [Symbol.asyncIterator]: () => rest };
    } finally {
      await rest.return?.();
    }
  })();
  return [again, first];
}

/** Reads all rows of a file. @returns the number of rows, and sentences about skipped rows */
export async function readFile(
  client: pg.PoolClient,
  file: OpenFile,
  target: Target,
): Promise<{ rows: number; skipped: string[] }> {
  const { table, skipReason } = file.reader;
  const skipped = new Map<string, number>();
  let rows = 0;
  let batch: object[] = [];
  const flush = async () => {
    await client.query(TABLES[table].insert, [JSON.stringify(batch)]);
    batch = [];
  };
  for await (const row of file.rows) {
    if (isEmpty(row)) continue;
    const reason = inRow(file, row, () => skipReason?.(row.fields) ?? null);
    if (reason !== null) {
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      continue;
    }
    batch.push(...rowsOf(file, row, target));
    rows++;
    if (batch.length >= BATCH_ROWS) await flush();
  }
  await flush();
  return {
    rows,
    skipped: [...skipped].map(([reason, count]) => `${file.head.name}: ${count} rows skipped: ${reason}.`),
  };
}

function rowsOf(file: OpenFile, row: CsvRow, target: Target): object[] {
  return inRow(file, row, () => {
    const { head, reader } = file;
    if (!head.isJson) refuseRagged(row, head);
    const fields = reader.hasLongFields ? row.fields : row.fields.map((field) => clip(field, MAX_VALUE_LENGTH));
    return reader.read(fields).map((one) => {
      if (typeof one.day === "string") refuseFuture(one.day, target);
      refuseHuge(one);
      if (typeof one.at === "string") refuseFuture(localDay(new Date(one.at), target.timezone).toString(), target);
      return { ...withPath(withName(one), target), file: head.name };
    });
  });
}

/** Refuses a number that cannot be stored. */
function refuseHuge(row: Record<string, unknown>): void {
  for (const [field, largest] of Object.entries(LARGEST_SUMS)) {
    const sum = row[field];
    if (typeof sum === "number" && sum > largest)
      throw new Error(`it has more ${field} than can be stored (${largest.toLocaleString("en")})`);
  }
}

/** @throws Error for the beginning of another table, or a row that the header does not describe */
function refuseRagged(row: CsvRow, { header }: FileHead): void {
  if (isComment(row)) throw new Error("a second table starts here; save each table as a separate file");
  if (row.fields.length !== header.length)
    throw new Error(`it has ${row.fields.length} fields, but the header has ${header.length}`);
}

/** Returns a row with the name of its event, if it has one, in the form in which names are stored. */
function withName(row: Record<string, unknown>): Record<string, unknown> {
  const field = row.dimension === dimensionNumber("event") ? "word" : "name";
  const name = row[field];
  return typeof name === "string" ? { ...row, [field]: canonicalName(name) } : row;
}

const OF_PAGES: readonly unknown[] = PAGE_DIMENSIONS.map(dimensionNumber);

/** Returns a row whose path, if it has one, has no other query than what makes a page of the site. */
function withPath(row: Record<string, unknown>, { pageQuery }: Target): object {
  const field = OF_PAGES.includes(row.dimension) ? "word" : "path";
  const path = row[field];
  return typeof path === "string" ? { ...row, [field]: storedPath(path, pageQuery) } : row;
}

/** Adds file and line number to errors. @throws InvalidLine */
function inRow<Result>({ head: { name, isJson } }: OpenFile, { line }: CsvRow, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const why = `${error instanceof Error ? error.message : error}; fix or remove the line`;
    throw new InvalidLine(line, why, name, isJson ? "record" : "line");
  }
}
