import { expectAccessible } from "./support/accessibility";
import { makeAdministrator } from "./support/agents";
import { postPageview } from "./support/events";
import { expect, findInEmail, test } from "./support/fixtures";
import { signIn } from "./support/sign-in";

/** Administrators, the log of a site, a new address, and tags. */

test("an administrator disables a site and an account, who sees why, and enables them", async ({
  owner,
  site,
  server,
}) => {
  const [admin, ann] = [await owner(), await owner()];
  await makeAdministrator(server, admin.email);
  const shop = await site(ann);
  const find = async (text: string) => {
    await admin.page.goto(`/admin?q=${encodeURIComponent(text)}`);
    await expect(admin.page.getByRole("heading", { name: "Health" })).toBeVisible();
  };
  const press = async (action: string, name: string) => {
    await admin.page.getByRole("button", { name: `${action} ${name}`, exact: true }).click();
    const dialog = admin.page.getByRole("dialog");
    await dialog.getByRole("button", { name: action, exact: true }).click();
    await expect(dialog).toHaveCount(0);
  };
  await find(shop.host);
  await press("Disable", shop.host);
  await expect(admin.page.getByText("Disabled", { exact: true })).toBeVisible();
  await expectAccessible(admin.page, "a disabled site");
  await ann.page.goto(`/sites/${shop.siteId}/settings/general`);
  await expect(ann.page.getByRole("heading", { name: `${shop.host} is disabled` })).toBeVisible();
  await expectAccessible(ann.page, "the page of a disabled site");
  await press("Enable", shop.host);
  await ann.page.reload();
  await expect(ann.page.getByRole("heading", { name: "Settings" })).toBeVisible();

  await find(ann.email);
  await press("Disable", ann.email);
  await ann.page.goto("/sites");
  await expect(ann.page).toHaveURL(/\/login/);
  await signIn(ann.page, ann);
  await expect(ann.page.getByText("This account is disabled.")).toBeVisible();
  await press("Enable", ann.email);
  await ann.page.getByRole("button", { name: "Sign in" }).click();
  await expect(ann.page.getByRole("heading", { name: "Your sites" })).toBeVisible();
  await admin.page.getByRole("button", { name: "Send a test email" }).click();
  await expect(admin.page.getByText("It was written to")).toBeVisible();
});

test("the log of a site shows before and after, and undoes a change", async ({ siteOwner: { page, siteId } }) => {
  await page.goto(`/sites/${siteId}/settings/general`);
  await page.getByRole("textbox", { name: /^Name/ }).first().fill("The shop");
  await page.getByRole("button", { name: "Save" }).first().click();
  await expect(page.getByRole("region", { name: "Messages (F8)" })).toContainText(/saved/i);
  await page.goto(`/sites/${siteId}/settings/log?what=sites.settings`);
  const entry = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ hasText: "Change a site’s settings" })
    .or(page.getByRole("main").getByRole("listitem").filter({ hasText: "Change a site's settings" }));
  await expect(entry.first()).toContainText("The shop");
  await expectAccessible(page, "the log of a site");
  await page.getByRole("button", { name: /^Undo / }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goto(`/sites/${siteId}/settings/general`);
  await expect(page.getByRole("textbox", { name: /^Name/ }).first()).not.toHaveValue("The shop");
});

test("a new address is confirmed by the link in its mailbox", async ({ owner, server }) => {
  const { page, email, password } = await owner();
  const address = `new-${email}`;
  await page.goto("/account");
  await page.getByRole("button", { name: "Change address" }).click();
  await page.getByLabel("New email address").fill(address);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText(`The link for ${address}`)).toBeVisible();
  await expectAccessible(page, "an address that waits for its link");
  const link = await findInEmail(server, address, /(\/confirm\/email\/[\w-]{43})/);
  await page.goto(link);
  await expectAccessible(page, "the link of a new address");
  await page.getByRole("button", { name: "Use this address" }).click();
  await page.waitForURL("/account");
  await expect(page.getByRole("main")).toContainText(address);
  await findInEmail(server, email, /(The email address of your account was changed)/);
  await page.context().clearCookies();
  await page.goto("/login");
  await signIn(page, { email: address, password });
  await expect(page.getByRole("heading", { name: "Add your first site" })).toBeVisible();
});

test("sites are tagged and filtered, with totals, and the one that broke comes first", async ({
  owner,
  site,
  server,
}) => {
  const ann = await owner();
  const { page } = ann;
  const [shop, blog] = [await site(ann), await site(ann)];
  for (const one of [shop, blog]) await postPageview(server, one);
  await page.goto("/sites");
  await page.getByRole("button", { name: `Tags of ${shop.host}` }).click();
  await page.getByLabel("Tags", { exact: true }).fill("Shops, acme");
  await expectAccessible(page, "tags");
  await page.getByRole("button", { name: "Save" }).click();
  await page
    .getByRole("navigation", { name: "Sites with the tag" })
    .getByRole("link", { name: /^shops/ })
    .click();
  await expect(page.getByRole("heading", { name: shop.host })).toBeVisible();
  await expect(page.getByRole("heading", { name: blog.host })).toHaveCount(0);

  // Outcomes are counted in memory and stored within a second: later than the deletion, they would be of today.
  const countedToday = () => server.query("SELECT 1 FROM facts.intake WHERE site_id = $1", [blog.siteId]);
  await expect.poll(async () => (await countedToday()).length).toBeGreaterThan(0);
  await server.query(
    `INSERT INTO facts.intake SELECT $1, (now() AT TIME ZONE 'UTC')::date - back, 'stored', '', 50 FROM generate_series(2, 15) AS back`,
    [blog.siteId],
  );
  await server.query("DELETE FROM facts.intake WHERE site_id = $1 AND day >= (now() AT TIME ZONE 'UTC')::date - 1", [
    blog.siteId,
  ]);
  await page.goto("/sites?period=28d");
  await expect(page.getByRole("note")).toContainText("One site needs a look");
  await expect(page.getByRole("main").getByRole("heading", { level: 2 }).first()).toHaveText(blog.host);
  await expect(page.getByRole("region", { name: "Totals" })).toContainText("On 2 sites in the last 28 days.");
  await expectAccessible(page, "a list with a site that broke");
});
