import { z } from "zod";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import { isWritten } from "@/lib/analytics/funnel-notation";
import { type FunnelStep, stepName, stepsShape } from "@/lib/analytics/funnel-steps";
import { type ChainQuestion, reached } from "@/lib/analytics/query/chains";
import { reaching } from "@/lib/analytics/query/filters";
import type { Scope } from "@/lib/analytics/query/scope";
import { readSteps, WRITTEN_FUNNEL } from "@/lib/analytics/written-funnel";
import { Refusal } from "@/lib/contract/errors";
import { absentable, FREE_TEXT } from "@/lib/contract/fields";
import { db } from "@/lib/db";

/** A saved funnel, or one written in the request. */
export interface Funnel {
  /** null: written in the request. */
  id: string | null;
  name: string;
  windowMinutes: number;
  steps: FunnelStep[];
}

export const funnelField = absentable(z.string("must be text").max(191, "must have at most 191 characters")).meta({
  ...FREE_TEXT,
  description: `Name or id of a saved funnel, or one written down: ${WRITTEN_FUNNEL}. An event is told by its exact name; in a path, * is any part of a segment and ** any segments. What is written down has a window of a day.`,
  examples: ["/pricing > event:Signup > /thanks"],
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Finds the saved funnel with this name or id, else reads a written one.
 *
 * @throws Refusal `not_found` when there is neither, `invalid_input` for invalid steps.
 */
export async function funnelNamed(siteId: number, asked: string): Promise<Funnel> {
  const names = [{ name: asked }, ...(UUID.test(asked) ? [{ id: asked.toLowerCase() }] : [])];
  const saved = await db().funnel.findFirst({ where: { siteId, OR: names } });
  if (saved) return { ...saved, steps: stepsShape.parse(saved.steps) };
  if (isWritten(asked)) return { id: null, name: asked, windowMinutes: 24 * 60, steps: readSteps(asked) };
  throw new Refusal(
    "not_found",
    `The site has no funnel of this name or id; leave funnel out to see those it has, or write one down, as in ${WRITTEN_FUNNEL}.`,
  );
}

/** The requested funnel, or the saved ones by name, up to `most`. */
export async function funnelsAsked(siteId: number, asked: string | null | undefined, most: number) {
  if (asked) return { funnels: [await funnelNamed(siteId, asked)], truncated: false };
  const saved = await db().funnel.findMany({ where: { siteId }, orderBy: { name: "asc" }, take: most + 1 });
  const funnels = saved.slice(0, most).map((one): Funnel => ({ ...one, steps: stepsShape.parse(one.steps) }));
  return { funnels, truncated: saved.length > most };
}

/** The chains of a funnel's steps. */
export const chainsOf = (scope: Scope, { steps, windowMinutes }: Funnel): ChainQuestion => ({
  scope,
  conditions: steps.map(reaching),
  types: [...new Set(steps.flatMap(({ kind }) => (kind === "page" ? VIEWS : NAMED_EVENTS)))],
  windowMinutes,
});

const share = z.number().nullable();

export const stepFields = {
  name: z.string(),
  kind: z.enum(["page", "event"]),
  pattern: z.string(),
  visitors: z.int().meta({ description: "Visitors whose longest chain reached the step" }),
  conversion_from_first: share.meta({ description: "Of those who took the first step; null when nobody did" }),
  conversion_from_previous: share.meta({
    description: "Of those who reached the step before; null for the first step",
  }),
  drop_off: z
    .int()
    .meta({ description: "Visitors who reached the step before, and not this one; 0 for the first step" }),
  drop_off_rate: share.meta({ description: "drop_off of those who reached the step before; null for the first step" }),
};
const stepShape = z.object(stepFields);
export type Step = z.infer<typeof stepShape>;

export const totalFields = {
  entered: z.int().meta({
    description:
      "Visitors who took the first step in the range, each once per local day (longer only by user_id is anybody recognised). Of all chains that begin on that day the longest one counts: strictly later events, each step by an event of its own, the last one at most the window after the first, also after midnight or the end of the range. An event that is the same step in chains of several days counts once, on the day of the latest first step that leads to it, so that the numbers of days add up to those of their range. A comparison with a range that still grows ends at the same time of day, later steps too.",
  }),
  converted: z.int().meta({ description: "Those of them who reached the last step" }),
  conversion_rate: share,
};

export const aboutFields = {
  funnel_id: z.string().nullable().meta({ description: "null for a funnel that the question wrote down" }),
  name: z.string(),
  window_minutes: z.int().meta({ description: "How long after the first step the last one still counts, inclusive" }),
};

export const aboutFunnel = ({ id, name, windowMinutes }: Funnel) => ({
  funnel_id: id,
  name,
  window_minutes: windowMinutes,
});

/** @param furthest how many visitors got exactly as far as each step. */
export function stepsOf({ steps }: Funnel, furthest: readonly number[]) {
  const visitors = steps.map((_, index) => furthest.slice(index).reduce((sum, count) => sum + count, 0));
  const [entered = 0, converted = 0] = [visitors[0], visitors.at(-1)];
  const rows = steps.map((step, index): Step => {
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

export const progressShape = z.object({ ...totalFields, steps: z.array(stepShape) });
