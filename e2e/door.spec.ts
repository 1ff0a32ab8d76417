import { expect, test } from "./support/stories";

test("who signs out is sent to the door, and comes back with the right password only", async ({ owner }) => {
  const { page, email, password } = await owner();
  await page.goto("/sites");
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("/");

  await page.goto("/sites/new");
  await expect(page).toHaveURL("/login?next=%2Fsites%2Fnew");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "do not belong together" })).toBeVisible();

  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("/sites/new");
  await expect(page.getByRole("heading", { name: "Add a site" })).toBeVisible();
});

test("another owner's site is not found, as if there were none", async ({ owner, site }) => {
  const { siteId } = await site(await owner());
  const { page } = await owner();
  for (const path of [`/sites/${siteId}`, `/sites/${siteId}/install`, "/sites/2147483647"]) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveText("There is nothing here");
  }
});
