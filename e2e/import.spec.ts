import { expect, test } from "./support/fixtures";

/** Import of another service's files on the settings page. */

const TOTALS = `date,visitors,pageviews,bounces,visits,visit_duration
2024-03-01,10,30,4,12,600
2024-03-02,20,50,5,25,1500
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
