import { z } from "zod";
import { retentionNote, type Scope, scopeOf } from "@/lib/analytics/query/scope";
import { cohortsTogether } from "@/lib/analytics/reports/cohorts-together";
import {
  type Cohort,
  cohortIdentity,
  cohortsOf,
  IDENTITIES,
  type Identity,
  inWholeDays,
  LOOKBACK_DAYS,
  MOST_DAYS,
  MOST_PERIODS,
  unitOf,
} from "@/lib/analytics/reports/retention";
import { defineOperation } from "@/lib/contract/define";
import { about, metaShape, optionalParam, reportFields } from "@/lib/contract/fields";
import { readPrivacy } from "@/lib/sites/privacy";

const identities = Object.keys(IDENTITIES) as [Identity, ...Identity[]];
const MAX_COHORTS = 530;
const UNITS = ["day", "week", "month"] as const;

const cellShape = z.object({
  visitors: z.int().nullable(),
  rate: z.number().nullable().meta({ description: "Share of the cohort; null for an empty cohort" }),
  partial: z.boolean(),
});
const cohortShape = z.object({
  start: about(z.string(), "First local day; weeks start on Monday", "2026-11-18"),
  visitors: about(z.int().nullable(), "Visitors whose first visit is in this period; null if it has not started", 12),
  partial: z.boolean().meta({
    description:
      "Whether the period is cut off by the range, is not over, or, with the monthly identity, spans two months",
  }),
  cells: z.array(cellShape).meta({
    description: `Visitors of the cohort who were active in this period and in each later one, at most ${MOST_PERIODS} periods; null for periods that have not started, are after the range or cannot be known`,
    examples: [
      [
        { visitors: 12, rate: 1, partial: false },
        { visitors: 5, rate: 0.42, partial: false },
        { visitors: 4, rate: 0.33, partial: true },
      ],
    ],
  }),
});

export default defineOperation({
  id: "analytics.retention",
  title: "Retention",
  about:
    "Returning visitors by the day, week or month of their first visit. Filters select visitors by that first visit; any later activity counts as a return.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    cohort: optionalParam(z.enum(UNITS, "must be day, week or month")).meta({
      description: `Length of cohorts and periods: day (ranges up to ${MOST_DAYS.day} days), week (up to ${MOST_DAYS.week} days) or month; default day up to 14 days, week up to 190 days, else month`,
      examples: ["week"],
    }),
  }),
  example: { site_id: 1, period: "30d" },
  output: z.object({
    meta: metaShape,
    identity: z.enum(identities).meta({ description: "How visitors are recognised across days" }),
    identity_means: z.string().meta({ examples: [IDENTITIES.user_id] }),
    cohort: z.enum(UNITS).meta({ description: "Length of cohorts and periods" }),
    lookback_days: about(
      z.int().nullable(),
      "Visitors who were active within this many days before the range are not new; null: since the start of the month",
      90,
    ),
    known_before: about(
      z.int(),
      "Visitors in the range who are in no cohort because they are not new; filters do not apply",
      23,
    ),
    cohorts: z.array(cohortShape),
    average: about(
      z.array(z.number().nullable()),
      "Share of returning visitors by period, over all visitors of the cohorts whose period is complete",
      [1, 0.42, 0.33],
    ),
    average_of: about(z.array(z.int()), "Visitors that each average rests on", [31, 31, 19]),
    comparison: z
      .object({
        cohorts: z.array(cohortShape),
        average: z.array(z.number().nullable()),
        average_of: z.array(z.int()),
      })
      .nullable(),
  }),

  async run({ input, site, now }) {
    const resolved = await scopeOf(input, site, now);
    const scope = inWholeDays(resolved.scope, now);
    const identity = await cohortIdentity(scope, (await readPrivacy(site.id)).retention_salt);
    const unit = unitOf(scope, identity, input.cohort ?? null);
    const of = async (range: Scope) =>
      identity === "none" ? { cohorts: [], known: 0 } : cohortsOf(range, identity, unit, now);
    const [{ cohorts, known }, before] = await Promise.all([
      of(scope),
      resolved.before && of(inWholeDays(resolved.before, now)),
    ]);
    const lookback = identity === "user_id" ? LOOKBACK_DAYS : 0;
    const starts = [scope, ...(resolved.before ? [resolved.before] : [])].map(({ range }) => {
      return range.from.subtract({ days: lookback });
    });
    return {
      meta: {
        ...resolved.meta,
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
      ...averagesOf(cohorts),
      comparison: before && { cohorts: before.cohorts, ...averagesOf(before.cohorts) },
    };
  },
});

/** Returns the average per period, weighted by the size of the cohorts, and how many visitors it rests on. */
function averagesOf(cohorts: readonly Cohort[]) {
  const { cells } = cohortsTogether(cohorts);
  return {
    average: cells.map(({ rate, partial }) => (partial ? null : rate)),
    average_of: cells.map(({ of, partial }) => (partial ? 0 : of)),
  };
}
