import { type Cover, type PackedCover, packedCoverOf } from "@/lib/analytics/cover";
import type { DimensionKey } from "@/lib/analytics/dimensions";
import { NO_ID_FILTERS } from "@/lib/analytics/filters";
import { bigints, ints } from "@/lib/analytics/number-lists";
import { tally } from "@/lib/analytics/packed/counters";
import { PLACES } from "@/lib/analytics/packed/layout";
import { type Asked, type Counts, TooManyGroups } from "@/lib/analytics/packed/tally";
import { inWords, KEYS, type Part, partials } from "@/lib/analytics/partials";
import { during, type Scope } from "@/lib/analytics/question";
import { type Lists, numberOf, type Read, rolledUp } from "@/lib/analytics/rollup-lists";
import type { Sums } from "@/lib/analytics/sums";
import { Prisma } from "@/lib/db";

/**
 * SQL for rows of partial sums `k0, … visitors, visits, …` of a scope: from sealed days where there are such, and from
 * the facts for the rest. To be added up by their keys; where they come from changes no answer.
 */
export async function source(scope: Scope, by: readonly DimensionKey[], parts: readonly Part[]): Promise<Prisma.Sql> {
  const known = { ...scope, sealed: await sealedFor(scope, by) };
  const { sealed, scope: left } = await sealedOrFacts(known, [{ by, parts }]);
  const facts = unsealed(left).map((piece) => partials(piece, by, parts));
  return Prisma.join([...(sealed[0] ?? []), ...facts], " UNION ALL ");
}

/**
 * The rows of a scope's sealed days as `sealedRows` has them, and the scope whose `unsealed` parts complete them. Where
 * sealed days have too many values to tell apart, there are no such rows, and the facts answer all of it.
 *
 * @param most how many combinations of values are told apart; the usual limit when not given.
 */
export async function sealedOrFacts(
  scope: Scope,
  asked: readonly AskedOfDays[],
  most?: number,
): Promise<{ sealed: Prisma.Sql[][]; scope: Scope }> {
  try {
    return { sealed: await sealedRows(scope, asked, most), scope };
  } catch (error) {
    if (!(error instanceof TooManyGroups)) throw error;
    return { sealed: asked.map(() => []), scope: { ...scope, sealed: null } };
  }
}

/** What sealed days answer of sums by these dimensions. */
async function sealedFor({ siteId, range, days, sealed }: Scope, by: readonly DimensionKey[]): Promise<Cover | null> {
  const rolled = by.length < 2 && numberOf(by[0]) !== undefined;
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
}: Pick<Scope, "siteId" | "range" | "days" | "sealed">): Promise<PackedCover | null> {
  const cover = sealed && !sealed.packed ? await packedCoverOf(siteId, range, days, NO_ID_FILTERS) : sealed;
  return cover?.packed ? { ...cover, packed: cover.packed } : null;
}

/** So many days of facts are added up at once: few enough that what is known of each visitor stays close at hand. */
const PIECE_DAYS = 3;
const MOST_PIECES = 40;

/**
 * The parts of a scope that the facts answer, whole local days each, so that they may be added up one by one. What
 * seeks visits by their events stays in one piece: each would look for them anew.
 */
export function unsealed(scope: Scope, pieceDays = PIECE_DAYS): Scope[] {
  const { sealed, filters } = scope;
  // A range of no length, as in the first moment of a day, is one part: SQL wants rows, if only none.
  if (!sealed && scope.days.length === 0) return [scope];
  const parts = sealed ? sealed.gaps.map((gap) => during(scope, sinceFirst(gap, sealed))) : [scope];
  if (filters.event.length + filters.visitOnly.length + filters.goals.length > 0) return parts;
  return parts.flatMap((part) => {
    const length = Math.max(pieceDays, Math.ceil(part.days.length / MOST_PIECES));
    const starts = part.days.filter((_, day) => day % length === 0);
    return starts.map((start, index) => during(part, { start, end: starts[index + 1] ?? part.range.end }));
  });
}

/** A gap without what lies before the first fact; of no length when that is all of it. */
function sinceFirst({ start, end }: Cover["gaps"][number], { since }: Cover): Cover["gaps"][number] {
  if (!since || since <= start) return { start, end };
  return { start: since < end ? since : end, end };
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

/** What sealed days are asked for. */
export interface AskedOfDays extends Asked {
  by: readonly DimensionKey[];
  /** Only so many values with the most visitors are told; all when not given. */
  most?: number;
}

/**
 * SQL for the rows of a scope's sealed days, some for each of what is asked; none where there are no such days. What was
 * added up here is handed to Postgres as lists: it knows the words.
 *
 * @throws TooManyGroups when packed days hold more combinations of values than are told apart.
 */
async function sealedRows(scope: Scope, asked: readonly AskedOfDays[], most?: number): Promise<Prisma.Sql[][]> {
  const { sealed } = scope;
  if (!sealed) return asked.map(() => []);
  const counted = sealed.packed
    ? (await tally(scope, { ...sealed, packed: sealed.packed }, asked, most)).map(talliedBy)
    : (await rolledUp(scope, sealed, asked.map(readOf))).map(rolledBy);
  return asked.map((one, index) => [
    rowsOf(scope.siteId, one.by, withMost(counted[index] as Counted, one.most), columnsOf(one)),
  ]);
}

/** The sums of these parts. */
export const sumsIn = (parts: readonly Part[]): (keyof Sums)[] =>
  PARTIAL_SUMS.filter(({ part }) => parts.includes(part)).map(({ sum }) => sum);

const columnsOf = ({ parts, sums = sumsIn(parts) }: Asked): Column[] =>
  PARTIAL_SUMS.filter(({ part, sum }) => parts.includes(part) && sums.includes(sum));
const readOf = (asked: AskedOfDays): Read => ({
  dimension: numberOf(asked.by[0]) ?? 0,
  sums: columnsOf(asked).map(({ sum }) => sum),
});

/** Sums of combinations of values. */
interface Counted {
  /** Where those that are told stand in the lists. */
  told: readonly number[];
  /** The first id of the word of each dimension, for a place in the lists. */
  valuesOf: (place: number) => readonly number[];
  sums: Lists["sums"];
}

const talliedBy = ({ size, values, sums }: Counts): Counted => ({
  told: Array.from({ length: size }, (_, place) => place),
  valuesOf: (place) => values.map((list) => list[place] as number),
  sums,
});

const rolledBy = ({ ids, sums }: Lists): Counted => ({
  told: Array.from(ids, (_, place) => place),
  valuesOf: (place) => [ids[place] as number],
  sums,
});

/** Of those with equally many visitors the first stay. */
function withMost(counted: Counted, most?: number): Counted {
  const { told, sums } = counted;
  if (most === undefined || told.length <= most) return counted;
  const visitors = Float64Array.from(told, (place) => sums.visitors?.[place] ?? 0);
  // Numbers without a function that compares them are sorted many times as fast.
  const least = visitors.toSorted()[told.length - most] as number;
  let left = most - visitors.reduce((more, one) => more + (one > least ? 1 : 0), 0);
  const stays = (one: number) => one > least || (one === least && left-- > 0);
  return { ...counted, told: told.filter((_, at) => stays(visitors[at] as number)) };
}

function rowsOf(
  siteId: number,
  by: readonly DimensionKey[],
  { told, valuesOf, sums }: Counted,
  asked: readonly Column[],
): Prisma.Sql {
  const values = told.map(valuesOf);
  const some = asked.filter(({ sum }) => told.some((place) => sums[sum]?.[place] !== 0));
  const ids = by.map((_, index) => IDS[index] as Prisma.Sql);
  const lists = [
    ints(told),
    ...by.map((_, index) => ints(values.map((one) => one[index] as number))),
    ...some.map(({ sum }) => bigints(told.map((place) => sums[sum]?.[place] ?? 0))),
  ];
  const names = [Prisma.sql`place`, ...ids, ...some.map(({ name }) => name)];
  const keys = by.map((_, index) => Prisma.sql`${WORDS[index]}.value AS ${KEYS[index]}`);
  const columns = PARTIAL_SUMS.map((one) =>
    some.includes(one) ? Prisma.sql`one.${one.name}` : Prisma.sql`0 AS ${one.name}`,
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

/** SQL for rows `value, visitors` of a dimension's sealed days, each value by its first id. */
export async function rolledVisitors(scope: Scope, sealed: Cover, key: DimensionKey): Promise<Prisma.Sql> {
  const [{ ids, sums } = { ids: [], sums: {} }] = await rolledUp(scope, sealed, [
    { dimension: numberOf(key) ?? 0, sums: ["visitors"] },
  ]);
  return Prisma.sql`
    SELECT value, visitors FROM unnest(${ints(ids)}, ${ints(sums.visitors ?? [])}) AS one(value, visitors)`;
}

/** The columns of partial sums, and of which part they are. */
const PARTIAL_SUMS = [
  { sum: "visitors", name: Prisma.sql`visitors`, part: "visits" },
  { sum: "visits", name: Prisma.sql`visits`, part: "visits" },
  { sum: "bounces", name: Prisma.sql`bounces`, part: "visits" },
  { sum: "durationMs", name: Prisma.sql`"durationMs"`, part: "visits" },
  { sum: "pageviews", name: Prisma.sql`pageviews`, part: "events" },
  { sum: "events", name: Prisma.sql`events`, part: "events" },
  { sum: "engagementMs", name: Prisma.sql`"engagementMs"`, part: "events" },
  { sum: "engaged", name: Prisma.sql`engaged`, part: "events" },
  { sum: "scroll", name: Prisma.sql`scroll`, part: "scrolls" },
  { sum: "scrolled", name: Prisma.sql`scrolled`, part: "scrolls" },
] as const satisfies readonly { sum: keyof Sums; name: Prisma.Sql; part: Part }[];

type Column = (typeof PARTIAL_SUMS)[number];
