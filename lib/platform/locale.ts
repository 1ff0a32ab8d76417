/** The locale in which numbers, money and dates are written for the person who reads the page. Words stay English. */

/** As `processWide` names it. Browsers load this file too, so it must not import Node's `AsyncLocalStorage`. */
const KEY = Symbol.for("footfall.locale");
const holders = globalThis as unknown as Record<symbol, { getStore(): string | undefined } | undefined>;

/** BCP 47: Gregorian calendar and Latin digits, which fit English words. */
const withLatinDigits = (tag: string): string =>
  new Intl.Locale(tag, { calendar: "gregory", numberingSystem: "latn" }).toString();

const DEFAULT_LOCALE = withLatinDigits("en-US");

/** The locale of the request that this answers, or of the page that is open. */
export const currentLocale = (): string => holders[KEY]?.getStore() ?? DEFAULT_LOCALE;

/** Sets the locale of an open page to that in which the server wrote it, so that nothing changes when React takes over. */
export function setPageLocale(locale: string): void {
  holders[KEY] = { getStore: () => locale };
}

/** Creates something once per locale, such as a formatter of `Intl`: browsers take milliseconds for each. */
export function perLocale<T>(create: (locale: string) => T): () => T {
  const created = new Map<string, T>();
  return () => {
    const locale = currentLocale();
    const known = created.get(locale);
    if (known !== undefined) return known;
    if (created.size >= MOST_LOCALES) created.clear();
    const one = create(locale);
    created.set(locale, one);
    return one;
  };
}
type DateFormat = Pick<Intl.DateTimeFormat, "format" | "formatRange">;

/**
 * Formats dates with plain spaces. Versions of `Intl` differ in where they write thin ones, and React renders a whole page
 * anew when the browser writes one text otherwise than the server.
 */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): DateFormat {
  const format = new Intl.DateTimeFormat(locale, options);
  const plain = (text: string) => text.replace(/[\u00a0\u2009\u202f]/g, " ");
  return {
    format: (at) => plain(format.format(at)),
    formatRange: (from, to) => plain(format.formatRange(from, to)),
  };
}

/** Callers choose the header: what is kept for them must not grow without end. */
const MOST_LOCALES = 50;
const LONGEST_HEADER = 500;

/** The first language of an `Accept-Language` header that `Intl` can write (RFC 9110 section 12.5.4); default en-US. */
export function localeOf(header: string | undefined): string {
  const tags = (header ?? "").slice(0, LONGEST_HEADER).split(",").map(tagOf);
  const best = tags.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  for (const { tag } of best) {
    try {
      if (Intl.NumberFormat.supportedLocalesOf(tag).length === 0) continue;
      const { language, script, region } = new Intl.Locale(tag);
      return withLatinDigits([language, script, region].filter(Boolean).join("-"));
    } catch {
      // Not a language tag: the next one may be.
    }
  }
  return DEFAULT_LOCALE;
}

function tagOf(part: string): { tag: string; quality: number } {
  const [tag = "", ...parameters] = part.split(";").map((one) => one.trim());
  const quality = parameters.find((one) => one.startsWith("q="));
  return { tag, quality: quality ? Number(quality.slice(2)) || 0 : 1 };
}

interface WithWeek extends Intl.Locale {
  /** As browsers have it. */
  getWeekInfo?(): { firstDay: number };
  /** As Node 20 has it. */
  weekInfo?: { firstDay: number };
}

/** On which weekday weeks begin, as in ISO 8601: 1 is Monday, 7 Sunday. */
export const firstWeekday = perLocale((tag) => {
  const locale: WithWeek = new Intl.Locale(tag);
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
});
