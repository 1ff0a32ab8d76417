import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import { type FunnelStep, stepName } from "@/lib/analytics/funnel-steps";
import { type ChainQuestion, reached } from "@/lib/analytics/query/chains";
import { reaching } from "@/lib/analytics/query/filters";
import type { Scope } from "@/lib/analytics/query/scope";

/** A saved funnel, or one written in the request. */
export interface Funnel {
  /** null: written in the request. */
  id: string | null;
  name: string;
  windowMinutes: number;
  steps: FunnelStep[];
}

/** The chains of a funnel's steps. */
export const chainsOf = (scope: Scope, { steps, windowMinutes }: Funnel): ChainQuestion => ({
  scope,
  conditions: steps.map(reaching),
  types: [...new Set(steps.flatMap(({ kind }) => (kind === "page" ? VIEWS : NAMED_EVENTS)))],
  windowMinutes,
});

/** @param furthest how many visitors got exactly as far as each step. */
export function stepsOf({ steps }: Funnel, furthest: readonly number[]) {
  const visitors = steps.map((_, index) => furthest.slice(index).reduce((sum, count) => sum + count, 0));
  const [entered = 0, converted = 0] = [visitors[0], visitors.at(-1)];
  const rows = steps.map((step, index) => {
    const [here, before] = [visitors[index] ?? 0, index > 0 ? (visitors[index - 1] ?? 0) : null];
    return {
      name: stepName(step),
      kind: step.kind,
      pattern: step.pattern,
      visitors: here,
      conversion_from_first: ratio(here, entered),
      conversion_from_previous: before === null ? null : ratio(here, before),
      drop_off: before === null ? 0 : before - here,
      drop_off_rate: before === null ? null : ratio(before - here, before),
    };
  });
  return { entered, converted, conversion_rate: ratio(converted, entered), steps: rows };
}

const ratio = (part: number, whole: number): number | null => (whole ? part / whole : null);

/** How far the visitors of a scope got. */
export const progressOf = async (scope: Scope, funnel: Funnel) =>
  stepsOf(funnel, await reached(chainsOf(scope, funnel)));
