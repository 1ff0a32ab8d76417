import { LRUCache } from "lru-cache";
import { processWide } from "@/lib/platform/process-wide";

/** Maps with keys from untrusted input: each has a size limit and an expiry. */

const SWEEP_MS = 15_000;
/** Precision of expiry: the clock is read at most this often. */
const RESOLUTION_MS = 1_000;

interface Sweepable {
  purgeStale(): boolean;
}

const maps = processWide("bounded-maps", () => new Map<string, Sweepable>());

/** `max` entries, `maxSize` by `sizeCalculation`, or both; `ttl` in milliseconds. */
type MapBounds<Key extends {}, Value extends {}> = LRUCache.Options<Key, Value, unknown> & { ttl: number };

/**
 * Returns the map of this name; each thread has its own. A full map evicts the least recently used entry. Expired
 * entries are deleted every 15 seconds, also while the process is idle.
 */
export function boundedMap<Key extends {}, Value extends {}>(
  name: string,
  bounds: MapBounds<Key, Value>,
): LRUCache<Key, Value> {
  return processWide(`bounded-map ${name}`, () => {
    if (maps.size === 0) setInterval(deleteExpired, SWEEP_MS).unref();
    const map = new LRUCache<Key, Value>({ ttlResolution: RESOLUTION_MS, ...bounds });
    maps.set(name, map);
    return map;
  });
}

/** All maps of this thread by name, for tests. */
export const boundedMaps = (): ReadonlyMap<string, unknown> => maps;

export function deleteExpired(): void {
  for (const map of maps.values()) map.purgeStale();
}
