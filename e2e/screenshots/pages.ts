import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { REPORTS } from "@/components/reports/pages/catalogue";
import { type Demo, startDemo } from "../support/demo";
import { forms } from "../support/forms";

const root = path.resolve(import.meta.dirname, "../..");
const folder = path.join(root, "screenshots");

/** File name of the picture, and path of the page. */
type Shown = [name: string, path: string];

const PUBLIC: Shown[] = [
  ["landing", "/"],
  ["sign-in", "/login"],
  ["sign-up", "/signup"],
  ["docs", "/docs"],
  ["docs-tracker", "/docs/tracker"],
  ["docs-agents", "/docs/agents"],
  ["docs-metrics", "/docs/metrics"],
  ["docs-identity", "/docs/identity"],
  ["docs-webhooks", "/docs/webhooks"],
  ["docs-api", "/docs/api"],
  ["docs-operation", "/docs/api/analytics.overview"],
  ["error-no-page", "/no-such-page"],
];

const SETTINGS = [
  "general",
  "domains",
  "people",
  "goals",
  "privacy",
  "exclusions",
  "tracking",
  "measurement",
  "proxy",
  "monitoring",
  "rates",
  "data",
  "danger",
];

/** The owner's pages, for a site with demo data and for an empty one. */
const owned = (full: number, empty: number): Shown[] => [
  ["sites", "/sites"],
  ["site-new", "/sites/new"],
  ["dashboard", `/sites/${full}`],
  ["dashboard-narrowed", `/sites/${full}?filters={"country":"DE"}&period=90d`],
  ["dashboard-details", `/sites/${full}?details=page`],
  ["dashboard-chosen", `/sites/${full}?panels=metrics,chart,sources,pages,funnels,commerce`],
  ["dashboard-empty", `/sites/${empty}`],
  ["dashboard-error", `/sites/${full}?filters[moon]=full`],
  ["install-waiting", `/sites/${empty}/install`],
  ["install-counting", `/sites/${full}/install`],
  ...Object.keys(REPORTS).flatMap((report): Shown[] => [
    [`report-${report}`, `/sites/${full}/reports/${report}`],
    [`report-${report}-empty`, `/sites/${empty}/reports/${report}`],
  ]),
  ...SETTINGS.map((page): Shown => [`settings-${page}`, `/sites/${full}/settings/${page}`]),
  ["agents-empty", "/agents"],
  ["approvals-empty", "/approvals"],
  ["device", "/device"],
  ["account", "/account"],
  ["admin", "/admin"],
];

const SCREENS = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

let server: Demo;
test.beforeAll(async ({ playwright }) => {
  server = await startDemo();
  const request = await playwright.request.newContext({ baseURL: server.url });
  await forms(request, server.url).signIn(server.person);
  // Until the events are prepared for reports, pages say so.
  const status = async () => (await request.get("/sites/1/reports/heatmap/download?format=json")).status();
  await expect.poll(status, { timeout: 60_000 }).toBe(200);
  await request.dispose();
});
test.afterAll(() => server.stop());

test("every page on phone and desktop, in light and dark mode", async ({ browser }) => {
  rmSync(folder, { recursive: true, force: true });
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: "reduce" });
  const owner = forms(context.request, server.url);
  await owner.signIn(server.person);
  const empty = await owner.addSite("nothing-yet.example");
  await picture(await browser.newContext({ baseURL: server.url, reducedMotion: "reduce" }), PUBLIC);
  await picture(context, owned(1, empty));
});

test("the dashboard for the README, and at double resolution for the landing page", async ({ browser }) => {
  const highResolution = { baseURL: server.url, reducedMotion: "reduce", deviceScaleFactor: 2 } as const;
  const context = await browser.newContext(highResolution);
  await forms(context.request, server.url).signIn(server.person);
  const page = await context.newPage();
  for (const [screen, size] of Object.entries(SCREENS)) {
    await page.setViewportSize(size);
    await page.goto("/sites/1");
    await page.waitForLoadState("networkidle");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      const name = `dashboard${screen === "phone" ? "-phone" : ""}${colorScheme === "dark" ? "-dark" : ""}`;
      await page.screenshot({ path: path.join(root, "assets", `${name}.png`), scale: "css" });
      writeFileSync(path.join(root, "assets", `${name}.webp`), await asWebp(page, await page.screenshot()));
    }
  }
  await context.close();
});

/** WebP quality (0 to 1) without a visible difference, at less than half the bytes of PNG. */
const QUALITY = 0.8;

/** Converts a PNG to WebP in the browser. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const written = await page.evaluate(
    async ([source, quality]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", quality);
    },
    [`data:image/png;base64,${png.toString("base64")}`, QUALITY] as const,
  );
  return Buffer.from(written.split(",")[1] ?? "", "base64");
}

async function picture(context: BrowserContext, pages: Shown[]): Promise<void> {
  const page = await context.newPage();
  for (const [name, address] of pages) {
    await page.setViewportSize(SCREENS.desk);
    await page.goto(address);
    await page.waitForLoadState("networkidle");
    for (const [screen, size] of Object.entries(SCREENS)) {
      await page.setViewportSize(size);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await settled(page);
        const wide = await page.evaluate("document.documentElement.scrollWidth");
        expect.soft(wide, `${address} on a ${screen}: pixels wide`).toBeLessThanOrEqual(size.width);
        await page.screenshot({
          path: path.join(folder, `${screen}-${colorScheme}`, `${name}.png`),
          fullPage: name !== "dashboard",
        });
      }
    }
    await page.emulateMedia({ colorScheme: "light" });
  }
  await context.close();
}

/** Waits two frames: charts measure their container again when it changes. */
const settled = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
