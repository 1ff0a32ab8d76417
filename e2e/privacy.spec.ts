import { join } from "./support/agents";
import { postEvent } from "./support/events";
import { expect, test } from "./support/fixtures";

/** Privacy and retention settings. */

test("a manager changes the privacy settings, which are saved", async ({
  siteOwner: { page, siteId },
  owner,
  server,
}) => {
  const privacy = `/sites/${siteId}/settings/privacy`;
  await page.goto(`/sites/${siteId}/settings/people`);
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Privacy" }).click();

  const truncate = page.getByRole("checkbox", { name: /^Truncate IP addresses/ });
  const honour = page.getByRole("checkbox", { name: /^Honour Global Privacy Control/ });
  const places = page.getByLabel("Locations", { exact: true });
  await expect(honour).toBeChecked();
  await expect(truncate).not.toBeChecked();
  await expect(places).toHaveValue("city");
  await expect(page.getByRole("link", { name: "IP Geolocation by DB-IP" })).toHaveAttribute(
    "href",
    "https://db-ip.com/",
  );

  await page.getByText("Truncate IP addresses", { exact: true }).click();
  await page.getByText("Honour Global Privacy Control", { exact: true }).click();
  await places.selectOption("Country only");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await page.reload();
  await expect(truncate).toBeChecked();
  await expect(honour).not.toBeChecked();
  await expect(places).toHaveValue("country");

  const bob = await owner();
  await join(server, siteId, bob.email, "viewer");
  expect((await bob.page.goto(privacy))?.status()).toBe(404);
});

test("a manager downloads the record of the site and reads the text for its privacy policy", async ({
  siteOwner: { page, siteId, host },
}) => {
  await page.goto(`/sites/${siteId}/settings/privacy`);
  await page.getByText("Read it", { exact: true }).click();
  await expect(page.getByText(`We count how ${host} is used`, { exact: false })).toBeVisible();
  for (const format of ["Markdown", "JSON"]) {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: format, exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/-privacy-record-\d{4}-\d\d-\d\d\.(md|json)$/);
  }
  const unknown = await page.request.get(`/sites/${siteId}/settings/privacy/record?format=xml`);
  expect([unknown.status(), await unknown.text()]).toEqual([422, "format must be markdown or json."]);
});

test("a manager sees what was replaced, and adds and removes a rule of their own", async ({
  siteOwner: { page, siteId, host },
  server,
}) => {
  await page.goto(`/sites/${siteId}/settings/privacy`);
  await expect(page.getByText("Nothing in this period", { exact: false })).toBeVisible();
  await postEvent(server, { host }, { name: "pageview", url: `https://${host}/u/joe@example.com`, title: "For Joe" });
  const props = { email: "joe@example.com", phone: "030 901820" };
  await postEvent(server, { host }, { name: "Signup", url: `https://${host}/`, props });
  await expect
    .poll(async () => {
      await page.reload();
      return page.getByRole("row", { name: "Path of a page: /u/(email)" }).getByRole("cell").allTextContents();
    })
    .toEqual(["", "1"]);
  await expect(page.getByRole("row", { name: "Property “phone”: (phone)" })).toBeVisible();
  await expect(page.getByText("joe@example.com")).toHaveCount(0);

  await page.getByLabel("Pattern").fill("*");
  await page.getByRole("button", { name: "Add rule" }).click();
  await expect(page.getByText("This must have at least 3 characters besides *.").first()).toBeVisible();
  await page.getByLabel("Pattern").fill("MEMBER-*");
  await page.getByRole("button", { name: "Add rule" }).click();
  const remove = page.getByRole("button", { name: "Remove replace words member-*" });
  await expect(remove).toBeVisible();
  await page.getByLabel("Rule", { exact: true }).selectOption("Keep the paths of pages");
  await page.getByLabel("Pattern").fill("/docs/**");
  await page.getByRole("button", { name: "Add rule" }).click();
  await expect(page.getByRole("button", { name: "Remove keep the paths of pages /docs/**" })).toBeVisible();
  await remove.click();
  await expect(remove).toHaveCount(0);
});

test("an owner shortens the retention limit only after a confirmation; a manager can only read it", async ({
  siteOwner: { page, siteId },
  owner,
  server,
}) => {
  const data = `/sites/${siteId}/settings/data`;
  await page.goto(data);
  const retention = page.getByLabel("Keep data");
  await expect(retention).toHaveValue("");
  await retention.selectOption("14 months");
  await page.getByRole("button", { name: "Save" }).click();
  const confirmation = page.getByRole("dialog", { name: "Delete data older than 14 months?" });
  await confirmation.getByRole("button", { name: "Cancel" }).click();
  await page.reload();
  await expect(retention).toHaveValue("");

  await retention.selectOption("14 months");
  await page.getByRole("button", { name: "Save" }).click();
  await confirmation.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await page.reload();
  await expect(retention).toHaveValue("14");

  // A dashboard of deleted days explains why it is empty.
  const note = page.getByText(/^Data before \w+ \d+, \d{4} was deleted by the retention limit\.$/);
  await page.goto(`/sites/${siteId}?from=2020-01-01&to=2020-02-01`);
  await expect(note).toBeVisible();
  await page.goto(`/sites/${siteId}?period=28d`);
  await expect(page.getByRole("heading", { name: "Waiting for the first visit" })).toBeVisible();
  await expect(note).toHaveCount(0);

  const bob = await owner();
  await join(server, siteId, bob.email, "manager");
  await bob.page.goto(data);
  await expect(bob.page.getByText("Data is kept for 14 months. Only owners can change this.")).toBeVisible();
  await expect(bob.page.getByLabel("Keep data")).toHaveCount(0);
});
