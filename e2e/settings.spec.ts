import { zoneAtHour } from "@/lib/testing/zone";
import { postPageview } from "./support/events";
import { expect, headline, test } from "./support/fixtures";

/** General settings of a site. */

test("a manager changes the timezone, sees a warning, and a visit moves from yesterday to today", async ({
  siteOwner: { page, siteId, host },
  server,
}) => {
  await postPageview(server, { host });
  // Twelve hours ago is yesterday in a timezone where it is 6:00 now, and today where it is 18:00.
  const [morning, evening] = [zoneAtHour(6), zoneAtHour(18)];
  await server.query("UPDATE site SET timezone = $1 WHERE id = $2", [morning, siteId]);
  await server.query("SELECT facts.add_month((now() - interval '12 hours')::date)");
  await server.query("UPDATE facts.event SET ts = ts - interval '12 hours' WHERE site_id = $1", [siteId]);
  await server.query("UPDATE facts.visit SET started = started - interval '12 hours' WHERE site_id = $1", [siteId]);

  await page.goto(`/sites/${siteId}?period=yesterday`);
  await expect(headline(page, "Visitors", "1")).toBeVisible();

  await page.goto(`/sites/${siteId}/settings`);
  await expect(page).toHaveURL(`/sites/${siteId}/settings/general`);
  const zone = page.getByLabel("Timezone");
  await expect(zone).toHaveValue(morning);
  await zone.fill(evening);
  await expect(page.getByText(`begin at midnight in ${evening}`)).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await expect(page.getByText(`begin at midnight in ${evening}`)).toHaveCount(0);

  await page.goto(`/sites/${siteId}?period=today`);
  await expect(headline(page, "Visitors", "1")).toBeVisible();
});

test("a funnel and the plan of an experiment are deleted for good, once a manager confirms it", {
  tag: "@full",
}, async ({ siteOwner: { page, siteId } }) => {
  await page.goto(`/sites/${siteId}/reports/funnels`);
  await page.getByLabel("Step 1", { exact: true }).fill("/pricing");
  await page.getByLabel("Step 2", { exact: true }).fill("/thanks");
  await page.getByRole("button", { name: "Save…" }).click();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Buying");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Edit Buying" })).toBeVisible();
  await page.goto(`/sites/${siteId}/reports/experiments`);
  await page.getByRole("button", { name: "New experiment" }).click();
  await page.getByLabel("Name", { exact: true }).fill("hero");
  await page.getByLabel("Variant 2", { exact: true }).fill("bold");
  await page.getByLabel("Goal").fill("Signup");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: "Edit hero" })).toBeVisible();

  const deletions = [
    { path: "settings/goals", button: "Delete the funnel Buying", title: "Delete Buying?" },
    { path: "reports/experiments", button: "Delete hero", title: "Delete hero?" },
  ];
  for (const { path, button, title } of deletions) {
    await page.goto(`/sites/${siteId}/${path}`);
    await page.getByRole("button", { name: button }).click();
    const dialog = page.getByRole("dialog", { name: title });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: button }).click();
    const deleted = page.waitForResponse((response) => response.request().method() === "POST");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("button", { name: button })).toHaveCount(0);
    await deleted;
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("button", { name: button })).toHaveCount(0);
  }
});
