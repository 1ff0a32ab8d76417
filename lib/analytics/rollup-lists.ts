import { type Cover, LENGTHS, type Length } from "@/lib/analytics/cover";
import { type DimensionKey, EVERYTHING, ROLLED } from "@/lib/analytics/dimensions";
import { keptLists } from "@/lib/analytics/kept-lists";
import { ints } from "@/lib/analytics/number-lists";
import { decode, encode } from "@/lib/analytics/packed/layout";
import type { Counts } from "@/lib/analytics/packed/tally";
import type { Scope } from "@/lib/analytics/question";
import { NOTHING, type Sums } from "@/lib/analytics/sums";
import { lensOf } from "@/lib/contract/vocabulary";
import { type Db, Prisma, reports } from "@/lib/db";

/** What blocks of sealed days come to, value by value of a dimension: how it is kept, read and added up. */

/** Sums of the values of a dimension, each by the first id of its word, in their order. */
export interface Lists {
  ids: Int32Array;
  /** Of those that were asked for, a number for each value. */
  sums: Partial<Record<keyof Sums, Float64Array>>;
}

/** Which rollups: of a site, for a lens of traffic, of so many days. */
export interface Block {
  siteId: number;
  traffic: number;
  length: Length;
  block: number;
}

const COLUMNS: Record<keyof Sums, Prisma.Sql> = {
  visitors: Prisma.sql`visitors`,
  visits: Prisma.sql`visits`,
  bounces: Prisma.sql`bounces`,
  durationMs: Prisma.sql`duration_ms`,
  pageviews: Prisma.sql`pageviews`,
  events: Prisma.sql`events`,
  engagementMs: Prisma.sql`engagement_ms`,
  engaged: Prisma.sql`engaged`,
  scroll: Prisma.sql`scroll`,
  scrolled: Prisma.sql`scrolled`,
};
const SUMS = Object.keys(NOTHING) as (keyof Sums)[];

/** The number that rollups know a dimension by. */
export const numberOf = (key?: DimensionKey): number | undefined => (key === undefined ? EVERYTHING : ROLLED[key]);

/** What is read of rollups: by which dimension, and which sums. */
export interface Read {
  dimension: number;
  sums: readonly (keyof Sums)[];
}

/** What the blocks of a cover come to, for each of what is asked. Nobody may change it: it is kept for others. */
export async function rolledUp(scope: Scope, { blocks }: Cover, asked: readonly Read[]): Promise<readonly Lists[]> {
  const chosen = LENGTHS.map((length) => Prisma.sql`(length = ${length} AND block = ANY(${blocks[length]}::int[]))`);
  const where = Prisma.sql`(${Prisma.join(chosen, " OR ")})`;
  const version = await versionOf(scope, where, asked);
  return keptLists(JSON.stringify([scope.siteId, scope.traffic, blocks, asked, version]), async () => {
    const found = await read(scope, where, asked);
    return found.map((blocks) => addedUp(blocks.map(({ lists }) => lists)));
  });
}

/** Tells rollups as they are from what they become when their days are sealed anew: by the transactions that wrote them. */
async function versionOf(scope: Scope, where: Prisma.Sql, asked: readonly Read[]): Promise<string | null> {
  const [row] = await reports().$queryRaw<{ version: string | null }[]>`
    SELECT md5(string_agg(concat_ws('/', length, block, dimension, xmin), ' ' ORDER BY length, block, dimension)) AS version
    FROM facts.rollup WHERE ${chosenBy(scope, where, asked)}`;
  return row?.version ?? null;
}

const chosenBy = ({ siteId, traffic }: Pick<Scope, "siteId" | "traffic">, where: Prisma.Sql, asked: readonly Read[]) =>
  Prisma.sql`site_id = ${siteId} AND traffic = ${lensOf(traffic)} AND ${where}
    AND dimension = ANY(${asked.map(({ dimension }) => dimension)}::smallint[])`;

/** What each of these days comes to by one dimension; nothing of days on which nothing was. */
export async function rolledDays(
  scope: Scope,
  days: readonly number[],
  asked: Read,
): Promise<{ block: number; lists: Lists }[]> {
  const [found = []] = await read(scope, Prisma.sql`length = 1 AND block = ANY(${[...days]}::int[])`, [asked]);
  return found;
}

/** The rollups that a condition chooses, of each dimension that is asked for. */
async function read(scope: Scope, where: Prisma.Sql, asked: readonly Read[]) {
  const all = SUMS.filter((sum) => asked.some(({ sums }) => sums.includes(sum)));
  const wanted = all.map((sum) => {
    const dimensions = asked.flatMap(({ dimension, sums }) => (sums.includes(sum) ? [dimension] : []));
    return Prisma.sql`CASE WHEN dimension = ANY(${dimensions}::smallint[]) THEN ${asText(sum)} ELSE '' END`;
  });
  const found = await listsWhere(reports(), chosenBy(scope, where, asked), all, wanted);
  return asked.map((one) => found.filter(({ dimension }) => dimension === one.dimension));
}

const asText = (sum: keyof Sums) => Prisma.sql`encode(${COLUMNS[sum]}, 'base64')`;

/** @param texts SQL for the list of each of these sums, or `''` where it is not asked for. */
async function listsWhere(from: Db, where: Prisma.Sql, sums: readonly (keyof Sums)[], texts: readonly Prisma.Sql[]) {
  const rows = await from.$queryRaw<{ dimension: number; block: number; texts: string }[]>`
    SELECT dimension::int AS dimension, block,
           concat_ws(';', ${Prisma.join([Prisma.sql`encode(value, 'base64')`, ...texts])}) AS texts
    FROM facts.rollup WHERE ${where}`;
  return rows.map(({ dimension, block, texts }) => ({ dimension, block, lists: unpacked(texts, sums) }));
}

function unpacked(texts: string, names: readonly (keyof Sums)[]): Lists {
  const [steps = new Int32Array(0), ...lists] = texts
    .split(";")
    .map((text) => (text === "" ? undefined : decode(Buffer.from(text, "base64"))));
  const sums: Lists["sums"] = {};
  // What is not kept of a rollup is an empty list.
  for (const [index, name] of names.entries()) if (lists[index]?.length) sums[name] = new Float64Array(lists[index]);
  const ids = new Int32Array(steps);
  for (let at = 1; at < ids.length; at++) ids[at] = (ids[at] as number) + (ids[at - 1] as number);
  return { ids, sums };
}

/** SQL for lists as a table: the ids, and each of these sums. */
export const tableOf = ({ ids, sums }: Lists, names: readonly (keyof Sums)[]): Prisma.Sql =>
  Prisma.sql`unnest(${Prisma.join([ids, ...names.map((name) => sums[name] ?? [])].map(ints))})`;

/** What was counted, in the order of the ids. @param names of the sums that are told. */
export function listsOf({ size, values, sums }: Counts, names: readonly (keyof Sums)[] = SUMS): Lists {
  const told = Array.from({ length: size }, (_, place) => ({ place, value: values[0]?.[place] ?? 0 }));
  told.sort((a, b) => a.value - b.value);
  return {
    ids: Int32Array.from(told, ({ value }) => value),
    sums: Object.fromEntries(
      names.map((name) => [name, Float64Array.from(told, ({ place }) => sums[name][place] ?? 0)]),
    ),
  };
}

/**
 * Lists of the same sums as one. Loops over typed lists are plain ones: what takes a function for each element takes
 * many times as long.
 */
export function addedUp(all: readonly Lists[]): Lists {
  const ids = all.reduce((known, one) => united(known, one.ids), new Int32Array(0));
  const sums: Lists["sums"] = {};
  for (const name of SUMS) if (all[0]?.sums[name]) sums[name] = new Float64Array(ids.length);
  for (const one of all) {
    const places = placesIn(ids, one.ids);
    for (const name of SUMS) if (sums[name] && one.sums[name]) put(sums[name], one.sums[name], places);
  }
  return { ids, sums };
}

/** Where some of these ids stand among all of them. */
function placesIn(ids: Int32Array, some: Int32Array): Int32Array {
  const places = new Int32Array(some.length);
  for (let at = 0, place = 0; at < some.length; at++) {
    const id = some[at];
    while (ids[place] !== id) place++;
    places[at] = place;
  }
  return places;
}

function put(sum: Float64Array, numbers: Float64Array, places: Int32Array): void {
  for (let at = 0; at < numbers.length; at++) {
    const place = places[at] as number;
    sum[place] = (sum[place] as number) + (numbers[at] as number);
  }
}

/** The ids of both, in their order. */
function united(ours: Int32Array<ArrayBuffer>, theirs: Int32Array): Int32Array<ArrayBuffer> {
  const ids = new Int32Array(ours.length + theirs.length);
  let size = 0;
  for (let at = 0, other = 0; at < ours.length || other < theirs.length; size++) {
    const one = at < ours.length ? (ours[at] as number) : Number.POSITIVE_INFINITY;
    const two = other < theirs.length ? (theirs[other] as number) : Number.POSITIVE_INFINITY;
    ids[size] = Math.min(one, two);
    if (one <= two) at++;
    if (two <= one) other++;
  }
  return ids.slice(0, size);
}

/** Every rollup of some blocks of one length, as they are in a transaction. */
export async function readBlocks(
  tx: Db,
  { siteId, traffic, length }: Omit<Block, "block">,
  [first, last]: readonly [number, number],
): Promise<Map<number, Lists[]>> {
  const chosen = Prisma.sql`
    site_id = ${siteId} AND traffic = ${traffic} AND length = ${length} AND block BETWEEN ${first} AND ${last}`;
  const found = new Map<number, Lists[]>();
  for (const { dimension, lists } of await listsWhere(tx, chosen, SUMS, SUMS.map(asText)))
    found.set(dimension, [...(found.get(dimension) ?? []), lists]);
  return found;
}

/** Keeps what a block came to by a dimension; nothing where nothing was. */
export async function writeRollup(tx: Db, where: Block, dimension: number, { ids, sums }: Lists): Promise<void> {
  if (ids.length === 0) return;
  const { siteId, traffic, length, block } = where;
  const steps = ids.map((id, at) => id - (ids[at - 1] ?? 0));
  const lists = await Promise.all([steps, ...SUMS.map((sum) => sums[sum] ?? new Float64Array(0))].map(encode));
  await tx.$executeRaw`
    INSERT INTO facts.rollup (site_id, traffic, length, dimension, block, value, ${Prisma.join(SUMS.map((sum) => COLUMNS[sum]))})
    VALUES (${siteId}, ${traffic}, ${length}, ${dimension}, ${block}, ${Prisma.join(lists)})`;
}

/** Makes room for what a block comes to anew. */
export const dropRollups = (tx: Db, { siteId, length, block }: Omit<Block, "traffic">, lenses: readonly number[]) =>
  tx.$executeRaw`
    DELETE FROM facts.rollup
    WHERE site_id = ${siteId} AND traffic = ANY(${[...lenses]}::smallint[]) AND length = ${length} AND block = ${block}`;
