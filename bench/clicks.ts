import { chromium, type Page, type Response } from "playwright";
import { describeMachine, describeSpeed, print } from "@/bench/support/bench-server";
import { withDataset } from "@/bench/support/dataset-server";
import { forms } from "@/e2e/support/forms";
import { hashPassword } from "@/lib/auth/password";
import { db } from "@/lib/platform/db";

/**
 * `npm run bench clicks [millions]`: time in Chromium from a click on the dashboard of a site with so many million
 * events (default 9.5) until new headline numbers are painted, and until the last list is; also the script bytes of the
 * first page. `CHROMIUM` sets a browser other than Playwright's.
 */
const [millions = "9.5"] = process.argv.slice(2);
const TIMES = 10;
const isScript = (response: Response) => response.request().resourceType() === "script";
const sizeOf = async (response: Response) => (await response.request().sizes()).responseBodySize;
const PERSON = { email: "bench@footfall.example", password: "a password of the bench's" };

describeMachine();
await describeSpeed();
await withDataset(Number(millions), async ({ url, siteId, personId }) => {
  await db().person.update({ where: { id: personId }, data: { passwordHash: await hashPassword(PERSON.password) } });
  const { CHROMIUM } = process.env;
  const browser = await chromium.launch({
    ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  // Cookies are bound to the public URL.
  const baseURL = url.replace("127.0.0.1", "localhost");
  const context = await browser.newContext({ baseURL });
  await forms(context.request, baseURL).signIn(PERSON);
  const page = await context.newPage();
  const scripts: Promise<number>[] = [];
  page.on("response", (response) => isScript(response) && scripts.push(sizeOf(response)));
  const opened = Date.now();
  await page.goto(`/sites/${siteId}?period=90d`);
  await page.getByRole("heading", { name: "Devices" }).waitFor();
  print(`opened: ${Date.now() - opened} ms`);
  await page.waitForLoadState("networkidle");
  const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
  print(`scripts of the first page, including the chart: ${Math.round(bytes / 1024)} KB compressed`);

  await measure(["30 days", "90 days"], async (turn) => {
    await page.getByRole("button", { name: /^Period/ }).click();
    return click(page, page.getByRole("link", { name: turn % 2 === 0 ? "Last 30 days" : "Last 90 days" }));
  });
  const countries = page.getByRole("region", { name: "Locations" }).getByRole("table").getByRole("link");
  await measure(["90 days of one country", "all countries"], () => click(page, countries.first()));
  const pages = page.getByRole("region", { name: "Pages" }).getByRole("table").locator("th > a:first-of-type");
  await measure(["90 days of one page", "all pages"], () => click(page, pages.first()));
  await browser.close();
});

/** Time from a click to new content, in ms. */
interface ClickTimes {
  numbers: number;
  lists: number;
}

/** Measures two alternating clicks, ten times each, and prints the results. */
async function measure(names: [string, string], once: (turn: number) => Promise<ClickTimes>): Promise<void> {
  const times: [ClickTimes[], ClickTimes[]] = [[], []];
  for (let turn = 0; turn < 2 * TIMES; turn++) times[turn % 2 === 0 ? 0 : 1].push(await once(turn));
  for (const index of [0, 1] as const) {
    const [numbers, lists] = [times[index].map(({ numbers }) => numbers), times[index].map(({ lists }) => lists)];
    print(`${names[index]}: median ${median(numbers)} ms (${numbers.join(", ")})`);
    print(`  to the last list: median ${median(lists)} ms (${lists.join(", ")})`);
  }
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(((sorted[TIMES / 2 - 1] ?? 0) + (sorted[TIMES / 2] ?? 0)) / 2);
}

/** Clicks a link in the page, and waits until the page is idle. */
async function click(page: Page, link: ReturnType<Page["locator"]>): Promise<ClickTimes> {
  const element = await link.elementHandle();
  const times = await page.evaluate(async (link) => {
    const numbers = () => document.querySelector("button[aria-pressed=true]")?.textContent;
    const before = numbers();
    const begin = performance.now();
    const painted = async (isDone: () => boolean) => {
      while (!isDone()) await new Promise(requestAnimationFrame);
      // Waits for the next frame, when the change is on the screen.
      await new Promise(requestAnimationFrame);
      return Math.round(performance.now() - begin);
    };
    (link as HTMLElement).click();
    return {
      numbers: await painted(() => numbers() !== before),
      lists: await painted(() => document.querySelector("main [aria-busy=true]") === null),
    };
  }, element);
  await page.waitForLoadState("networkidle");
  return times;
}
