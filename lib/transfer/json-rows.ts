import { type CsvRow, readRows } from "@/lib/transfer/csv-rows";
import { InvalidLine } from "@/lib/transfer/import";

/** Reads files of objects as rows: JSON lines, or one object over several lines. The first row has the names of the fields. */

/** Of an object that is no single line, as each of its lines may be the last one. */
const MAX_OBJECT_LENGTH = 16 * 1024;

/** Fields that lines leave out where they are false, by a field that each of these lines has. */
const LEFT_OUT: Readonly<Record<string, string>> = { path: "event" };

/** Returns the rows of a file of JSON objects or, if it does not begin with one, of a CSV. */
export async function* readTable(lines: AsyncIterable<{ text: string }>): AsyncGenerator<CsvRow> {
  const rest = lines[Symbol.asyncIterator]();
  try {
    const first = await rest.next();
    if (first.done) return;
    const all = (async function* () {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => rest };
    })();
    yield* first.value.text.replace(/^\ufeff/, "").startsWith("{") ? jsonRows(all) : readRows(all);
  } finally {
    await rest.return?.();
  }
}

async function* jsonRows(lines: AsyncIterable<{ text: string }>): AsyncGenerator<CsvRow> {
  let names: string[] | null = null;
  let [line, begun, text] = [0, 0, ""];
  for await (const { text: read } of lines) {
    line++;
    if (text === "" && read.trim() === "") continue;
    if (text === "") begun = line;
    text += `${read}\n`;
    const object = objectIn(text.replace(/^\ufeff/, ""));
    if (object === null) {
      if (text.length > MAX_OBJECT_LENGTH) break;
      continue;
    }
    text = "";
    if (names === null) {
      names = [...new Set(Object.keys(object).flatMap((name) => [name, LEFT_OUT[name] ?? name]))];
      yield { line: begun, fields: names };
    }
    yield { line: begun, fields: fieldsOf(object, names, begun) };
  }
  if (text !== "") throw new InvalidLine(begun, "it is not an object of JSON; download the file again");
}

function fieldsOf(object: object, names: readonly string[], line: number): string[] {
  const unknown = Object.keys(object).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new InvalidLine(line, `it has a field ${JSON.stringify(unknown)} that the first line lacks`);
  const values = object as Record<string, unknown>;
  return names.map((name) => (Object.hasOwn(values, name) ? textOf(values[name]) : ""));
}

function textOf(value: unknown): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function objectIn(text: string): object | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
