import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { expect, test } from "./support/fixtures";

/** Toasts after actions, with undo and retry. */

test("a toast undoes an action by keyboard, and retries one that did not reach the server", async ({
  siteOwner: { page, siteId },
}) => {
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

test("a removed row disappears before the server answers, and comes back with the reason if it is refused", {
  tag: "@full",
}, async ({ siteOwner: { page, siteId } }) => {
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

/** Holds the answers of actions, so that a test sees what the page shows until then. @returns a function that lets the next one pass */
async function holdActions(page: Page, actions: string): Promise<() => Promise<void>> {
  const answers: (() => void)[] = [];
  await page.route(`**/actions/${actions}`, async (route) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    await route.continue();
  });
  return async () => {
    await expect.poll(() => answers.length).toBeGreaterThan(0);
    answers.shift()?.();
  };
}

test("renaming and deleting a goal show at once, and a refused change is undone without losing the input", {
  tag: "@full",
}, async ({ siteOwner: { page, siteId } }) => {
  const goals = page.getByRole("region", { name: "Goals" });
  const dialog = page.getByRole("dialog");
  const toasts = page.getByRole("region", { name: "Messages (F8)" });
  const named = /^Name(?! of)/;
  const save = async (label: string | RegExp, value: string) => {
    await dialog.getByLabel(label).fill(value);
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
  };
  await page.goto(`/sites/${siteId}/settings/goals`);
  for (const name of ["Signup", "Order"]) {
    await goals.getByRole("button", { name: "New goal" }).press("Enter");
    await save("Name of the event", name);
    await expect(goals.getByRole("button", { name: `Edit ${name}` })).toBeVisible();
  }

  const answer = await holdActions(page, "sites.goals.*");
  await goals.getByRole("button", { name: "Edit Signup" }).press("Enter");
  await save(named, "Order");
  await expect(dialog).toHaveCount(0);
  await expect(goals.getByText("Order", { exact: true }).and(page.locator("span:not(.font-mono)"))).toHaveCount(2);
  await answer();
  await expect(goals.getByRole("button", { name: "Edit Signup" })).toBeVisible();
  await expect(toasts.getByText(/^Not saved\. This is already the name of another goal/)).toBeVisible();
  // A toast stays while it has focus.
  await page.keyboard.press("F8");
  await expectAccessible(page, "a refused change");
  await toasts.getByRole("button", { name: "Edit again" }).press("Enter");
  await expect(dialog.getByLabel(named)).toHaveValue("Order");
  await save(named, "Account");
  await expect(dialog).toHaveCount(0);
  await expect(goals.getByRole("button", { name: "Edit Account" })).toBeVisible();
  await answer();
  await expect(toasts.getByText("The goal is saved.")).toBeVisible();

  await goals.getByRole("button", { name: "Delete Account" }).press("Enter");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(goals.getByText("Account")).toHaveCount(0);
  await answer();
  await expect(toasts.getByText("The goal is deleted.")).toBeVisible();
  await page.unrouteAll();
  await page.reload();
  await expect(goals.getByRole("button", { name: /^Edit / })).toHaveCount(1);
});

test("a row that is deleted before its renaming is answered stays deleted", async ({ siteOwner: { page, siteId } }) => {
  const goals = page.getByRole("region", { name: "Goals" });
  const dialog = page.getByRole("dialog");
  const toasts = page.getByRole("region", { name: "Messages (F8)" });
  await page.goto(`/sites/${siteId}/settings/goals`);
  await goals.getByRole("button", { name: "New goal" }).press("Enter");
  await dialog.getByLabel("Name of the event").fill("Signup");
  await dialog.getByRole("button", { name: "Save" }).press("Enter");

  const answer = await holdActions(page, "sites.goals.*");
  await goals.getByRole("button", { name: "Edit Signup" }).press("Enter");
  await dialog.getByLabel(/^Name(?! of)/).fill("Account");
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await goals.getByRole("button", { name: "Delete Account" }).press("Enter");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(goals.getByText("Account")).toHaveCount(0);
  await answer();
  await expect(toasts.getByText("The goal is saved.")).toBeVisible();
  await expect(goals.getByText("Account")).toHaveCount(0);
  await answer();
  await expect(toasts.getByText("The goal is deleted.")).toBeVisible();
  await expect(goals.getByText("Account")).toHaveCount(0);
});

test("being offline shows a toast and keeps the page, and retry works once the connection is back", {
  tag: "@full",
}, async ({ siteOwner: { page, siteId } }) => {
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
  // A toast stays while it has focus.
  await page.keyboard.press("F8");
  await expectAccessible(page, "offline");
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL(/period=30d/);
  await offline(false);
  await toasts.getByRole("button", { name: "Try again" }).click();
  await expect(page).toHaveURL(/period=7d/);
  await page.keyboard.press("?");
  await expect(dialog).toBeVisible();
});

test("a part of a page whose code was lost loads it at the next try", { tag: "@full" }, async ({
  dashboard: { page, siteId },
}) => {
  const at = `/sites/${siteId}?compare=previous_period`;
  const html = await (await page.request.get(at)).text();
  await page.route("**/_next/static/chunks/*.js", (route) => {
    const isOfDocument = html.includes(new URL(route.request().url()).pathname);
    return isOfDocument ? route.continue() : route.abort();
  });
  await page.goto(at);
  await expect(page.getByText("Could not load what changed.")).toBeVisible();
  await page.unrouteAll();
  const card = page.getByRole("region", { name: "What changed" });
  await expect(card).toHaveCount(0);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(card).toBeVisible();
});

test("a page whose code was lost leaves the navigation around it, and loads it at the next try", {
  tag: "@full",
}, async ({ dashboard: { page, siteId } }) => {
  await page.goto(`/sites/${siteId}`);
  const explore = page.getByRole("navigation", { name: "Reports" }).getByRole("link", { name: "Explore" });
  await expect(explore).toBeVisible();
  await page.route("**/_next/static/chunks/*.js", (route) => route.abort());
  await page.keyboard.press("End");
  await explore.press("Enter");
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeInViewport();
  await expect(explore).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Explore" })).toBeVisible();
});
