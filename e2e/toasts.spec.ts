import { expectAccessible } from "./support/accessibility";
import { expect, test } from "./support/fixtures";

/** Toasts after actions, with undo and retry. */

test("a toast undoes an action by keyboard, and retries one that did not reach the server", async ({ owner, site }) => {
  const ann = await owner();
  const { page } = ann;
  const { siteId } = await site(ann);
  const toasts = page.getByRole("region", { name: "Messages (F8)" });
  await page.goto(`/sites/${siteId}/settings/exclusions`);
  await page.getByLabel("Pattern").fill("192.0.2.7");
  await page.getByRole("button", { name: "Add rule" }).click();
  const remove = page.getByRole("button", { name: "Remove address 192.0.2.7" });
  await remove.click();
  await expect(remove).toHaveCount(0);
  await expect(toasts.getByText("Rule removed.")).toBeVisible();
  await page.keyboard.press("F8");
  await expectAccessible(page, "a toast");
  // The newest toast is first, and toasts stay while they have focus.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(toasts.getByRole("button", { name: "Undo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(remove).toBeVisible();

  await page.goto(`/sites/${siteId}/settings/monitoring`);
  const emailMe = page.getByLabel("Email me");
  await expect(emailMe).toBeChecked();
  await page.route("**/actions/**", (route) => route.abort());
  await emailMe.press("Space");
  await expect(toasts.getByText("The server could not be reached.")).toBeVisible();
  await expect(emailMe).toBeChecked();
  await page.unrouteAll();
  await toasts.getByRole("button", { name: "Try again" }).click();
  await expect(emailMe).not.toBeChecked();
  // The switch changes before the server has answered.
  await expect(emailMe).toHaveAttribute("aria-busy", "false");
  await page.reload();
  await expect(emailMe).not.toBeChecked();
});

test("a removed row disappears before the server answers, and comes back with the reason if it is refused", async ({
  owner,
  site,
}) => {
  const ann = await owner();
  const { page } = ann;
  const { siteId } = await site(ann);
  await page.goto(`/sites/${siteId}/settings/exclusions`);
  await page.getByLabel("Pattern").fill("192.0.2.8");
  await page.getByRole("button", { name: "Add rule" }).click();
  const remove = page.getByRole("button", { name: "Remove address 192.0.2.8" });
  const refusal = { code: "role_denied", message: "This needs the role manager." };
  let refuse = () => {};
  const decided = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  await page.route("**/actions/sites.exclusions.delete", async (route) => {
    await decided;
    await route.fulfill({ status: 403, json: { error: refusal } });
  });
  await remove.press("Enter");
  await expect(remove).toHaveCount(0);
  refuse();
  await expect(remove).toBeVisible();
  await expect(page.getByRole("region", { name: "Messages (F8)" }).getByText(refusal.message)).toBeVisible();
});

test("being offline shows a toast and keeps the page, and retry works once the connection is back", async ({
  owner,
  site,
}) => {
  const ann = await owner();
  const { page } = ann;
  const { siteId } = await site(ann);
  const toasts = page.getByRole("region", { name: "Messages (F8)" });
  const dialog = page.getByRole("dialog");
  const heading = page.getByRole("heading", { level: 1 });
  const offline = (yes: boolean) => page.context().setOffline(yes);
  await page.goto(`/sites/${siteId}?period=30d`);
  await expect(heading).toBeVisible();
  // The toaster was loaded while online.
  await expect(toasts).toBeAttached();
  // Also blocks scripts that an earlier test may have left in the browser's cache.
  await page.route("**/_next/static/**", (route) => route.abort());
  await page.keyboard.press("?");
  await expect(toasts.getByText("The server could not be reached.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.unrouteAll();
  await offline(true);
  await page.keyboard.press("w");
  await expect(toasts.getByText("You are offline.")).toBeVisible();
  await expectAccessible(page, "offline");
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL(/period=30d/);
  await offline(false);
  await toasts.getByRole("button", { name: "Try again" }).click();
  await expect(page).toHaveURL(/period=7d/);
  await page.keyboard.press("?");
  await expect(dialog).toBeVisible();
});
