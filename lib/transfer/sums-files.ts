import type pg from "pg";
import { clip } from "@/lib/platform/text";
import { type CsvRow, readRows } from "@/lib/transfer/csv-rows";
import { type FileHead, type Reader, type Service, TABLES, UnknownFile } from "@/lib/transfer/daily-sums";
import { BrokenLine, ImportRefused } from "@/lib/transfer/import";

/** Reads the CSVs of another service into the temporary tables of an import. */

/** Rows that are sent to Postgres at once. */
const BATCH_ROWS = 2_000;
/** Bytes of a word: an index holds no longer ones. */
const LONGEST_WORD = 1_000;

/** One CSV of the service. */
export interface SumsFile {
  name: string;
  lines: AsyncIterable<{ text: string }>;
}

/** A file behind its header. */
export interface OpenFile {
  name: string;
  header: readonly string[];
  rows: AsyncGenerator<CsvRow>;
  reader: Reader;
}

/**
 * Reads the headers of all files.
 *
 * @returns the files that have rows to read, and sentences about what is left out.
 * @throws ImportRefused naming each file that is not understood.
 */
export async function openAll(
  service: Service,
  files: readonly SumsFile[],
): Promise<{ opened: OpenFile[]; left: string[] }> {
  const opened: OpenFile[] = [];
  const left: string[] = [];
  const refused: string[] = [];
  for (const { name, lines } of files) {
    const rows = readRows(lines);
    const head = await headOf(name, rows);
    try {
      const reader = service.reader(head);
      if ("into" in reader) {
        opened.push({ name, rows, reader, header: head.header });
        if (reader.note) left.push(`${name}: ${reader.note}.`);
        continue;
      }
      left.push(`${name} is left out: ${reader.leftOut}.`);
    } catch (error) {
      if (!(error instanceof UnknownFile)) throw error;
      refused.push(`${name}: ${error.message}.`);
    }
    await rows.return(undefined);
  }
  if (refused.length === 0) return { opened, left };
  await closeAll(opened);
  throw new ImportRefused(
    [
      `Nothing was imported: ${refused.length} of ${files.length} files cannot be read.`,
      ...refused,
      `Expected are ${service.expected}`,
    ].join("\n"),
  );
}

/** Stops reading files that were not read to their end. */
export async function closeAll(opened: readonly OpenFile[]): Promise<void> {
  for (const { rows } of opened) await rows.return(undefined);
}

const isEmpty = ({ fields }: CsvRow) => fields.every((field) => field === "");
const isComment = ({ fields: [first = ""] }: CsvRow) => first.startsWith("#");

async function headOf(name: string, rows: AsyncGenerator<CsvRow>): Promise<FileHead> {
  const comments: string[] = [];
  for (;;) {
    const { value, done } = await rows.next();
    if (done) return { name, comments, header: [] };
    if (isComment(value)) comments.push(value.fields.join(","));
    else if (!isEmpty(value)) return { name, comments, header: value.fields.map((field) => field.trim()) };
  }
}

/** @returns how many rows were read, and sentences about those that are left out. */
export async function readFile(client: pg.PoolClient, file: OpenFile): Promise<{ rows: number; left: string[] }> {
  const { into, leftOut } = file.reader;
  const left = new Map<string, number>();
  let rows = 0;
  let batch: object[] = [];
  const flush = async () => {
    await client.query(TABLES[into].add, [JSON.stringify(batch)]);
    batch = [];
  };
  for await (const row of file.rows) {
    if (isEmpty(row)) continue;
    const reason = inRow(file, row, () => leftOut?.(row.fields) ?? null);
    if (reason !== null) {
      left.set(reason, (left.get(reason) ?? 0) + 1);
      continue;
    }
    batch.push(...rowsOf(file, row));
    rows++;
    if (batch.length >= BATCH_ROWS) await flush();
  }
  await flush();
  return { rows, left: [...left].map(([reason, count]) => `${file.name}: ${count} rows left out, ${reason}.`) };
}

function rowsOf(file: OpenFile, row: CsvRow): object[] {
  return inRow(file, row, () => {
    const { header, reader, name } = file;
    if (isComment(row)) throw new Error("a second table begins here; save each table as a file of its own");
    if (row.fields.length !== header.length)
      throw new Error(`it has ${row.fields.length} fields, and the header has ${header.length}`);
    return reader.read(row.fields.map((field) => clip(field, LONGEST_WORD))).map((one) => ({ ...one, file: name }));
  });
}

/** @throws BrokenLine for what is wrong with the row. */
function inRow<Result>({ name }: OpenFile, { line }: CsvRow, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const why = `${error instanceof Error ? error.message : error}; put it right or remove the line`;
    throw new BrokenLine(line, why, name);
  }
}
