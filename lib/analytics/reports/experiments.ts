import { setImmediate as breathe } from "node:timers/promises";
import { converting } from "@/lib/analytics/query/conversions";
import { wordsOf } from "@/lib/analytics/query/dimension-sql";
import { NO_FILTERS, reaching } from "@/lib/analytics/query/filters";
import { goalNamed, goalsOf } from "@/lib/analytics/query/goals";
import { eventsIn, queryCopy, type Scope } from "@/lib/analytics/query/scope";
import {
  type Counts,
  goodnessOfFit,
  liftInterval,
  ready,
  standings,
} from "@/lib/analytics/reports/experiment-statistics";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { join, raw, type Sql, sql } from "@/lib/platform/sql";

/** Exposures by variant, the conversions after them, and how certain the difference is. */

export const MOST_EXPERIMENTS = 20;
const MOST_VARIANTS = 10;

/** A saved experiment. */
export interface Plan {
  name: string;
  /** The first is the control. */
  variants: { name: string; weight: number }[];
  /** The name of a goal, or of an event. */
  goal: string;
  endedAt: Date | null;
}

export interface Shown extends Counts {
  experiment: string;
  /** null: visitors who were shown more than one. */
  variant: string | null;
}

/** The events that convert, as conditions on `event AS fact`: in each plan by its own goal, else by any of the site. */
export interface Conversions {
  otherwise: { basis: "goals" | "events"; met: Sql };
  planned: { name: string; variants: string[]; met: Sql }[];
}

export async function conversionsOf(siteId: number, plans: readonly Plan[]): Promise<Conversions> {
  const planned = plans.map(async ({ name, variants, goal }) => ({
    name,
    variants: variants.map((variant) => variant.name),
    met: reaching(await goalNamed(siteId, goal)),
  }));
  const [goals, ...all] = await Promise.all([goalsOf(siteId), ...planned]);
  return { otherwise: { basis: goals.length > 0 ? "goals" : "events", met: converting(goals) }, planned: all };
}

/**
 * How many visitors were first shown each variant in a scope, and how many of them converted strictly later within its
 * range. The filters choose exposures; a conversion counts wherever it happened.
 *
 * @param among only these experiments; without it, those of the plans and the ones that most visitors were shown.
 */
export async function shownIn(
  scope: Scope,
  { otherwise, planned }: Conversions,
  among: readonly string[] | null,
): Promise<Shown[]> {
  const names = planned.map(({ name }) => name);
  const pairs = planned.flatMap(({ name, variants }) => variants.map((variant) => [name, variant] as const));
  const conversions = [otherwise.met, ...planned.map(({ met }) => met)];
  const chosen = among ? sql`AND list_contains(${among}::VARCHAR[], words.word)` : sql``;
  const isPlanned = (what: Sql) => sql`list_contains(${names}::VARCHAR[], ${what})`;
  const [rows] = await queryCopy<[Shown[]]>(
    scope,
    sql`
    WITH exposed AS MATERIALIZED (
      SELECT words.word AS experiment, fact.visitor_id, min(fact.ts) AS first,
        CASE WHEN min(fact.props['variant']) = max(fact.props['variant']) THEN min(fact.props['variant']) END AS variant
      FROM event AS fact JOIN ${wordsOf("event")} AS words ON words.id = fact.name
      WHERE ${exposuresIn(scope)} ${chosen} AND fact.visitor_id IS NOT NULL
      GROUP BY words.word, fact.visitor_id
    ), reached AS (${reachedIn(scope, conversions)}), cell AS (
      SELECT experiment, variant, count(*) AS exposed,
        count(*) FILTER (WHERE last[coalesce(list_position(${names}::VARCHAR[], experiment), 0) + 1] > first) AS converted
      FROM exposed LEFT JOIN reached ON reached.visitor_id = exposed.visitor_id GROUP BY experiment, variant
    ), ranked AS (
      SELECT *, sum(exposed) OVER (PARTITION BY experiment) AS total, row_number() OVER (
        PARTITION BY experiment ORDER BY variant IS NULL DESC, ${isOneOf(pairs)} DESC, exposed DESC, variant) AS place
      FROM cell
    )
    SELECT experiment, variant, exposed, converted FROM ranked
    QUALIFY dense_rank() OVER (ORDER BY ${isPlanned(sql`experiment`)} DESC, total DESC, experiment) <= ${MOST_EXPERIMENTS + 1}
      AND place <= ${MOST_VARIANTS + 1}
    ORDER BY ${isPlanned(sql`experiment`)} DESC, total DESC, experiment, place`,
  );
  return rows;
}

/** SQL for whether a row is of a variant of a plan. */
const isOneOf = (pairs: readonly (readonly [string, string])[]): Sql =>
  pairs.length === 0
    ? sql`false`
    : sql`coalesce((experiment, variant) IN (${join(pairs.map((pair) => sql`(${join([...pair])})`))}), false)`;

/** SQL for when each visitor who was exposed last met each of these conditions, as a list. */
function reachedIn(scope: Scope, conversions: readonly Sql[]): Sql {
  const met = conversions.map((_, place) => raw(`met${place}`));
  return sql`
    SELECT visitor_id, [${join(met.map((column) => sql`max(ts) FILTER (WHERE ${column})`))}] AS last FROM (
      SELECT fact.visitor_id, fact.ts, ${join(conversions.map((condition, place) => sql`${condition} AS ${met[place]}`))}
      FROM event AS fact
      WHERE ${eventsIn({ ...scope, filters: NO_FILTERS })} AND fact.visitor_id IN (SELECT visitor_id FROM exposed)) AS step
    WHERE ${join(met, " OR ")}
    GROUP BY visitor_id`;
}

/** The exposures of a scope, as a condition on `event AS fact`. */
export const exposuresIn = (scope: Scope): Sql =>
  sql`${eventsIn(scope)} AND fact.type = ${EVENT_TYPES.exposure} AND fact.props['variant'] <> ''`;

/** Below this p-value the sample ratio counts as mismatched: Kohavi, Tang and Xu (2020), chapter 21. */
export const MISMATCH_BELOW = 0.001;
/** The fewest data with a meaningful result: visitors in each variant, and conversions in total. */
export const ENOUGH_EXPOSED = 100;
export const ENOUGH_CONVERTED = 10;

interface Variant extends Counts {
  name: string;
  /** Its weight in the plan; null when the plan does not name it. */
  weight: number | null;
}

/** Returns the result of one experiment, from the rows of its variants and of excluded visitors. */
export async function experimentResult(shown: readonly Shown[], plan: Plan | null) {
  await ready();
  // The integrals take milliseconds each: other requests may run between experiments.
  await breathe();
  const all = variantsOf(shown, plan);
  const variants = all.slice(0, MOST_VARIANTS);
  const fit = goodnessOfFit(variants.map(({ exposed, weight }) => ({ count: exposed, share: weight ?? 0 })));
  const missing = missingOf(variants);
  return {
    exposed: variants.reduce((sum, { exposed }) => sum + exposed, 0),
    excluded: shown.find(({ variant }) => variant === null)?.exposed ?? 0,
    variants: resultsOf(variants),
    sample_ratio: fit && {
      chi_square: fit.statistic,
      p_value: fit.pValue,
      mismatch: fit.pValue < MISMATCH_BELOW,
    },
    enough_data: missing.length === 0,
    missing,
    truncated: all.length > variants.length,
  };
}

/** The control first, then the others: as planned, or by name; variants outside the plan come last. */
function variantsOf(shown: readonly Shown[], plan: Plan | null): Variant[] {
  const seen = shown.flatMap(({ variant, exposed, converted }) =>
    variant === null ? [] : [{ name: variant, exposed, converted }],
  );
  seen.sort((one, other) => (one.name < other.name ? -1 : 1));
  if (!plan) {
    const control = seen.find(({ name }) => /^(control|a|original)$/i.test(name)) ?? seen[0];
    const ordered = [...seen.filter((one) => one === control), ...seen.filter((one) => one !== control)];
    return ordered.map((one) => ({ ...one, weight: 1 }));
  }
  const planned = plan.variants.map(({ name, weight }) => {
    const { exposed = 0, converted = 0 } = seen.find((one) => one.name === name) ?? {};
    return { name, weight, exposed, converted };
  });
  const others = seen.filter(({ name }) => !plan.variants.some((variant) => variant.name === name));
  return [...planned, ...others.map((one) => ({ ...one, weight: null }))];
}

function resultsOf(variants: readonly Variant[]) {
  const [control] = variants;
  // A variant without exposures has no rate to compare.
  const running = variants.filter(({ exposed }) => exposed > 0);
  const standing = running.length > 1 ? standings(running) : [];
  const weights = variants.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
  const rate = ({ exposed, converted }: Counts) => (exposed > 0 ? converted / exposed : null);
  return variants.map((one) => {
    const { name: variant, exposed, converted, weight } = one;
    const among = standing[running.indexOf(one)];
    const compared = control && one !== control && exposed > 0 && control.exposed > 0;
    const [own, base] = [rate(one), control ? rate(control) : null];
    return {
      variant,
      control: one === control,
      expected_share: weight === null || weights === 0 ? null : weight / weights,
      exposed,
      converted,
      rate: own,
      lift: compared && own !== null && base ? own / base - 1 : null,
      lift_interval: compared ? liftInterval(one, control) : null,
      probability_best: among?.best ?? null,
      expected_loss: among?.loss ?? null,
    };
  });
}

/** Which data are missing, as sentences. */
function missingOf(variants: readonly Variant[]): string[] {
  if (variants.length < 2) return ["There is nothing to compare: an experiment needs two variants or more."];
  const few = variants.filter(({ exposed }) => exposed < ENOUGH_EXPOSED).length;
  const converted = variants.reduce((sum, one) => sum + one.converted, 0);
  return [
    ...(few > 0 ? [`${few} of ${variants.length} variants were shown to fewer than ${ENOUGH_EXPOSED} visitors.`] : []),
    ...(converted < ENOUGH_CONVERTED
      ? [`${converted} of these visitors converted; ${ENOUGH_CONVERTED} are the fewest that say anything.`]
      : []),
  ];
}
