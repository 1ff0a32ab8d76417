import type { Page } from "@playwright/test";

/** Signs in and out on our pages. Tests of something else use `forms`, which is faster. */

/** Fills in the sign-in form of the open page. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  // In a tab that has just opened, the script of the form may not have run yet.
  await page.waitForLoadState();
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Signs out with the menu of the account. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account:" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("/");
}
