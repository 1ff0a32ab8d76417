import type { ChangesAnswer } from "@/components/reports/changes/sheets";
import { DIMENSIONS, type DimensionKey } from "@/lib/analytics/query/dimensions";
import { valueName } from "@/lib/analytics/query/value-names";
import { isRatio } from "@/lib/analytics/reports/change-parts";
import { CHANGED_LABELS, inPercent, LONGEST_NAME, measured } from "@/lib/analytics/reports/change-sentences";
import { formatPercent, formatShare } from "@/lib/contract/numbers";
import { inSentence } from "@/lib/texts/in-sentence";
import { msg, t } from "@/lib/texts/translate";

/** The sentences of analytics.changes in the reader's language. A verb may have another place there than between its numbers. */

type Changes = Pick<ChangesAnswer, "metric" | "currency" | "total">;
type Finding = ChangesAnswer["findings"][number];

const told = ({ metric, currency }: Changes) => ({ metric, currency: currency ?? "" });
const metricName = ({ metric }: Changes): string => t(CHANGED_LABELS[metric]);

/** Returns how the total of a metric changed. */
export function totalSentence(changes: Changes): string {
  const { before, after } = changes.total;
  const metric = metricName(changes);
  if (before === null || after === null) {
    return t("{metric} cannot be compared: one of the ranges has no visits.", { metric });
  }
  const [was, is] = [before, after].map((value) => measured(told(changes), value)) as [string, string];
  if (was === is) return t("{metric} did not change: {value}.", { metric, value: is });
  const known = { metric, was, is, percent: inPercent(told(changes), { before, after }) };
  return after > before
    ? t("{metric} rose from {was} to {is}{percent}.", known)
    : t("{metric} fell from {was} to {is}{percent}.", known);
}

/** Returns how a value changed and what part of the whole change that is. */
export const findingSentence = (changes: Changes, finding: Finding): string =>
  `${isRatio(changes.metric) ? ratioClause(changes, finding) : sumClause(changes, finding)}${partClause(changes, finding)}.`;

function sumClause(changes: Changes, finding: Finding): string {
  const [before, after] = [finding.before ?? 0, finding.after ?? 0];
  const text = (value: number) => measured(told(changes), value);
  const subject = `${metricName(changes)} ${phraseOf(changes.metric, finding)}`;
  if (finding.status === "new") return t("{subject} rose from none to {is}", { subject, is: text(after) });
  if (finding.status === "lost") return t("{subject} fell from {was} to none", { subject, was: text(before) });
  const size = text(Math.abs(after - before));
  const known = { subject, size, percent: inPercent(told(changes), { before, after }) };
  return after > before ? t("{subject} rose by {size}{percent}", known) : t("{subject} fell by {size}{percent}", known);
}

function ratioClause(changes: Changes, finding: Finding): string {
  const { ratio_parts: parts, before, after } = finding;
  const visits = phraseOf("visits", finding);
  if (parts && (before === null || after === null || Math.abs(parts.mix) > Math.abs(parts.within))) {
    const [first, last] = [parts.share_before, parts.share_after];
    const known = { visits, was: formatShare(first), is: formatShare(last) };
    return last > first
      ? t("Visits {visits} rose from {was} to {is} of all visits", known)
      : t("Visits {visits} fell from {was} to {is} of all visits", known);
  }
  const [first, last] = [before ?? 0, after ?? 0];
  const [was, is] = [first, last].map((value) => measured(told(changes), value)) as [string, string];
  const known = { metric: metricName(changes), visits, was, is };
  return last > first
    ? t("{metric} of visits {visits} rose from {was} to {is}", known)
    : t("{metric} of visits {visits} fell from {was} to {is}", known);
}

function partClause(changes: Changes, { contribution, effect }: Finding): string {
  if (contribution === null) return t(", while the total did not change");
  const change = changes.total.change ?? 0;
  const part = Math.round(contribution * 100) / 100;
  const metric = inSentence(metricName(changes));
  const known = { move: change > 0 ? "rise" : "fall", metric, percent: formatPercent(part) };
  const ofRatio = isRatio(changes.metric);
  if ((effect ?? 0) > 0 !== change > 0) return t(ofRatio ? AGAINST.ratio : AGAINST.sum, known);
  if (part === 1) return t(ofRatio ? ALL.ratio : ALL.sum, known);
  if (part > 1) return t(ofRatio ? MORE.ratio : MORE.sum, known);
  return t(ofRatio ? PART.ratio : PART.sum, known);
}

const AGAINST = {
  sum: msg(", against the {move, select, rise {rise} other {fall}}"),
  ratio: msg(", against the {move, select, rise {rise} other {fall}} of the {metric}"),
};
const ALL = {
  sum: msg(", which is all of the {move, select, rise {rise} other {fall}}"),
  ratio: msg(", which is all of the {move, select, rise {rise} other {fall}} of the {metric}"),
};
const MORE = {
  sum: msg(", which is more than the whole {move, select, rise {rise} other {fall}} ({percent})"),
  ratio: msg(", which is more than the whole {move, select, rise {rise} other {fall}} of the {metric} ({percent})"),
};
const PART = {
  sum: msg(", which is {percent} of the {move, select, rise {rise} other {fall}}"),
  ratio: msg(", which is {percent} of the {move, select, rise {rise} other {fall}} of the {metric}"),
};

/** What tells the values of a dimension from others. Languages differ in their words for a place and for a source. */
const PHRASES: Partial<Record<DimensionKey, string>> = {
  page: msg("on {name}"),
  hostname: msg("on {name}"),
  source: msg("from {name}"),
  referrer: msg("from {name}"),
  channel: msg("from the channel {name}"),
  country: msg("{kind, select, place {from {name}} other {from {name}}}"),
  region: msg("{kind, select, place {from {name}} other {from {name}}}"),
  city: msg("{kind, select, place {from {name}} other {from {name}}}"),
  device: msg("on the device {name}"),
  browser: msg("with {name}"),
  os: msg("on {name}"),
};

/** Returns what tells a value from others, after the name of a metric: "from Google". */
function phraseOf(metric: Changes["metric"], { dimension, value }: Pick<Finding, "dimension" | "value">): string {
  const label = inSentence(t(DIMENSIONS[dimension].label));
  if (value === null) {
    return dimension === "source" ? t("without a known source") : t("without a {dimension}", { dimension: label });
  }
  const name = nameOf(dimension, value);
  if (dimension === "entry_page") {
    return metric === "visits" ? t("that began on {name}", { name }) : t("of visits that began on {name}", { name });
  }
  if (dimension === "exit_page") {
    return metric === "visits" ? t("that ended on {name}", { name }) : t("of visits that ended on {name}", { name });
  }
  if (dimension === "event" && metric === "events") return t("called {name}", { name });
  const phrase = PHRASES[dimension];
  return phrase ? t(phrase, { name, kind: "place" }) : t("with the {dimension} {name}", { dimension: label, name });
}

function nameOf(dimension: DimensionKey, value: string): string {
  const name = valueName(dimension, value);
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name;
}
