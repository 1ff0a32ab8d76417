import type { Page } from "@playwright/test";
import { ageSignIn, connectAgent, makeAdministrator } from "./support/agents";
import { authenticator } from "./support/authenticator";
import { expect, findInEmail, type Owner, test } from "./support/fixtures";
import { signIn, signOut } from "./support/sign-in";

/** The account page: two-factor authentication, password, sessions, password reset and deletion. */

async function enterPassword(page: Page, person: Pick<Owner, "email" | "password">): Promise<void> {
  await page.goto("/login");
  await signIn(page, person);
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code from your app").fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("two-factor authentication is set up and required, and a recovery code replaces a code once", async ({
  owner,
  server,
}) => {
  const ann = await owner();
  const { page } = ann;
  await page.goto("/account");
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByRole("img", { name: "QR code for your app" })).toBeVisible();
  const authApp = authenticator((await page.getByTestId("secret").textContent()) ?? "");
  await page.getByLabel("Code from your app").fill("12 34");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "is not the code" })).toBeVisible();
  await page.getByLabel("Code from your app").fill(authApp.next());
  await page.getByRole("button", { name: "Turn on" }).click();
  const shown = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(shown).toHaveCount(10);
  const codes = await shown.allTextContents();
  await page.getByRole("button", { name: "I have saved them" }).click();
  await expect(page.getByText("10 recovery codes are left")).toBeVisible();
  await findInEmail(server, ann.email, /(Two-factor authentication is on)/);

  await signOut(page);
  await enterPassword(page, ann);
  await expect(page.getByLabel("Code from your app")).toBeFocused();
  await page.goto("/account");
  await expect(page).toHaveURL("/login?next=%2Faccount");

  await enterPassword(page, ann);
  await enterCode(page, "000 000 0");
  await expect(page.getByRole("alert").filter({ hasText: "not the code your app shows" })).toBeVisible();
  await enterCode(page, authApp.next());
  await page.waitForURL("/sites");

  await signOut(page);
  await enterPassword(page, ann);
  await enterCode(page, codes[0] ?? "");
  await page.waitForURL("/sites");
  await signOut(page);
  await enterPassword(page, ann);
  await enterCode(page, codes[0] ?? "");
  await expect(page.getByRole("alert").filter({ hasText: "not the code your app shows" })).toBeVisible();

  await enterCode(page, codes[1] ?? "");
  await page.waitForURL("/sites");
  await page.goto("/account");
  await page.getByRole("button", { name: "Turn off" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Your password").fill(ann.password);
  await dialog.getByLabel("Code from your app").fill(codes[2] ?? "");
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByRole("button", { name: "Set up" })).toBeVisible();
});

test("a new password signs the other browsers out, and one browser is signed out from another", async ({
  owner,
  open,
}) => {
  const ann = await owner();
  const [phone, office] = [await open(), await open()];
  for (const page of [phone, office]) {
    await enterPassword(page, ann);
    await page.waitForURL("/sites");
  }
  const { page } = ann;
  await page.goto("/account");
  await expect(page.getByText("This browser")).toHaveCount(1);
  await page.getByRole("button", { name: "Sign out Chrome" }).first().click();
  await expect(page.getByRole("button", { name: "Sign out Chrome" })).toHaveCount(1);

  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "at least 12 characters" })).toBeVisible();
  await page.getByLabel("New password").fill("a quite different password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText(/^Your password is changed/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign out Chrome" })).toHaveCount(0);
  for (const other of [phone, office]) {
    await other.goto("/account");
    await expect(other).toHaveURL("/login?next=%2Faccount");
  }
});

test("securing the account signs out everywhere and disconnects agents, after the password was entered again", async ({
  siteOwner: { page, email, password, siteId },
  server,
}) => {
  const agent = await connectAgent(server, { email, siteIds: [siteId] });
  expect((await agent.call("sites.list", {})).status).toBe(200);
  await ageSignIn(server, email);
  await page.goto("/account");
  await page.getByRole("button", { name: "Secure my account" }).click();
  const dialog = page.getByRole("dialog", { name: "Secure your account?" });
  await dialog.getByLabel("New password").fill("a quite different password");
  await dialog.getByRole("button", { name: "Secure my account" }).click();
  const reauthentication = page.getByRole("dialog", { name: "Confirm it’s you" });
  await reauthentication.getByLabel("Your password").fill(password);
  await reauthentication.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("/login?reset=done");
  expect((await agent.call("sites.list", {})).status).toBe(401);
  await enterPassword(page, { email, password: "a quite different password" });
  await page.waitForURL("/sites");
});

test("a tab that stays open across a sign-out works after the next sign-in, but never acts as another person", {
  tag: "@full",
}, async ({ browser, owner, server }) => {
  const [ann, eve] = [await owner(), await owner()];
  const context = await browser.newContext({ baseURL: server.url });
  const [page, other] = [await context.newPage(), await context.newPage()];
  await enterPassword(page, ann);
  await page.waitForURL("/sites");
  await page.goto("/account");
  await other.goto("/sites");
  await signOut(other);
  await enterPassword(other, ann);
  await other.waitForURL("/sites");
  const change = page.getByRole("button", { name: "Change password" });
  await page.getByLabel("New password").fill("a quite different password");
  await change.click();
  await expect(page.getByText(/^Your password is changed/)).toBeVisible();

  await other.goto("/sites");
  await signOut(other);
  await enterPassword(other, eve);
  await other.waitForURL("/sites");
  const hash = () => server.query("SELECT password_hash FROM person WHERE email = $1", [eve.email]);
  const before = await hash();
  await page.getByLabel("New password").fill("a password for somebody else");
  await change.click();
  await expect(page.getByRole("alert").filter({ hasText: "Someone else signed in" })).toBeVisible();
  expect(await hash()).toEqual(before);
  await context.close();
});

test("a failed sign-out shows an error", { tag: "@full" }, async ({ owner }) => {
  const { page } = await owner();
  await page.goto("/sites");
  await page.route("**/api/auth/signout", (route) =>
    route.fulfill({ status: 503, json: { error: { code: "unavailable", message: "Later" } } }),
  );
  await page.getByRole("button", { name: "Account:" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByText("Signing out failed: you are still signed in.", { exact: true })).toBeVisible();
  await expect(page).toHaveURL("/sites");
});

test("an older account with an unconfirmed address confirms it with the emailed link", { tag: "@full" }, async ({
  owner,
  server,
}) => {
  const ann = await owner();
  await server.query("UPDATE person SET email_confirmed_at = NULL WHERE email = $1", [ann.email]);
  const { page } = ann;
  await page.goto("/account");
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Confirm your email address first" })).toBeVisible();
  await page.getByRole("button", { name: "Send confirmation email" }).click();
  await page.goto(await findInEmail(server, ann.email, /(http:\/\/\S+\/confirm\/\S+)/));
  await page.getByRole("button", { name: "Confirm address" }).click();
  await expect(page.getByText("This address is confirmed.")).toBeVisible();
  await page.goto("/account");
  await expect(page.getByText("Not confirmed.")).toHaveCount(0);
});

test("a forgotten password is replaced with the emailed link, which works once", async ({ owner, open, server }) => {
  const ann = await owner();
  const page = await open();
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  for (const email of ["nobody@example.com", ann.email]) {
    await page.goto("/reset");
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await expect(page.getByRole("status")).toContainText("If there is an account, the operator finds an email");
  }
  const link = await findInEmail(server, ann.email, /(http:\/\/\S+\/reset\/\S+)/);
  expect(server.emails("nobody@example.com")).toEqual([]);

  const answer = await page.goto(link);
  expect(answer?.headers()).toMatchObject({ "referrer-policy": "no-referrer" });
  expect(answer?.headers()["cache-control"]).toContain("no-store");
  await page.getByLabel("New password").fill("a quite different password");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.waitForURL("/login?reset=done");
  await ann.page.goto("/account");
  await expect(ann.page).toHaveURL("/login?next=%2Faccount");

  await enterPassword(page, { email: ann.email, password: "a quite different password" });
  await page.waitForURL("/sites");
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
});

test("focus moves to the invalid field, and after Escape back to the button that opened the dialog", {
  tag: "@full",
}, async ({ owner, server }) => {
  const ann = await owner();
  const { page } = ann;
  await ageSignIn(server, ann.email);
  await page.goto("/account");
  const setUp = page.getByRole("button", { name: "Set up" });
  await setUp.focus();
  await page.keyboard.press("Enter");
  const password = page.getByRole("dialog", { name: "Confirm it’s you" }).getByLabel("Your password");
  await expect(password).toBeFocused();
  await page.keyboard.type("not the password of ann");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(password).toHaveAttribute("aria-invalid", "true");
  await expect(password).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(setUp).toBeFocused();
});

test("an owner exports their data, deletes their site and then their account", async ({ owner, site, server }) => {
  const ann = await owner();
  const { siteId, host } = await site(ann);
  const { page } = ann;
  await page.goto("/account");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download as JSON" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^footfall-account-\d{4}-\d\d-\d\d\.json$/);

  await page.getByRole("link", { name: `Transfer or delete ${host}` }).click();
  await page.getByLabel(`Type ${host} to confirm`).fill(host);
  await page.getByRole("button", { name: "Delete permanently" }).click();
  await page.waitForURL("/sites");
  expect(await server.query("SELECT 1 FROM site WHERE id = $1", [siteId])).toEqual([]);

  await ageSignIn(server, ann.email);
  await page.goto("/account");
  await page.getByLabel(`Type ${ann.email} to confirm`).fill(ann.email);
  await page.getByRole("button", { name: "Delete permanently" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm it’s you" });
  await dialog.getByLabel("Your password").fill(ann.password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("/");
  await findInEmail(server, ann.email, /(Your account was deleted)/);
  expect(await server.query("SELECT 1 FROM person WHERE email = $1", [ann.email])).toEqual([]);
});

test("only administrators can open the admin page", async ({ owner, server }) => {
  const [ann, bob] = [await owner(), await owner()];
  await makeAdministrator(server, ann.email);
  const statusFor = async ({ page }: Owner) => (await page.request.get("/admin")).status();
  expect([await statusFor(ann), await statusFor(bob)]).toEqual([200, 404]);
});
