import { type Cover, LENGTHS, lensOf, packedCoverOf } from "@/lib/analytics/cover";
import { type DimensionKey, ROLLED } from "@/lib/analytics/dimensions";
import { NO_ID_FILTERS } from "@/lib/analytics/filters";
import { PLACES } from "@/lib/analytics/packed/layout";
import type { IdFilters } from "@/lib/analytics/packed/narrowing";
import { type Asked, type Tally, TooManyGroups, tally } from "@/lib/analytics/packed/tally";
import { inWords, KEYS, type Part, partials } from "@/lib/analytics/partials";
import { during, type Scope } from "@/lib/analytics/question";
import type { Sums } from "@/lib/analytics/sums";
import { Prisma } from "@/lib/db";

/**
 * SQL for rows of partial sums `k0, … visitors, visits, …` of a scope: from sealed days where there are such, and from
 * the facts for the rest. To be added up by their keys; where they come from changes no answer.
 */
export async function source(scope: Scope, by: readonly DimensionKey[], parts: readonly Part[]): Promise<Prisma.Sql> {
  const asked = { ...scope, sealed: await sealedFor(scope, by) };
  const [rows] = await sealedRows(asked, [{ by, parts }]).catch((error) => {
    if (!(error instanceof TooManyGroups)) throw error;
    asked.sealed = null;
    return [[]];
  });
  const facts = unsealed(asked).map((piece) => partials(piece, by, parts));
  return Prisma.join([...(rows ?? []), ...facts], " UNION ALL ");
}

/** What sealed days answer of sums by these dimensions. */
async function sealedFor({ siteId, range, days, sealed }: Scope, by: readonly DimensionKey[]): Promise<Cover | null> {
  const rolled = by.length < 2 && rolledOf(by[0]) !== undefined;
  if (!sealed || (rolled && !sealed.packed)) return sealed;
  if (!by.every((key) => PLACES.has(key))) return null;
  return packedFor({ siteId, range, days, sealed });
}

/** The packed days that answer a part of a scope, where rollups are no help. */
export async function packedFor({
  siteId,
  range,
  days,
  sealed,
}: Pick<Scope, "siteId" | "range" | "days" | "sealed">): Promise<(Cover & { packed: IdFilters }) | null> {
  const cover = sealed && !sealed.packed ? await packedCoverOf(siteId, range, days, NO_ID_FILTERS) : sealed;
  return cover?.packed ? { ...cover, packed: cover.packed } : null;
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

/**
 * SQL for the rows of a scope's sealed days, some for each of what is asked; none where there are no such days.
 *
 * @throws TooManyGroups when packed days hold more combinations of values than are told apart.
 */
export async function sealedRows(scope: Scope, asked: readonly Asked[]): Promise<Prisma.Sql[][]> {
  const { sealed } = scope;
  if (!sealed) return asked.map(() => []);
  if (!sealed.packed) return asked.map((one) => [rolledRows(scope, sealed, one.by[0], columnsOf(one))]);
  const tallies = await tally(scope, sealed.packed, sealed.blocks[1], asked);
  return asked.map((one, index) => [talliedRows(scope.siteId, tallies[index] as Tally, columnsOf(one))]);
}

const columnsOf = ({ parts, sums }: Asked): RollupColumn[] =>
  ROLLUP_COLUMNS.filter(({ part, sum }) => parts.includes(part) && (!sums || sums.includes(sum)));

function rolledRows(
  scope: Scope,
  sealed: Cover,
  key: DimensionKey | undefined,
  counted: readonly RollupColumn[],
): Prisma.Sql {
  const columns = ROLLUP_COLUMNS.map((one) =>
    counted.includes(one) ? Prisma.sql`sum(one.${one.column}) AS ${one.name}` : Prisma.sql`0 AS ${one.name}`,
  );
  const sums = Prisma.sql`
    SELECT one.value, ${Prisma.join(columns)} FROM ${rollupRows(counted)}
    WHERE ${rollupsOf(scope, rolledOf(key) ?? 0)} AND ${blocksOf(sealed)} GROUP BY one.value`;
  if (key === undefined) return Prisma.sql`SELECT ${SUM_NAMES} FROM (${sums}) AS sums`;
  return Prisma.sql`
    SELECT words.value AS k0, ${SUM_NAMES} FROM (${sums}) AS sums
    LEFT JOIN ${inWords(key, scope.siteId)} AS words(id, value) ON words.id = sums.value`;
}

/** SQL for what was added up of packed days: lists that are handed to Postgres, which knows the words. */
function talliedRows(siteId: number, tally: Tally, counted: readonly RollupColumn[]): Prisma.Sql {
  const { groups, sums, counted: some } = tally;
  const { by } = groups;
  const values = some.map((group) => groups.valuesOf(group));
  const told = counted.filter(({ sum }) => some.some((group) => sums[sum][group] !== 0));
  const ids = by.map((_, index) => IDS[index] as Prisma.Sql);
  const lists = [
    Prisma.sql`${some}::int[]`,
    ...by.map((_, index) => Prisma.sql`${values.map((one) => one[index])}::int[]`),
    ...told.map(({ sum }) => Prisma.sql`${some.map((group) => `${sums[sum][group]}`)}::bigint[]`),
  ];
  const names = [Prisma.sql`place`, ...ids, ...told.map(({ name }) => name)];
  const keys = by.map((_, index) => Prisma.sql`${WORDS[index]}.value AS ${KEYS[index]}`);
  const columns = ROLLUP_COLUMNS.map((one) =>
    told.includes(one) ? Prisma.sql`one.${one.name}` : Prisma.sql`0 AS ${one.name}`,
  );
  const words = by.map(
    (key, index) =>
      Prisma.sql`LEFT JOIN ${inWords(key, siteId)} AS ${WORDS[index]}(id, value) ON ${WORDS[index]}.id = one.${ids[index]}`,
  );
  return Prisma.sql`
    SELECT ${Prisma.join([...keys, ...columns])} FROM unnest(${Prisma.join(lists)}) AS one(${Prisma.join(names)})
    ${Prisma.join([Prisma.empty, ...words], " ")}`;
}

const IDS = [Prisma.sql`id0`, Prisma.sql`id1`, Prisma.sql`id2`];
const WORDS = [Prisma.sql`w0`, Prisma.sql`w1`, Prisma.sql`w2`];

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

const part = (sum: keyof Sums, name: Prisma.Sql, column: Prisma.Sql, of: Part) => ({ sum, name, column, part: of });

/** The lists of a rollup in their order: as partial sums call them, as columns, and of which part they are. */
export const ROLLUP_COLUMNS = [
  part("visitors", Prisma.sql`visitors`, Prisma.sql`visitors`, "visits"),
  part("visits", Prisma.sql`visits`, Prisma.sql`visits`, "visits"),
  part("bounces", Prisma.sql`bounces`, Prisma.sql`bounces`, "visits"),
  part("durationMs", Prisma.sql`"durationMs"`, Prisma.sql`duration_ms`, "visits"),
  part("pageviews", Prisma.sql`pageviews`, Prisma.sql`pageviews`, "events"),
  part("events", Prisma.sql`events`, Prisma.sql`events`, "events"),
  part("engagementMs", Prisma.sql`"engagementMs"`, Prisma.sql`engagement_ms`, "events"),
  part("engaged", Prisma.sql`engaged`, Prisma.sql`engaged`, "events"),
  part("scroll", Prisma.sql`scroll`, Prisma.sql`scroll`, "scrolls"),
  part("scrolled", Prisma.sql`scrolled`, Prisma.sql`scrolled`, "scrolls"),
] as const;

const SUM_NAMES = Prisma.join(ROLLUP_COLUMNS.map(({ name }) => name));

type RollupColumn = (typeof ROLLUP_COLUMNS)[number];

/** Rollups with a row `one` for each value, of these lists only: the others are not even read. */
export function rollupRows(counted: readonly RollupColumn[]): Prisma.Sql {
  const asked = [Prisma.sql`value`, ...counted.map(({ column }) => column)];
  const lists = asked.map((column) => Prisma.sql`rollup.${column}`);
  return Prisma.sql`facts.rollup AS rollup, unnest(${Prisma.join(lists)}) AS one(${Prisma.join(asked)})`;
}
