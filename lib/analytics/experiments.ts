import { anyOf, conversionEvents, goalsOf } from "@/lib/analytics/conversions";
import { wordsOf } from "@/lib/analytics/dimensions";
import { NO_FILTERS, reaching } from "@/lib/analytics/filters";
import { goalNamed } from "@/lib/analytics/goals";
import { eventsIn, type Scope } from "@/lib/analytics/question";
import type { Counts } from "@/lib/analytics/stats";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { db, Prisma, reports } from "@/lib/db";

/** Who was shown what, and who converted afterwards. */

export const MOST_EXPERIMENTS = 20;
export const MOST_VARIANTS = 10;

/** What an owner said of an experiment. */
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
  /** null: those who were shown more than one. */
  variant: string | null;
}

/** The plans of a site, the newest first; one more than are answered when there are more. */
export async function plansOf(siteId: number): Promise<Plan[]> {
  const saved = await db().experiment.findMany({
    where: { siteId },
    orderBy: [{ createdAt: "desc" }, { name: "asc" }],
    take: MOST_EXPERIMENTS + 1,
  });
  return saved.map((one) => ({
    ...one,
    variants: (one.variants as unknown as Plan["variants"]).slice(0, MOST_VARIANTS),
  }));
}

/** How a visitor converts: in each plan by its own goal, elsewhere by anything that counts for the site. */
export interface Aims {
  otherwise: { basis: "goals" | "events"; met: Prisma.Sql };
  planned: { name: string; variants: string[]; met: Prisma.Sql }[];
}

export async function aimsOf(siteId: number, plans: readonly Plan[]): Promise<Aims> {
  const planned = plans.map(async ({ name, variants, goal }) => ({
    name,
    variants: variants.map((variant) => variant.name),
    met: await reaching(siteId, await goalNamed(siteId, goal)),
  }));
  const [goals, ...all] = await Promise.all([goalsOf(siteId), ...planned]);
  const met = anyOf(await conversionEvents(siteId, goals));
  return { otherwise: { basis: goals.length > 0 ? "goals" : "events", met }, planned: all };
}

/**
 * How many visitors were first shown each variant in a scope, and how many of them converted strictly later within its
 * range. The filters choose exposures; a conversion counts wherever it happened.
 *
 * @param among only these experiments; without it, those of the plans and the ones that most visitors were shown.
 */
export async function shownIn(scope: Scope, aims: Aims, among: readonly string[] | null): Promise<Shown[]> {
  const planned = aims.planned.map(({ name }) => name);
  const pairs = aims.planned.flatMap(({ name, variants }) => variants.map((variant) => ({ name, variant })));
  const conversions = [aims.otherwise.met, ...aims.planned.map(({ met }) => met)];
  const met = Prisma.join(conversions.map((sql, place) => Prisma.sql`(${place}::int, ${sql})`));
  const chosen = among ? Prisma.sql`AND words.word = ANY(${among}::text[])` : Prisma.empty;
  return reports().$queryRaw`
    WITH exposed AS MATERIALIZED (
      SELECT words.word AS experiment, fact.visitor_id, min(fact.ts) AS first,
        CASE WHEN min(fact.props ->> 'variant') = max(fact.props ->> 'variant') THEN min(fact.props ->> 'variant') END AS variant
      FROM facts.event AS fact JOIN ${wordsOf("event", scope.siteId)} AS words ON words.id = fact.name
      WHERE ${exposuresIn(scope)} ${chosen} AND fact.visitor_id IS NOT NULL
      GROUP BY 1, 2
    ), reached AS (
      SELECT fact.visitor_id, aim.place, max(fact.ts) AS last
      FROM facts.event AS fact CROSS JOIN LATERAL (VALUES ${met}) AS aim(place, met)
      WHERE ${eventsIn({ ...scope, filters: NO_FILTERS })} AND (${Prisma.join(conversions, " OR ")}) AND aim.met
        AND fact.visitor_id IN (SELECT fact.visitor_id FROM facts.event AS fact WHERE ${exposuresIn(scope)})
      GROUP BY 1, 2
    ), cell AS (
      SELECT experiment, variant, count(*)::int AS exposed, (count(*) FILTER (WHERE last > first))::int AS converted
      FROM exposed LEFT JOIN reached ON reached.visitor_id = exposed.visitor_id
        AND reached.place = coalesce(array_position(${planned}::text[], experiment), 0)
      GROUP BY 1, 2
    ), ranked AS (
      SELECT *, sum(exposed) OVER (PARTITION BY experiment) AS total, row_number() OVER (
        PARTITION BY experiment ORDER BY variant IS NULL DESC, (experiment, variant) IN (
          SELECT * FROM unnest(${pairs.map(({ name }) => name)}::text[], ${pairs.map(({ variant }) => variant)}::text[])
        ) DESC, exposed DESC, variant) AS place
      FROM cell
    )
    SELECT experiment, variant, exposed, converted FROM (
      SELECT *, dense_rank() OVER (ORDER BY experiment = ANY(${planned}::text[]) DESC, total DESC, experiment) AS rank FROM ranked
    ) AS told WHERE rank <= ${MOST_EXPERIMENTS + 1}::int AND place <= ${MOST_VARIANTS + 1}::int
    ORDER BY rank, place`;
}

/**
 * The exposures of a scope, as a condition on `facts.event AS fact`. They have an index of their own: it is cheaper to find
 * them there once more than to read conversions in one process.
 */
const exposuresIn = (scope: Scope): Prisma.Sql => Prisma.sql`
  ${eventsIn(scope)} AND fact.type = ${EVENT_TYPES.exposure} AND fact.props ->> 'variant' <> ''`;
