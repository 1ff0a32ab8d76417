import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { ageSignIn } from "./support/agents";
import { expect, findInEmail, test, waitingForScripts } from "./support/fixtures";
import { agreeAtProvider, type RealProvider, signInAtProvider, startProvider } from "./support/provider";
import { type Server, startServer } from "./support/server";
import { signIn, signOut } from "./support/sign-in";

/** Signing in without a password: with a real OpenID Connect provider, and with passkeys of Chromium's authenticator. */

/** Gives the browser of a page an authenticator that verifies its user. */
async function plugAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verifies: (isUserVerified: boolean) =>
      devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
}

const passkeys = (page: Page) => page.getByRole("region", { name: "Passkeys" });

test("a passkey is added, signs in, takes the place of a code and of the password, and is removed", async ({
  fresh,
  account,
  server,
}) => {
  const page = await fresh();
  const device = await plugAuthenticator(page);
  await page.goto("/login");
  await signIn(page, account);
  await page.waitForURL("/sites");

  await page.goto("/account");
  await expect(passkeys(page)).toContainText("No passkey yet.");
  await addPasskey(page, "Laptop");
  await expect(passkeys(page).getByRole("list", { name: "Recovery codes" }).getByRole("listitem")).toHaveCount(10);
  await passkeys(page).getByRole("button", { name: "I have saved them" }).click();
  await expect(passkeys(page)).toContainText("not used yet");
  await findInEmail(server, account.email, /(A passkey was added to your account)/);
  await expectAccessible(page, "/account with a passkey");

  await signOut(page);
  await page.goto("/login?next=%2Faccount");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL("/account");
  await expect(passkeys(page)).toContainText("last used");

  // After the password, the passkey is the second factor.
  await signOut(page);
  await page.goto("/login?next=%2Faccount");
  await signIn(page, account);
  await expect(page.getByLabel("Recovery code")).toBeVisible();
  await expect(page.getByLabel("Code from your app")).toBeHidden();
  await device.verifies(false);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "The passkey was not used" })).toBeVisible();
  await device.verifies(true);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL("/account");

  await ageSignIn(server, account.email);
  await page.reload();
  await passkeys(page).getByRole("button", { name: "Remove Laptop" }).click();
  await page.getByRole("dialog", { name: "Confirm it’s you" }).getByRole("button", { name: "Use a passkey" }).click();
  await expect(passkeys(page)).toContainText("No passkey yet.");
  await signOut(page);
  await page.goto("/login");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "does not belong to an account here" })).toBeVisible();
});

interface WithProvider {
  provider: RealProvider;
  own: Server;
}

/** A server of its own without passwords, and its provider. */
const withProvider = test.extend<object, WithProvider>({
  provider: [
    async ({ browserName: _ }, use) => {
      const provider = await startProvider();
      await use(provider);
      await provider.stop();
    },
    { scope: "worker" },
  ],
  own: [
    async ({ provider }, use) => {
      const own = await startServer({ ...provider.env, PASSWORD_SIGN_IN: "off", SIGNUP: "invite" });
      provider.serve(own.url);
      await use(own);
      await own.stop();
    },
    { scope: "worker" },
  ],
});

withProvider(
  "on a service without passwords the first account, its sign-in and its reauthentication go by the provider",
  async ({ browser, provider, own }) => {
    const email = `${randomUUID()}@example.com`;
    provider.people.set("ann", { email, email_verified: true });
    provider.people.set("eve", { email: "eve@example.com", email_verified: true });
    provider.people.set("mallory", { email, email_verified: false });
    const page = waitingForScripts(await browser.newPage({ baseURL: own.url }));

    // Nobody gets in before the first account is there.
    await page.goto("/login");
    await expect(page.getByLabel("Password")).toHaveCount(0);
    await page.getByRole("link", { name: "Create an account" }).click();
    await expect(page.getByRole("heading", { name: "Create an account" })).toBeVisible();
    await page.getByRole("button", { name: "Continue with Example Login" }).click();
    await signInAtProvider(page, "ann");
    await agreeAtProvider(page);
    await page.waitForURL("/sites");
    await page.goto("/account");
    await expect(page.getByRole("region", { name: "Sign in with Example Login" })).toContainText(email);
    await expect(page.getByRole("heading", { name: "Password", exact: true })).toHaveCount(0);

    // The only way to sign in stays, and what needs reauthentication asks the provider again.
    await ageSignIn(own, email);
    await page.getByRole("button", { name: `Unlink ${email}` }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm it’s you" });
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(dialog.getByRole("alert")).toContainText("You have not confirmed yet");
    const opened = page.waitForEvent("popup");
    await dialog.getByRole("link", { name: "Confirm with Example Login in a new tab" }).click();
    const tab = waitingForScripts(await opened);
    await tab.waitForURL("/confirm-identity");
    await tab.getByRole("button", { name: "Continue with Example Login" }).click();
    await signInAtProvider(tab, "ann");
    await expect(tab.getByText("That worked.")).toBeVisible();
    await tab.close();
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "last way to sign in" })).toBeVisible();
    await signOut(page);

    for (const path of ["/reset", "/reset/made-up"]) {
      await page.goto(path);
      await expect(page).toHaveURL("/login");
    }
    await page.getByRole("button", { name: "Continue with Example Login" }).click();
    // The provider still knows her.
    await page.waitForURL("/sites");
    await page.context().close();

    for (const [name, heading] of [
      ["eve", "No account yet"],
      ["mallory", "Your address is not verified"],
    ] as const) {
      const other = waitingForScripts(await browser.newPage({ baseURL: own.url }));
      await other.goto("/login");
      await other.getByRole("button", { name: "Continue with Example Login" }).click();
      await signInAtProvider(other, name);
      await agreeAtProvider(other);
      await expect(other.getByRole("heading", { name: heading })).toBeVisible();
      await other.goto("/sites");
      await expect(other).toHaveURL("/login?next=%2Fsites");
      await other.context().close();
    }
  },
);
