import type { Page } from "@playwright/test";
import { dayIn } from "@/lib/testing/zone";
import { expectAccessible } from "./support/accessibility";
import { moveToOneHour, postEvent } from "./support/events";
import { expect, headline, type OwnedSite, test } from "./support/fixtures";
import type { Server } from "./support/server";

/** Date ranges, comparison ranges, timezones and locales. */

/** The date this many days ago in the timezone of the sites. */
const daysAgo = (days: number) => dayIn(test.info().project.use.timezoneId ?? "UTC", days);
const named = (day: string, options: Intl.DateTimeFormatOptions = {}) =>
  new Intl.DateTimeFormat("en-US", {
    timeZone: "UTC",
    day: "numeric",
    month: "short",
    year: "numeric",
    ...options,
  }).format(new Date(day));
const longName = (day: string) => named(day, { weekday: "long", month: "long" });

/** Moves the creation of a site into the past and sends events of this many visitors. */
async function sendVisitors(server: Server, shop: OwnedSite, visitors: number, days = 400): Promise<void> {
  const values = [shop.siteId, days];
  await server.query("UPDATE site SET created_at = now() - make_interval(days => $2) WHERE id = $1", values);
  for (let number = 0; number < visitors; number++)
    await postEvent(server, shop, { name: "pageview", url: `https://${shop.host}/`, user_id: `u${number}` });
}

/** Waits for the first copy of the site: reports answer 503 until it is made. */
const expectPrepared = (page: Page, { siteId }: OwnedSite) =>
  expect
    .poll(async () => (await page.request.get(`/sites/${siteId}/reports/heatmap/download?format=json`)).status())
    .toBe(200);

const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const expectParameters = (page: Page, expected: Record<string, string>) =>
  expect.poll(() => parameters(page)).toMatchObject(expected);
const period = (page: Page) => page.getByRole("button", { name: /^Period:/ });
const day = (page: Page, date: string) => page.getByRole("button", { name: longName(date), exact: true });

test("buttons and arrow keys move to the previous and next period, and never beyond today", async ({
  siteOwner: ann,
  server,
}) => {
  const { page, siteId } = ann;
  await sendVisitors(server, ann, 2, 40);
  await page.goto(`/sites/${siteId}?period=7d`);
  await expect(headline(page, "Visitors", "2")).toBeVisible();
  const [before, after] = ["Previous period", "Next period"].map((name) =>
    page.getByRole("button", { name, exact: true }),
  );
  if (!before || !after) throw new Error("no buttons");
  await expect(after).toHaveAttribute("aria-disabled", "true");

  await before.click();
  await expectParameters(page, { from: daysAgo(13), to: daysAgo(7) });
  await expect(headline(page, "Visitors", "0")).toBeVisible();
  await expect(before).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expectParameters(page, { from: daysAgo(20), to: daysAgo(14) });
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  // Two presses are two steps, even while the first is loading.
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expectParameters(page, { period: "7d" });
  expect(parameters(page)).not.toHaveProperty("from");
  await expect(headline(page, "Visitors", "2")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(period(page)).toHaveText(/Last 7 days/);

  // No earlier period before the creation of the site.
  for (let step = 0; step < 6; step++) {
    if ((await before.getAttribute("aria-disabled")) === "true") break;
    const url = page.url();
    await before.click();
    await expect.poll(() => page.url()).not.toBe(url);
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  }
  await expect(before).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys).toContainText("Previous period, next period");
});

test("a calendar selects a range by two clicks or by keyboard, limited to days with data", { tag: "@full" }, async ({
  siteOwner: ann,
  server,
}) => {
  const { page, siteId } = ann;
  // The day before it is shown beside it, so it is not the first of a month.
  const age = daysAgo(100).endsWith("-01") ? 101 : 100;
  await sendVisitors(server, ann, 1, age);
  await page.goto(`/sites/${siteId}?from=${daysAgo(45)}&to=${daysAgo(45)}`);
  await period(page).click();
  await page.getByRole("button", { name: "Custom range…" }).click();
  const dialog = page.getByRole("dialog", { name: "Custom range" });
  await expect(dialog.getByRole("grid")).toHaveCount(2);
  // Weeks begin on Sunday in the browser's locale.
  await expect(dialog.locator("th").first()).toHaveText("Sun");
  await expectAccessible(page, "calendar");
  const [one, other] = [daysAgo(45).replace(/\d\d$/, "18"), daysAgo(45).replace(/\d\d$/, "11")];
  await day(page, one).click();
  await expect(dialog).toContainText(`From ${named(one)}: select an end date`);
  await day(page, other).click();
  await expect(dialog).toHaveCount(0);
  await expectParameters(page, { from: other, to: one });

  await page.goto(`/sites/${siteId}?from=${daysAgo(20)}&to=${daysAgo(20)}`);
  await period(page).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Custom range…" }).focus();
  await page.keyboard.press("Enter");
  await day(page, daysAgo(20)).focus();
  await page.keyboard.press("ArrowUp");
  await expect(day(page, daysAgo(27))).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect(day(page, daysAgo(20))).toBeFocused();
  await page.keyboard.press("Enter");
  await expectParameters(page, { from: daysAgo(28), to: daysAgo(20) });
  await expect(headline(page, "Visitors", "0")).toBeVisible();

  // Not in the future, and not before the creation of the site.
  await period(page).click();
  await page.getByRole("button", { name: "Custom range…" }).click();
  await day(page, daysAgo(0)).focus();
  await page.keyboard.press("ArrowRight");
  await expect(day(page, daysAgo(0))).toBeFocused();
  await dialog.getByRole("combobox", { name: "Year" }).first().selectOption(daysAgo(age).slice(0, 4));
  await dialog
    .getByRole("combobox", { name: "Month" })
    .first()
    .selectOption(`${Number(daysAgo(age).slice(5, 7)) - 1}`);
  await expect(day(page, daysAgo(age + 1))).toBeDisabled();
  await expect(day(page, daysAgo(age))).toBeEnabled();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Period:/ })).toBeVisible();
});

test("a range can be typed, and both of its dates are corrected at once", async ({ siteOwner: ann, server }) => {
  await sendVisitors(server, ann, 1, 100);
  const open = async (page: Page) => {
    await page.goto(`/sites/${ann.siteId}?period=7d`);
    await period(page).click();
    await page.getByRole("button", { name: "Custom range…" }).click();
    return page.getByRole("dialog", { name: "Custom range" });
  };
  const dialog = await open(ann.page);
  const [from, to] = [dialog.getByLabel("From", { exact: true }), dialog.getByLabel("To", { exact: true })];
  await expect(from).toHaveValue(daysAgo(6));
  await from.fill(daysAgo(150));
  await to.fill("");
  await dialog.getByRole("button", { name: "Show" }).click();
  const hint = `Enter a date from ${named(daysAgo(100))} to ${named(daysAgo(0))}.`;
  await expect(dialog.getByRole("alert")).toHaveText([hint, hint]);
  await expectAccessible(ann.page, "a range that is wrong");
  // In either order.
  await from.fill(daysAgo(40));
  await to.fill(daysAgo(70));
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect(day(ann.page, daysAgo(70))).toBeVisible();
  await to.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expectParameters(ann.page, { from: daysAgo(70), to: daysAgo(40) });

  await ann.page.setViewportSize({ width: 360, height: 740 });
  await expect((await open(ann.page)).getByRole("grid")).toHaveCount(1);
});

test("an owner compares with a custom range, and turns comparison off with X", { tag: "@full" }, async ({
  siteOwner: ann,
  server,
}) => {
  const { page, siteId } = ann;
  await sendVisitors(server, ann, 3);
  await page.goto(`/sites/${siteId}?period=7d`);
  await expect(headline(page, "Visitors", "3")).toBeVisible();
  await page.getByRole("button", { name: /^Compare with:/ }).click();
  await page.getByRole("menuitem", { name: "Custom range…" }).click();
  const dialog = page.getByRole("dialog", { name: "Compare with a custom range" });
  await day(page, daysAgo(0)).click();
  await day(page, daysAgo(0)).click();
  await expect(dialog).toHaveCount(0);
  await expectParameters(page, { compare_from: daysAgo(0), compare_to: daysAgo(0) });
  await expect(page.getByRole("button", { name: `Compare with: ${named(daysAgo(0))}` })).toBeVisible();
  await expect(headline(page, "Visitors", "3")).toContainText("was 3");
  await page.reload();
  await expect(headline(page, "Visitors", "3")).toContainText("was 3");
  await expect(page.getByRole("region", { name: "Pages" })).toContainText("100%");

  await page.keyboard.press("x");
  await expectParameters(page, { compare: "none" });
  expect(parameters(page)).not.toHaveProperty("compare_from");
  await expect(headline(page, "Visitors", "3")).not.toContainText("was");
});

test("a saved dashboard keeps its custom comparison range", { tag: "@full" }, async ({ siteOwner: ann, server }) => {
  const { page, siteId } = ann;
  await sendVisitors(server, ann, 3);
  const compared = { compare_from: daysAgo(0), compare_to: daysAgo(0) };
  await page.goto(`/sites/${siteId}?period=7d&${new URLSearchParams(compared)}`);
  await page.getByRole("button", { name: "Choose panels" }).click();
  const dialog = page.getByRole("dialog", { name: "Panels of this dashboard" });
  await expect(dialog).toContainText(`compared with ${named(daysAgo(0))}`);
  await dialog.getByRole("textbox", { name: "Name" }).fill("Beside today");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: "Dashboard: Beside today", exact: true })).toBeVisible();

  await page.goto(`/sites/${siteId}`);
  await page.getByRole("button", { name: /^Dashboard:/ }).click();
  await page.getByRole("menuitemradio", { name: /^Beside today/ }).click();
  await expectParameters(page, { ...compared, period: "7d" });
  await expect(page.getByRole("button", { name: `Compare with: ${named(daysAgo(0))}` })).toBeVisible();
  await expect(headline(page, "Visitors", "3")).toContainText("was 3");
  const id = parameters(page).opened;
  await page.goto(`/sites/${siteId}?dashboard=${id}`);
  await expectParameters(page, { ...compared, period: "7d" });
  await expect(headline(page, "Visitors", "3")).toContainText("was 3");
});

test("the heatmap shows visitors by hour of the week", { tag: "@full" }, async ({ siteOwner: ann, server }) => {
  const { page, siteId } = ann;
  await sendVisitors(server, ann, 4);
  const hour = await moveToOneHour(server, ann);
  const report = `/sites/${siteId}/reports/heatmap`;
  await expectPrepared(page, ann);
  await page.goto(`${report}?period=today`);
  const weekday = named(daysAgo(0), { weekday: "short", day: undefined, month: undefined, year: undefined });
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: weekday, exact: true }) });
  await expect(row.getByRole("cell").nth(hour)).toHaveText("4");
  await expect(row.getByRole("cell")).toHaveCount(24);
  await expect(page.getByRole("rowheader").first()).toHaveText("Sun");
  await expect(page.getByTitle(/: 4 visitors in \d hours?$/)).toBeVisible();
  await expectAccessible(page, "heatmap");
  await page.getByRole("tab", { name: "Visits" }).click();
  await expect(row.getByRole("cell").nth(hour)).toHaveText("4");

  await page.goto(`/sites/${siteId}?panels=heatmap&period=today`);
  await expect(row.getByRole("cell").nth(hour)).toHaveText("4");
});

test("the server and the browser format dates identically, so no page renders twice", { tag: "@full" }, async ({
  siteOwner: ann,
  server,
  fresh,
}) => {
  await sendVisitors(server, ann, 2);
  await expectPrepared(ann.page, ann);
  const storageState = await ann.page.context().storageState();
  for (const locale of ["en-US", "fr-FR"]) {
    const page = await fresh({ locale, storageState, timezoneId: "America/New_York" });
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    for (const path of [
      "?period=28d",
      "?period=today",
      "/reports/heatmap?period=7d",
      "/reports/retention?period=28d",
    ]) {
      await page.goto(`/sites/${ann.siteId}${path}`);
      // Only the browser knows its time zone: this text shows that the page is hydrated.
      await expect(page.getByText(`Dates and times in ${ann.timezone}`)).toBeVisible();
      expect(faults, `${locale} ${path}`).toEqual([]);
    }
  }
});

test("a German browser in New York gets German numbers and dates, and sees the timezone of the report", {
  tag: "@full",
}, async ({ siteOwner: ann, server, fresh }) => {
  await sendVisitors(server, ann, 3);
  await expectPrepared(ann.page, ann);
  const page = await fresh({
    locale: "de-DE",
    timezoneId: "America/New_York",
    storageState: await ann.page.context().storageState(),
  });
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  let layoutShift = 0;
  await page.exposeFunction("noteShift", (value: number) => {
    layoutShift += value;
  });
  await page.addInitScript(`new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) if (!shift.hadRecentInput) noteShift(shift.value);
  }).observe({ type: "layout-shift", buffered: true })`);

  const [from, to] = [daysAgo(3), daysAgo(0)];
  await page.goto(`/sites/${ann.siteId}?from=${from}&to=${to}`);
  const format = new Intl.DateTimeFormat("de-DE", { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" });
  const chosen = page.getByRole("button", { name: /^Zeitraum:/ });
  await expect(chosen).toContainText(format.formatRange(new Date(from), new Date(to)));
  await expect(page.getByRole("button", { name: /^Aufrufe pro Besuch 1,0/ })).toBeVisible();
  await expect(page.getByText(`Datum und Uhrzeit in ${ann.timezone}`)).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);

  await page.goto(`/sites/${ann.siteId}/reports/heatmap?from=${from}&to=${to}`);
  await expect(page.getByRole("rowheader").first()).toHaveText("Mo");

  await page.goto("/account");
  await expect(page.getByText(/^Angemeldet .*, zuletzt gesehen/).first()).toBeVisible();
  const seen = page.locator("time").first();
  await expect(seen).toHaveAttribute("title", /America\/New_York/);
  expect(errors).toEqual([]);
  expect(layoutShift).toBeLessThan(0.01);
});
