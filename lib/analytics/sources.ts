import { type Cover, LENGTHS, lensOf } from "@/lib/analytics/cover";
import { type DimensionKey, ROLLED } from "@/lib/analytics/dimensions";
import { inWords, type Part, partials } from "@/lib/analytics/partials";
import type { Scope } from "@/lib/analytics/question";
import { Prisma } from "@/lib/db";

/**
 * SQL for rows of partial sums `k0, … visitors, visits, …` of a scope: from sealed days where there are such, and from
 * the facts for the rest. To be added up by their keys; where they come from changes no answer.
 */
export function source(scope: Scope, by: readonly DimensionKey[], parts: readonly Part[]): Prisma.Sql {
  const dimension = by.length > 1 ? undefined : rolledOf(by[0]);
  const { sealed } = scope;
  if (!sealed || dimension === undefined) return partials(scope, by, parts);
  const rest = sealed.gaps.map((gap) => partials({ ...scope, range: { ...scope.range, ...gap } }, by, parts));
  return Prisma.join([fromRollup(scope, sealed, by[0], dimension), ...rest], " UNION ALL ");
}

const rolledOf = (key: DimensionKey | undefined): number | undefined => (key === undefined ? 0 : ROLLED[key]);

function fromRollup({ siteId, traffic }: Scope, sealed: Cover, key: DimensionKey | undefined, dimension: number) {
  const blocks = LENGTHS.map(
    (length) => Prisma.sql`(length = ${length} AND block = ANY(${sealed.blocks[length]}::int[]))`,
  );
  const sums = Prisma.sql`
    SELECT value, ${ROLLUP_SUMS} FROM facts.rollup
    WHERE site_id = ${siteId} AND traffic = ${lensOf(traffic)} AND dimension = ${dimension} AND (${Prisma.join(blocks, " OR ")})
    GROUP BY value`;
  if (key === undefined) return Prisma.sql`SELECT ${COLUMNS} FROM (${sums}) AS sums`;
  return Prisma.sql`
    SELECT words.value AS k0, ${COLUMNS} FROM (${sums}) AS sums
    LEFT JOIN ${inWords(key, siteId)} AS words(id, value) ON words.id = sums.value`;
}

/** Sums of rollup rows, under the names of the partial sums. */
export const ROLLUP_SUMS = Prisma.sql`
  sum(visitors) AS visitors, sum(visits) AS visits, sum(bounces) AS bounces, sum(duration_ms) AS "durationMs",
  sum(pageviews) AS pageviews, sum(events) AS events, sum(engagement_ms) AS "engagementMs", sum(engaged) AS engaged,
  sum(scroll) AS scroll, sum(scrolled) AS scrolled`;

const COLUMNS = Prisma.sql`visitors, visits, bounces, "durationMs", pageviews, events, "engagementMs", engaged, scroll, scrolled`;
