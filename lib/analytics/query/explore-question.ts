import { z } from "zod";
import { type BreakdownKey, DIMENSIONS, type DimensionKey } from "@/lib/analytics/query/dimensions";
import { mismatchOf } from "@/lib/analytics/query/metrics";
import { nameList, readBreakdown, readNames } from "@/lib/analytics/query/name-lists";
import { optionalParam } from "@/lib/contract/fields";
import { MEASURES, type Measure, OF_GOALS, OUTCOMES, type Outcome } from "@/lib/contract/vocabulary";
import { type Issue, invalidInput } from "@/lib/platform/errors";

/** What Explore is asked: metrics by dimensions, in an order. */

const dimensionKeys = Object.keys(DIMENSIONS) as [DimensionKey, ...DimensionKey[]];
export const measureKeys = Object.keys(MEASURES) as [Measure, ...Measure[]];
const MAX_DIMENSIONS = 3;
const SORT_MESSAGE = "must be the name of a metric or a dimension";

export const exploreFields = {
  metrics: nameList("metrics").meta({
    description: `Comma-separated metrics: ${measureKeys.join(", ")}; default visitors,visits,pageviews`,
  }),
  dimensions: nameList("dimensions").meta({
    description: `Up to three comma-separated dimensions: ${dimensionKeys.join(", ")}, and prop:<name> for a custom property, whose rows are of the events that have it; default none`,
  }),
  sort: optionalParam(z.string(SORT_MESSAGE).max(64, SORT_MESSAGE)).meta({
    description:
      "One of `metrics` or `dimensions`, ascending; with a leading minus, descending. Default: the first metric, descending",
  }),
};

/** A question as it is sent. */
export interface SentQuestion {
  metrics?: string | null | undefined;
  dimensions?: string | null | undefined;
  sort?: string | null | undefined;
}

interface ExploreQuestion {
  metrics: Measure[];
  by: BreakdownKey[];
  /** One of its metrics or dimensions. */
  sorted: { by: Measure | BreakdownKey; descending: boolean };
}

export const isOutcome = (metric: Measure): metric is Outcome => Object.hasOwn(OUTCOMES, metric);

/**
 * Reads a question.
 *
 * @param goal the chosen goal
 * @param at what stands before the names of its fields in a refusal
 * @throws Refusal `invalid_input` for unknown names, metrics that a dimension does not have, and another order
 */
export function readQuestion(sent: SentQuestion, goal: string | null, at = ""): ExploreQuestion {
  const { sort = null } = sent;
  const metrics = readNames(
    `${at}metrics`,
    sent.metrics ?? "visitors,visits,pageviews",
    measureKeys,
    measureKeys.length,
  );
  const by = readBreakdown(`${at}dimensions`, sent.dimensions ?? "", MAX_DIMENSIONS);
  const issues: Issue[] = metrics.flatMap((metric) =>
    by.flatMap((key) => {
      const message = isOutcome(metric) ? null : mismatchOf(metric, key);
      return message ? [{ path: `${at}metrics`, message }] : [];
    }),
  );
  if (goal !== null && !metrics.some((one) => isOutcome(one) && OF_GOALS.includes(one))) {
    const message =
      "belongs to the metrics conversions, conversion_rate and conversion_value; leave it out, or add one of them";
    issues.push({ path: "goal", message });
  }
  const name = sort === null ? metrics[0] : sort.replace(/^-/, "");
  const sorted = metrics.find((one) => one === name) ?? by.find((one) => one === name);
  if (sorted === undefined) {
    issues.push({
      path: `${at}sort`,
      message: `must be one of ${[...metrics, ...by].join(", ")}, with or without a leading minus`,
    });
  }
  if (issues.length > 0 || sorted === undefined) throw invalidInput(issues);
  return { metrics, by, sorted: { by: sorted, descending: sort === null || sort.startsWith("-") } };
}
