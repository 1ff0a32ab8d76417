import { ImportRefused } from "@/lib/transfer/import";

/**
 * Splits JSON into records, as answers of reporting APIs have them, in bounded memory: a list of records, one record or one
 * after the other, or records or lists of them by date. Each becomes one line of JSON; the date it lies under its `date`.
 */

const MAX_RECORD_LENGTH = 1024 * 1024;
const MAX_DEPTH = 64;
/** A day, month or year, or the first and last day of a range. */
const DATE_KEY = /^\d{4}(-\d\d){0,2}(,\d{4}-\d\d-\d\d)?$/;

const SPACES = new Set([" ", "\n", "\r", "\t", "\ufeff"]);
const JSON_START = /^\ufeff?\s*[[{]/;

/** Whether a text begins like JSON; no header of a CSV does. */
export const beginsJson = (text: string): boolean => JSON_START.test(text);

/**
 * @param chunks the text, cut anywhere
 * @param name of the file, for messages
 * @throws ImportRefused for what is no JSON of this form
 */
export async function* jsonRecords(chunks: AsyncIterable<string>, name: string): AsyncGenerator<{ text: string }> {
  const splitter = new Splitter(name);
  for await (const chunk of chunks) yield* splitter.read(chunk);
  splitter.end();
}

class Splitter {
  /** The open brackets. */
  #open: string[] = [];
  #inText = false;
  #isEscaped = false;
  /** What was read of the present value or key. */
  #part = "";
  /** The key of the outermost object whose value is read. */
  #key: string | null = null;
  /** The depth at which the value that is collected begins; null between values. */
  #from: number | null = null;
  /** Fields of the outermost object that are no records of a date. */
  #fields: string[] = [];
  #fieldsLength = 0;
  #hasEnded = false;
  #isList = false;
  /** The dates whose values were read: the records of one that came again would count twice. */
  readonly #dates = new Set<string>();

  constructor(readonly name: string) {}

  *read(chunk: string): Generator<{ text: string }> {
    for (const char of chunk) {
      const record = this.#take(char);
      if (record !== null) yield { text: record };
      if (this.#part.length > MAX_RECORD_LENGTH) throw this.#fault("has a record of more than a million characters");
    }
  }

  end(): void {
    if (!this.#hasEnded) throw this.#fault("is cut off: its last bracket is missing. Download it again");
  }

  /** @returns a record that ends with this character, or null */
  #take(char: string): string | null {
    if (this.#inText) {
      this.#part += char;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (char === "\\") this.#isEscaped = true;
      else if (char === '"') this.#inText = false;
      return null;
    }
    if (char === '"') {
      if (this.#from === null) this.#begin();
      this.#inText = true;
      this.#part += char;
      return null;
    }
    if (SPACES.has(char)) {
      if (this.#from !== null && this.#part !== "") this.#part += " ";
      return null;
    }
    if (this.#hasEnded && (this.#isList || char !== "{")) throw this.#fault("goes on behind its last bracket");
    if (char === "[" || char === "{") return this.#openBracket(char);
    if (char === "]" || char === "}") return this.#closeBracket(char);
    if (this.#from !== null && this.#open.length > this.#from) {
      this.#part += char;
      return null;
    }
    if (char === "," || char === ":") return this.#separate(char);
    if (this.#from === null) this.#begin();
    this.#part += char;
    return null;
  }

  #begin(): void {
    if (this.#open.length === 0) throw this.#fault("is no JSON");
    this.#from = this.#open.length;
    this.#part = "";
  }

  #openBracket(char: string): null {
    const depth = this.#open.length;
    if (depth === 0) [this.#isList, this.#hasEnded, this.#key] = [char === "[", false, null];
    if (depth >= MAX_DEPTH) throw this.#fault(`is nested more than ${MAX_DEPTH} deep`);
    // The list of a date is entered; every other value below the outermost bracket is collected.
    const entersList = depth === 1 && char === "[" && this.#key !== null && DATE_KEY.test(this.#key);
    if (depth > 0 && this.#from === null && !entersList) this.#begin();
    this.#open.push(char);
    if (this.#from !== null) this.#part += char;
    return null;
  }

  #closeBracket(char: string): string | null {
    const collected = this.#from !== null && this.#open.length > this.#from;
    // A scalar ends with the bracket that it lies in.
    const before = collected ? null : this.#endValue();
    if (before !== null) throw this.#fault("is no JSON");
    const opened = this.#open.pop();
    if (opened !== (char === "]" ? "[" : "{")) throw this.#fault("is no JSON: its brackets do not match");
    if (this.#open.length === 0) return this.#endOutermost();
    if (!collected) return null;
    this.#part += char;
    return this.#open.length === this.#from ? this.#endValue() : null;
  }

  /** @returns the fields of the outermost object as a record, if it has any */
  #endOutermost(): string | null {
    const fields = this.#fields;
    [this.#fields, this.#fieldsLength, this.#hasEnded] = [[], 0, true];
    return fields.length > 0 ? `{${fields.join(",")}}` : null;
  }

  #separate(char: string): string | null {
    if (char === "," || this.#open.length !== 1 || this.#isList) {
      const record = this.#endValue();
      if (char === "," && this.#open.length === 1) this.#key = null;
      return record;
    }
    const key = parsed(this.#part);
    if (typeof key !== "string") throw this.#fault("is no JSON");
    if (DATE_KEY.test(key)) {
      if (this.#dates.has(key))
        throw this.#fault(`has ${key} twice, whose records would count twice; keep one of them`);
      this.#dates.add(key);
    }
    [this.#key, this.#from, this.#part] = [key, null, ""];
    return null;
  }

  /** Ends the value that was collected. @returns it if it is a record */
  #endValue(): string | null {
    if (this.#from === null) return null;
    const [text, key, depth] = [this.#part.trim(), this.#key, this.#from];
    [this.#part, this.#from] = ["", null];
    const isRecord = text.startsWith("{");
    if (!this.#isList && depth === 1) {
      if (key === null) throw this.#fault("is no JSON");
      if (isRecord && DATE_KEY.test(key)) return withDate(text, key);
      const field = `${JSON.stringify(key)}:${text}`;
      this.#fields.push(field);
      this.#fieldsLength += field.length;
      if (this.#fieldsLength > MAX_RECORD_LENGTH) throw this.#fault("has a record of more than a million characters");
      return null;
    }
    if (!isRecord) throw this.#fault("has values without names where records were expected");
    return this.#isList ? text : withDate(text, key ?? "");
  }

  #fault(why: string): ImportRefused {
    return new ImportRefused(`${this.name} ${why}.`);
  }
}

const withDate = (record: string, date: string): string =>
  `${record.slice(0, -1)}${record.slice(1, -1).trim() === "" ? "" : ","}"date":${JSON.stringify(date)}}`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
