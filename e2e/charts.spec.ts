import { devices, type Page, type Response } from "@playwright/test";
import { DAY_MS } from "@/lib/platform/durations";
import { expectAccessible } from "./support/accessibility";
import { join } from "./support/agents";
import { postPageview } from "./support/events";
import { expect, type OwnedSite, test } from "./support/fixtures";
import { noteMoves } from "./support/layout";

/** The chart of the dashboard. */

const drawn = (page: Page) => page.locator("[data-drawn='by recharts']");
const points = (page: Page) => page.getByRole("slider");

/** Opens a dashboard and waits for its interactive chart. @returns the labels of the chart's buckets */
async function open(page: Page, { siteId }: OwnedSite, query: string): Promise<string[]> {
  await page.goto(`/sites/${siteId}?${query}`);
  await points(page).hover();
  await expect(drawn(page)).toBeVisible();
  const answer = await page.request.get(`/sites/${siteId}/data/chart?${query}`);
  const { chart } = await answer.json();
  return chart.buckets.map(({ label }: { label: string }) => label);
}

/** Screen coordinates of a bucket: slightly above the time axis, or `top` pixels below the top of the chart. */
async function positionOf(page: Page, index: number, buckets: number, top?: number) {
  const box = await points(page).boundingBox();
  if (!box) throw new Error("The chart is not shown.");
  return { x: box.x + (box.width * index) / (buckets - 1), y: box.y + (top ?? box.height - 30) };
}

test.beforeEach(({ siteOwner, server }) => postPageview(server, siteOwner));

test("dragging over days zooms to them, and so do Shift with arrow keys and Enter", async ({ siteOwner: shop }) => {
  const { page } = shop;
  const labels = await open(page, shop, "period=28d");
  const [first, last] = [await positionOf(page, 17, 28), await positionOf(page, 27, 28)];
  await page.mouse.move(first.x, first.y);
  await page.mouse.down();
  await page.mouse.move(last.x, last.y, { steps: 3 });
  await expect(page.getByText(/^11 days selected/)).toBeVisible();
  await page.mouse.up();
  await expect(page).toHaveURL(new RegExp(`from=${labels[17]}&to=${labels[27]}&`));
  await expect(points(page)).toHaveAttribute("aria-valuemax", "10");

  await points(page).press("End");
  await points(page).press("Shift+ArrowLeft");
  await points(page).press("Shift+ArrowLeft");
  await expect(page.getByText(/^3 days selected/)).toBeVisible();
  await points(page).press("Enter");
  await expect(page).toHaveURL(new RegExp(`from=${labels[25]}&to=${labels[27]}&`));
  await page.getByRole("link", { name: "Zoom out" }).click();
  await expect(page).toHaveURL(/\?period=28d$/);
  await expect(points(page)).toHaveAttribute("aria-valuemax", "27");
  await expect(page.getByRole("link", { name: "Zoom out" })).toHaveCount(0);
  await page.goBack();
  await page.goBack();
  await expect(points(page)).toHaveAttribute("aria-valuemax", "10");
});

test("a month and a week zoom to days, and a day to hours, by click and by Enter", { tag: "@full" }, async ({
  siteOwner: shop,
}) => {
  const { page } = shop;
  const months = await open(page, shop, "period=12mo&interval=month");
  const month = await positionOf(page, months.length - 2, months.length);
  await page.mouse.click(month.x, month.y);
  const [begin = ""] = months.slice(-2);
  const end = new Date(Date.parse(months.at(-1) ?? "") - DAY_MS).toISOString().slice(0, 10);
  await expect(page).toHaveURL(new RegExp(`from=${begin}&to=${end}&`));

  const weeks = await open(page, shop, "period=28d&interval=week");
  const week = await positionOf(page, 1, weeks.length);
  await page.mouse.click(week.x, week.y);
  const sunday = new Date(Date.parse(weeks[2] ?? "") - DAY_MS).toISOString().slice(0, 10);
  await expect(page).toHaveURL(new RegExp(`from=${weeks[1]}&to=${sunday}&`));

  const days = await open(page, shop, "period=7d");
  await points(page).press("End");
  await points(page).press("Enter");
  await expect(page).toHaveURL(new RegExp(`from=${days[6]}&to=${days[6]}&`));
  await expect(page.getByRole("slider", { name: "Visitors by hour" })).toHaveAttribute("aria-valuemax", "23");
});

test("the legend hides a series and shows it again; the last one stays", { tag: "@full" }, async ({
  siteOwner: shop,
}) => {
  const { page } = shop;
  await open(page, shop, "period=7d");
  const [visitors, before] = [
    page.getByRole("list", { name: "Series" }).getByRole("button", { name: "Visitors" }),
    page.getByRole("list", { name: "Series" }).getByRole("button").nth(1),
  ];
  const dotted = drawn(page).locator(".recharts-line path");
  await points(page).press("End");
  await expect(points(page)).toHaveAttribute("aria-valuetext", /: 1, still counting; .*: 0$/);
  await expect(dotted).toHaveCount(1);
  await before.click();
  await expect(before).toHaveAttribute("aria-pressed", "false");
  await expect(points(page)).toHaveAttribute("aria-valuetext", /: 1, still counting$/);
  await expect(dotted).toHaveCount(0);
  await visitors.press("Enter");
  await expect(visitors).toHaveAttribute("aria-pressed", "true");
  await before.click();
  await expect(dotted).toHaveCount(1);
});

test("a second metric has its own axis and is stored in the URL", { tag: "@full" }, async ({ siteOwner: shop }) => {
  const { page } = shop;
  await open(page, shop, "period=7d&compare=none");
  await page.getByLabel("Second metric").selectOption("Bounce rate");
  await expect(page).toHaveURL(/metric2=bounce_rate/);
  await expect(drawn(page).getByText("100%", { exact: true })).toBeVisible();
  await points(page).press("End");
  await expect(points(page)).toHaveAttribute("aria-valuetext", /: Visitors 1, Bounce rate 100%, still counting$/);
  await page.reload();
  await expect(page.getByRole("slider", { name: "Visitors and Bounce rate by day" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Series" }).getByRole("listitem")).toHaveText([
    /^Visitors/,
    "Bounce rate",
  ]);
  await expectAccessible(page, "a chart of two metrics");
});

test("a manager annotates a day by click and by key, and its marker and text are shown", { tag: "@full" }, async ({
  siteOwner: shop,
  owner,
  server,
}) => {
  const { page } = shop;
  const labels = await open(page, shop, "period=28d");
  const marker = page.locator("[data-marker]");
  const dialog = page.getByRole("dialog");
  await expect(marker).toHaveCount(0);
  const day = await positionOf(page, 12, 28);
  await page.mouse.move(day.x, day.y);
  await page.getByRole("button", { name: /^Add annotation to / }).click();
  await expect(dialog.getByLabel("Date")).toHaveValue(labels[12] ?? "");
  await dialog.getByLabel("Text").fill("Version 2.0 is live");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(marker).toHaveCount(1);

  await points(page).press("Home");
  for (let index = 0; index < 12; index++) await points(page).press("ArrowRight");
  await expect(points(page)).toHaveAttribute("aria-valuetext", /; Note: Version 2.0 is live$/);
  await expect(page.getByText("Note: Version 2.0 is live")).toBeVisible();
  await expectAccessible(page, "a chart with a marker");

  await points(page).press("End");
  await points(page).press("a");
  await expect(dialog.getByLabel("Date")).toHaveValue(labels[27] ?? "");
  await dialog.getByRole("button", { name: "Cancel" }).click();

  const bob = await owner();
  await join(server, shop.siteId, bob.email, "viewer");
  await open(bob.page, shop, "period=28d");
  await expect(bob.page.locator("[data-marker]")).toHaveCount(1);
  await bob.page.mouse.move(day.x, day.y);
  await expect(bob.page.getByText("Note: Version 2.0 is live")).toBeVisible();
  await expect(bob.page.getByRole("button", { name: /^Add annotation/ })).toHaveCount(0);
});

test("the table contains the data of the chart", async ({ siteOwner: shop }) => {
  const { page } = shop;
  await open(page, shop, "period=7d");
  await page.getByRole("button", { name: "Show as table" }).click();
  const table = page.getByRole("table", { name: /^Visitors by day/ });
  await expect(table.getByRole("row")).toHaveCount(8);
  await expect(table.getByRole("row").last()).toHaveText(/still counting\)1/);
  await expectAccessible(page, "a chart as a table");
  await page.getByRole("button", { name: "Show as chart" }).click();
  await expect(drawn(page)).toBeVisible();
});

test("a tap shows the values of a day without changing the view, and a button opens the day", { tag: "@full" }, async ({
  fresh,
  siteOwner: shop,
}) => {
  const storageState = await shop.page.context().storageState();
  const page = await fresh({ ...devices["Pixel 7"], storageState });
  await page.goto(`/sites/${shop.siteId}?period=28d`);
  const url = page.url();
  await points(page).scrollIntoViewIfNeeded();
  const { x, y } = await positionOf(page, 27, 28, 40);
  await page.touchscreen.tap(x - 2, y);
  await expect(page.getByText("Still counting")).toBeVisible();
  await expect(drawn(page)).toBeVisible();
  expect(page.url()).toBe(url);
  await page.getByRole("button", { name: /^Open / }).click();
  await expect(page.getByRole("slider", { name: "Visitors by hour" })).toBeVisible();
});

const sizeOf = async (response: Response) => (await response.request().sizes()).responseBodySize;
const isRecharts = async (script: Response) => (await script.text()).includes("recharts-layer");

/** Records the scripts that a page fetches from now on. */
function recordScripts(page: Page): Response[] {
  const scripts: Response[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response);
  });
  return scripts;
}

test("a dashboard that is read loads at most 250 KB of script; recharts comes when the chart is pointed at, without a layout shift", async ({
  fresh,
  siteOwner: shop,
}) => {
  const storageState = await shop.page.context().storageState();
  const read = async () => (await shop.page.request.get(`/sites/${shop.siteId}?period=7d`)).text();
  // The first report copies the site.
  await expect
    .poll(read)
    .toMatch(/aria-label="Visitors by day[^"]*highest 1 .*data-drawn="by the server".*<path [^>]*fill="url/s);

  const page = await fresh({ storageState });
  const scripts = recordScripts(page);
  const readMoves = await noteMoves(page);
  await page.goto(`/sites/${shop.siteId}?period=7d`);
  await expect(page.getByRole("region", { name: "Devices" })).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  // Loaded last, when the browser is idle.
  await expect(page.getByRole("region", { name: "Messages (F8)" })).toBeAttached();
  await page.waitForLoadState("networkidle");
  const first = [...scripts];
  const encodings = await Promise.all(first.map((script) => script.headerValue("content-encoding")));
  const sizes = await Promise.all(first.map(sizeOf));
  // The server does not compress what fits into one packet anyway.
  const large = encodings.filter((_, index) => (sizes[index] ?? 0) >= 1024);
  expect(new Set(large)).toEqual(new Set(["gzip"]));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  expect(await Promise.all(first.map(isRecharts))).not.toContain(true);
  await expect(page.locator("[data-drawn='by the server']")).toBeVisible();

  await points(page).hover();
  await expect(drawn(page)).toBeVisible();
  expect(await Promise.all(scripts.slice(first.length).map(isRecharts))).toContain(true);
  expect(await readMoves()).toEqual([]);
});

test("with Save-Data recharts is not fetched, and the chart can still be read and zoomed", { tag: "@full" }, async ({
  fresh,
  siteOwner: shop,
}) => {
  const page = await fresh({ storageState: await shop.page.context().storageState() });
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  const scripts = recordScripts(page);
  await page.goto(`/sites/${shop.siteId}?period=28d`);
  await points(page).press("End");
  await expect(page.getByText("Still counting")).toBeVisible();
  await points(page).press("Shift+ArrowLeft");
  await points(page).press("Enter");
  await expect(page.getByRole("slider", { name: "Visitors by hour" })).toHaveAttribute("aria-valuemax", "47");
  await expect(page.locator("[data-drawn='by the server']")).toBeVisible();
  expect(await Promise.all(scripts.map(isRecharts))).not.toContain(true);
});
