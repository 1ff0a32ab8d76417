import { expectAccessible } from "./support/accessibility";
import { postPageview, untilReported } from "./support/events";
import { expect, findInEmail, test } from "./support/fixtures";

test("an agency's owner shares two sites by one invitation, reads them in one report, and takes all back at once", async ({
  siteOwner: ann,
  site,
  open,
  server,
}) => {
  const second = await site(ann);
  const { page } = ann;
  await page.goto("/sites");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Teams" }).click();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Acme");
  await page.getByRole("button", { name: "Make team" }).click();
  await expect(page.getByRole("heading", { name: "Acme" })).toBeVisible();
  await expectAccessible(page, "a team without sites");
  for (const { host } of [ann, second]) {
    await page.getByLabel("Your site").selectOption({ label: host });
    await page.getByRole("button", { name: "Add to team" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Add to team" }).click();
    await expect(page.getByRole("link", { name: host, exact: true })).toBeVisible();
  }
  const email = `ben-${ann.siteId}@example.com`;
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = await findInEmail(server, email, /(http:\/\/\S+\/invite\/\S+)/);
  const ben = await open();
  await ben.goto(link);
  await expect(ben.getByRole("heading", { name: "Join Acme" })).toBeVisible();
  await ben.getByLabel("Password").fill("a password of ben's");
  await ben.getByRole("button", { name: "Create account and join" }).click();
  await ben.waitForURL(/\/teams\/\d+$/);
  await expect(ben.getByRole("button", { name: "Add to team" })).toHaveCount(0);

  await postPageview(server, ann, "/one");
  await postPageview(server, second, "/two");
  for (const { siteId } of [ann, second]) await untilReported(page, siteId, 1);
  await ben.getByRole("link", { name: "Combined report" }).click();
  await expect(ben.getByRole("button", { name: /^Visitors 2/ })).toBeVisible();
  await expect(ben.getByRole("table", { name: "Pages" }).getByRole("row", { name: /\/two/ })).toContainText(
    second.host,
  );
  await expectAccessible(ben, "a combined report");
  const saved = await ben.request.get(`/sites/combined/download?sites=${ann.siteId},${second.siteId}&table=sites`);
  expect(await saved.text()).toContain(`"${second.host}",1,1,1,`);
  await ben.getByRole("table", { name: "Sites" }).getByRole("link", { name: second.host }).click();
  await ben.waitForURL(`/sites/${second.siteId}`);

  await page.goto(`/sites/${second.siteId}/settings/people`);
  await expect(page.getByText("Viewer by the team")).toBeVisible();
  await page.getByRole("link", { name: "Acme" }).click();
  await page.getByRole("button", { name: `Remove ${email}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("You are the only member.")).toBeVisible();
  for (const { siteId } of [ann, second]) expect((await ben.goto(`/sites/${siteId}`))?.status()).toBe(404);
});
