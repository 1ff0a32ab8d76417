import type { AnyOperation } from "@/lib/contract/define";
import { formatExactly, formatMetric } from "@/lib/contract/numbers";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";

/** Text for people and models. It never holds text of visitors. */

interface ReportMeta {
  from: string;
  to: string;
  timezone: string;
  traffic: string;
  filters: object;
  compare: { from: string; to: string } | null;
  partial: boolean;
}

/** Returns what was asked, its range and its headline, in up to three sentences. */
export function summaryOf(op: AnyOperation, input: Record<string, unknown>, data: Record<string, unknown>): string {
  const site = typeof input.site_id === "number" ? ` (site ${input.site_id})` : "";
  const range = isMeta(data.meta) ? `: ${rangeOf(data.meta)}` : "";
  return [`${op.title}${site}${range}.`, ...headline(data)].join(" ");
}

function rangeOf({ from, to, timezone, traffic, filters, compare, partial }: ReportMeta): string {
  return [
    `${from} to ${to}, ${timezone}`,
    `traffic ${traffic}`,
    ...(Object.keys(filters).length > 0 ? ["filtered"] : []),
    ...(compare ? [`compared with ${compare.from} to ${compare.to}`] : []),
    ...(partial ? ["includes now"] : []),
  ].join(", ");
}

function headline(data: Record<string, unknown>): string[] {
  const metrics = isObject(data.metrics) ? data.metrics : {};
  const previous = isObject(data.previous) ? data.previous : {};
  const numbers = (Object.keys(METRICS) as Metric[]).flatMap((metric) => {
    const [value, before] = [metrics[metric], previous[metric]];
    if (typeof value !== "number") return [];
    const earlier = typeof before === "number" ? ` (before: ${formatMetric(metric, before)})` : "";
    return [`${METRICS[metric].label}: ${formatMetric(metric, value)}${earlier}`];
  });
  const counts = Object.entries(data).flatMap(([key, value]) => {
    if (key === "metrics" || key === "dimensions") return [];
    if (typeof value === "number") return [`${key}: ${formatExactly(value)}`];
    return Array.isArray(value) ? [`${key}: ${formatExactly(value.length)} in this list`] : [];
  });
  const all = [...numbers, ...counts].slice(0, 12);
  return all.length > 0 ? [`${all.join(", ")}.`] : [];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isMeta = (value: unknown): value is ReportMeta => isObject(value) && "timezone" in value && "traffic" in value;
