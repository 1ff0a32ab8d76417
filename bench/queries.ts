import { describeMachine, describeSpeed, print } from "@/bench/support/stage";
import { onWorld, type WorldStage } from "@/bench/support/world-stage";
import { OPERATIONS } from "@/lib/operations/index";

/**
 * `npm run bench queries [millions] [operation]`: how long each report takes, or only one of them, over HTTP on the built
 * server, on a site with 90 days and so many million events (9.5 when not given), plain, narrowed to a country and to a
 * page.
 */
const [millions = "9.5", only] = process.argv.slice(2);
const RUNS = 7;
/** What takes longer is not asked so often. */
const LONG_MS = 5_000;

const NARROWED: Record<string, Record<string, string>> = {
  plain: {},
  country: { filters: '{"country":"AA"}' },
  page: { filters: '{"page":"/blog/post-6"}' },
};
/** What a report needs besides the common question to have something to do. */
const MORE: Record<string, Record<string, string>> = {
  "analytics.filter_options": { field: "page", q: "post-1" },
  "analytics.funnels": { funnel: "/pricing > /signup > /thanks" },
  "analytics.funnels.advanced": { funnel: "/pricing > /signup > /thanks" },
  "analytics.explore": { metrics: "visitors,pageviews", dimensions: "page,country", limit: "100" },
};

const PERIODS = ["today", "30d", "90d", "12mo"];
/** Of which operation a whole year is asked: the world holds 90 days of it, but not every report is made for that much. */
const OF_A_YEAR = "analytics.overview";

describeMachine();
await describeSpeed();
await onWorld(Number(millions), measureAll);

async function measureAll(stage: WorldStage): Promise<void> {
  print("median / 95th percentile in ms");
  print(
    `| operation | ${PERIODS.flatMap((period) => Object.keys(NARROWED).map((how) => `${period} ${how}`)).join(" | ")} |`,
  );
  const names = [...OPERATIONS.keys()].filter((id) => id.startsWith("analytics."));
  for (const id of names.filter((name) => !only || name === `analytics.${only}`)) {
    const cells: string[] = [];
    for (const period of PERIODS) {
      for (const narrowed of Object.values(NARROWED)) {
        const asked = period !== "12mo" || id === OF_A_YEAR;
        cells.push(asked ? await measure(stage, id, { period, ...narrowed, ...MORE[id] }) : "");
      }
    }
    print(`| ${id.replace("analytics.", "")} | ${cells.join(" | ")} |`);
  }
}

async function measure({ ask }: WorldStage, id: string, input: Record<string, string>): Promise<string> {
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const begin = performance.now();
    const response = await ask(id, input);
    const body = await response.text();
    if (response.status !== 200) return `${response.status} ${body.slice(0, 60)}`;
    // The first warms the caches.
    if (run > 0) times.push(performance.now() - begin);
    if (performance.now() - begin > LONG_MS && run >= 1) break;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0);
  return `${at(0.5)} / ${at(0.95)}`;
}
