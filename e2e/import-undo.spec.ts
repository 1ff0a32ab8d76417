import { expect, test } from "./support/fixtures";

/** Undo of an import where it has just ended. */

const totals = (...days: string[]) => ({
  name: "imported_visitors.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(
    `date,visitors,pageviews,bounces,visits,visit_duration\n${days.map((day) => `${day},10,30,4,12,600\n`).join("")}`,
  ),
});

test("an import is undone with one click where it ended, and asks first if earlier days of the service would go too", async ({
  siteOwner: { page, siteId },
}) => {
  await page.goto(`/sites/${siteId}/settings/import`);
  await expect(page.getByRole("link", { name: "Plausible", exact: true })).toHaveAttribute(
    "href",
    "/docs/from-plausible",
  );
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  const bring = async (days: number, ...of: string[]) => {
    await page.getByLabel("Choose files").setInputFiles(totals(...of));
    const start = page.getByRole("button", { name: days === 1 ? "Import 1 day" : `Import ${days} days` });
    await expect(page.getByRole("link", { name: "Coming from Plausible" })).toHaveAttribute(
      "href",
      "/docs/from-plausible",
    );
    await start.click();
    await expect(undo).toBeVisible();
  };

  await bring(2, "2024-03-01", "2024-03-02");
  await expect(page.getByText("2 days of Plausible imported.")).toBeVisible();
  await undo.click();
  await expect(page.getByText("The import was undone.")).toBeVisible();
  await expect(page.getByText("Nothing was imported yet.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Choose files")).toBeAttached();
  await expect(undo).toHaveCount(0);

  await bring(1, "2024-03-01");
  await bring(1, "2024-03-05");
  await undo.click();
  await expect(page.getByRole("dialog")).toContainText("The totals of 2 days disappear");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Nothing was imported yet.")).toBeVisible();
  await expect(undo).toHaveCount(0);
});
