import { join } from "./support/agents";
import { expect, test } from "./support/stories";

/** What a site keeps of its visitors. */

test("a manager decides how much of visitors is kept, and finds it so again", async ({ owner, site, server }) => {
  const ann = await owner();
  const { siteId } = await site(ann);
  const { page } = ann;
  const privacy = `/sites/${siteId}/settings/privacy`;
  await page.goto(`/sites/${siteId}/settings/people`);
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Privacy" }).click();

  const shorten = page.getByRole("checkbox", { name: /^Shorten addresses first/ });
  const honour = page.getByRole("checkbox", { name: /^Honour Global Privacy Control/ });
  const places = page.getByLabel("Places", { exact: true });
  await expect(honour).toBeChecked();
  await expect(shorten).not.toBeChecked();
  await expect(places).toHaveValue("city");
  await expect(page.getByRole("link", { name: "IP Geolocation by DB-IP" })).toHaveAttribute(
    "href",
    "https://db-ip.com/",
  );

  await shorten.check();
  await honour.uncheck();
  await places.selectOption("Country only");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await page.reload();
  await expect(shorten).toBeChecked();
  await expect(honour).not.toBeChecked();
  await expect(places).toHaveValue("country");

  const bob = await owner();
  await join(server, siteId, bob.email, "viewer");
  expect((await bob.page.goto(privacy))?.status()).toBe(404);
});
