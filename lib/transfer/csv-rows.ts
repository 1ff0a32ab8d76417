import { pipeline, Readable } from "node:stream";
import { CsvError, type Info, type Options, parse } from "csv-parse";
import { readAhead } from "@/lib/transfer/ahead";
import { InvalidLine } from "@/lib/transfer/import";

/** A CSV row with the number of its first line. */
export interface CsvRow {
  line: number;
  fields: string[];
}

/** A longer row has an unclosed quote. */
const MAX_ROW_BYTES = 1024 * 1024;
const MAX_LINES_BEFORE_HEADER = 100;

/**
 * Parses a CSV (RFC 4180) in bounded memory, with the separator that its header has most often: comma, semicolon or tab. A
 * quote inside an unquoted field is an ordinary character.
 *
 * @param lines the file, line by line
 * @throws InvalidLine for a quote that is not closed within 1 MiB
 */
export async function* readRows(lines: AsyncIterable<{ text: string }>): AsyncGenerator<CsvRow> {
  let lastLine = 0;
  const { first, all } = await readAhead(lines, (read) => hasHeader(read) || read.length === MAX_LINES_BEFORE_HEADER);
  const options = {
    bom: true,
    delimiter: separatorOf(hasHeader(first) ? (first.at(-1)?.text ?? "") : ""),
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
  pipeline(Readable.from(withLineBreaks(all)), parser, () => {});
  try {
    yield* parser as AsyncIterable<CsvRow>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new InvalidLine(lastLine + 1, "a quote is not closed; close it");
  }
}

const SEPARATORS = [",", ";", "\t"];

function separatorOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, "");
  const counts = SEPARATORS.map((separator) => bare.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] as string;
}

const BEFORE_HEADER = /^\ufeff?(#|[\s,;]*$)/;

/** Whether the last of the first lines is neither empty nor a comment. */
const hasHeader = (first: readonly { text: string }[]): boolean =>
  first.length > 0 && !BEFORE_HEADER.test(first.at(-1)?.text ?? "");

async function* withLineBreaks(lines: AsyncIterable<{ text: string }>) {
  for await (const { text } of lines) yield `${text}\n`;
}
