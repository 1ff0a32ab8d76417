import { perLocale } from "@/lib/platform/locale";
import { languageOf } from "@/lib/texts/languages";

/**
 * Messages with values: the part of ICU MessageFormat that texts of the interface use, because a reader of all of it is a
 * fifteenth of the script of a page (ADR 41). They have `{name}`, `{count, number}`, `{count, plural, =0 {…} one {…} other {…}}`
 * with `#`, `{kind, select, …}`, elements `<link>…</link>`, and apostrophes that quote.
 *
 * @see https://unicode-org.github.io/icu/userguide/format_parse/messages/
 */

/** Texts, numbers and nodes by the names of values; a function draws what is in the element of that name. */
export type Values = Readonly<Record<string, unknown>>;

/** Returns the parts of a message: texts, and nodes in between. */
export type ParsedMessage = (values: Values) => unknown[];

/** @param count the number that `#` stands for */
type Writer = (values: Values, count: number) => unknown[];

const numbers = perLocale((locale) => new Intl.NumberFormat(locale));
/** The language decides on plurals, the locale on how numbers look: a French reader of English texts sees "1 204 visitors". */
const plurals = perLocale((locale) => new Intl.PluralRules(languageOf(locale)));

const asNumber = (value: unknown): string => numbers().format(Number(value));

/**
 * Reads a message.
 *
 * @throws SyntaxError at what is no message of this form. The message itself throws an `Error` if a value is missing.
 */
export function parseMessage(text: string): ParsedMessage {
  let at = 0;
  const writer = sequence(false);
  if (at < text.length) throw refused();
  return (values) => writer(values, 0);

  function refused(): SyntaxError {
    return new SyntaxError(`The text "${text}" is no message at character ${at + 1}.`);
  }

  /** Moves behind the match of a sticky pattern. @returns its group, or all of it; null without a match. */
  function next(pattern: RegExp): string | null {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) return null;
    at = pattern.lastIndex;
    return found[1] ?? found[0];
  }

  function needed(pattern: RegExp): string {
    const found = next(pattern);
    if (found === null) throw refused();
    return found;
  }

  /** Reads until a `}`, the end of an element or of the text. */
  function sequence(inPlural: boolean): Writer {
    const writers: Writer[] = [];
    for (;;) {
      const literal = inPlural ? next(/[^{}<'#]+/y) : next(/[^{}<']+/y);
      if (literal !== null) writers.push(() => [literal]);
      else if (inPlural && next(/#/y)) writers.push((_, count) => [asNumber(count)]);
      else if (next(/\{/y)) writers.push(argument());
      else if (next(/'/y)) writers.push(quoted(inPlural));
      else if (text[at] === "<" && text[at + 1] !== "/") writers.push(elementOf(inPlural));
      else return (values, count) => merged(writers.flatMap((write) => write(values, count)));
    }
  }

  /** An apostrophe quotes what has a meaning, until the next one; two of them, or one before anything else, are one. */
  function quoted(inPlural: boolean): Writer {
    if (next(/'/y) || !(inPlural ? /[{}<>#]/ : /[{}<>]/).test(text[at] ?? "")) return () => ["'"];
    const found = needed(/(?:[^']|'')+/y).replaceAll("''", "'");
    next(/'/y);
    return () => [found];
  }

  function elementOf(inPlural: boolean): Writer {
    const name = next(/<([a-z]\w*)>/iy);
    if (name === null) {
      needed(/</y);
      return () => ["<"];
    }
    const inside = sequence(inPlural);
    if (needed(/<\/(\w+)>/y) !== name) throw refused();
    return (values, count) => {
      const draw = given(values, name) as (parts: unknown[]) => unknown;
      return [draw(inside(values, count))].flat();
    };
  }

  function argument(): Writer {
    const name = needed(/\s*(\w+)\s*/y);
    if (next(/\}/y)) return (values) => [shown(given(values, name))];
    const type = needed(/,\s*(number|plural|select)\s*/y);
    if (type === "number") {
      needed(/\}/y);
      return (values) => [asNumber(given(values, name))];
    }
    const isPlural = type === "plural";
    const choices = choicesOf(isPlural);
    return (values, count) => {
      const value = given(values, name);
      if (!isPlural) return (choices.get(String(value)) ?? choices.get("other"))?.(values, count) ?? [];
      const number = Number(value);
      const chosen = choices.get(`=${number}`) ?? choices.get(plurals().select(number)) ?? choices.get("other");
      return chosen?.(values, number) ?? [];
    };
  }

  function choicesOf(isPlural: boolean): Map<string, Writer> {
    needed(/,\s*/y);
    const choices = new Map<string, Writer>();
    while (!next(/\}/y)) {
      const key = needed(/(=?\w+)\s*\{/y);
      choices.set(key, sequence(isPlural));
      needed(/\}\s*/y);
    }
    if (!choices.has("other")) throw refused();
    return choices;
  }

  function given(values: Values, name: string): unknown {
    if (!Object.hasOwn(values, name)) throw new Error(`The text "${text}" needs a value for ${name}.`);
    return values[name];
  }
}

const shown = (value: unknown): unknown => (typeof value === "number" ? String(value) : (value ?? ""));

/** Joins neighbouring texts, so that React draws one of them. */
function merged(parts: unknown[]): unknown[] {
  const all: unknown[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (typeof part === "string" && typeof last === "string") all[all.length - 1] = last + part;
    else all.push(part);
  }
  return all;
}
