import { describeMachine, describeSpeed, print } from "@/bench/support/stage";
import { onWorld, type WorldStage } from "@/bench/support/world-stage";
import { OPERATIONS } from "@/lib/operations/index";

/**
 * `npm run bench queries [millions] [operation]`: how long each report takes, or only one of them, over HTTP on the built
 * server, on a site with 90 days and so many million events (9.5 when not given; 1, 30 and 100 are worth asking for too).
 *
 * Cold: five questions, each with values of filters and a range that nobody has used before. Warm: the last of them five
 * times more. Plain and narrowed by one, two and three filters; one filter is a country and a page in turn.
 */
const [millions = "9.5", only] = process.argv.slice(2);
const RUNS = 5;
const DAYS = 90;
const DAY_MS = 86_400_000;
/** What takes longer is asked once. */
const LONG_MS = 10_000;

/** The values of the made-up world, from the frequent ones on. */
const countries = Array.from({ length: 60 }, (_, n) => String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26)));
const pages = Array.from(
  { length: 300 },
  (_, n) => `${["/blog/post-", "/docs/page-", "/product/item-"][(n + 5) % 3]}${n + 5}`,
);
const browsers = ["Chrome", "Safari", "Firefox", "Edge", "Samsung Internet"];
const at = <Value>(values: readonly Value[], turn: number) => values[turn % values.length] as Value;

const NARROWED: Record<string, (turn: number) => Record<string, string | undefined>> = {
  plain: () => ({}),
  "one filter": (turn) => (turn % 2 ? { page: at(pages, turn) } : { country: at(countries, turn) }),
  "two filters": (turn) => ({ country: at(countries, turn), browser: at(browsers, turn) }),
  "three filters": (turn) => ({ country: at(countries, turn), browser: at(browsers, turn), page: at(pages, turn) }),
};
/** What a report needs besides the common question to have something to do. */
const MORE: Record<string, Record<string, string>> = {
  "analytics.filter_options": { field: "page", q: "post-1" },
  "analytics.funnels": { funnel: "/pricing > /signup > /thanks" },
  "analytics.funnels.advanced": { funnel: "/pricing > /signup > /thanks" },
  "analytics.explore": { metrics: "visitors,pageviews", dimensions: "page,country", limit: "100" },
};
/** No two questions of a run have the same values. */
let turn = 0;

describeMachine();
await describeSpeed();
await onWorld(Number(millions), measureAll);

async function measureAll(stage: WorldStage): Promise<void> {
  const began = performance.now();
  await answered(stage, "analytics.overview", {});
  print(`the first question, which has the site copied: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  print("in ms: cold median / worst, warm median / worst");
  print(`| operation | ${Object.keys(NARROWED).join(" | ")} |`);
  print(
    `|---|${Object.keys(NARROWED)
      .map(() => "---|")
      .join("")}`,
  );
  const names = [...OPERATIONS.keys()].filter((id) => id.startsWith("analytics."));
  for (const id of names.filter((name) => !only || name === `analytics.${only}`)) {
    const cells: string[] = [];
    for (const narrow of Object.values(NARROWED)) cells.push(await measure(stage, id, narrow));
    print(`| ${id.replace("analytics.", "")} | ${cells.join(" | ")} |`);
  }
}

async function measure(
  stage: WorldStage,
  id: string,
  narrow: (turn: number) => Record<string, string | undefined>,
): Promise<string> {
  const question = () => {
    turn++;
    const day = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);
    // A plain question differs from those before it by its range alone.
    const range = { from: day(DAYS - 1 - (turn % RUNS)), to: day(turn % RUNS) };
    const isLive = id === "analytics.realtime";
    return { ...(isLive ? {} : range), filters: JSON.stringify(narrow(turn)), ...MORE[id] };
  };
  const cold: number[] = [];
  const warm: number[] = [];
  let asked = question();
  for (let run = 0; run < RUNS && (cold[0] ?? 0) < LONG_MS; run++) {
    asked = question();
    cold.push(await answered(stage, id, asked));
  }
  for (let run = 0; run < RUNS && (cold[0] ?? 0) < LONG_MS; run++) warm.push(await answered(stage, id, asked));
  return `${described(cold)}, ${described(warm)}`;
}

/** @returns the milliseconds that the answer took. A site that is not copied yet is waited for. */
async function answered({ ask }: WorldStage, id: string, input: Record<string, string>): Promise<number> {
  for (;;) {
    const began = performance.now();
    const response = await ask(id, input);
    const body = await response.text();
    if (response.status === 200) return performance.now() - began;
    if (response.status !== 503)
      throw new Error(`${id} ${JSON.stringify(input)}: ${response.status} ${body.slice(0, 200)}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function described(times: number[]): string {
  if (times.length === 0) return "–";
  const sorted = [...times].sort((a, b) => a - b);
  return `${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} / ${Math.round(sorted.at(-1) ?? 0)}`;
}
