import { writeFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { zipOf } from "@/lib/testing/zip";
import { expect, test } from "./support/fixtures";

/** Import of another service's files on the settings page. */

const TOTALS = `date,visitors,pageviews,bounces,visits,visit_duration
2024-03-01,10,30,4,12,600
2024-03-02,20,50,5,25,1500
`;
const BROWSERS = `date,browser,browser_version,visitors,visits,visit_duration,bounces,pageviews
2024-03-01,Firefox,124,10,12,600,4,30
`;
const file = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

test("an owner sees what files contain, imports them, finds them in the list and removes them", async ({
  siteOwner: { page, siteId },
}) => {
  await page.goto(`/sites/${siteId}/settings/import`);
  await expect(page.getByText("Nothing was imported yet.")).toBeVisible();

  await page.getByLabel("Choose files").setInputFiles(file("sales.csv", "when,amount\n2024-03-01,9\n"));
  await expect(page.getByRole("alert").first()).toContainText('sales.csv: columns "when", "amount".');

  await page.getByLabel("Choose files").setInputFiles(file("imported_visitors_20240301_20240302.csv", TOTALS));
  await expect(page.getByText("2 days, ", { exact: false }).first()).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: /^80$/ })).toBeVisible();
  await page.getByRole("button", { name: "Import 2 days" }).click();
  await expect(page.getByText("2 days of Plausible imported.")).toBeVisible();

  await page.getByRole("button", { name: "Remove the data of Plausible" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Nothing was imported yet.")).toBeVisible();
});

/** Drags files of this machine over a page, and drops them on what has this label. */
async function dropOn(page: Page, label: string, files: string[]): Promise<void> {
  const box = await page.getByLabel(label).boundingBox();
  if (!box) throw new Error(`${label} is not shown`);
  const browser = await page.context().newCDPSession(page);
  const place = { x: box.x + box.width / 2, y: box.y + 20, data: { items: [], files, dragOperationsMask: 1 } };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await browser.send("Input.dispatchDragEvent", { type, ...place });
  await browser.detach();
}

/** Holds the requests of a page to an address until `release` is called for each. */
async function hold(page: Page, address: string | RegExp) {
  const held: (() => void)[] = [];
  await page.route(address, async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  const release = async () => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    held.shift()?.();
  };
  return { release, end: () => page.unroute(address) };
}

test("a zip and a file that are dropped on the page are uploaded, checked and imported, each with its progress", async ({
  siteOwner: { page, siteId },
}, info) => {
  const [zip, csv] = [info.outputPath("plausible.zip"), info.outputPath("imported_browsers_20240301_20240302.csv")];
  const packed = zipOf([{ name: "imported_visitors_20240301_20240302.csv", data: TOTALS }]);
  await writeFile(zip, packed);
  await writeFile(csv, BROWSERS);
  await page.goto(`/sites/${siteId}/settings/import`);
  const progress = (name: string) => page.getByRole("progressbar", { name });
  const parts = await hold(page, "**/actions/uploads/**");
  await dropOn(page, "Files to import", [zip, csv]);
  await expect(progress("Uploading plausible.zip")).toHaveAttribute("aria-valuenow", "0");
  await parts.release();
  const share = Math.round((100 * packed.length) / (packed.length + BROWSERS.length));
  await expect(progress("Uploading imported_browsers_20240301_20240302.csv")).toHaveAttribute(
    "aria-valuenow",
    `${share}`,
  );
  const news = await hold(page, "**/settings/import/runs");
  await parts.release();
  await expect(progress("Checking the files")).toBeVisible();
  await news.release();
  await news.end();
  await expect(page.getByRole("definition").filter({ hasText: /^80$/ })).toBeVisible();
  const more = await hold(page, "**/settings/import/runs");
  await page.getByRole("button", { name: "Import 2 days" }).click();
  await expect(progress("Importing from Plausible")).toBeVisible();
  await more.release();
  await more.end();
  await expect(page.getByText("2 days of Plausible imported.")).toBeVisible();
  const imported = page.getByRole("listitem").filter({ hasText: "Plausible" });
  await expect(imported).toContainText("30 visitors");
});

/** As Matomo's interface exports a day. */
const MATOMO_DAY =
  "Eindeutige Besucher;Besuche;Benutzer;Aktionen;Absprünge;Von Besuchern verbrachte Gesamtzeit (in Sekunden)\n10;12;0;40;3;720\n";
/** As its Reporting API answers. */
const MATOMO_BROWSERS = JSON.stringify({
  "2024-03-01": [
    {
      label: "Firefox",
      nb_uniq_visitors: 7,
      nb_visits: 8,
      sum_visit_length: 480,
      bounce_count: 2,
      segment: "browserCode==FF",
    },
  ],
});

test("exports of Matomo are imported as it writes them, and what they lack is shown as unknown", {
  tag: "@full",
}, async ({ siteOwner: { page, siteId } }) => {
  await page.goto(`/sites/${siteId}/settings/import`);
  const summary = "Export _ Besucherüberblick _ Freitag, 1. März 2024.csv";
  await page.getByLabel("Choose files").setInputFiles([
    { name: summary, mimeType: "text/csv", buffer: Buffer.from(`\ufeff${MATOMO_DAY}`, "utf16le") },
    { name: "browsers.json", mimeType: "application/json", buffer: Buffer.from(MATOMO_BROWSERS) },
  ]);
  await expect(page.getByRole("definition").filter({ hasText: "Matomo" })).toBeVisible();
  await expect(page.getByText("Unknown: the files do not tell").first()).toBeVisible();
  await page.getByRole("button", { name: "Import 1 day" }).click();
  await expect(page.getByText("1 day of Matomo imported.")).toBeVisible();
  const imported = page.getByRole("listitem").filter({ hasText: "Matomo" });
  await expect(imported).toContainText("10 visitors");
  await expect(imported).not.toContainText("pageview");
});
