/** A row of a CSV, with the number of the line on which it begins. */
export interface CsvRow {
  line: number;
  fields: string[];
}

/**
 * The rows of a CSV (RFC 4180), in bounded memory: fields may be in quotes, and then hold commas, quotes and line breaks.
 *
 * @param lines the file, line by line.
 */
export async function* readRows(lines: AsyncIterable<{ text: string }>): AsyncGenerator<CsvRow> {
  let number = 0;
  let open: { line: number; text: string } | null = null;
  for await (const { text } of lines) {
    number++;
    const whole: { line: number; text: string } = open
      ? { line: open.line, text: `${open.text}\n${text}` }
      : { line: number, text: number === 1 ? text.replace(/^\ufeff/, "") : text };
    // A row goes on for as long as a quote is open.
    open = whole.text.split('"').length % 2 === 0 ? whole : null;
    if (!open && whole.text !== "") yield { line: whole.line, fields: fieldsOf(whole.text) };
  }
  if (open) yield { line: open.line, fields: fieldsOf(open.text) };
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
