import { DIMENSIONS, type DimensionKey } from "@/lib/analytics/query/dimensions";
import { valueName } from "@/lib/analytics/query/value-names";
import { isRatio } from "@/lib/analytics/reports/change-parts";
import type { ChangedMetric } from "@/lib/analytics/reports/changes";
import { changeBetween } from "@/lib/contract/changes";
import { formatAmount, formatExactly, formatMetric, formatPercent, formatShare } from "@/lib/contract/numbers";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";
import { inSentence } from "@/lib/texts/in-sentence";
import { msg, t } from "@/lib/texts/translate";

/**
 * Changes as plain sentences in the reader's language, for people and agents. A verb may have another place there than between its
 * numbers. Names of values are text of visitors.
 */

export const CHANGED_LABELS: Record<ChangedMetric, string> = {
  visits: METRICS.visits.label,
  visitors: METRICS.visitors.label,
  pageviews: METRICS.pageviews.label,
  events: METRICS.events.label,
  conversions: msg("Conversions"),
  revenue: msg("Revenue"),
  bounce_rate: METRICS.bounce_rate.label,
  visit_duration: METRICS.visit_duration.label,
  views_per_visit: METRICS.views_per_visit.label,
};

interface Told {
  metric: ChangedMetric;
  currency: string;
}

interface BeforeAndAfter {
  before: number | null;
  after: number | null;
}

const metricName = ({ metric }: Told): string => t(CHANGED_LABELS[metric]);

/** Returns how the total of a metric changed: "Visits fell from 1,240 to 820 (−34%)." */
export function totalSentence(told: Told, { before, after }: BeforeAndAfter): string {
  const metric = metricName(told);
  if (before === null || after === null) {
    if (!isRatio(told.metric))
      return t("{metric} cannot be compared: imported days of one of the ranges do not have them.", { metric });
    return t("{metric} cannot be compared: one of the ranges has no visits.", { metric });
  }
  const [was, is] = [before, after].map((value) => measured(told, value)) as [string, string];
  if (was === is) return t("{metric} did not change: {value}.", { metric, value: is });
  const known = { metric, was, is, percent: inPercent(told, { before, after }) };
  return after > before
    ? t("{metric} rose from {was} to {is}{percent}.", known)
    : t("{metric} fell from {was} to {is}{percent}.", known);
}

interface ToldValue extends BeforeAndAfter {
  dimension: DimensionKey;
  value: string | null;
  status: "new" | "lost" | "both";
  /** Share of the change of the total; null where the total did not change. */
  contribution: number | null;
  effect: number;
  /** Of a ratio only. */
  ratio_parts: { share_before: number; share_after: number; mix: number; within: number } | null;
}

/** Returns how a value changed and what part of the whole change that is. */
export const valueSentence = (told: Told, one: ToldValue, totalChange: number): string =>
  `${isRatio(told.metric) ? ratioClause(told, one) : sumClause(told, one)}${partClause(told, one, totalChange)}.`;

function sumClause(told: Told, one: ToldValue): string {
  const [before, after] = [one.before ?? 0, one.after ?? 0];
  const text = (value: number) => measured(told, value);
  const subject = `${metricName(told)} ${phraseOf(told.metric, one)}`;
  if (one.status === "new") return t("{subject} rose from none to {is}", { subject, is: text(after) });
  if (one.status === "lost") return t("{subject} fell from {was} to none", { subject, was: text(before) });
  const size = text(Math.abs(after - before));
  const known = { subject, size, percent: inPercent(told, { before, after }) };
  return after > before ? t("{subject} rose by {size}{percent}", known) : t("{subject} fell by {size}{percent}", known);
}

function ratioClause(told: Told, one: ToldValue): string {
  const { ratio_parts: parts, before, after } = one;
  const visits = phraseOf("visits", one);
  if (parts && (before === null || after === null || Math.abs(parts.mix) > Math.abs(parts.within))) {
    const [first, last] = [parts.share_before, parts.share_after];
    const known = { visits, was: formatShare(first), is: formatShare(last) };
    return last > first
      ? t("Visits {visits} rose from {was} to {is} of all visits", known)
      : t("Visits {visits} fell from {was} to {is} of all visits", known);
  }
  const [first, last] = [before ?? 0, after ?? 0];
  const [was, is] = [first, last].map((value) => measured(told, value)) as [string, string];
  const known = { metric: metricName(told), visits, was, is };
  return last > first
    ? t("{metric} of visits {visits} rose from {was} to {is}", known)
    : t("{metric} of visits {visits} fell from {was} to {is}", known);
}

function partClause(told: Told, { contribution, effect }: ToldValue, totalChange: number): string {
  if (contribution === null) return t(", while the total did not change");
  const part = Math.round(contribution * 100) / 100;
  const metric = inSentence(metricName(told));
  const known = { move: totalChange > 0 ? "rise" : "fall", metric, percent: formatPercent(part) };
  const ofRatio = isRatio(told.metric);
  if (effect > 0 !== totalChange > 0) return t(ofRatio ? AGAINST.ratio : AGAINST.sum, known);
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

/** Returns a value of the metric as text. */
function measured({ metric, currency }: Told, value: number): string {
  if (metric === "revenue") return formatAmount(value, currency);
  return isRatio(metric) ? formatMetric(metric as Metric, value) : formatExactly(value);
}

/** Returns " (−31%)", or nothing where there was nothing before or a rate is a percentage itself. */
function inPercent(told: Told, { before, after }: { before: number; after: number }): string {
  if (isRatio(told.metric) || before <= 0 || after < 0) return "";
  const change = changeBetween({ label: "", isRate: false }, after, before, String);
  if (!change) return "";
  return ` (${change.text.startsWith("×") ? "" : change.up ? "+" : "−"}${change.text})`;
}

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
function phraseOf(metric: ChangedMetric, { dimension, value }: Pick<ToldValue, "dimension" | "value">): string {
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

/** Longer names are cut in sentences. */
const LONGEST_NAME = 80;

function nameOf(dimension: DimensionKey, value: string): string {
  const name = valueName(dimension, value);
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name;
}
