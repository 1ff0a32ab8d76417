import { expectAccessible } from "./support/accessibility";
import { connectAgent, join } from "./support/agents";
import { expect, test } from "./support/fixtures";

/** The agents page: reduce and revoke the access of agents. */

const NAME = `Pippa ${"with-a-name-that-does-not-fit-on-a-phone-".repeat(3)}`;

test("an owner removes a site and a scope from an agent, then disconnects it; each takes effect at the next call", async ({
  owner,
  site,
  server,
}) => {
  const ann = await owner();
  const { page } = ann;
  await page.goto("/agents");
  await expect(page.getByText(`Read ${server.url}/llms.txt and connect to my analytics there.`)).toBeVisible();
  const [shop, blog] = [await site(ann), await site(ann)];
  const agent = await connectAgent(server, { email: ann.email, siteIds: [shop.siteId, blog.siteId], name: NAME });
  const read = (siteId: number) => agent.call("sites.settings.get", { site_id: siteId });
  expect([(await read(shop.siteId)).status, (await read(blog.siteId)).status]).toEqual([200, 200]);

  await page.goto("/agents");
  await page.getByRole("link", { name: /^Pippa/ }).click();
  await page.getByRole("button", { name: "Reduce access" }).click();
  await expect(page.getByRole("button", { name: "Save" })).toBeVisible();
  await expectAccessible(page, "reducing access");
  await page.getByLabel("Delete sites and all their data").uncheck();
  await page.getByLabel(blog.host).uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "1 site" })).toBeVisible();
  await expect(page.getByText("Access reduced")).toBeVisible();
  expect([(await read(shop.siteId)).status, (await read(blog.siteId)).body.error.code]).toEqual([
    200,
    "site_not_granted",
  ]);
  const refused = await agent.call("sites.delete", { site_id: shop.siteId });
  expect(refused.body.error.code).toBe("insufficient_scope");

  await page.getByRole("button", { name: "Disconnect" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await expectAccessible(page, "disconnecting");
  await dialog.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByText("It no longer has access")).toBeVisible();
  expect((await read(shop.siteId)).status).toBe(401);
  await page.goto("/agents");
  await expect(page.getByRole("heading", { name: "No connected agents" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Disconnected in the last 90 days" })).toBeVisible();
});

test("an owner removes another member's agent from their site", async ({ siteOwner: ann, owner, server }) => {
  const bob = await owner();
  await join(server, ann.siteId, bob.email, "manager");
  const agent = await connectAgent(server, { email: bob.email, siteIds: [ann.siteId], name: "Bob's helper" });
  await ann.page.goto("/agents");
  await expect(ann.page.getByText(`Added by ${bob.email[0]}***@example.com`)).toBeVisible();
  await ann.page.getByRole("button", { name: "Remove from this site: Bob's helper" }).click();
  await ann.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(ann.page.getByText("Other agents on your sites")).toHaveCount(0);
  const { body } = await agent.call("sites.settings.get", { site_id: ann.siteId });
  expect(body.error.code).toBe("site_not_granted");
});
