import { LRUCache } from "lru-cache";
import { processWide } from "@/lib/platform/process-wide";

/** Maps whose keys strangers choose: each has a size limit and an expiry. */

const SWEEP_MS = 15_000;
/** Expired entries are never returned; their age is known to within this. */
const RESOLUTION_MS = 1_000;

interface Sweepable {
  purgeStale(): boolean;
}

const maps = processWide("bounded-maps", () => new Map<string, Sweepable>());

/** `max` entries, `maxSize` by `sizeCalculation`, or both; `ttl` in milliseconds. */
export type Bounds<Key extends {}, Value extends {}> = LRUCache.Options<Key, Value, unknown> & { ttl: number };

/**
 * The map of this name, one in each thread. The entry that was used least recently makes room for a new one; expired
 * entries are deleted every 15 seconds, so that an idle process forgets them too.
 */
export function boundedMap<Key extends {}, Value extends {}>(
  name: string,
  bounds: Bounds<Key, Value>,
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
