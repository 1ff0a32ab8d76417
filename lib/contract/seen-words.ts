import { numberInWords } from "@/lib/contract/numbers";
import { MEASURES } from "@/lib/contract/vocabulary";
import { currentLocale, dateFormat } from "@/lib/platform/locale";
import { translatorOf } from "@/lib/texts/known-texts";
import { currentLanguage, msg, t } from "@/lib/texts/translate";

/** What was seen when an alert fired or an incident started, in the reader's language: it is stored as an English sentence. */

const TEMPLATES = [
  msg("{metric}: {value}, as an example."),
  msg("{metric}: {value} on {day}, {from} to {to}; the limit is {limit}."),
  msg("{metric}: {value} on {day}, {from} to {to}; the same time of the last {weeks} weeks had {past}."),
  msg("{metric}: {value} on {day}; the limit is {limit}."),
  msg("{metric}: {value} on {day}; the same time of the last {weeks} weeks had {past}."),
  msg("The page of {host} responded with {status}, twice in a row."),
  msg("The page of {host} {problem}, twice in a row."),
  msg(
    "The certificate of {host}, or of a page it redirects to, expires on {time}. Browsers will then show a warning instead of the page.",
  ),
  msg(
    "The last visit started on {day}, {from}. In the same hours of the last {weeks} weeks there were at least {least} visits.",
  ),
  msg(
    "{visits} visits from {day}, {from} to {to}, compared with {least} to {most} visits in the same hour of the last {weeks} weeks.",
  ),
  msg("{refused} of the last {all} events were refused. Usually {share} are."),
];

const LABELS: ReadonlySet<string> = new Set(Object.values(MEASURES).map(({ label }) => label));

/** "20 November 2026" or "20 November", as the reader writes it. */
function dayInWords(english: string): string {
  const [, day, month, year] = /^(\d{1,2}) (\p{L}+)(?: (\d{4}))?$/u.exec(english) ?? [];
  const at = Date.parse(`${day} ${month} ${year ?? 2000} UTC`);
  if (currentLanguage() === "en" || Number.isNaN(at)) return english;
  const options = { day: "numeric", month: "long", timeZone: "UTC" } as const;
  return dateFormat(currentLocale(), year ? { ...options, year: "numeric" } : options).format(at);
}

/** What is wrong with a page, as the end of a sentence about it, in the reader's language. */
export const problemOfPage = translatorOf([
  msg("responded with {status}"),
  msg("refuses connections"),
  msg("did not respond within {seconds} seconds"),
  msg("has an expired certificate"),
  msg("has a certificate that browsers do not accept for its domain"),
  msg("closed the connection in the middle of its response"),
  msg("could not be read"),
]);

export const seenInWords = translatorOf(TEMPLATES, {
  metric: (label) => (LABELS.has(label) ? t(label) : label),
  day: dayInWords,
  value: numberInWords,
  limit: numberInWords,
  past: (values) => values.split(", ").map(numberInWords).join(", "),
  share: numberInWords,
  problem: problemOfPage,
});
