import { singleScript } from "@/bench/support/load";
import { describeMachine, describeSpeed, print, run } from "@/bench/support/stage";
import { onWorld, type WorldStage } from "@/bench/support/world-stage";
import { db } from "@/lib/db";
import { createSite } from "@/lib/sites/create";

/**
 * `npm run bench dashboards [millions]`: how many single events a second are stored while four people look at 90 days of a
 * site with so many million events (9.5 when not given), beside the rate when nobody looks.
 */
const [millions = "9.5"] = process.argv.slice(2);
const SECONDS = 20;
const LOOKERS = 4;
/** A site of its own: the world that is looked at stays as it is. */
const HOST = "busy.bench.example";
/** What the dashboard asks when it is opened. */
const DASHBOARD: [string, Record<string, string>][] = [
  ["analytics.overview", {}],
  ["analytics.chart", { interval: "day" }],
];

describeMachine();
await describeSpeed();
await onWorld(Number(millions), async (stage) => {
  await addBusySite(stage.personId);
  const script = singleScript(HOST);
  await run(stage, "warm-up", "/api/event", 5, script);
  await run(stage, "nobody looks", "/api/event", SECONDS, script);
  const looking = { on: true };
  const lookers = Array.from({ length: LOOKERS }, () => look(stage, looking));
  await run(stage, "four look", "/api/event", SECONDS, script);
  looking.on = false;
  const loads = (await Promise.all(lookers)).flat().sort((a, b) => a - b);
  print(
    `${loads.length} dashboards loaded, half of them within ${Math.round(loads[Math.floor(loads.length / 2)] ?? 0)} ms`,
  );
  await run(stage, "nobody again", "/api/event", SECONDS, script);
});

/** Opens dashboards one after the other, half of them narrowed to a country. @returns how many ms each took. */
async function look({ ask }: WorldStage, looking: { on: boolean }): Promise<number[]> {
  const loads: number[] = [];
  while (looking.on) {
    const begin = performance.now();
    const narrowed: Record<string, string> = loads.length % 2 === 1 ? { filters: '{"country":"AA"}' } : {};
    const asked = DASHBOARD.map(([id, more]) => ask(id, { period: "90d", ...more, ...narrowed }));
    for (const response of await Promise.all(asked)) {
      const text = await response.text();
      if (response.status !== 200) print(`${response.status} ${text.slice(0, 120)}`);
    }
    loads.push(performance.now() - begin);
  }
  return loads;
}

async function addBusySite(personId: number): Promise<void> {
  if (await db().siteDomain.findUnique({ where: { host: HOST } })) return;
  const creator = { kind: "owner" as const, personId };
  await createSite(db(), { host: HOST, name: null, timezone: "UTC", public: false, creator, now: new Date() });
}
