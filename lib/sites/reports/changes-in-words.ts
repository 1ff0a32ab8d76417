import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { MEASURES } from "@/lib/contract/vocabulary";
import { translatorOf } from "@/lib/texts/known-texts";
import { currentLanguage, msg, t } from "@/lib/texts/translate";

/** The sentences of `analytics.changes` in the reader's language: the operation writes them in English. */

const PHRASES = [
  msg("without a known source"),
  msg("from the channel {name}"),
  msg("on the device {name}"),
  msg("of visits that began on {name}"),
  msg("of visits that ended on {name}"),
  msg("that began on {name}"),
  msg("that ended on {name}"),
  msg("called {name}"),
  msg("on {name}"),
  msg("from {name}"),
  msg("with {name}"),
];
const MOVES = [
  msg("rose from none to {to}"),
  msg("fell from {from} to none"),
  msg("rose from {from} to {to} of all visits"),
  msg("fell from {from} to {to} of all visits"),
  msg("rose from {from} to {to}"),
  msg("fell from {from} to {to}"),
  msg("rose by {size}"),
  msg("fell by {size}"),
];
const PARTS = [
  msg(", while the total did not change"),
  msg(", against the rise"),
  msg(", against the fall"),
  msg(", which is all of the rise"),
  msg(", which is all of the fall"),
  msg(", which is more than the whole rise ({percent})"),
  msg(", which is more than the whole fall ({percent})"),
  msg(", which is {percent} of the rise"),
  msg(", which is {percent} of the fall"),
];

const METRIC_LABELS: string[] = Object.values(MEASURES).map(({ label }) => label);
const OF_A_METRIC = new RegExp(` of the (?:${METRIC_LABELS.map((label) => label.toLowerCase()).join("|")})(?= \\(|$)`);
const SENTENCE = new RegExp(
  `^(?<metric>${METRIC_LABELS.join("|")})(?<ofVisits> of visits(?! that))? (?<phrase>.+) (?<move>(?:rose|fell) (?:by|from) .+?)(?<part>, (?:while|against|which) .+)?\\.$`,
  "su",
);
/** Labels as they stand within a sentence. */
const LABELS = new Map(
  Object.values(DIMENSIONS).map(({ label }) => [/^[A-Z]{2}/.test(label) ? label : label.toLowerCase(), label]),
);
const BY_LABEL = new RegExp(
  `^(?<without>without a|with the) (?<label>${[...LABELS.keys()].join("|")})(?: (?<name>.+))?$`,
  "su",
);

const knownPhrase = translatorOf(PHRASES);
const moveInWords = translatorOf(MOVES);
const partInWords = translatorOf(PARTS);

function phraseInWords(phrase: string): string {
  const { without, label = "", name = "" } = BY_LABEL.exec(phrase)?.groups ?? {};
  if (without === undefined) return knownPhrase(phrase);
  const known = t(LABELS.get(label) ?? label);
  return without === "with the"
    ? t("with the {label} {name}", { label: known, name })
    : t("without a {label}", { label: known });
}

/** Returns a sentence in the reader's language; one that it does not know stays English. */
export function changeSentence(english: string): string {
  const parts = currentLanguage() === "en" ? undefined : SENTENCE.exec(english)?.groups;
  if (!parts) return english;
  const { metric = "", ofVisits, phrase = "", move = "", part = "" } = parts;
  const label = t(metric);
  return t("{metric} {phrase} {move}{part}.", {
    metric: ofVisits ? t("{metric} of visits", { metric: label }) : label,
    phrase: phraseInWords(phrase),
    move: moveInWords(move),
    part: partInWords(part.replace(OF_A_METRIC, "")),
  });
}
