import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import pg from "pg";
import { type Column, decode, type Numbers } from "@/lib/analytics/packed/layout";

/** Reads packed days. */

/** The columns that were asked for of a part of a day's visitors. */
export interface Chunk {
  /** The day, as the number of days since 1970-01-01. */
  block: number;
  columns: Readonly<Record<Column, Numbers>>;
}

/** Lends a connection for some work. */
export type Lend = <Result>(work: (client: pg.ClientBase) => Promise<Result>) => Promise<Result>;

interface Place {
  block: number;
  chunk: number;
  /** The transaction that wrote it: a day that is packed anew has another. */
  version: string;
}

/** So many chunks are held at once, while those before them are counted. */
const TOGETHER = 4;

/** The packed days of a database. */
export class PackedDays {
  /** Columns that were read before, those that were asked for last. */
  readonly #kept: LRUCache<string, Numbers> | null;

  /** @param keptBytes how much of what was read is kept for the next question. */
  constructor(
    readonly lend: Lend,
    keptBytes = 0,
  ) {
    const sizeCalculation = ({ byteLength }: Numbers) => Math.max(1, byteLength);
    this.#kept = keptBytes > 0 ? new LRUCache({ maxSize: keptBytes, sizeCalculation }) : null;
  }

  /**
   * The chunks of these days one by one, with these columns. No more than a few of them are in memory at any moment,
   * besides what is kept, however many days there are.
   */
  async *chunksOf(siteId: number, blocks: readonly number[], columns: readonly Column[]): AsyncGenerator<Chunk> {
    const places = await this.#placesOf(siteId, blocks);
    const batches = places.flatMap((_, at) => (at % TOGETHER === 0 ? [places.slice(at, at + TOGETHER)] : []));
    let next = batches[0] && this.#read(siteId, batches[0], columns);
    for (let index = 0; next; index++) {
      const chunks: Chunk[] = await next;
      const batch = batches[index + 1];
      next = batch && this.#read(siteId, batch, columns);
      // What is read ahead may fail while nobody waits for it yet.
      next?.catch(() => {});
      for (const chunk of chunks) {
        yield chunk;
        // What was sent meanwhile is answered first.
        await setImmediate();
      }
    }
  }

  async #placesOf(siteId: number, blocks: readonly number[]): Promise<Place[]> {
    const { rows } = await this.lend((client) =>
      client.query<Place>(
        `SELECT block, chunk::int AS chunk, xmin::text AS version FROM facts.packed
         WHERE site_id = $1 AND block = ANY($2::int[]) ORDER BY block, chunk`,
        [siteId, blocks],
      ),
    );
    return rows;
  }

  /** Some chunks, of which only what is not known yet is read. */
  async #read(siteId: number, places: readonly Place[], columns: readonly Column[]): Promise<Chunk[]> {
    const keyOf = ({ block, chunk, version }: Place, column: Column) =>
      `${siteId}/${block}/${chunk}/${version}/${column}`;
    const found = places.map((place) => columns.map((column) => this.#kept?.get(keyOf(place, column))));
    const missing = columns.filter((_, index) => found.some((lists) => lists[index] === undefined));
    const rows = missing.length > 0 ? await this.lend((client) => copied(client, siteId, places, missing)) : [];
    const chunks = places.map(async (place, at): Promise<Chunk[]> => {
      const row = rows.find(({ block, chunk }) => block === place.block && chunk === place.chunk);
      // It was forgotten, or packed anew, since it was looked up.
      if (missing.length > 0 && !row) return [];
      if (row && row.version !== place.version) return this.#read(siteId, [row], columns);
      const lists = columns.map((column, index) => {
        const list = found[at]?.[index] ?? decode(row?.values[missing.indexOf(column)] as Buffer);
        this.#kept?.set(keyOf(place, column), list);
        return [column, list] as const;
      });
      return [{ block: place.block, columns: Object.fromEntries(lists) as Chunk["columns"] }];
    });
    return (await Promise.all(chunks)).flat();
  }
}

interface Row extends Place {
  values: Buffer[];
}

/** What comes before the first row: eleven bytes that say what it is, flags, and the length of nothing more. */
const HEADER_BYTES = 19;

/**
 * Columns as the bytes they are, which only COPY hands over without making a text of them (PostgreSQL's documentation,
 * "COPY", file format "binary"). It takes no parameters: these are numbers, and names of our own.
 */
async function copied(
  client: pg.ClientBase,
  siteId: number,
  places: readonly Place[],
  columns: readonly Column[],
): Promise<Row[]> {
  const wanted = places.map(({ block, chunk }) => `(${block}, ${chunk}::smallint)`);
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const text = `COPY (SELECT block, chunk::int, xmin::text, ${columns.join(", ")} FROM facts.packed
      WHERE site_id = ${siteId} AND (block, chunk) IN (${wanted.join(", ")})) TO STDOUT (FORMAT binary)`;
    const query = new CopyOut(text, (error) => (error ? reject(error) : resolve(Buffer.concat(query.pieces))));
    client.query(query);
  });
  return rowsIn(bytes);
}

/** A statement of which pg hands over what is copied out; by itself it lets that pass. */
class CopyOut extends pg.Query {
  readonly pieces: Buffer[] = [];

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // Its memory is used again for what comes next.
    this.pieces.push(Buffer.from(chunk));
  }
}

function rowsIn(bytes: Buffer): Row[] {
  const rows: Row[] = [];
  let at = HEADER_BYTES;
  for (let count = bytes.readInt16BE(at); count >= 0; count = bytes.readInt16BE(at)) {
    at += 2;
    const values: Buffer[] = [];
    for (let value = 0; value < count; value++) {
      const length = bytes.readInt32BE(at);
      values.push(bytes.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
    const [block, chunk, version] = values.splice(0, 3) as [Buffer, Buffer, Buffer];
    rows.push({ block: block.readInt32BE(), chunk: chunk.readInt32BE(), version: version.toString(), values });
  }
  return rows;
}
