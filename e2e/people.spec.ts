import { ageSignIn } from "./support/agents";
import { expect, findInEmail, test } from "./support/fixtures";
import { signIn } from "./support/sign-in";

/** Members of a site. */

test("a new person is invited, joins with the emailed link, and becomes the owner", async ({
  siteOwner: ann,
  owner,
  open,
  server,
}) => {
  const { siteId, host } = ann;
  const people = `/sites/${siteId}/settings/people`;
  await ann.page.goto(`/sites/${siteId}`);
  await ann.page.getByRole("link", { name: "Settings" }).click();
  await ann.page.getByRole("link", { name: "People", exact: true }).click();
  await expect(ann.page).toHaveURL(people);

  const email = `ben-${siteId}@example.com`;
  await ann.page.getByLabel("Email", { exact: true }).fill(email);
  await ann.page.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(
    ann.page.getByText(`The invitation of ${email} is ready. Pass on its link.`, { exact: true }),
  ).toBeVisible();
  const link = await findInEmail(server, email, /(http:\/\/\S+\/invite\/\S+)/);

  // With another account signed in, the page shows only a masked address.
  const eve = await owner();
  await eve.page.goto(link);
  await expect(eve.page.getByText("This invitation is for b***@example.com")).toBeVisible();

  const ben = await open();
  await ben.goto(link);
  await expect(ben.getByLabel("Email", { exact: true })).toHaveValue(email);
  await ben.getByLabel("Password").fill("a password of ben's");
  await ben.getByRole("button", { name: "Create account and join" }).click();
  await ben.waitForURL(`/sites/${siteId}`);
  await ben.goto(people);
  await expect(ben.getByText("Only owners invite people and change roles.")).toBeVisible();
  await expect(ben.getByRole("link", { name: "Danger zone" })).toHaveCount(0);
  expect((await ben.goto(`/sites/${siteId}/settings/danger`))?.status()).toBe(404);

  await ann.page.reload();
  // Selecting a role needs a confirmation, because a single arrow key changes the selection.
  const role = ann.page.getByLabel(`Role of ${email}`);
  await role.press("ArrowDown");
  await ann.page
    .getByRole("dialog", { name: `Make ${email} a manager?` })
    .getByRole("button", { name: "Cancel" })
    .click();
  await expect(role).toHaveValue("viewer");
  await expect(role).toBeFocused();
  await role.selectOption("manager");
  await ann.page.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
  await findInEmail(server, email, /(Your role on \S+ is now manager)/);

  // The last owner cannot leave.
  await ann.page.getByRole("button", { name: `Leave ${host}` }).click();
  await ann.page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await expect(ann.page.getByRole("alert").filter({ hasText: "needs an owner" })).toBeVisible();
  await ann.page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();

  await ann.page.getByRole("link", { name: "Danger zone" }).click();
  await ann.page.getByLabel("New owner").selectOption({ label: email });
  await ann.page.getByRole("button", { name: "Transfer" }).click();
  await ann.page.getByRole("dialog").getByRole("button", { name: "Transfer" }).click();
  await ann.page.waitForURL(people);
  await expect(ann.page.getByText("Only owners invite people and change roles.")).toBeVisible();

  await ben.goto(people);
  await ben.getByRole("button", { name: `Remove ${ann.email}` }).click();
  await ben.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(ben.getByText("You are the only member.")).toBeVisible();
  expect((await ann.page.goto(people))?.status()).toBe(404);
});

test("a person with an account signs in to accept, and a withdrawn invitation no longer works", {
  tag: "@full",
}, async ({ siteOwner: ann, owner, open, server }) => {
  const { siteId } = ann;
  const ben = await owner();
  await ann.page.goto(`/sites/${siteId}/settings/people`);
  const invite = async () => {
    await ann.page.getByLabel("Email", { exact: true }).fill(ben.email);
    await ann.page.getByRole("button", { name: "Invite", exact: true }).click();
    await expect(ann.page.getByText(/^The invitation of .* is ready/)).toBeVisible();
    return findInEmail(server, ben.email, /(http:\/\/\S+\/invite\/\S+)/);
  };
  const first = await invite();
  await ann.page.getByRole("button", { name: `Withdraw the invitation of ${ben.email}` }).click();
  await expect(ann.page.getByRole("region", { name: "Pending invitations" })).toHaveCount(0);
  const page = await open();
  await page.goto(first);
  await expect(page.getByRole("heading", { name: "This invitation is no longer valid" })).toBeVisible();

  await ann.page.getByLabel("Email", { exact: true }).fill(ben.email);
  await ann.page.getByRole("button", { name: "Invite", exact: true }).click();
  await expect.poll(() => server.emails(ben.email).length).toBe(2);
  await page.goto(await findInEmail(server, ben.email, /(http:\/\/\S+\/invite\/\S+)/));
  await page.getByRole("link", { name: "Sign in" }).click();
  await signIn(page, ben);
  await page.getByRole("button", { name: /^Join / }).click();
  await page.waitForURL(`/sites/${siteId}`);
});

test("an owner deletes a site after typing its domain", async ({ siteOwner: { page, siteId, host } }) => {
  await page.goto(`/sites/${siteId}/settings/danger`);
  await page.getByLabel(`Type ${host} to confirm`).fill("another.example");
  await page.getByRole("button", { name: "Delete permanently" }).click();
  await expect(page.getByRole("alert").filter({ hasText: `Does not match. Type ${host}.` })).toBeVisible();
  await page.getByLabel(`Type ${host} to confirm`).fill(host);
  await page.getByRole("button", { name: "Delete permanently" }).click();
  await page.waitForURL("/sites");
  await expect(page.getByRole("heading", { name: "Add your first site" })).toBeVisible();
});

test("two removals at once wait for the same password, and both happen or neither does", { tag: "@full" }, async ({
  siteOwner: { page, email, password, siteId },
  server,
}) => {
  const invited = ["ben", "carla", "dora"].map((name) => `${name}-${siteId}@example.com`);
  await page.goto(`/sites/${siteId}/settings/people`);
  for (const address of invited) {
    await page.getByLabel("Email", { exact: true }).fill(address);
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await expect(page.getByRole("button", { name: `Withdraw the invitation of ${address}` })).toBeVisible();
  }
  await ageSignIn(server, email);
  const pending = async () =>
    (
      await server.query<{ email: string }>("SELECT email FROM invitation WHERE site_id = $1 ORDER BY email", [siteId])
    ).map((row) => row.email);
  const dialog = page.getByRole("dialog", { name: "Confirm it’s you" });

  /** Presses both buttons before either answer arrives. */
  async function withdraw(addresses: string[]) {
    const held: (() => void)[] = [];
    await page.route("**/actions/*.withdraw", (route) => void held.push(() => void route.fallback()));
    for (const [index, address] of addresses.entries()) {
      await page.getByRole("button", { name: `Withdraw the invitation of ${address}` }).click();
      await expect.poll(() => held.length).toBe(index + 1);
    }
    await page.unroute("**/actions/*.withdraw");
    for (const release of held) release();
  }

  await withdraw(invited.slice(0, 2));
  await dialog.getByRole("button", { name: "Cancel" }).click();
  for (const address of invited) await expect(page.getByText(address, { exact: true })).toBeVisible();
  expect(await pending()).toEqual(invited);

  await withdraw(invited.slice(0, 2));
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(pending).toEqual(invited.slice(2));
  for (const address of invited.slice(0, 2)) await expect(page.getByText(address, { exact: true })).toHaveCount(0);
});
