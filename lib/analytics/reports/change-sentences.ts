import { DIMENSIONS, type DimensionKey, HAS_PATHS } from "@/lib/analytics/query/dimensions";
import { isRatio } from "@/lib/analytics/reports/change-parts";
import type { ChangedMetric } from "@/lib/analytics/reports/changes";
import { changeBetween } from "@/lib/contract/changes";
import { formatAmount, formatExactly, formatMetric, formatPercent, formatShare } from "@/lib/contract/numbers";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";
import { countryName } from "@/lib/platform/country-name";
import { legiblePath } from "@/lib/platform/legible";

/** Changes as plain sentences, for people and agents. Names of values are text of visitors. */

export const CHANGED_LABELS: Record<ChangedMetric, string> = {
  visits: METRICS.visits.label,
  visitors: METRICS.visitors.label,
  pageviews: METRICS.pageviews.label,
  events: METRICS.events.label,
  conversions: "Conversions",
  revenue: "Revenue",
  bounce_rate: METRICS.bounce_rate.label,
  visit_duration: METRICS.visit_duration.label,
  views_per_visit: METRICS.views_per_visit.label,
};

interface Told {
  metric: ChangedMetric;
  currency: string;
}

interface Numbers {
  before: number | null;
  after: number | null;
}

/** Returns how the total of a metric changed: "Visits fell from 1,240 to 820 (−34%)." */
export function totalSentence(told: Told, { before, after }: Numbers): string {
  const label = CHANGED_LABELS[told.metric];
  if (before === null || after === null) return `${label} cannot be compared: one of the ranges has no visits.`;
  const [was, is] = [before, after].map((value) => measured(told, value));
  if (was === is) return `${label} did not change: ${is}.`;
  return `${label} ${after > before ? "rose" : "fell"} from ${was} to ${is}${inPercent(told, { before, after })}.`;
}

interface ToldValue extends Numbers {
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
export function valueSentence(told: Told, one: ToldValue, totalChange: number): string {
  return `${isRatio(told.metric) ? ratioClause(told, one) : sumClause(told, one)}${partClause(told, one, totalChange)}.`;
}

function sumClause(told: Told, one: ToldValue): string {
  const [before, after] = [one.before ?? 0, one.after ?? 0];
  const subject = `${CHANGED_LABELS[told.metric]} ${phraseOf(told.metric, one)}`;
  if (one.status === "new") return `${subject} rose from none to ${measured(told, after)}`;
  if (one.status === "lost") return `${subject} fell from ${measured(told, before)} to none`;
  const size = measured(told, Math.abs(after - before));
  return `${subject} ${after > before ? "rose" : "fell"} by ${size}${inPercent(told, { before, after })}`;
}

function ratioClause(told: Told, one: ToldValue): string {
  const { ratio_parts: parts, before, after } = one;
  const whose = phraseOf("visits", one);
  const label = CHANGED_LABELS[told.metric];
  const moved = (up: boolean) => (up ? "rose" : "fell");
  if (parts && (before === null || after === null || Math.abs(parts.mix) > Math.abs(parts.within))) {
    const [was, is] = [parts.share_before, parts.share_after];
    return `Visits ${whose} ${moved(is > was)} from ${formatShare(was)} to ${formatShare(is)} of all visits`;
  }
  const [was, is] = [before ?? 0, after ?? 0];
  return `${label} of visits ${whose} ${moved(is > was)} from ${measured(told, was)} to ${measured(told, is)}`;
}

function partClause({ metric }: Told, { contribution, effect }: ToldValue, totalChange: number): string {
  if (contribution === null) return ", while the total did not change";
  const move = totalChange > 0 ? "rise" : "fall";
  const what = isRatio(metric) ? `${move} of the ${CHANGED_LABELS[metric].toLowerCase()}` : move;
  if (effect > 0 !== totalChange > 0) return `, against the ${what}`;
  const part = Math.round(contribution * 100) / 100;
  if (part === 1) return `, which is all of the ${what}`;
  const percent = formatPercent(part);
  return part > 1 ? `, which is more than the whole ${what} (${percent})` : `, which is ${percent} of the ${what}`;
}

/** Returns a value of the metric as text. */
export function measured({ metric, currency }: Told, value: number): string {
  if (metric === "revenue") return formatAmount(value, currency);
  return isRatio(metric) ? formatMetric(metric as Metric, value) : formatExactly(value);
}

/** Returns " (−31%)", or nothing where there was nothing before or a rate is a percentage itself. */
export function inPercent(told: Told, { before, after }: { before: number; after: number }): string {
  if (isRatio(told.metric) || before <= 0 || after < 0) return "";
  const change = changeBetween({ label: "", isRate: false }, after, before, String);
  if (!change) return "";
  return ` (${change.text.startsWith("×") ? "" : change.up ? "+" : "−"}${change.text})`;
}

/** Longer names are cut in sentences. */
export const LONGEST_NAME = 80;

function nameOf(key: DimensionKey, value: string): string {
  const name = key === "country" ? countryName(value) : HAS_PATHS.has(key) ? legiblePath(value) : value;
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name;
}

const PHRASES: Partial<Record<DimensionKey, (name: string) => string>> = {
  page: (name) => `on ${name}`,
  hostname: (name) => `on ${name}`,
  source: (name) => `from ${name}`,
  referrer: (name) => `from ${name}`,
  channel: (name) => `from the channel ${name}`,
  country: (name) => `from ${name}`,
  region: (name) => `from ${name}`,
  city: (name) => `from ${name}`,
  device: (name) => `on the device ${name}`,
  browser: (name) => `with ${name}`,
  os: (name) => `on ${name}`,
};

const OF_WHOLE_VISITS: Partial<Record<DimensionKey, string>> = { entry_page: "began on", exit_page: "ended on" };

/** Returns what tells a value from others, after the name of a metric: "from Google". */
function phraseOf(metric: ChangedMetric, { dimension, value }: Pick<ToldValue, "dimension" | "value">): string {
  if (value === null) return dimension === "source" ? "without a known source" : `without a ${labelOf(dimension)}`;
  const name = nameOf(dimension, value);
  const moved = OF_WHOLE_VISITS[dimension];
  if (moved) return `${metric === "visits" ? "" : "of visits "}that ${moved} ${name}`;
  if (dimension === "event" && metric === "events") return `called ${name}`;
  return PHRASES[dimension]?.(name) ?? `with the ${labelOf(dimension)} ${name}`;
}

/** The label within a sentence: "UTM campaign", but "language". */
function labelOf(dimension: DimensionKey): string {
  const { label } = DIMENSIONS[dimension];
  return /^[A-Z]{2}/.test(label) ? label : label.toLowerCase();
}
