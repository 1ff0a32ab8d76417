import { singleScript } from "@/bench/support/load";
import { describeMachine, describeSpeed, print, run } from "@/bench/support/stage";
import { onWorld, type WorldStage } from "@/bench/support/world-stage";
import { db } from "@/lib/platform/db";
import { createSite } from "@/lib/sites/create";

/**
 * `npm run bench dashboards [millions]`: how many single events a second are stored while four people look at 90 days of a
 * site with so many million events (9.5 when not given), beside the rate when nobody looks. Both are measured in turn, since
 * a machine is not equally fast from one minute to the next.
 */
const [millions = "9.5"] = process.argv.slice(2);
const ROUNDS = 3;
const SECONDS = 10;
const LOOKERS = 4;
/** A site of its own: the world that is looked at stays as it is. */
const HOST = "busy.bench.example";
/** What the dashboard asks when it is opened. */
const DASHBOARD: [string, Record<string, string>][] = [
  ["analytics.overview", {}],
  ["analytics.chart", { interval: "day" }],
];
/** What every other dashboard is narrowed to, one after the other. */
const COUNTRIES = Array.from({ length: 10 }, (_, nth) => `A${String.fromCharCode("A".charCodeAt(0) + nth)}`);

describeMachine();
await describeSpeed();
await onWorld(Number(millions), async (stage) => {
  await addBusySite(stage.personId);
  const script = singleScript(HOST);
  await run(stage, "warm-up", "/api/event", SECONDS, script);
  // As any server at which somebody has looked: the first page of a kind makes the machine translate what it takes.
  for (const narrowed of [false, true]) await open(stage, narrowed ? "AZ" : null);
  const rates = { alone: [] as number[], looked: [] as number[] };
  const loads: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rates.alone.push(await run(stage, "nobody looks", "/api/event", SECONDS, script));
    const looking = { on: true };
    const lookers = Array.from({ length: LOOKERS }, (_, nth) => look(stage, looking, nth));
    rates.looked.push(await run(stage, "four look", "/api/event", SECONDS, script));
    looking.on = false;
    loads.push(...(await Promise.all(lookers)).flat());
  }
  const [alone, looked] = [mean(rates.alone), mean(rates.looked)];
  print(`${Math.round(alone)} and ${Math.round(looked)} events/s: ${Math.round((100 * looked) / alone)} %`);
  loads.sort((a, b) => a - b);
  const at = (share: number) => Math.round(loads[Math.floor(share * loads.length)] ?? 0);
  print(`${loads.length} dashboards: half of them within ${at(0.5)} ms, nineteen of twenty within ${at(0.95)} ms`);
});

function mean(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Opens dashboards one after the other, half of them narrowed to a country. @returns how many ms each took. */
async function look(stage: WorldStage, looking: { on: boolean }, nth: number): Promise<number[]> {
  const loads: number[] = [];
  for (let turn = nth; looking.on; turn++) {
    const begin = performance.now();
    await open(stage, turn % 2 === 1 ? (COUNTRIES[Math.floor(turn / 2) % COUNTRIES.length] ?? null) : null);
    loads.push(performance.now() - begin);
  }
  return loads;
}

/** @param country what it is narrowed to. */
async function open({ ask }: WorldStage, country: string | null): Promise<void> {
  const narrowed: Record<string, string> = country ? { filters: JSON.stringify({ country }) } : {};
  const asked = DASHBOARD.map(([id, more]) => ask(id, { period: "90d", ...more, ...narrowed }));
  for (const response of await Promise.all(asked)) {
    const text = await response.text();
    if (response.status !== 200) print(`${response.status} ${text.slice(0, 120)}`);
  }
}

async function addBusySite(personId: number): Promise<void> {
  if (await db().siteDomain.findUnique({ where: { host: HOST } })) return;
  const creator = { kind: "owner" as const, personId };
  await createSite(db(), { host: HOST, name: null, timezone: "UTC", public: false, creator, now: new Date() });
}
