import { MEASURES, type Measure, type Metric } from "@/lib/contract/vocabulary";
import { currentLocale, perLocale } from "@/lib/platform/locale";
import { t } from "@/lib/texts/translate";

/** Formats numbers in the reader's locale, for pages and emails alike. Every number is rounded here and nowhere else. */

/** Returns a number format of the reader's locale. */
export const numbers = (options: Intl.NumberFormatOptions) =>
  perLocale((locale) => new Intl.NumberFormat(locale, options));
// A negative number that is shown as zero has no sign.
const whole = numbers({ maximumFractionDigits: 0, signDisplay: "negative" });
const short = numbers({ notation: "compact", maximumFractionDigits: 1 });
const oneDigit = numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
const twoDigits = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
const percent = numbers({ style: "percent", maximumFractionDigits: 1, signDisplay: "negative" });

/** Formats a metric value in short form; `null` means unknown and is never shown as 0. */
export const formatMetric = (metric: Metric, value: number | null | undefined): string =>
  formatMeasure(metric, value, null);

/** Formats a metric, or what visits led to, in short form. @param currency of money */
export function formatMeasure(measure: Measure, value: number | null | undefined, currency: string | null): string {
  if (value === null || value === undefined) return "–";
  switch (MEASURES[measure].unit) {
    case "count":
      return formatCount(value);
    case "ratio":
      return formatRatio(value);
    case "fraction":
      return formatPercent(value);
    case "seconds":
      return formatSeconds(value);
    case "money":
      return currency ? formatShortAmount(value, currency) : formatRatio(value);
  }
}

/** Up to 9,999 in full, then shortened: "12.3K". */
export const formatCount = (count: number): string => (count < 10_000 ? whole() : short()).format(count);

/** All digits. */
export const formatExactly = (count: number): string => whole().format(count);

/** "2.6", such as views per visit. */
export const formatRatio = (ratio: number): string => oneDigit().format(ratio);

/** A fraction as a percentage with up to one decimal. */
export const formatPercent = (fraction: number): string => percent().format(fraction);

/** A fraction of a whole: a small one is not shown as none. */
export const formatShare = (fraction: number): string =>
  fraction > 0 && fraction < 0.001 ? `<${formatPercent(0.001)}` : formatPercent(fraction);

/** "31s", "2m 31s", "3h 5m". The units are our texts, because those of `Intl` differ between Node and browsers. */
export function formatSeconds(seconds: number): string {
  const total = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  if (hours > 0) return t("{hours}h {minutes}m", { hours, minutes });
  return minutes > 0 ? t("{minutes}m {seconds}s", { minutes, seconds: rest }) : t("{seconds}s", { seconds: rest });
}

/** "850 ms"; from one second "2.51 s". */
export const formatMs = (ms: number): string =>
  Math.round(ms) < 1000 ? `${formatExactly(ms)} ms` : `${twoDigits().format(ms / 1000)} s`;

/** How long something took: "850 ms", "2.51 s", "2m 31s". */
export const formatDuration = (ms: number): string => (ms < 60_000 ? formatMs(ms) : formatSeconds(ms / 1000));

/** "1,234.50 EUR": the code, because a symbol such as $ is that of many currencies. */
export const formatMoney = ({ amount, currency }: { amount: string; currency: string }): string =>
  `${formatDecimal(amount)}\u00a0${currency}`;

/** An amount that is a number, as in charts, with the decimal places of its currency. */
export const formatAmount = (value: number, currency: string): string => formatMoney(decimalMoney(value, currency));

/** A short amount: from 10,000 units "12.3K EUR". */
export const formatShortAmount = (value: number, currency: string): string =>
  Math.abs(value) < 10_000 ? formatAmount(value, currency) : `${short().format(value)}\u00a0${currency}`;

/** An amount that is a number as decimal text with the decimal places of its currency. */
export function decimalMoney(value: number, currency: string): { amount: string; currency: string } {
  const { maximumFractionDigits } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
  return { amount: value.toFixed(maximumFractionDigits), currency };
}

/** Formats a decimal string in the locale with all its digits. `Intl` accepts strings, which are exact. */
export function formatDecimal(amount: string): string {
  const digits = amount.split(".")[1]?.length ?? 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(currentLocale(), options).format(amount as `${number}`).replace("-", "−");
}

const DURATION = /^(?:(\d+)h )?(?:(\d+)m ?)?(?:(\d+)s)?$/;
const NUMBER = /^([-−]?)([\d,]+(?:\.\d+)?)(%|\u00a0[A-Z]{3})?$/;

/** Returns a number of a stored English sentence, such as "1,234", "12.5%" or "2m 31s", as the reader writes it. */
export function numberInWords(english: string): string {
  const [, ...parts] = DURATION.exec(english) ?? [];
  if (parts.some(Boolean)) {
    const [hours = 0, minutes = 0, seconds = 0] = parts.map((part = "0") => Number(part));
    return formatSeconds(hours * 3600 + minutes * 60 + seconds);
  }
  const [, sign, digits, unit] = NUMBER.exec(english) ?? [];
  if (digits === undefined) return english;
  const amount = `${sign ? "-" : ""}${digits.replaceAll(",", "")}`;
  if (unit === "%") return formatPercent(Number(amount) / 100);
  return unit ? formatMoney({ amount, currency: unit.trim() }) : formatDecimal(amount);
}
