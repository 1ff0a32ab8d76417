import type { CsvRow } from "@/lib/transfer/csv-rows";
import { InvalidLine } from "@/lib/transfer/import";

/** Reads records of JSON like the rows of a CSV. */

const MAX_COLUMNS = 1_000;

/**
 * Returns the records as rows. Names that a record has first are added to the header, so earlier rows are shorter.
 *
 * @param lines a record each
 * @param name of the file, for messages
 * @throws InvalidLine for a record that is no JSON
 */
export async function* recordRows(
  lines: AsyncIterable<{ text: string }>,
  header: string[],
  name: string,
): AsyncGenerator<CsvRow> {
  const places = new Map<string, number>();
  let line = 0;
  for await (const { text } of lines) {
    line++;
    const fields: string[] = header.map(() => "");
    for (const [key, value] of entriesOf(text, line, name)) {
      const place = places.get(key) ?? header.push(key) - 1;
      places.set(key, place);
      if (place >= MAX_COLUMNS) throw new InvalidLine(line, `there are more than ${MAX_COLUMNS} names`, name, "record");
      fields[place] = textOf(value);
    }
    yield { line, fields };
  }
}

function entriesOf(text: string, line: number, name: string): [string, unknown][] {
  try {
    return Object.entries(JSON.parse(text));
  } catch {
    throw new InvalidLine(line, "it is no JSON", name, "record");
  }
}

/** Returns a value as a field; nested ones as JSON, and '' for null. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
