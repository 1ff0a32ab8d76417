import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright";
import { SETTINGS_PATHS } from "@/components/shell/settings-pages";
import { startDemo } from "@/e2e/support/demo";
import { forms } from "@/e2e/support/forms";
import { REPORTS } from "@/lib/contract/reports";

/** `npm run screenshots`: pictures of every page on phone and desktop, in light and dark mode. */

const folder = "screenshots";

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
  ...Object.keys(REPORTS).flatMap((report): Shown[] => [
    [`report-${report}`, `/sites/${full}/reports/${report}`],
    [`report-${report}-empty`, `/sites/${empty}/reports/${report}`],
  ]),
  ...Object.entries(SETTINGS_PATHS).map(([page, path]): Shown => [`settings-${page}`, `/sites/${full}/${path}`]),
  ["combined", "/sites/combined"],
  ["teams", "/teams"],
  ["agents-empty", "/agents"],
  ["approvals-empty", "/approvals"],
  ["device", "/device"],
  ["authorize-error", "/oauth/authorize?client_id=unknown"],
  ["account", "/account"],
  ["account-log", "/account/log"],
  ["token-new", "/account/tokens/new"],
  ["admin", "/admin"],
];

const SCREENS = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

const demo = await startDemo();
const browser = await chromium.launch({
  executablePath: process.env.HEADLESS_SHELL || process.env.CHROMIUM || undefined,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const contextOf = (more: BrowserContextOptions = {}) =>
  browser.newContext({ baseURL: demo.url, reducedMotion: "reduce", ...more });
/** Pages that scroll sideways. */
const tooWide: string[] = [];
try {
  rmSync(folder, { recursive: true, force: true });
  await picture(await contextOf(), PUBLIC);
  const signedIn = await contextOf();
  const owner = forms(signedIn.request, demo.url);
  await owner.signIn(demo.person);
  const { url } = await owner.call("sites.links.create", { site_id: 1, name: "Press" });
  await picture(signedIn, [...owned(1, await owner.addSite("nothing-yet.example")), ["private-link", url]]);
  await pictureDashboard();
} finally {
  await browser.close();
  await demo.stop();
}
if (tooWide.length > 0) throw new Error(`Pages are wider than the screen:\n${tooWide.join("\n")}`);

/** The dashboard for the README, and at double resolution for the landing page. */
async function pictureDashboard(): Promise<void> {
  const context = await contextOf({ deviceScaleFactor: 2 });
  await forms(context.request, demo.url).signIn(demo.person);
  const page = await context.newPage();
  for (const [screen, size] of Object.entries(SCREENS)) {
    await page.setViewportSize(size);
    await page.goto("/sites/1");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      const name = `dashboard${screen === "phone" ? "-phone" : ""}${colorScheme === "dark" ? "-dark" : ""}`;
      await page.screenshot({ path: path.join("assets", `${name}.png`), scale: "css" });
      writeFileSync(path.join("assets", `${name}.webp`), await asWebp(page, await page.screenshot()));
    }
  }
  await context.close();
}

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
    for (const [screen, size] of Object.entries(SCREENS)) {
      await page.setViewportSize(size);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await settled(page);
        const wide = Number(await page.evaluate("document.documentElement.scrollWidth"));
        if (wide > size.width) tooWide.push(`${address} on a ${screen}: ${wide} pixels`);
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

/**
 * Waits until nothing is loading or being prepared, and two frames: charts measure their container again when it changes.
 */
async function settled(page: Page): Promise<void> {
  await page.getByText("Preparing the reports of this site").waitFor({ state: "detached", timeout: 120_000 });
  await page.locator("body:not(:has([aria-busy=true], .animate-pulse))").waitFor({ timeout: 120_000 });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}
