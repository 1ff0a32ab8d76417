import { type Cover, LENGTHS, lensOf } from "@/lib/analytics/cover";
import { type DimensionKey, ROLLED } from "@/lib/analytics/dimensions";
import { inWords, type Part, partials } from "@/lib/analytics/partials";
import { during, type Scope } from "@/lib/analytics/question";
import { Prisma } from "@/lib/db";

/**
 * SQL for rows of partial sums `k0, … visitors, visits, …` of a scope: from sealed days where there are such, and from
 * the facts for the rest. To be added up by their keys; where they come from changes no answer.
 */
export function source(scope: Scope, by: readonly DimensionKey[], parts: readonly Part[]): Prisma.Sql {
  const rolled = by.length < 2 && rolledOf(by[0]) !== undefined;
  const asked = rolled ? scope : { ...scope, sealed: null };
  const counted = ROLLUP_COLUMNS.filter(({ part }) => parts.includes(part));
  const facts = unsealed(asked).map((piece) => partials(piece, by, parts));
  return Prisma.join([...sealedRows(asked, by[0], counted), ...facts], " UNION ALL ");
}

const rolledOf = (key: DimensionKey | undefined): number | undefined => (key === undefined ? 0 : ROLLED[key]);

/** So many days of facts are added up at once: few enough that what is known of each visitor stays close at hand. */
const PIECE_DAYS = 3;
const MOST_PIECES = 40;

/**
 * The parts of a scope that the facts answer, whole local days each, so that they may be added up one by one. What
 * seeks visits by their events stays in one piece: each would look for them anew.
 */
export function unsealed(scope: Scope, pieceDays = PIECE_DAYS): Scope[] {
  const { sealed, filters } = scope;
  const parts = sealed ? sealed.gaps.map((gap) => during(scope, gap)) : [scope];
  if (filters.event.length + filters.visitOnly.length + filters.goals.length > 0) return parts;
  return parts.flatMap((part) => {
    const length = Math.max(pieceDays, Math.ceil(part.days.length / MOST_PIECES));
    const starts = part.days.filter((_, day) => day % length === 0);
    return starts.map((start, index) => during(part, { start, end: starts[index + 1] ?? part.range.end }));
  });
}

/** The same, or one of no length where the facts have nothing to answer. */
export function pieces(scope: Scope, pieceDays = PIECE_DAYS): Scope[] {
  const found = unsealed(scope, pieceDays);
  const { end } = scope.range;
  return found.length > 0 ? found : [during(scope, { start: end, end })];
}

/** What `GROUPING` says of the set of one column out of so many. */
export const setOf = (columns: number, index: number): number => allOf(columns) - 2 ** (columns - 1 - index);
/** And of the set of none of them, which is everything. */
export const allOf = (columns: number): number => 2 ** columns - 1;

type RollupColumn = (typeof ROLLUP_COLUMNS)[number];

/** SQL for the rows of a scope's sealed days by a dimension, with only these of the sums counted; none where there are no such days. */
export function sealedRows(
  scope: Scope,
  key: DimensionKey | undefined,
  counted: readonly RollupColumn[],
): Prisma.Sql[] {
  const dimension = rolledOf(key);
  const { sealed } = scope;
  if (!sealed || dimension === undefined) return [];
  const columns = ROLLUP_COLUMNS.map((one) =>
    counted.includes(one) ? Prisma.sql`sum(one.${one.column}) AS ${one.name}` : Prisma.sql`0 AS ${one.name}`,
  );
  const sums = Prisma.sql`
    SELECT one.value, ${Prisma.join(columns)} FROM ${rollupRows(counted)}
    WHERE ${rollupsOf(scope, dimension)} AND ${blocksOf(sealed)} GROUP BY one.value`;
  if (key === undefined) return [Prisma.sql`SELECT ${SUM_NAMES} FROM (${sums}) AS sums`];
  return [
    Prisma.sql`
      SELECT words.value AS k0, ${SUM_NAMES} FROM (${sums}) AS sums
      LEFT JOIN ${inWords(key, scope.siteId)} AS words(id, value) ON words.id = sums.value`,
  ];
}

/** SQL for rows `value, visitors` of a dimension's sealed blocks, each value by its first id; to be added up by it. */
export const rolledVisitors = (scope: Scope, sealed: Cover, key: DimensionKey): Prisma.Sql => Prisma.sql`
  SELECT unnest(rollup.value) AS value, unnest(rollup.visitors) AS visitors FROM facts.rollup AS rollup
  WHERE ${rollupsOf(scope, rolledOf(key) ?? 0)} AND ${blocksOf(sealed)}`;

const blocksOf = ({ blocks }: Cover): Prisma.Sql => {
  const chosen = LENGTHS.map((length) => Prisma.sql`(length = ${length} AND block = ANY(${blocks[length]}::int[]))`);
  return Prisma.sql`(${Prisma.join(chosen, " OR ")})`;
};

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

/** Rollups with a row `one` for each value, of these lists only: the others are not even read. */
export function rollupRows(counted: readonly RollupColumn[]): Prisma.Sql {
  const asked = [Prisma.sql`value`, ...counted.map(({ column }) => column)];
  const lists = asked.map((column) => Prisma.sql`rollup.${column}`);
  return Prisma.sql`facts.rollup AS rollup, unnest(${Prisma.join(lists)}) AS one(${Prisma.join(asked)})`;
}
