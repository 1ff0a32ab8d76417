import { z } from "zod";
import { retentionNote, type Scope, scopeOf } from "@/lib/analytics/query/scope";
import {
  type Cell,
  type Cohort,
  cohortsOf,
  IDENTITIES,
  type Identity,
  identityOf,
  inWholeDays,
  LOOKBACK_DAYS,
  MOST_PERIODS,
  unitOf,
} from "@/lib/analytics/reports/retention";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, reportFields } from "@/lib/contract/fields";
import { db } from "@/lib/platform/db";

const identities = Object.keys(IDENTITIES) as [Identity, ...Identity[]];
const MAX_COHORTS = 530;

const cellShape = z.object({
  visitors: z.int().nullable(),
  rate: z.number().nullable().meta({ description: "Share of the cohort; null for a cohort of nobody" }),
  partial: z.boolean(),
});
const cohortShape = z.object({
  start: z.string().meta({ description: "Its first local day; a week begins on Monday" }),
  visitors: z
    .int()
    .nullable()
    .meta({ description: "People who were there for the first time; null when it has not begun" }),
  partial: z.boolean().meta({
    description: "It is cut by the range, still going on, or, with the monthly identity, lies in two months",
  }),
  cells: z.array(cellShape).meta({
    description: `How many of them were there in the period itself and in each one after it, at most ${MOST_PERIODS}; null for what has not begun, lies after the range or cannot be known`,
  }),
});

export default defineOperation({
  id: "analytics.retention",
  title: "Retention",
  about:
    "Who comes back: people by the day (up to 31 days), week (up to 190) or month of their first visit. Filters choose people by that visit; whatever they do later counts as a return.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(reportFields),
  example: { site_id: 1, period: "30d" },
  output: z.object({
    meta: metaShape,
    identity: z.enum(identities).meta({ description: "By what people are known again on another day" }),
    identity_means: z.string(),
    cohort: z.enum(["day", "week", "month"]).meta({ description: "The width of cohorts and periods" }),
    lookback_days: z.int().nullable().meta({
      description: "Who was there within so many days before the range is not new; null: since the month began",
    }),
    known_before: z.int().meta({
      description:
        "People of the range who are in no cohort, because they are not new; filters do not choose among them",
    }),
    cohorts: z.array(cohortShape),
    average: z.array(z.number().nullable()).meta({
      description: "Share of people who were there again, by period, over the cohorts and periods that are complete",
    }),
    comparison: z.object({ cohorts: z.array(cohortShape), average: z.array(z.number().nullable()) }).nullable(),
  }),

  async run({ input, site, now }) {
    const asked = await scopeOf(input, site, now);
    const scope = inWholeDays(asked.scope, now);
    const { retentionSalt } = await db().site.findUniqueOrThrow({
      where: { id: site.id },
      select: { retentionSalt: true },
    });
    const identity = await identityOf(scope, retentionSalt);
    const unit = unitOf(scope, identity);
    const of = async (range: Scope) =>
      identity === "none" ? { cohorts: [], known: 0 } : cohortsOf(range, identity, unit, now);
    const [{ cohorts, known }, before] = await Promise.all([
      of(scope),
      asked.before && of(inWholeDays(asked.before, now)),
    ]);
    const lookback = identity === "user_id" ? LOOKBACK_DAYS : 0;
    const starts = [scope, ...(asked.before ? [asked.before] : [])].map(({ range }) => {
      return range.from.subtract({ days: lookback });
    });
    return {
      meta: {
        ...asked.meta,
        ...retentionNote(site, now, starts),
        interval: unit,
        identity,
        row_limit: MAX_COHORTS,
        truncated: false,
      },
      identity,
      identity_means: IDENTITIES[identity],
      cohort: unit,
      lookback_days: lookback || null,
      known_before: known,
      cohorts,
      average: averageOf(cohorts),
      comparison: before && { cohorts: before.cohorts, average: averageOf(before.cohorts) },
    };
  },
});

/** Over all people of the cohorts, not over the cohorts: a small one weighs little. */
function averageOf(cohorts: readonly Cohort[]): (number | null)[] {
  const periods = cohorts[0]?.cells.length ?? 0;
  return Array.from({ length: periods }, (_, period) => {
    const complete = cohorts.filter(({ cells }) => isComplete(cells[period]));
    const people = complete.reduce((sum, { visitors }) => sum + (visitors ?? 0), 0);
    const back = complete.reduce((sum, { cells }) => sum + (cells[period]?.visitors ?? 0), 0);
    return people > 0 ? back / people : null;
  });
}

const isComplete = (cell: Cell | undefined): boolean => cell !== undefined && cell.visitors !== null && !cell.partial;
