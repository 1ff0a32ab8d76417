import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { FULL_PAGE_WAIT_MS } from "@/app/_dashboard/in-time";
import { REPORTS } from "@/lib/contract/reports";
import { expectAccessible } from "./support/accessibility";
import { join } from "./support/agents";
import { postEvent } from "./support/events";
import { expect, type OwnedSite, type Owner, test } from "./support/fixtures";
import type { Server } from "./support/server";
import { sendVisits } from "./support/visits";

/** Report pages: their numbers for known visits, access, and downloads. */

/** Sends the visits, with a name and a property that a spreadsheet would run. @returns a function that sends further events */
async function sendPayingVisits(server: Server, site: OwnedSite) {
  const { send, ann } = await sendVisits(server, site, "=pro");
  await ann({ name: "=HYPERLINK(1)", revenue: { amount: "12.50", currency: "EUR" } });
  return send;
}

const row = (page: Page, name: string, ...cells: (string | RegExp)[]) =>
  cells.reduce(
    (found, cell) => found.filter({ has: page.getByRole("cell", { name: cell, exact: true }) }),
    page.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) }),
  );

/** Waits for the report copy of the site: until it is made, reports answer 503. */
const expectPrepared = ({ request }: Pick<Owner, "request">, { siteId }: OwnedSite) =>
  expect
    .poll(async () => (await request.get(`/sites/${siteId}/reports/events/download?format=json`)).status())
    .toBe(200);

/** A report, a number that it shows of these visits, and its trend: the name of the chart, and its text for today. */
type Report = [path: string, number: (page: Page) => Locator, trend?: [chart: string, today: RegExp][]];

const SHOWN: Report[] = [
  ["realtime", (page) => page.getByText("2visitors in the last five minutes")],
  ["changes", (page) => row(page, "Google", "0", "1", "50%")],
  ["events", (page) => row(page, "=HYPERLINK(1)", "50%", "12.50 EUR")],
  ["events?event=Signup", (page) => row(page, "=pro", "1").first(), [["Signup over time", /: 1, still counting$/]]],
  [
    "campaigns",
    (page) => row(page, "spring", "email", "12.50 EUR"),
    [
      ["Visits by campaign", /: 1, still counting$/],
      ["Visits by channel", /: Email 1, Organic Search 1, still counting$/],
    ],
  ],
  [
    "commerce",
    (page) => row(page, "news", "12.50 EUR").first(),
    [["Revenue over time", /: 12\.50\sEUR, still counting/]],
  ],
  ["experiments", (page) => row(page, "bold", "1", "100%").first()],
  [
    "site_search",
    (page) => row(page, "green tea", "1", "100%").first(),
    [["Searches over time", /: 1, still counting$/]],
  ],
  ["funnels", (page) => page.getByRole("heading", { name: "Build a funnel" })],
  ["journeys", (page) => row(page, "/ → /pricing", "1", "2")],
  ["retention", (page) => row(page, "Weeks below 20 (1)", "1", "100%")],
  ["vitals", (page) => page.getByText("1 of 20 samples required for percentiles.")],
  [
    "seo",
    (page) => row(page, "/pricing", "Google", "1").first(),
    [["Visits from search engines over time", /: 1, still counting$/]],
  ],
  [
    "ai",
    (page) => row(page, "GPTBot", "OpenAI", "Training"),
    [
      ["Reads by agent", /: 1, still counting$/],
      ["Reads by purpose", /: 1, still counting$/],
    ],
  ],
  ["explore?dimensions=channel&metrics=visitors&compare=none", (page) => row(page, "Email", "1")],
];

/** Reports that are lists like others here. */
const ALIKE = ["events?event=Signup", "site_search", "journeys", "seo", "experiments"];

for (const isAlike of [false, true])
  test(`reports ${isAlike ? "that are lists like others " : ""}show the visits, and their trends can be read by keyboard`, {
    tag: isAlike ? "@full" : [],
  }, async ({ siteOwner, server }) => {
    const { page, siteId } = siteOwner;
    await sendPayingVisits(server, siteOwner);
    await expectPrepared(siteOwner, siteOwner);
    for (const [path, number, trends = []] of SHOWN.filter(([path]) => ALIKE.includes(path) === isAlike))
      await test.step(path, async () => {
        await page.goto(`/sites/${siteId}/reports/${path}`);
        await expect(number(page)).toBeVisible();
        for (const [chart, today] of trends) await expectTrend(page, chart, today);
        await expectAccessible(page, path);
      });
  });

async function expectTrend(page: Page, chart: string, today: RegExp): Promise<void> {
  const trend = page.getByRole("region", { name: chart, exact: true });
  const points = trend.getByRole("slider", { name: `${chart} by day` });
  await points.press("End");
  await expect(trend.locator("[data-drawn='by recharts']")).toBeVisible();
  await expect(points).toHaveAttribute("aria-valuetext", today);
}

test("a report that is ready is sent with the page: its HTML has nothing that a script must move in", async ({
  siteOwner,
  server,
}) => {
  await sendPayingVisits(server, siteOwner);
  await expectPrepared(siteOwner, siteOwner);
  for (const [report, answer] of [
    ["campaigns", "Visits by channel"],
    ["journeys", "/pricing"],
  ]) {
    for (const _ of [1, 2, 3]) {
      const began = performance.now();
      const response = await siteOwner.page.request.get(`/sites/${siteOwner.siteId}/reports/${report}`);
      const html = await response.text();
      expect(html).toContain(answer);
      // On a busy machine a report takes longer than its page waits for it, and is streamed.
      if (performance.now() - began < FULL_PAGE_WAIT_MS) expect(html).not.toContain("$RC(");
    }
  }
});

test("each report has its numbers here", () => {
  // Those of the heatmap are in date-ranges.spec.ts.
  const shown = new Set([...SHOWN.map(([path]) => path.split("?")[0]), "heatmap"]);
  expect(Object.keys(REPORTS).filter((key) => !shown.has(key))).toEqual([]);
});

test("web vitals show percentiles and their trend from 20 samples on", { tag: "@full" }, async ({
  siteOwner,
  server,
}) => {
  const { page, siteId } = siteOwner;
  const send = await sendPayingVisits(server, siteOwner);
  for (let view = 2; view <= 20; view++) await send({ name: "vitals", user_id: "ann", vitals: { view, lcp: 1200 } });
  await expectPrepared(siteOwner, siteOwner);
  await page.goto(`/sites/${siteId}/reports/vitals`);
  await expectTrend(page, "LCP over time", /: 1\.20 s, /);
  await expect(page.getByText("All vitals that are known are good; the weakest is LCP")).toBeVisible();
  await page.getByRole("link", { name: /^INP Interaction/ }).click();
  await expect(page.getByRole("heading", { name: "INP over time" })).toBeVisible();
  await expectAccessible(page, "vitals with 20 samples");
});

test("a custom report is shown as lines, stacked, as a table and as bars", { tag: "@full" }, async ({
  siteOwner,
  server,
}) => {
  const { page, siteId } = siteOwner;
  await sendPayingVisits(server, siteOwner);
  await expectPrepared(siteOwner, siteOwner);
  await page.goto(`/sites/${siteId}/reports/explore?dimensions=channel&metrics=visitors&chart=line`);
  await expectTrend(page, "Visitors", /: Email 1, Organic Search 1, /);
  await expectAccessible(page, "a custom report");
  await page.getByRole("link", { name: "Stacked over time" }).click();
  await expect(page).toHaveURL(/chart=stacked/);
  const stacked = page.getByRole("region", { name: "Visitors", exact: true });
  await stacked.getByRole("button", { name: "Show as table" }).click();
  await expect(stacked.getByRole("table")).toContainText("Organic Search");
  await page.getByRole("link", { name: "Bars" }).click();
  await expect(page.getByRole("img", { name: /^Visitors: Email 1/ })).toBeVisible();
});

test("a row of a report narrows it, a step of journeys starts them, and another report and site keep the view", async ({
  siteOwner,
  server,
}) => {
  const { page, siteId } = siteOwner;
  await sendPayingVisits(server, siteOwner);
  await expectPrepared(siteOwner, siteOwner);
  await page.goto(`/sites/${siteId}/reports/campaigns?period=7d`);
  await page.getByRole("row").getByRole("link", { name: "spring" }).click();
  const filters = page.getByRole("region", { name: "Filters" });
  await expect(filters.getByText("spring")).toBeVisible();
  await expect(page.getByText("Visits of the campaign \u2068spring\u2069")).toBeVisible();
  await page.getByRole("button", { name: "Reports: Behaviour" }).click();
  await page.getByRole("menuitem", { name: "Journeys" }).click();
  await expect(page).toHaveURL(/period=7d.*spring/);
  await expect(page.getByText("1 visit, all of them shown")).toBeVisible();
  await page.getByRole("button", { name: "Step 2, /pricing: 1 visit" }).click();
  await expect(page.getByText("Step 2, /pricing: 1 visit; 100% of these ended there.")).toBeVisible();
  await expectAccessible(page, "a chosen step of journeys");
  await page.getByRole("link", { name: "Start here" }).click();
  await expect(page.getByLabel("Page to start at")).toHaveValue("/pricing");
  await expect(page.getByRole("button", { name: "Step 1, /pricing: 1 visit" })).toBeVisible();
  await page.getByRole("button", { name: /^Site: / }).click();
  await expect(page.getByRole("menuitemradio").first()).toHaveAttribute("href", /reports\/journeys\?period=7d.*spring/);
});

test("reports without data of the site stand under More, and the open one is named there", async ({
  dashboard,
  server,
}) => {
  const { page, siteId, host } = dashboard;
  const menuOf = async (group: string) => {
    await page.getByRole("button", { name: `Reports: ${group}` }).click();
    const items = await page.getByRole("menuitem").allTextContents();
    await page.keyboard.press("Escape");
    return items;
  };
  const named = { name: "Order Completed", url: `https://${host}/`, revenue: { amount: "5.00", currency: "EUR" } };
  await postEvent(server, dashboard, named);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("button", { name: "Reports: More" })).toBeVisible({ timeout: 2_000 });
    expect(await menuOf("Conversion")).toEqual(["Funnels", "Commerce"]);
  }).toPass();
  expect(await menuOf("Behaviour")).toEqual(["Events", "Journeys", "Busy hours"]);
  expect(await menuOf("More")).toEqual(["Retention", "Site search", "Experiments", "Web vitals"]);
  await page.goto(`/sites/${siteId}/reports/vitals`);
  await page.getByRole("button", { name: "Reports: More: Web vitals" }).click();
  await expect(page.getByText("Without data in the last 90 days")).toBeVisible();
  await expectAccessible(page, "the menu of reports without data");
});

test("reports and downloads are for members of the site only", async ({ siteOwner: ann, account: bob, server }) => {
  const home = `/sites/${ann.siteId}`;
  const addresses = [home, ...SHOWN.map(([path]) => `${home}/reports/${path}`)];
  const file = `${home}/reports/events/download?format=json`;
  for (const address of [...addresses, file]) {
    expect((await bob.request.get(address)).status(), address).toBe(404);
  }
  await join(server, ann.siteId, bob.email, "viewer");
  await expectPrepared(bob, ann);
  for (const address of addresses) expect((await bob.request.get(address)).status(), address).toBe(200);
});

test("the tables of a report are downloaded as CSV that no spreadsheet runs", async ({ siteOwner: ann, server }) => {
  const { page } = ann;
  await sendPayingVisits(server, ann);
  await expectPrepared(ann, ann);
  await page.goto(`/sites/${ann.siteId}`);
  const reports = page.getByRole("navigation", { name: "Reports" });
  await reports.getByRole("button", { name: "Reports: Behaviour" }).click();
  await page.getByRole("menuitem", { name: "Events" }).click();
  await expect(reports.getByRole("button", { name: "Reports: Behaviour: Events" })).toBeVisible();
  const loading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download All events as CSV" }).click();
  const csv = readFileSync(await (await loading).path(), "utf8");
  expect(csv).toContain('"Event","Count","Visitors","Conversion rate","Revenue (EUR)"');
  expect(csv).toContain('\r\n"\'=HYPERLINK(1)",1,1,0.5,12.50,');
});

test("a funnel is built, saved and edited, and a viewer only builds one", async ({ siteOwner: ann, owner, server }) => {
  const { page } = ann;
  await sendPayingVisits(server, ann);
  await expectPrepared(ann, ann);
  await page.goto(`/sites/${ann.siteId}/reports/funnels`);
  await page.getByLabel("Step 1", { exact: true }).fill("/pricing");
  await page.getByLabel("Step 2 is a").selectOption("Event");
  await page.getByLabel("Step 2", { exact: true }).fill("Signup");
  await page.getByRole("button", { name: "Show funnel" }).click();
  await expect(page.getByText("50% convert")).toBeVisible();
  await expect(row(page, "Signup", "event Signup", "1").first()).toBeVisible();

  await page.getByRole("button", { name: "Save…" }).click();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Buying");
  await page.getByLabel("Conversion window").fill("2");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Edit Buying" })).toBeVisible();
  await page.getByRole("link", { name: "All funnels" }).click();
  await expect(
    page.getByRole("region", { name: "Buying" }).getByText("50% convert, was –, within 2 days"),
  ).toBeVisible();
  await page.getByRole("link", { name: "Edit Buying" }).click();
  await expect(page.getByLabel("Step 2", { exact: true })).toHaveValue("Signup");

  // Enter changes what was opened; a button saves it as new.
  await page.getByRole("button", { name: "Save…" }).click();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Signing up");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Edit Signing up" })).toBeVisible();
  await page.getByRole("button", { name: "Save…" }).click();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Another");
  await page.getByRole("button", { name: "Save as new" }).click();
  await expect(page.getByRole("heading", { name: "Edit Another" })).toBeVisible();
  await page.getByRole("link", { name: "All funnels" }).click();
  await expect(page.getByRole("link", { name: /^Edit (Another|Signing up)$/ })).toHaveCount(2);
  await expect(page.getByRole("link", { name: /^Edit / })).toHaveCount(2);

  const bob = await owner();
  await join(server, ann.siteId, bob.email, "viewer");
  await bob.page.goto(page.url());
  await expect(bob.page.getByRole("heading", { name: "Build a funnel" })).toBeVisible();
  await expect(bob.page.getByRole("button", { name: /Save|Delete/ })).toHaveCount(0);
});
