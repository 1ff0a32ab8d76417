import { describeMachine, describeSpeed, print, run } from "@/bench/support/bench-server";
import { type DatasetServer, withDataset } from "@/bench/support/dataset-server";
import { singleScript } from "@/bench/support/load";
import { db } from "@/lib/platform/db";
import { createSite } from "@/lib/sites/create";

/**
 * `npm run bench dashboards [millions]`: single events stored per second while four people view 90 days of a site with
 * so many million events (default 9.5), and without any viewers. Both are measured in alternation, because the speed of
 * a machine varies from minute to minute.
 */
const [millions = "9.5"] = process.argv.slice(2);
const ROUNDS = 3;
const SECONDS = 10;
const VIEWERS = 4;
/** A separate site, so that the viewed dataset does not change. */
const HOST = "busy.bench.example";
/** The operations that a dashboard calls when it is opened. */
const DASHBOARD: [string, Record<string, string>][] = [
  ["analytics.overview", {}],
  ["analytics.chart", { interval: "day" }],
];
/** Country filters of every other dashboard, in rotation. */
const COUNTRIES = Array.from({ length: 10 }, (_, nth) => `A${String.fromCharCode("A".charCodeAt(0) + nth)}`);

describeMachine();
await describeSpeed();
await withDataset(Number(millions), async (target) => {
  await addBusySite(target.personId);
  const script = singleScript(HOST);
  await run(target, "warm-up", "/api/event", SECONDS, script);
  // Opens both kinds of dashboards once, as on any server in use: the first one of a kind includes JIT compilation.
  for (const filtered of [false, true]) await openDashboard(target, filtered ? "AZ" : null);
  const rates = { idle: [] as number[], viewed: [] as number[] };
  const loads: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rates.idle.push(await run(target, "no viewers", "/api/event", SECONDS, script));
    const viewing = { on: true };
    const viewers = Array.from({ length: VIEWERS }, (_, nth) => viewDashboards(target, viewing, nth));
    rates.viewed.push(await run(target, "four viewers", "/api/event", SECONDS, script));
    viewing.on = false;
    loads.push(...(await Promise.all(viewers)).flat());
  }
  const [idle, viewed] = [mean(rates.idle), mean(rates.viewed)];
  print(`${Math.round(idle)} and ${Math.round(viewed)} events/s: ${Math.round((100 * viewed) / idle)} %`);
  loads.sort((a, b) => a - b);
  const at = (share: number) => Math.round(loads[Math.floor(share * loads.length)] ?? 0);
  print(`${loads.length} dashboards: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`);
});

function mean(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Opens dashboards sequentially, half of them with a country filter. @returns the duration of each in ms. */
async function viewDashboards(target: DatasetServer, viewing: { on: boolean }, nth: number): Promise<number[]> {
  const loads: number[] = [];
  for (let turn = nth; viewing.on; turn++) {
    const begin = performance.now();
    await openDashboard(target, turn % 2 === 1 ? (COUNTRIES[Math.floor(turn / 2) % COUNTRIES.length] ?? null) : null);
    loads.push(performance.now() - begin);
  }
  return loads;
}

/** @param country the country filter, or null. */
async function openDashboard({ callOperation }: DatasetServer, country: string | null): Promise<void> {
  const filtered: Record<string, string> = country ? { filters: JSON.stringify({ country }) } : {};
  const requests = DASHBOARD.map(([id, more]) => callOperation(id, { period: "90d", ...more, ...filtered }));
  for (const response of await Promise.all(requests)) {
    const text = await response.text();
    if (response.status !== 200) print(`${response.status} ${text.slice(0, 120)}`);
  }
}

async function addBusySite(personId: number): Promise<void> {
  if (await db().siteDomain.findUnique({ where: { host: HOST } })) return;
  const creator = { kind: "owner" as const, personId };
  await createSite(db(), { host: HOST, name: null, timezone: "UTC", public: false, creator, now: new Date() });
}
