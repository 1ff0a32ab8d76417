import { setImmediate } from "node:timers/promises";
import { COLUMNS, type Column, decode, type Numbers } from "@/lib/analytics/packed/layout";
import { Prisma, reports } from "@/lib/db";

/** Reads packed days. */

/** The columns that were asked for of a part of a day's visitors. */
export interface Chunk {
  /** The day, as the number of days since 1970-01-01. */
  block: number;
  columns: Readonly<Record<Column, Numbers>>;
}

/** So many chunks are held at once, while those before them are counted. */
const TOGETHER = 4;

/**
 * The chunks of packed days one by one, with these columns. No more than a few of them are in memory at any moment,
 * however many days there are.
 */
export async function* chunksOf(
  siteId: number,
  blocks: readonly number[],
  columns: readonly Column[],
): AsyncGenerator<Chunk> {
  const places = await reports().$queryRaw<{ block: number; chunk: number }[]>`
    SELECT block, chunk::int AS chunk FROM facts.packed WHERE site_id = ${siteId} AND block = ANY(${[...blocks]}::int[])
    ORDER BY block, chunk`;
  const batches = places.flatMap((_, index) => (index % TOGETHER === 0 ? [places.slice(index, index + TOGETHER)] : []));
  let next = batches[0] && read(siteId, batches[0], columns);
  for (let index = 0; next; index++) {
    const chunks: Chunk[] = await next;
    const batch = batches[index + 1];
    next = batch && read(siteId, batch, columns);
    // What is read ahead may fail while nobody waits for it yet.
    next?.catch(() => {});
    for (const chunk of chunks) {
      yield chunk;
      // What was sent meanwhile is answered first.
      await setImmediate();
    }
  }
}

async function read(
  siteId: number,
  places: readonly { block: number; chunk: number }[],
  columns: readonly Column[],
): Promise<Chunk[]> {
  const texts = columns.map((column) => Prisma.sql`encode(packed.${COLUMNS[column]}, 'base64')`);
  const rows = await reports().$queryRaw<{ block: number; texts: string }[]>`
    SELECT packed.block, concat_ws(';', ${Prisma.join(texts)}) AS texts
    FROM unnest(${places.map(({ block }) => block)}::int[], ${places.map(({ chunk }) => chunk)}::smallint[]) AS asked(block, chunk)
    JOIN facts.packed AS packed ON packed.site_id = ${siteId} AND packed.block = asked.block AND packed.chunk = asked.chunk`;
  return Promise.all(
    rows.map(async ({ block, texts }) => {
      const lists = await Promise.all(texts.split(";").map((text) => decode(Buffer.from(text, "base64"))));
      const named = columns.map((column, index) => [column, lists[index]]);
      return { block, columns: Object.fromEntries(named) };
    }),
  );
}
