import { type DimensionKey, dimensionOf } from "@/lib/analytics/query/dimensions";
import type { ChangedDimension, ChangedValue } from "@/lib/analytics/reports/changes";

/** The few values, of all dimensions, that explain a change best. */

const MOST = 8;
/** The part of the total from which on a value tells something: two visits of thousands do not. */
const LEAST_PART = 0.005;

export interface Finding {
  dimension: DimensionKey;
  one: ChangedValue;
}

/**
 * Returns the values whose effects go furthest beyond their trends, furthest first. What is only large, and changed like
 * everything else, is not among them, nor what is a tiny part of the total. Dimensions of one dictionary tell the same story, such as a channel and its sources, so
 * there is at most one value of each dictionary in each direction.
 *
 * @param before the total in the comparison range.
 * @param after the total; the first finding goes with its change if any does, as the best explanation.
 */
export function findingsOf(
  dimensions: ReadonlyMap<DimensionKey, ChangedDimension>,
  { before, after, change }: { before: number | null; after: number | null; change: number | null },
): Finding[] {
  const least = Math.max(Math.abs(before ?? 0), Math.abs(after ?? 0)) * LEAST_PART;
  const direction = Math.sign(change ?? 0);
  const candidates = [...dimensions].flatMap(([dimension, { values }]) =>
    values.filter(({ score }) => score > 0 && near(score) >= near(least)).map((one): Finding => ({ dimension, one })),
  );
  candidates.sort((a, b) => near(b.one.score) - near(a.one.score));
  const told = new Set<string>();
  const findings = candidates.filter(({ dimension, one }) => {
    const story = `${dimensionOf(dimension).dictionary} ${one.effect > 0}`;
    if (told.has(story)) return false;
    told.add(story);
    return true;
  });
  const best = findings.find(({ one }) => Math.sign(one.effect) === direction);
  const ordered = best ? [best, ...findings.filter((finding) => finding !== best)] : findings;
  return ordered.slice(0, MOST);
}

/** Scores that differ by less are equal. */
const near = (score: number): number => Math.round(score * 1e9) / 1e9;
