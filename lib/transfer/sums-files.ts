import type pg from "pg";
import { PAGE_DIMENSIONS } from "@/lib/analytics/query/dimensions";
import type { ColumnQuestion } from "@/lib/contract/import-columns";
import { storedPath } from "@/lib/platform/canonical";
import { canonicalName } from "@/lib/platform/names";
import { clip } from "@/lib/platform/text";
import { localDay } from "@/lib/platform/time";
import { type Rest, readAhead } from "@/lib/transfer/ahead";
import { type CsvRow, readRows } from "@/lib/transfer/csv-rows";
import {
  dimensionNumber,
  type FileHead,
  IMPORT_TABLES,
  LARGEST_SUMS,
  listed,
  type Reader,
  type Service,
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
/** Columns that an owner is asked about. */
const MAX_QUESTIONS = 50;
/** Rows whose values tell what a column means. */
const SAMPLE_ROWS = 20;
/** Limit of the index on dimension values. */
const MAX_VALUE_LENGTH = 1_000;

/** A CSV or JSON file of the service. */
export interface SumsFile {
  name: string;
  /** Its lines, or its records as JSON. */
  lines: AsyncIterable<{ text: string }>;
  /** What the owner chose for columns whose names do not tell. */
  meanings?: FileHead["meanings"];
}

/** Returns what tells what a file has. */
export async function readHead(file: SumsFile): Promise<FileHead> {
  const { head, rows } = await openTable(file);
  await rows.return();
  return head;
}

/** A file whose header was read. */
export interface OpenFile {
  head: FileHead;
  rows: Rest<CsvRow>;
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
  try {
    return { opened, skipped: await openInto(opened, service, files) };
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

async function openInto(opened: OpenFile[], service: Service, files: readonly SumsFile[]): Promise<string[]> {
  const skipped: string[] = [];
  const refused: string[] = [];
  const questions: ColumnQuestion[] = [];
  const heads: FileHead[] = [];
  for (const file of files) {
    const { name } = file;
    // Two files of one name would be taken for one, whose days count twice.
    if (heads.some((head) => head.name === name)) refused.push(`${name}: it occurs twice.`);
    const { head, rows } = await openTable(file);
    heads.push(head);
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
      questions.push(...error.questions);
    }
    await rows.return();
  }
  if (refused.length > 0) throw unreadable(service, files, refused, questions);
  service.check?.(heads);
  return skipped;
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
  for (const { rows } of opened) await rows.return();
}

const isEmpty = ({ fields }: CsvRow) => fields.every((field) => field === "");
const isComment = ({ fields: [first = ""] }: CsvRow) => first.startsWith("#");

/** Reads the beginning of a file. @returns it, and all its rows below the header */
async function openTable({ name, lines, meanings }: SumsFile): Promise<{ head: FileHead; rows: Rest<CsvRow> }> {
  const { first, all } = await readAhead(lines, ({ length }) => length > 0);
  const isJson = beginsJson(first[0]?.text ?? "");
  const header: string[] = [];
  const source = isJson ? recordRows(all, header, name) : readRows(all);
  const comments = isJson ? [] : await readHeader(source, header);
  const beginning = await readAhead(source, ({ length }) => length === SAMPLE_ROWS);
  const sample = beginning.first.filter((row) => !isEmpty(row)).map(({ fields }) => fields);
  return { head: { name, comments, header, sample, isJson, ...(meanings && { meanings }) }, rows: beginning.all };
}

/** Reads the header of a CSV. @returns the comments before it */
async function readHeader(rows: AsyncGenerator<CsvRow>, header: string[]): Promise<string[]> {
  const comments: string[] = [];
  for (;;) {
    const { value, done } = await rows.next();
    if (done) return comments;
    // Spreadsheets write as many separators as the table has.
    if (isComment(value)) comments.push(value.fields.join(",").replace(/,+$/, ""));
    else if (!isEmpty(value)) {
      header.push(...value.fields.map((field: string) => field.trim()));
      return comments;
    }
  }
}

/** Reads all rows of a file. @returns the number of rows, and sentences about skipped rows */
export async function readFile(
  client: pg.PoolClient,
  service: Service,
  file: OpenFile,
  target: Target,
): Promise<{ rows: number; skipped: string[] }> {
  const { head } = file;
  const { table } = file.reader;
  let { reader } = file;
  let columns = head.header.length;
  const skipped = new Map<string, number>();
  let rows = 0;
  let batch: object[] = [];
  const flush = async () => {
    await client.query(IMPORT_TABLES[table].insert, [JSON.stringify(batch)]);
    batch = [];
  };
  for await (const row of file.rows) {
    if (isEmpty(row)) continue;
    if (head.header.length > columns) {
      columns = head.header.length;
      reader = inRow(head, row, () => readerAgain(service, file));
    }
    const reason = inRow(head, row, () => reader.skipReason?.(row.fields) ?? null);
    if (reason !== null) {
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      continue;
    }
    batch.push(...inRow(head, row, () => rowsOf(head, reader, row, target)));
    rows++;
    if (batch.length >= BATCH_ROWS) await flush();
  }
  await flush();
  return {
    rows,
    skipped: [...skipped].map(([reason, count]) => `${head.name}: ${count} rows skipped: ${reason}.`),
  };
}

/** Returns how a file is read by the columns that only a later record of its JSON has. @throws Error if it is not */
function readerAgain(service: Service, { head, reader }: OpenFile): Reader {
  const found = service.reader(head);
  if ("table" in found && found.table === reader.table) return found;
  throw new Error(`it has ${listed(head.header.slice(-1))}, which is of another kind of file`);
}

/** @throws Error with the reason if a row is invalid */
function rowsOf(head: FileHead, reader: Reader, row: CsvRow, target: Target): object[] {
  if (!head.isJson) refuseRagged(row, head);
  const fields = reader.hasLongFields ? row.fields : row.fields.map((field) => clip(field, MAX_VALUE_LENGTH));
  return reader.read(fields).map((one) => {
    if (typeof one.day === "string") refuseFuture(one.day, target);
    refuseHuge(one);
    if (typeof one.at === "string") refuseFuture(localDay(new Date(one.at), target.timezone).toString(), target);
    return { ...withPath(withName(one), target), file: head.name };
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
function inRow<Result>({ name, isJson }: FileHead, { line }: CsvRow, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const why = `${error instanceof Error ? error.message : error}; fix or remove the line`;
    throw new InvalidLine(line, why, name, isJson ? "record" : "line");
  }
}
