import type { LRUCache } from "lru-cache";
import { test as concurrent, expect, onTestFinished, vi } from "vitest";
import { dictionaryNames } from "@/lib/ingest/event/catalogue";
import { limitKey, limitRate } from "@/lib/ingest/site/limits";
import { cachesOf } from "@/lib/ingest/store/dictionary";
import { boundedMaps, deleteExpired } from "@/lib/platform/bounded-map";
import { DAY_MS } from "@/lib/platform/durations";
import { reportTime } from "@/lib/platform/report-time";
import { PATIENT_MS } from "@/lib/testing/patience";
import "@/lib/platform/counted-address";
import "@/lib/ingest/enrich/agent";
import "@/lib/analytics/query/patterns";
import "@/lib/ingest/enrich/agent";
import "@/lib/ingest/api/keys";
import "@/lib/ingest/identity/salts";
import "@/lib/ingest/site/sites";
import "@/lib/ingest/enrich/classify";
import "@/lib/ingest/identity/visitor";
import "@/lib/oauth/client-assertion";
import "@/lib/oauth/client-metadata";
import "@/lib/server/tracker-scripts";
import "@/lib/sites/last-event";

/** Sequential, because the tests flood the maps of the process, and one moves their clock. */
const test = concurrent.sequential;

/** More keys than any map holds. */
const FLOOD = 200_000;
const KEY_LENGTH = 40;

/** The number of 40-character keys that each map holds. */
const LIMITS: Record<string, number> = {
  agents: 20_000,
  "assistant-keys": 500,
  "client-hints": 20_000,
  "client-metadata": 500,
  "counted-addresses": 10_000,
  "ingest-keys": 20_000,
  "ingest-quota": 20_000,
  "ingest-rate-addresses": 100_000,
  "ingest-rate-keys": 20_000,
  "ingest-site-renewals": 20_000,
  "ingest-sites": 20_000,
  languages: 2_000,
  "last-events": 10_000,
  "month-salts": 20_000,
  "page-rate": 24_000_000 / (KEY_LENGTH + 120),
  "report-time": 100_000,
  patterns: 1_000,
  "plausible-scripts": 200,
  salts: 40_000,
  "scrubbed-keys": 2_000,
  "scrubbed-names": 5_000,
  visitors: 20_000,
};
for (const name of dictionaryNames)
  Object.assign(LIMITS, { [`${name} ids`]: 50_000, [`${name} others`]: 10_000, [`${name} new values`]: 5_000 });

function allMaps(): [name: string, map: LRUCache<string, object>][] {
  reportTime();
  for (const name of dictionaryNames) cachesOf(name);
  return [...(boundedMaps() as ReadonlyMap<string, LRUCache<string, object>>)];
}

test("a flood of addresses does not reset the limit of an ingest key", () => {
  const [keyId, siteId, now] = [2_000_000_001, 2_000_000_002, new Date("2026-03-01T12:00:00Z")];
  for (let n = 0; n < 600; n++) limitKey(keyId, now);
  expect(() => limitKey(keyId, now)).toThrow("600 requests a minute");
  for (let n = 0; n < FLOOD; n++) limitRate(siteId, `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, now);
  expect(() => limitKey(keyId, now)).toThrow("600 requests a minute");
});

test("more untrusted keys than a map holds never exceed its limit, and all of them expire", async () => {
  const maps = allMaps();
  expect(maps.map(([name]) => name).sort()).toEqual(Object.keys(LIMITS).sort());
  const keys = Array.from({ length: FLOOD }, (_, n) => `${n}`.padStart(KEY_LENGTH, "x"));
  for (const [name, map] of maps) {
    const limit = LIMITS[name] ?? 0;
    for (const key of keys.slice(0, limit + 10_000)) map.set(key, {});
    expect(map.size, name).toBe(limit);
    expect(map.ttl, name).toBeLessThanOrEqual(DAY_MS);
  }
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 2 * DAY_MS);
  onTestFinished(async () => {
    clock.mockRestore();
    // Other tests in this process use the same maps, which must read the real clock again.
    await vi.waitFor(() => expect(maps.every(([, map]) => map.set("x", {}).has("x"))).toBe(true), {
      timeout: PATIENT_MS,
    });
    for (const [, map] of maps) map.clear();
  });
  // Maps read the clock once a second.
  await vi.waitFor(
    () => {
      deleteExpired();
      expect(maps.filter(([, map]) => map.size > 0).map(([name]) => name)).toEqual([]);
    },
    { timeout: PATIENT_MS },
  );
});
