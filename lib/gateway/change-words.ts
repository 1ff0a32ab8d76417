import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { numberInWords } from "@/lib/contract/numbers";
import { REPORTS } from "@/lib/contract/reports";
import { SCRUB_RULES } from "@/lib/contract/scrub-rule-kinds";
import { PAGE_QUERY, SITE_SETTINGS } from "@/lib/contract/site-settings";
import { MEASURES, PERIODS } from "@/lib/contract/vocabulary";
import { countryName, languageName } from "@/lib/platform/intl-names";
import { translatorOf } from "@/lib/texts/known-texts";
import { currentLanguage, msg, t } from "@/lib/texts/translate";

/** The lines of a change in the reader's language: operations write them in English, for agents and for the log. */

/** Labels, and values that are words. Names and values that people gave stay as they are. */
const WORDS = [
  ...[
    msg("Reached"),
    msg("Not reached"),
    msg("Alert rule"),
    msg("Condition"),
    msg("Filters"),
    msg("Alerts go to"),
    msg("Nobody"),
  ],
  ...[msg("Site"), msg("Domains"), msg("Domain"), msg("Primary domain"), msg("All data"), msg("Name"), msg("Timezone")],
  ...[msg("Reporting currency"), msg("Owner"), msg("Manager"), msg("Viewer"), msg("Team"), msg("Their agents")],
  ...[msg("owner"), msg("manager"), msg("viewer")],
  ...[msg("Have access to the site"), msg("Lose access"), msg("Ingest key"), msg("Expires"), msg("Never")],
  ...[msg("Private link"), msg("Webhook URL"), msg("Signing secret"), msg("Signing key"), msg("Trusted proxies")],
  ...[msg("Set"), msg("New secret"), msg("New secret; the old one signs for 24 more hours"), msg("New key")],
  ...[msg("New key; the old one works for 24 more hours"), msg("Fetched numbers"), msg("Kept"), msg("Deleted")],
  ...[msg("Stored"), msg("Deleted permanently"), msg("Deleted for good, beginning within ten minutes")],
  ...[msg("Counted"), msg("Refused"), msg("None"), msg("None yet"), msg("No"), msg("Yes"), msg("Forever")],
  ...[msg("Keep data"), msg("Ids of returning visitors"), msg("Recipient of reports")],
  ...[msg("Dashboard"), msg("What it shows"), msg("Only some of its panels"), msg("Visitors"), msg("All visitors")],
  ...[msg("Period"), msg("Any period"), msg("First day"), msg("Last day"), msg("Password"), msg("Segment")],
  ...[msg("For frames on other sites"), msg("Say “Counted by Footfall”"), msg("Show revenue"), msg("New owner")],
  ...[PAGE_QUERY, ...Object.values(SCRUB_RULES).map(({ label }) => label)],
  ...[...Object.values(PERIODS), ...Object.values(REPORTS).map(({ name }) => name)],
  ...[msg("Other imported data of those days"), msg("Daily"), msg("Weekly"), msg("Monthly")],
];

const SENTENCES = [
  msg("As owner, who also manages members and can delete the site"),
  msg("As manager, who also changes the site's settings"),
  msg("As viewer, who reads every report of the site"),
  msg("Events with the website id {id}"),
  msg("Events sent for {host}"),
  msg("Exclusion by {kind}"),
  msg("Imported from {source}"),
  msg("Invitation for {email}"),
  msg("Role of {name}"),
  msg("Access by {team}"),
  msg("Sites of {team}, where it holds"),
  msg("Reports to {email}"),
  msg("Property at {provider}"),
  msg("Data from before {day}"),
  msg("After 1 day"),
  msg("After {days} days"),
  msg("For 1 year"),
  msg("For {years} years"),
  msg("For 1 month"),
  msg("For {months} months"),
  msg("{metric} above {limit} in a day"),
  msg("{metric} above {limit} in an hour"),
  msg("{metric} below {limit} in a day"),
  msg("{metric} below {limit} in an hour"),
  msg("{metric} unusual in a day"),
  msg("{metric} unusual in an hour"),
  msg("Filter: goal {name}"),
  msg("Filter: property {name}"),
  msg("Filter: {dimension}"),
  msg("is “{values}”"),
  msg("is not “{values}”"),
  msg("contains “{values}”"),
  msg("does not contain “{values}”"),
  msg("starts with “{values}”"),
  msg("matches “{values}”"),
  msg("New key with the same name; the old key is revoked at once"),
  msg("New key with the same name; the old key works for at most 1 more hour"),
  msg("New key with the same name; the old key works for at most {hours} more hours"),
];

const SETTINGS = Object.values(SITE_SETTINGS).flatMap((group) =>
  Object.values<{ label: string; choices?: Readonly<Record<string, string>>; words?: readonly string[] }>(
    group,
  ).flatMap(({ label, choices = {}, words = [] }) => [label, ...Object.values(choices), ...words]),
);

const labelsOf = (table: Readonly<Record<string, { label: string }>>) => Object.values(table).map(({ label }) => label);

const valueInWords = translatorOf([msg("(unknown)")]);
const measureInWords = translatorOf(labelsOf(MEASURES));
const SHOWN = {
  metric: translatorOf([...labelsOf(MEASURES), msg("{metric} of {goal}")], { metric: measureInWords }),
  dimension: translatorOf([...labelsOf(DIMENSIONS), msg("Product")]),
  limit: numberInWords,
  values: (quoted: string) => quoted.split("”, “").map(valueInWords).join(t("”, “")),
};

/** Returns a label of a changed line in the reader's language, or a value whose label does not matter. */
export const changeInWords = translatorOf([...WORDS, ...SETTINGS, ...SENTENCES], SHOWN);

/** Filters whose values are codes, by their label: people know the names. */
const CODED = new Map([
  [`Filter: ${DIMENSIONS.country.label}`, countryName],
  [`Filter: ${DIMENSIONS.language.label}`, languageName],
]);

/** Returns a value of a changed line in the reader's language. */
export function changedValueInWords(label: string, value: string): string {
  const nameOf = CODED.get(label);
  return changeInWords(nameOf ? value.replace(QUOTED, (code) => nameOf(code, currentLanguage())) : value);
}

const QUOTED = /(?<=“)[^”]+(?=”)/g;
