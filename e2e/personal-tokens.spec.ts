import { expectAccessible } from "./support/accessibility";
import { ageSignIn, join } from "./support/agents";
import { findSecrets } from "./support/find-secrets";
import { expect, test } from "./support/fixtures";
import { Agent } from "./support/http-agent";

/** Personal tokens: made on the account page, used by a script over HTTP, and revoked. */

const NAME = `Nightly export ${"of-all-that-does-not-fit-on-a-phone-".repeat(3).slice(0, 60)}`;

test("a person makes a token after entering the password, sees it once, uses it over HTTP, and revokes it", async ({
  owner,
  site,
  server,
}) => {
  const ann = await owner();
  const { page } = ann;
  const [shop, blog] = [await site(ann), await site(ann)];
  await ageSignIn(server, ann.email);
  await page.goto("/account");
  await expect(page.getByText("No script has a token of yours.")).toBeVisible();
  await page.getByRole("link", { name: "New token" }).click();
  await expect(page.getByRole("heading", { name: "New personal token" })).toBeVisible();
  await expect(page.getByLabel("Expires")).toHaveValue("90");
  await expect(page.getByLabel("Change the settings of your sites")).not.toBeChecked();
  const make = page.getByRole("button", { name: "Make token" });

  await page.getByRole("textbox", { name: /^Name/ }).fill(NAME);
  await make.click();
  await expect(page.getByRole("alert").filter({ hasText: "needs at least one site" })).toBeVisible();
  await expectAccessible(page, "errors");
  await page.getByLabel(shop.host).check();
  await make.click();
  await page.getByLabel("Your password").fill(ann.password);
  await page.getByRole("button", { name: "Continue" }).click();
  const token = (await page.getByTestId("fresh-key").textContent()) ?? "";
  await expectAccessible(page, "the token");
  expect(token).toMatch(/^ff_pat_[\w-]{43}$/);

  const script = new Agent(server.url, token);
  expect((await script.read("sites.settings.get", { site_id: shop.siteId })).status).toBe(200);
  expect((await script.read("sites.settings.get", { site_id: blog.siteId })).status).toBe(403);
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.waitForURL("/account");
  const row = page.getByRole("listitem").filter({ hasText: NAME });
  await expect(row).toContainText(`On ${shop.host}`);
  await expect(row).toContainText("See your sites and their settings · Read the reports of your sites");
  await expect(row).toContainText("last used");
  await expectAccessible(page, "tokens");
  expect(await findSecrets(server, [["the token", token]], { "the account page": await page.content() })).toEqual([]);

  await page.goto("/agents");
  await expect(page.getByRole("heading", { name: "No connected agents" })).toBeVisible();
  await page.goto("/account");
  await page.getByRole("button", { name: `Revoke ${NAME}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("heading", { name: "Ended in the last 90 days" })).toBeVisible();
  expect((await script.read("sites.list", {})).status).toBe(401);
  await page.getByRole("link", { name: NAME }).click();
  await expect(page.getByText("A personal token of yours")).toBeVisible();
  await expect(page.getByText("It no longer has access; its log stays.")).toBeVisible();
});

test("an owner of a site sees the token of a member on it, and removes it from the site", async ({
  siteOwner: ann,
  owner,
  server,
}) => {
  const bob = await owner();
  await join(server, ann.siteId, bob.email, "viewer");
  await bob.page.goto("/account/tokens/new");
  await bob.page.getByRole("textbox", { name: /^Name/ }).fill("Report by chat");
  await bob.page.getByRole("button", { name: "Make token" }).click();
  const script = new Agent(server.url, (await bob.page.getByTestId("fresh-key").textContent()) ?? "");
  expect((await script.read("sites.list", {})).body.data.total).toBe(1);
  await ann.page.goto("/agents");
  await expect(ann.page.getByText("Personal token of")).toBeVisible();
  await ann.page.getByRole("button", { name: "Remove from this site: Report by chat" }).click();
  await ann.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(ann.page.getByText("Personal token of")).toHaveCount(0);
  expect((await script.read("sites.list", {})).body.data.total).toBe(0);
});
