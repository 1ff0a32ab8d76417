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
  return Prisma.join([fromRollup(scope, sealed, by[0], dimension, parts), ...rest], " UNION ALL ");
}

const rolledOf = (key: DimensionKey | undefined): number | undefined => (key === undefined ? 0 : ROLLED[key]);

function fromRollup(
  scope: Scope,
  sealed: Cover,
  key: DimensionKey | undefined,
  dimension: number,
  parts: readonly Part[],
) {
  const blocks = LENGTHS.map(
    (length) => Prisma.sql`(length = ${length} AND block = ANY(${sealed.blocks[length]}::int[]))`,
  );
  const columns = ROLLUP_COLUMNS.map(({ name, column, part }) =>
    parts.includes(part) ? Prisma.sql`sum(one.${column}) AS ${name}` : Prisma.sql`0 AS ${name}`,
  );
  const sums = Prisma.sql`
    SELECT one.value, ${Prisma.join(columns)} FROM ${rollupRows(parts)}
    WHERE ${rollupsOf(scope, dimension)} AND (${Prisma.join(blocks, " OR ")}) GROUP BY one.value`;
  if (key === undefined) return Prisma.sql`SELECT ${SUM_NAMES} FROM (${sums}) AS sums`;
  return Prisma.sql`
    SELECT words.value AS k0, ${SUM_NAMES} FROM (${sums}) AS sums
    LEFT JOIN ${inWords(key, scope.siteId)} AS words(id, value) ON words.id = sums.value`;
}

/** The rollups of one dimension, as a condition on `facts.rollup AS rollup`. */
export const rollupsOf = ({ siteId, traffic }: Scope, dimension: number): Prisma.Sql =>
  Prisma.sql`rollup.site_id = ${siteId} AND rollup.traffic = ${lensOf(traffic)} AND rollup.dimension = ${dimension}`;

const part = (name: Prisma.Sql, column: Prisma.Sql, of: Part) => ({ name, column, part: of });

/** The lists of a rollup in their order: as partial sums call them, as columns, and of which part they are. */
export const ROLLUP_COLUMNS = [
  part(Prisma.sql`visitors`, Prisma.sql`visitors`, "visits"),
  part(Prisma.sql`visits`, Prisma.sql`visits`, "visits"),
  part(Prisma.sql`bounces`, Prisma.sql`bounces`, "visits"),
  part(Prisma.sql`"durationMs"`, Prisma.sql`duration_ms`, "visits"),
  part(Prisma.sql`pageviews`, Prisma.sql`pageviews`, "events"),
  part(Prisma.sql`events`, Prisma.sql`events`, "events"),
  part(Prisma.sql`"engagementMs"`, Prisma.sql`engagement_ms`, "events"),
  part(Prisma.sql`engaged`, Prisma.sql`engaged`, "events"),
  part(Prisma.sql`scroll`, Prisma.sql`scroll`, "scrolls"),
  part(Prisma.sql`scrolled`, Prisma.sql`scrolled`, "scrolls"),
] as const;

const SUM_NAMES = Prisma.join(ROLLUP_COLUMNS.map(({ name }) => name));

/** Rollups with a row `one` for each value, of the lists of these parts only: the others are not even read. */
export function rollupRows(parts: readonly Part[]): Prisma.Sql {
  const asked = ROLLUP_COLUMNS.filter(({ part }) => parts.includes(part)).map(({ column }) => column);
  const lists = [Prisma.sql`value`, ...asked].map((column) => Prisma.sql`rollup.${column}`);
  return Prisma.sql`facts.rollup AS rollup, unnest(${Prisma.join(lists)}) AS one(${Prisma.join([Prisma.sql`value`, ...asked])})`;
}
