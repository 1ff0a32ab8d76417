import { pipeline, Readable } from "node:stream";
import { CsvError, type Info, type Options, parse } from "csv-parse";
import { InvalidLine } from "@/lib/transfer/import";

/** A CSV row with the number of its first line. */
export interface CsvRow {
  line: number;
  fields: string[];
}

/** A longer row has an unclosed quote. */
const MAX_ROW_BYTES = 1024 * 1024;

/**
 * Parses a CSV (RFC 4180) in bounded memory. A quote inside an unquoted field is an ordinary character.
 *
 * @param lines the file, line by line
 * @throws InvalidLine for a quote that is not closed within 1 MiB
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
  // The types of csv-parse allow rows other than string[] only with `columns`.
  const parser = parse(options as unknown as Options);
  // The loop below throws errors, including those of `lines`.
  pipeline(Readable.from(withLineBreaks(lines)), parser, () => {});
  try {
    yield* parser as AsyncIterable<CsvRow>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new InvalidLine(lastLine + 1, "a quote is not closed; close it");
  }
}

async function* withLineBreaks(lines: AsyncIterable<{ text: string }>) {
  for await (const { text } of lines) yield `${text}\n`;
}
