import { expect, headline, test } from "./support/fixtures";

/** General settings of a site. */

/** A timezone in which it is this hour now. */
function zoneAtHour(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  // The sign in these names is inverted.
  return ahead === 0 ? "Etc/GMT" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

test("a manager changes the timezone, sees a warning, and a visit moves from yesterday to today", async ({
  siteOwner: { page, siteId, host },
  pageview,
  server,
}) => {
  await pageview(host);
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
