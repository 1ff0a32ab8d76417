import { type DimensionKey, dimensionOf } from "@/lib/analytics/query/dimensions";
import type { ChangedDimension, ChangedValue } from "@/lib/analytics/reports/changes";

/** The few values, of all dimensions, that explain a change best. */

const MOST = 8;

export interface Finding {
  dimension: DimensionKey;
  one: ChangedValue;
}

/**
 * Returns the values whose effects go furthest beyond their trends, furthest first. What is only large, and changed like
 * everything else, is not among them. Dimensions of one dictionary tell the same story, such as a channel and its sources, so
 * there is at most one value of each dictionary in each direction.
 *
 * @param change of the total; the first finding goes with it if any does, as the best explanation.
 */
export function findingsOf(dimensions: ReadonlyMap<DimensionKey, ChangedDimension>, change: number): Finding[] {
  const candidates = [...dimensions].flatMap(([dimension, { values }]) =>
    values.filter(({ score }) => score > 0).map((one): Finding => ({ dimension, one })),
  );
  candidates.sort((a, b) => near(b.one.score) - near(a.one.score));
  const told = new Set<string>();
  const findings = candidates.filter(({ dimension, one }) => {
    const story = `${dimensionOf(dimension).dictionary} ${one.effect > 0}`;
    if (told.has(story)) return false;
    told.add(story);
    return true;
  });
  const best = findings.find(({ one }) => one.effect > 0 === change > 0);
  const ordered = best && change !== 0 ? [best, ...findings.filter((finding) => finding !== best)] : findings;
  return ordered.slice(0, MOST);
}

/** Scores that differ by less are equal. */
const near = (score: number): number => Math.round(score * 1e9) / 1e9;
