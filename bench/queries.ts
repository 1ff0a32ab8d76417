import { describeMachine, describeSpeed, print } from "@/bench/support/bench-server";
import { type DatasetServer, withDataset } from "@/bench/support/dataset-server";
import { OPERATIONS } from "@/lib/operations/index";
import { DAY_MS } from "@/lib/platform/durations";

/**
 * `npm run bench queries [millions] [operation]`: duration of each report, or of one, over HTTP on the built server,
 * for a site with 90 days and so many million events (default 9.5; 1, 30 and 100 are useful too).
 *
 * Cold: five requests, each with new filter values and a new range. Warm: five repetitions of the last one. Without
 * filters and with one, two and three; the single filter alternates between country and page.
 */
const [millions = "9.5", only] = process.argv.slice(2);
const RUNS = 5;
const DAYS = 90;
/** Slower reports are requested only once. */
const LONG_MS = 10_000;

/** The values of the dataset, the most frequent first. */
const countries = Array.from({ length: 60 }, (_, n) => String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26)));
const pages = Array.from(
  { length: 300 },
  (_, n) => `${["/blog/post-", "/docs/page-", "/product/item-"][(n + 5) % 3]}${n + 5}`,
);
const browsers = ["Chrome", "Safari", "Firefox", "Edge", "Samsung Internet"];
const at = <Value>(values: readonly Value[], turn: number) => values[turn % values.length] as Value;

const FILTERS: Record<string, (turn: number) => Record<string, string | undefined>> = {
  plain: () => ({}),
  "one filter": (turn) => (turn % 2 ? { page: at(pages, turn) } : { country: at(countries, turn) }),
  "two filters": (turn) => ({ country: at(countries, turn), browser: at(browsers, turn) }),
  "three filters": (turn) => ({ country: at(countries, turn), browser: at(browsers, turn), page: at(pages, turn) }),
};
/** Extra parameters that reports need. */
const EXTRA_PARAMETERS: Record<string, Record<string, string>> = {
  "analytics.filter_options": { field: "page", q: "post-1" },
  "analytics.funnels": { funnel: "/pricing > /signup > /thanks" },
  "analytics.funnels.advanced": { funnel: "/pricing > /signup > /thanks" },
  "analytics.explore": { metrics: "visitors,pageviews", dimensions: "page,country", limit: "100" },
};
/** Increases with each request, so that no two requests have the same values. */
let turn = 0;

describeMachine();
await describeSpeed();
await withDataset(Number(millions), measureAll);

async function measureAll(target: DatasetServer): Promise<void> {
  const began = performance.now();
  await timeRequest(target, "analytics.overview", {});
  print(`the first request, including the copy of the site: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  print("in ms: cold median / worst, warm median / worst");
  print(`| operation | ${Object.keys(FILTERS).join(" | ")} |`);
  print(
    `|---|${Object.keys(FILTERS)
      .map(() => "---|")
      .join("")}`,
  );
  const names = [...OPERATIONS.keys()].filter((id) => id.startsWith("analytics."));
  for (const id of names.filter((name) => !only || name === `analytics.${only}`)) {
    const cells: string[] = [];
    for (const filters of Object.values(FILTERS)) cells.push(await measure(target, id, filters));
    print(`| ${id.replace("analytics.", "")} | ${cells.join(" | ")} |`);
  }
}

async function measure(
  target: DatasetServer,
  id: string,
  filters: (turn: number) => Record<string, string | undefined>,
): Promise<string> {
  const nextInput = () => {
    turn++;
    const day = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);
    // Requests without filters differ by their range.
    const range = { from: day(DAYS - 1 - (turn % RUNS)), to: day(turn % RUNS) };
    const isLive = id === "analytics.realtime";
    return { ...(isLive ? {} : range), filters: JSON.stringify(filters(turn)), ...EXTRA_PARAMETERS[id] };
  };
  const cold: number[] = [];
  const warm: number[] = [];
  let input = nextInput();
  for (let run = 0; run < RUNS && (cold[0] ?? 0) < LONG_MS; run++) {
    input = nextInput();
    cold.push(await timeRequest(target, id, input));
  }
  for (let run = 0; run < RUNS && (cold[0] ?? 0) < LONG_MS; run++) warm.push(await timeRequest(target, id, input));
  return `${formatTimes(cold)}, ${formatTimes(warm)}`;
}

/** @returns the response time in ms. Waits for the copy of the site if it is not ready. */
async function timeRequest(
  { callOperation }: DatasetServer,
  id: string,
  input: Record<string, string>,
): Promise<number> {
  for (;;) {
    const began = performance.now();
    const response = await callOperation(id, input);
    const body = await response.text();
    if (response.status === 200) return performance.now() - began;
    if (response.status !== 503)
      throw new Error(`${id} ${JSON.stringify(input)}: ${response.status} ${body.slice(0, 200)}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function formatTimes(times: number[]): string {
  if (times.length === 0) return "–";
  const sorted = [...times].sort((a, b) => a - b);
  return `${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} / ${Math.round(sorted.at(-1) ?? 0)}`;
}
