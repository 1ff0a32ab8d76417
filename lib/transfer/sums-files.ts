import type pg from "pg";
import { PAGE_DIMENSIONS } from "@/lib/analytics/query/dimensions";
import type { ColumnQuestion } from "@/lib/contract/import-columns";
import { storedPath } from "@/lib/platform/canonical";
import { canonicalName } from "@/lib/platform/names";
import { clip } from "@/lib/platform/text";
import { localDay } from "@/lib/platform/time";
import type { CsvRow } from "@/lib/transfer/csv-rows";
import {
  dimensionNumber,
  type FileHead,
  type Reader,
  type Service,
  TABLES,
  UnknownFile,
} from "@/lib/transfer/daily-sums";
import { ImportRefused, InvalidLine, refuseFuture, type Target } from "@/lib/transfer/import";
import { readTable } from "@/lib/transfer/json-rows";

/** Reads CSV files of another service into the temporary tables of an import. */

/** Rows per insert. */
const BATCH_ROWS = 2_000;
/** Files that a refusal names. */
const MAX_NAMED = 20;
/** Columns that an owner is asked about. */
const MAX_QUESTIONS = 50;
/** Rows whose values tell what a column means. */
const SAMPLE_ROWS = 20;
const MAX_SAMPLE_LENGTH = 100;
/** Limit of the index on dimension values. */
const MAX_VALUE_LENGTH = 1_000;

/** A CSV file of the service. */
export interface SumsFile {
  name: string;
  lines: AsyncIterable<{ text: string }>;
  /** What the owner chose for columns whose names do not tell. */
  meanings?: FileHead["meanings"];
}

/** Returns the header of a file, and the comment lines before it. */
export async function readHead({ name, lines, meanings }: SumsFile): Promise<FileHead> {
  const rows = readTable(lines);
  try {
    return (await headOf(name, rows, meanings)).head;
  } finally {
    await rows.return(undefined);
  }
}

/** A file whose header was read. */
export interface OpenFile {
  name: string;
  header: readonly string[];
  rows: AsyncGenerator<CsvRow>;
  reader: Reader;
  close(): Promise<unknown>;
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
  const questions: ColumnQuestion[] = [];
  const names = new Set<string>();
  const heads: FileHead[] = [];
  for (const { name, lines, meanings } of files) {
    // Two files of one name would be taken for one, whose days count twice.
    if (names.has(name)) refused.push(`${name}: it occurs twice.`);
    names.add(name);
    const rows = readTable(lines);
    const { head, all } = await headOf(name, rows, meanings);
    heads.push(head);
    try {
      const reader = service.reader(head);
      if ("table" in reader) {
        opened.push({ name, rows: all, reader, header: head.header, close: () => rows.return(undefined) });
        if (reader.note) skipped.push(`${name}: ${reader.note}.`);
        continue;
      }
      skipped.push(`${name} is skipped: ${reader.skipReason}.`);
    } catch (error) {
      if (!(error instanceof UnknownFile)) throw error;
      refused.push(`${name}: ${error.message}.`);
      questions.push(...error.questions);
    }
    await rows.return(undefined);
  }
  try {
    if (refused.length === 0) service.check?.(heads);
    else throw unreadable(service, files, refused, questions);
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
  return { opened, skipped };
}

const unreadable = (
  { expected }: Service,
  files: readonly SumsFile[],
  refused: readonly string[],
  questions: readonly ColumnQuestion[],
) =>
  new ImportRefused(
    [
      `Nothing was imported: ${refused.length} of ${files.length} files cannot be read.`,
      ...refused.slice(0, MAX_NAMED),
      `Expected: ${expected}`,
    ].join("\n"),
    questions.slice(0, MAX_QUESTIONS),
  );

/** Closes files that were not read to their end. */
export async function closeAll(opened: readonly OpenFile[]): Promise<void> {
  for (const { close } of opened) await close();
}

const isEmpty = ({ fields }: CsvRow) => fields.every((field) => field === "");
const isComment = ({ fields: [first = ""] }: CsvRow) => first.startsWith("#");

/** Reads a file to its first rows. @returns its head, and all rows below the header */
async function headOf(
  name: string,
  rows: AsyncGenerator<CsvRow>,
  meanings: FileHead["meanings"],
): Promise<{ head: FileHead; all: AsyncGenerator<CsvRow> }> {
  const comments: string[] = [];
  for (;;) {
    const { value, done } = await rows.next();
    if (done) return { head: { name, comments, header: [] }, all: rows };
    if (isComment(value)) comments.push(value.fields.join(","));
    else if (!isEmpty(value)) {
      const header = value.fields.map((field) => field.trim());
      const first = await firstRows(rows);
      const sample = first
        .filter((row) => !isEmpty(row) && row.fields.length === header.length)
        .map(({ fields }) => fields.map((field) => clip(field, MAX_SAMPLE_LENGTH)));
      const all = (async function* () {
        yield* first;
        yield* rows;
      })();
      return { head: { name, comments, header, sample, meanings }, all };
    }
  }
}

async function firstRows(rows: AsyncGenerator<CsvRow>): Promise<CsvRow[]> {
  const found: CsvRow[] = [];
  while (found.length < SAMPLE_ROWS) {
    const { value, done } = await rows.next();
    if (done) break;
    found.push(value);
  }
  return found;
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
  return { rows, skipped: [...skipped].map(([reason, count]) => `${file.name}: ${count} rows skipped: ${reason}.`) };
}

function rowsOf(file: OpenFile, row: CsvRow, target: Target): object[] {
  return inRow(file, row, () => {
    const { header, reader, name } = file;
    if (isComment(row)) throw new Error("a second table starts here; save each table as a separate file");
    if (row.fields.length !== header.length)
      throw new Error(`it has ${row.fields.length} fields, but the header has ${header.length}`);
    return reader.read(row.fields.map((field) => clip(field, MAX_VALUE_LENGTH))).map((one) => {
      if (typeof one.day === "string") refuseFuture(one.day, target);
      if (typeof one.at === "string") refuseFuture(localDay(new Date(one.at), target.timezone).toString(), target);
      return { ...withPath(withName(one), target), file: name };
    });
  });
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
function inRow<Result>({ name }: OpenFile, { line }: CsvRow, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const why = `${error instanceof Error ? error.message : error}; fix or remove the line`;
    throw new InvalidLine(line, why, name);
  }
}
