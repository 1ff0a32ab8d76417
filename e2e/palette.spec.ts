import { makeAdministrator } from "./support/agents";
import { expect, test } from "./support/fixtures";

/** The command palette. */

test("the palette keeps report, period, comparison and filters on another site, and lists the pages of the account", async ({
  owner,
  site,
  server,
}) => {
  const agency = await owner();
  const [one, other] = [await site(agency), await site(agency)];
  const { page } = agency;
  const filters = encodeURIComponent(JSON.stringify({ country: "DE", page: "/a" }));
  await page.goto(`/sites/${one.siteId}/reports/campaigns?period=28d&compare=year_over_year&filters=${filters}`);
  const palette = page.getByRole("dialog", { name: "Go to" });
  const type = async (text: string) => {
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill(text);
  };
  await type(other.host);
  await palette.getByRole("option", { name: other.host }).click();
  await expect(page).toHaveURL((url) => url.pathname === `/sites/${other.siteId}/reports/campaigns`);
  // A page of one site is none of another.
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    period: "28d",
    compare: "year_over_year",
    filters: '{"country":"DE"}',
  });
  for (const [typed, path] of [
    ["teams", "/teams"],
    ["combined", "/sites/combined"],
    ["your log", "/account/log"],
  ] as const) {
    await type(typed);
    await palette.getByRole("option").first().click();
    await expect(page).toHaveURL((url) => url.pathname === path);
  }
  await type("admin");
  await expect(palette.getByRole("option", { name: "Admin", exact: true })).toHaveCount(0);

  await makeAdministrator(server, agency.email);
  await page.reload();
  await type("admin");
  await palette.getByRole("option", { name: "Admin", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Health" })).toBeVisible();
});
