import { looksRight } from "./support/faults";
import { expect, test } from "./support/stories";

/** What is said in passing about what was done, and what can be done about it. */

test("a toast takes back what was done, by keyboard alone, and tries again what did not reach the server", async ({
  owner,
  site,
}) => {
  const ann = await owner();
  const { page } = ann;
  const { siteId } = await site(ann);
  const said = page.getByRole("region", { name: "Messages (F8)" });
  await page.goto(`/sites/${siteId}/settings/exclusions`);
  await page.getByLabel("Pattern").fill("192.0.2.7");
  await page.getByRole("button", { name: "Leave out", exact: true }).click();
  const remove = page.getByRole("button", { name: "Remove address 192.0.2.7" });
  await remove.click();
  await expect(remove).toHaveCount(0);
  await expect(said.getByText("The rule is removed.")).toBeVisible();
  await page.keyboard.press("F8");
  await looksRight(page, "a toast");
  // The newest comes first, and while the focus is there none goes.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(said.getByRole("button", { name: "Undo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(remove).toBeVisible();

  await page.goto(`/sites/${siteId}/settings/monitoring`);
  const letters = page.getByLabel("Tell me by mail");
  await expect(letters).toBeChecked();
  await page.route("**/actions/**", (route) => route.abort());
  await letters.press("Space");
  await expect(said.getByText("The server could not be reached.")).toBeVisible();
  await expect(letters).toBeChecked();
  await page.unrouteAll();
  await said.getByRole("button", { name: "Try again" }).click();
  await expect(letters).not.toBeChecked();
  // The switch moved before the server knew of it.
  await expect(letters).toHaveAttribute("aria-busy", "false");
  await page.reload();
  await expect(letters).not.toBeChecked();
});

test("a removed row is gone before the server answers, and comes back with the reason where that is refused", async ({
  owner,
  site,
}) => {
  const ann = await owner();
  const { page } = ann;
  const { siteId } = await site(ann);
  await page.goto(`/sites/${siteId}/settings/exclusions`);
  await page.getByLabel("Pattern").fill("192.0.2.8");
  await page.getByRole("button", { name: "Leave out", exact: true }).click();
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

test("a renamed or deleted goal shows at once, and where that is refused it is back and nothing typed is lost", async ({
  owner,
  site,
}) => {
  const ann = await owner();
  const { page } = ann;
  const { siteId } = await site(ann);
  const goals = page.getByRole("region", { name: "Goals" });
  const dialog = page.getByRole("dialog");
  const said = page.getByRole("region", { name: "Messages (F8)" });
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

  // The server's answer waits until the page has shown the change.
  const answers: (() => void)[] = [];
  await page.route("**/actions/sites.goals.*", async (route) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    await route.continue();
  });
  const answer = async () => {
    await expect.poll(() => answers.length).toBeGreaterThan(0);
    answers.shift()?.();
  };
  await goals.getByRole("button", { name: "Edit Signup" }).press("Enter");
  await save(named, "Order");
  await expect(dialog).toHaveCount(0);
  await expect(goals.getByText("Order", { exact: true }).and(page.locator("span:not(.font-mono)"))).toHaveCount(2);
  await answer();
  await expect(goals.getByRole("button", { name: "Edit Signup" })).toBeVisible();
  await expect(said.getByText(/^Not saved\. This is the name of another goal/)).toBeVisible();
  await looksRight(page, "a refused change");
  await said.getByRole("button", { name: "Edit again" }).press("Enter");
  await expect(dialog.getByLabel(named)).toHaveValue("Order");
  await save(named, "Account");
  await expect(dialog).toHaveCount(0);
  await expect(goals.getByRole("button", { name: "Edit Account" })).toBeVisible();
  await answer();
  await expect(said.getByText("The goal is saved.")).toBeVisible();

  await goals.getByRole("button", { name: "Delete Account" }).press("Enter");
  await dialog.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(goals.getByText("Account")).toHaveCount(0);
  await answer();
  await expect(said.getByText("The goal is deleted.")).toBeVisible();
  await page.unrouteAll();
  await page.reload();
  await expect(goals.getByRole("button", { name: /^Edit / })).toHaveCount(1);
});

test("who is offline is told so and keeps the page, and goes on once the connection is back", async ({
  owner,
  site,
}) => {
  const ann = await owner();
  const { page } = ann;
  const { siteId } = await site(ann);
  const said = page.getByRole("region", { name: "Messages (F8)" });
  const dialog = page.getByRole("dialog");
  const heading = page.getByRole("heading", { level: 1 });
  const offline = (yes: boolean) => page.context().setOffline(yes);
  await page.goto(`/sites/${siteId}?period=30d`);
  await expect(heading).toBeVisible();
  // What says it was fetched while there was a connection.
  await expect(said).toBeAttached();
  // Not from what the browser keeps either, where an earlier story may have left it.
  await page.route("**/_next/static/**", (route) => route.abort());
  await page.keyboard.press("?");
  await expect(said.getByText("The server could not be reached.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.unrouteAll();
  await offline(true);
  await page.keyboard.press("w");
  await expect(said.getByText("You are offline.")).toBeVisible();
  await looksRight(page, "offline");
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL(/period=30d/);
  await offline(false);
  await said.getByRole("button", { name: "Try again" }).click();
  await expect(page).toHaveURL(/period=7d/);
  await page.keyboard.press("?");
  await expect(dialog).toBeVisible();
});
