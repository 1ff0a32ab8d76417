/** The locale of a page: of its numbers, money and dates, and with its language of its texts. */

/** The key of `processWide`. Browsers load this file too, so it must not import Node's `AsyncLocalStorage`. */
const KEY = Symbol.for("footfall.locale");
const holders = globalThis as unknown as Record<symbol, { getStore(): string | undefined } | undefined>;

/** Returns a BCP 47 tag with the Gregorian calendar and Latin digits, which fit English text. */
const withLatinDigits = (tag: string): string =>
  new Intl.Locale(tag, { calendar: "gregory", numberingSystem: "latn" }).toString();

const DEFAULT_LOCALE = withLatinDigits("en-US");

/** Returns the locale of the current request or, in the browser, of the open page. */
export const currentLocale = (): string => holders[KEY]?.getStore() ?? DEFAULT_LOCALE;

/** Sets the locale of the open page to the locale of the server render, so that hydration changes nothing. */
export function setPageLocale(locale: string): void {
  holders[KEY] = { getStore: () => locale };
}

/** Caches a value per locale, such as an `Intl` formatter, which takes milliseconds to create. */
export function perLocale<T>(create: (locale: string) => T): () => T {
  const created = new Map<string, T>();
  return () => {
    const locale = currentLocale();
    const known = created.get(locale);
    if (known !== undefined) return known;
    if (created.size >= MAX_LOCALES) created.clear();
    const one = create(locale);
    created.set(locale, one);
    return one;
  };
}
type DateFormat = Pick<Intl.DateTimeFormat, "format" | "formatRange">;

/**
 * Returns a date format that writes plain spaces. Versions of `Intl` differ in their thin spaces, and React renders a page
 * again if the browser's text differs from the server's.
 */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): DateFormat {
  const format = new Intl.DateTimeFormat(locale, options);
  const plain = (text: string) => text.replace(/[\u00a0\u2009\u202f]/g, " ");
  return {
    format: (at) => plain(format.format(at)),
    formatRange: (from, to) => plain(format.formatRange(from, to)),
  };
}

/** Bounds the cache, because clients choose the header. */
const MAX_LOCALES = 50;
const LONGEST_HEADER = 500;

/**
 * Returns the preferred language of an `Accept-Language` header that `Intl` supports (RFC 9110 section 12.5.4), or
 * en-US.
 * @param chosen a language that the reader chose: the header then only says the region
 */
export function localeOf(header: string | undefined, chosen?: string): string {
  if (chosen !== undefined) return regionalLocaleOf(header, chosen);
  const tags = (header ?? "").slice(0, LONGEST_HEADER).split(",").map(tagOf);
  const best = tags.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  for (const { tag } of best) {
    try {
      if (Intl.NumberFormat.supportedLocalesOf(tag).length === 0) continue;
      const { language, script, region } = new Intl.Locale(tag);
      return withLatinDigits([language, script, region].filter(Boolean).join("-"));
    } catch {
      // Not a language tag: try the next one.
    }
  }
  return DEFAULT_LOCALE;
}

/** Returns the first tag of the header with the chosen language, such as de-CH for "de", or the language itself. */
function regionalLocaleOf(header: string | undefined, chosen: string): string {
  const isChosen = (part: string) => part.trim().toLowerCase().startsWith(`${chosen}-`);
  const regional = (header ?? "").slice(0, LONGEST_HEADER).split(",").find(isChosen);
  const fallback = withLatinDigits(chosen === "en" ? "en-US" : chosen);
  const locale = regional ? localeOf(regional) : fallback;
  return locale.startsWith(`${chosen}-`) ? locale : fallback;
}

function tagOf(part: string): { tag: string; quality: number } {
  const [tag = "", ...parameters] = part.split(";").map((one) => one.trim());
  const quality = parameters.find((one) => one.startsWith("q="));
  return { tag, quality: quality ? Number(quality.slice(2)) || 0 : 1 };
}

interface WithWeek extends Intl.Locale {
  /** In browsers. */
  getWeekInfo?(): { firstDay: number };
  /** In Node 20. */
  weekInfo?: { firstDay: number };
}

/** Returns the first weekday of the locale, as in ISO 8601: 1 is Monday, 7 is Sunday. */
export const firstWeekday = perLocale((tag) => {
  const locale: WithWeek = new Intl.Locale(tag);
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
});
