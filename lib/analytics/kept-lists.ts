import os from "node:os";
import { LRUCache } from "lru-cache";
import type { Lists } from "@/lib/analytics/rollup-lists";
import { reports } from "@/lib/db";
import { processWide } from "@/lib/process-wide";

/** What rollups came to, for whoever asks the same again: a dashboard that is opened once more, or by several people. */

/** Of the machine's memory. */
const KEPT_SHARE = 1 / 512;
const MOST_KEPT_BYTES = 32 * 2 ** 20;
/** What nobody has asked for so long is given back. */
const IDLE_MS = 5 * 60_000;

type Kept = LRUCache<string, readonly Lists[]>;

/** Of each database that reports are asked of: what names a question names it in one of them. */
const ofDatabases = processWide("kept-lists", () => new WeakMap<object, Kept>());

function kept(): Kept {
  const database = reports();
  const known = ofDatabases.get(database);
  if (known) return known;
  const maxSize = Math.min(MOST_KEPT_BYTES, Math.ceil(os.totalmem() * KEPT_SHARE));
  const lifetime = { ttl: IDLE_MS, ttlAutopurge: true, updateAgeOnGet: true };
  const fresh: Kept = new LRUCache({ maxSize, sizeCalculation: bytesOf, ...lifetime });
  ofDatabases.set(database, fresh);
  return fresh;
}

/**
 * What a question comes to, by what it came to before if that is still known. Nobody may change it: others are given the
 * same lists.
 *
 * @param key names the question, and the rollups as they are now.
 */
export async function keptLists(key: string, read: () => Promise<Lists[]>): Promise<readonly Lists[]> {
  const known = kept().get(key);
  if (known) return known;
  const found = await read();
  kept().set(key, found);
  return found;
}

/** Lists may be views of longer ones, which they keep in memory. */
const bytesOf = (all: readonly Lists[]): number =>
  all.reduce(
    (bytes, { ids, sums }) => [ids, ...Object.values(sums)].reduce((sum, { buffer }) => sum + buffer.byteLength, bytes),
    1,
  );
