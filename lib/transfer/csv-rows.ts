import { pipeline, Readable } from "node:stream";
import { CsvError, type Info, type Options, parse } from "csv-parse";
import { BrokenLine } from "@/lib/transfer/import";

/** A row of a CSV, with the number of its first line. */
export interface CsvRow {
  line: number;
  fields: string[];
}

/** Bytes. A longer row has a quote that was never closed. */
const MAX_ROW_BYTES = 1024 * 1024;

/**
 * Reads the rows of a CSV (RFC 4180) in bounded memory. A quote inside an unquoted field is an ordinary character.
 *
 * @param lines the file, line by line.
 * @throws BrokenLine for a quote that is not closed within a MiB.
 */
export async function* readRows(lines: AsyncIterable<{ text: string }>): AsyncGenerator<CsvRow> {
  let lastLine = 0;
  const options = {
    bom: true,
    record_delimiter: "\n",
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_ROW_BYTES,
    on_record(fields: string[], info: Info): CsvRow | null {
      const line = lastLine + 1;
      lastLine = info.lines;
      return fields.length > 1 || fields[0] !== "" ? { line, fields } : null;
    },
  };
  // The types of csv-parse allow other rows than string[] only together with `columns`.
  const parser = parse(options as unknown as Options);
  // The loop below reports errors, also those of `lines`.
  pipeline(Readable.from(withLineBreaks(lines)), parser, () => {});
  try {
    yield* parser as AsyncIterable<CsvRow>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new BrokenLine(lastLine + 1, "it has a quote that is not closed; close it");
  }
}

async function* withLineBreaks(lines: AsyncIterable<{ text: string }>) {
  for await (const { text } of lines) yield `${text}\n`;
}
