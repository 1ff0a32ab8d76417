import { BrokenLine } from "@/lib/transfer/import";

/** A row of a CSV, with the number of the line on which it begins. */
export interface CsvRow {
  line: number;
  fields: string[];
}

/** Characters. What is longer is no row: a quote was never closed. */
const LONGEST_ROW = 1024 * 1024;

/**
 * The rows of a CSV (RFC 4180), in bounded memory: fields may be in quotes, and then hold commas, quotes and line breaks.
 *
 * @param lines the file, line by line.
 * @throws BrokenLine for a quote that is not closed within a MiB.
 */
export async function* readRows(lines: AsyncIterable<{ text: string }>): AsyncGenerator<CsvRow> {
  let number = 0;
  let open: { line: number; parts: string[]; length: number } | null = null;
  for await (const { text } of lines) {
    number++;
    const row: { line: number; parts: string[]; length: number } = open ?? { line: number, parts: [], length: 0 };
    row.parts.push(number === 1 ? text.replace(/^\ufeff/, "") : text);
    row.length += text.length + 1;
    if (row.length > LONGEST_ROW) throw new BrokenLine(row.line, "it has a quote that is not closed; close it");
    // A row goes on for as long as a quote is open: each odd number of them opens or closes one.
    const turns = text.split('"').length % 2 === 0;
    open = turns === (open === null) ? row : null;
    if (!open && row.length > 1) yield { line: row.line, fields: fieldsOf(row.parts.join("\n")) };
  }
  if (open) yield { line: open.line, fields: fieldsOf(open.parts.join("\n")) };
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/y;

function fieldsOf(text: string): string[] {
  const fields: string[] = [];
  FIELD.lastIndex = 0;
  for (;;) {
    const found = FIELD.exec(text);
    if (!found) return [...fields, text.slice(FIELD.lastIndex)];
    fields.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "");
    if (found[3] === "") return fields;
  }
}
