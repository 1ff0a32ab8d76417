import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { join } from "./support/agents";
import { postEvent } from "./support/events";
import { expect, headline, test } from "./support/fixtures";

/** Saved segments and dashboards, which are shared with all members of a site. */

const expectVisitors = async (page: Page, visitors: number) =>
  expect(headline(page, "Visitors", `${visitors}`)).toBeVisible();

test("a viewer opens a saved segment or dashboard by its link and sees the same, but cannot change it", async ({
  siteOwner: ann,
  owner,
  server,
}) => {
  const bob = await owner();
  const { siteId, host } = ann;
  for (const [user_id, path] of [
    ["eve", "/prices"],
    ["dan", "/"],
  ])
    await postEvent(server, ann, { name: "pageview", url: `https://${host}${path}`, user_id });
  await join(server, siteId, bob.email, "viewer");
  const save = async (name: string) => {
    await ann.page.getByRole("textbox", { name: "Name" }).fill(name);
    await ann.page.getByRole("button", { name: "Save", exact: true }).click();
  };

  await ann.page.goto(`/sites/${siteId}?filters={"page":"/prices"}`);
  await ann.page.getByRole("button", { name: "Save as segment" }).click();
  await save("Prices");
  const segment = ann.page.getByRole("button", { name: "Segment: Prices" });
  await expect(segment).toBeVisible();
  await expectVisitors(ann.page, 1);
  await bob.page.goto(ann.page.url());
  await expectVisitors(bob.page, 1);
  await bob.page.getByRole("button", { name: "Segment: Prices" }).click();
  await expect(bob.page.getByRole("menuitemradio", { name: "No segment" })).toBeVisible();
  await expect(bob.page.getByRole("menuitem", { name: "Manage segments" })).toHaveCount(0);

  await ann.page.getByRole("button", { name: "Choose panels" }).click();
  await ann.page.getByRole("radio", { name: "Custom panels" }).check();
  await ann.page.getByRole("checkbox", { name: "Devices" }).uncheck();
  // By keyboard: the button keeps focus while its panel moves.
  await ann.page.getByRole("button", { name: "Move Chart up" }).focus();
  await ann.page.keyboard.press("Enter");
  await expect(ann.page.getByRole("status").filter({ hasText: /Chart is now number 1 of \d+\./ })).toBeAttached();
  await expect(ann.page.getByRole("button", { name: "Move Chart up" })).toBeFocused();
  await save("Mornings");
  await expect(ann.page.getByRole("button", { name: "Dashboard: Mornings" })).toBeVisible();
  await bob.page.goto(ann.page.url());
  await expectVisitors(bob.page, 1);
  await expect(bob.page.getByRole("region", { name: "Filters" }).getByRole("listitem")).toHaveText(["Page is /prices"]);
  await expect(bob.page.getByRole("region", { name: "Countries" })).toBeVisible();
  await expect(bob.page.getByRole("region", { name: "Devices" })).toHaveCount(0);
  await bob.page.getByRole("button", { name: "Dashboard: Mornings" }).click();
  await expect(bob.page.getByRole("menuitem", { name: "Choose panels…" })).toBeVisible();
  await expect(bob.page.getByRole("menuitem", { name: /^Delete|save/ })).toHaveCount(0);

  await ann.page.getByRole("button", { name: "Dashboard: Mornings" }).click();
  await ann.page.getByRole("menuitem", { name: "Delete Mornings…" }).click();
  await ann.page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(ann.page.getByRole("button", { name: "Choose panels" })).toBeVisible();
  // A link contains its whole view and keeps working; one that only names a deleted dashboard shows an error.
  await bob.page.goto(`${bob.page.url()}&dashboard=${randomUUID()}`);
  await expect(bob.page.getByRole("alert").filter({ hasText: "dashboard does not exist" })).toBeVisible();
  await expectVisitors(bob.page, 1);
  await expect(bob.page.getByRole("region", { name: "Devices" })).toHaveCount(0);

  await ann.page.getByRole("button", { name: "Segment: No segment" }).click();
  await ann.page.getByRole("menuitem", { name: "Manage segments" }).click();
  await ann.page.getByRole("button", { name: "Edit Prices" }).click();
  await save("Readers of prices");
  await ann.page.getByRole("button", { name: "Delete Readers of prices" }).click();
  await ann.page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(ann.page.getByText("The segment is deleted.", { exact: true })).toBeVisible();
  await expect(ann.page.getByRole("button", { name: /^Segment: / })).toHaveCount(0);
});
