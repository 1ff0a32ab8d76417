import { currentLocale } from "@/lib/platform/locale";
import { processWide } from "@/lib/platform/process-wide";
import { type Language, languageOf } from "@/lib/texts/languages";
import { type ParsedMessage, parseMessage, type Values } from "@/lib/texts/message";

/** Translations by English text. */
export type Catalogue = Readonly<Record<string, string>>;

const catalogues = processWide("catalogues", () => new Map<Language, Catalogue>());

/** Makes a language known to `t` in this thread or browser tab. */
export function addCatalogue(language: Language, catalogue: Catalogue): void {
  catalogues.set(language, catalogue);
}

/** The language of the current request or, in the browser, of the open page. */
export const currentLanguage = (): Language => languageOf(currentLocale());

/**
 * Returns a text of the interface in the reader's language, or in English where a catalogue lacks it. Call it while the page is
 * rendered, never when a module is loaded: the language belongs to the request. Operations may call it in what they answer, because agents
 * call them in English, but never in what is stored.
 * @param text English, as an ICU message if there are values: "{count, plural, one {# site} other {# sites}}"
 * @see https://unicode-org.github.io/icu/userguide/format_parse/messages/
 */
export function t(text: string, values?: Record<string, string | number>): string {
  return values ? translatedParts(text, values).join("") : translationOf(text);
}

/** Marks a constant that a page translates later with `t`, so that the catalogues must have it. @returns the text itself */
export const msg = <const Text extends string>(text: Text): Text => text;

/** Own properties only: a text can be the name of a person's thing, such as "constructor". */
function translationOf(text: string): string {
  const catalogue = catalogues.get(currentLanguage());
  return catalogue && Object.hasOwn(catalogue, text) ? (catalogue[text] as string) : text;
}

/** Returns the parts of an English text in the reader's language: texts, and the nodes of its values in between. */
export function translatedParts(text: string, values: Values): unknown[] {
  const translation = translationOf(text);
  const known = messages.get(translation);
  if (known) return known(values);
  const message = parseMessage(translation);
  messages.set(translation, message);
  return message(values);
}
const messages = new Map<string, ParsedMessage>();
