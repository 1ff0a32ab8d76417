import { expectAccessible } from "./support/accessibility";
import { join } from "./support/agents";
import { postPageview } from "./support/events";
import { expect, test } from "./support/fixtures";

/** Annotations of the chart. */

test("an owner adds, edits and deletes an annotation, an invalid link shows an error, and a viewer only reads it", async ({
  siteOwner: { page, siteId, host },
  owner,
  server,
}) => {
  const bob = await owner();
  await join(server, siteId, bob.email, "viewer");
  await postPageview(server, { host });
  const list = page.getByRole("region", { name: "Annotations" });
  const dialog = page.getByRole("dialog");

  await page.goto(`/sites/${siteId}?period=28d`);
  await list.getByRole("button", { name: "Add annotation" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByLabel("Text")).toHaveAccessibleDescription("This must not be empty.");
  await dialog.getByLabel("Text").fill("Version 2.0 is live");
  await dialog.getByLabel("Kind").selectOption("Deploy");
  await dialog.getByLabel("Link").fill("javascript:alert(1)");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByLabel("Link")).toHaveAccessibleDescription(/http/);
  await expectAccessible(page, "the annotation dialog");
  await dialog.getByLabel("Link").fill(`https://${host}/notes`);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(list.getByRole("link", { name: "Version 2.0 is live" })).toHaveAttribute(
    "href",
    `https://${host}/notes`,
  );

  await bob.page.goto(`/sites/${siteId}?period=28d`);
  const read = bob.page.getByRole("region", { name: "Annotations" });
  await expect(read.getByText("Version 2.0 is live")).toBeVisible();
  await expect(read.getByRole("button")).toHaveCount(0);

  await list.getByRole("button", { name: "Edit Version 2.0 is live" }).click();
  await dialog.getByLabel("Text").fill("Version 2.1 is live");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(list.getByText("Version 2.1 is live")).toBeVisible();
  await expectAccessible(page, "a dashboard with an annotation");
  await list.getByRole("button", { name: "Delete Version 2.1 is live" }).press("Enter");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(list.getByText("Version 2.1 is live")).toHaveCount(0);
});
