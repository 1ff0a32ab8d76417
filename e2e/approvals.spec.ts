import { type Agent, ageSignIn, connectAgent, join, publicSettings } from "./support/agents";
import { expect, type Owner, type TestFixtures, test } from "./support/fixtures";

/** An agent requests an approval, its owner decides on a page, and the agent continues. */

const MARKUP = '<img src="x" onerror="document.title=\'taken\'"><script>document.title="taken"</script>';

async function setUp(
  ann: Owner,
  { site, server }: Pick<TestFixtures, "site"> & { server: Parameters<typeof connectAgent>[0] },
) {
  const shop = await site(ann);
  const agent = await connectAgent(server, { email: ann.email, siteIds: [shop.siteId] });
  return { shop, agent };
}

async function requestApproval(agent: Agent, operation: string, input: Record<string, unknown>) {
  const { status, body } = await agent.call(operation, input);
  expect([status, body.error.code]).toEqual([409, "approval_required"]);
  return body.error.details.approval as { id: string; binding_code: string };
}

test("an owner approves with the keyboard only, and the agent runs the action once", async ({
  owner,
  site,
  server,
}) => {
  const ann = await owner();
  const { shop, agent } = await setUp(ann, { site, server });
  const input = publicSettings(shop.siteId);
  const { id, binding_code } = await requestApproval(agent, "sites.settings.update", input);
  const { page } = ann;
  await ageSignIn(server, ann.email);

  const tabTo = async (name: string | RegExp, role: "link" | "button") => {
    const target = page.getByRole(role, { name }).first();
    for (let i = 0; i < 40 && !(await target.evaluate((it) => it === document.activeElement)); i++) {
      await page.keyboard.press("Tab");
    }
    await expect(target).toBeFocused();
    await page.keyboard.press("Enter");
  };
  await page.goto("/sites");
  await tabTo(/^Approvals\s*1/, "link");
  await page.waitForURL("/approvals");
  await tabTo("Change a site's settings", "link");
  await page.waitForURL(`/approvals/${id}`);
  await expect(page.getByText(binding_code)).toBeVisible();
  await expect(page.getByText("Name chosen by the agent, not verified")).toBeVisible();
  const row = page.getByRole("row", { name: /Who can see the dashboard/ });
  await expect(row).toContainText("Members only");
  await expect(row.locator("mark")).toHaveText("Anyone");
  await tabTo("Approve", "button");
  await expect(page.getByLabel("Your password")).toBeFocused();
  await page.keyboard.type(ann.password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Approved by you just now.")).toBeVisible();

  expect((await agent.call("sites.settings.update", input, id)).status).toBe(200);
  // The open page updates by itself.
  await expect(page.getByText("It cannot be used again.")).toBeVisible();
  expect((await agent.call("sites.settings.update", input, id)).status).toBe(409);
});

test("a denial changes nothing and needs no password", async ({ owner, site, server }) => {
  const ann = await owner();
  const { shop, agent } = await setUp(ann, { site, server });
  const { id } = await requestApproval(agent, "sites.delete", { site_id: shop.siteId });
  await ageSignIn(server, ann.email);
  await ann.page.goto(`/approvals/${id}`);
  await expect(ann.page.getByText("This cannot be undone.")).toBeVisible();
  await ann.page.getByRole("button", { name: "Deny" }).click();
  await expect(ann.page.getByText("Denied by you just now.")).toBeVisible();
  const { body } = await agent.call("sites.delete", { site_id: shop.siteId }, id);
  expect(body.error.details.reason).toBe("denied");
  await ann.page.goto("/approvals");
  await expect(ann.page.getByText("No pending requests.")).toBeVisible();
  await expect(ann.page.getByRole("link", { name: "Delete a site" })).toBeVisible();
});

test("opening an approval page decides nothing, and strangers get 404", async ({ owner, open, site, server }) => {
  const ann = await owner();
  const { shop, agent } = await setUp(ann, { site, server });
  const { id } = await requestApproval(agent, "sites.delete", { site_id: shop.siteId });
  const path = `/approvals/${id}`;
  const guest = await open();
  await guest.goto(path);
  await expect(guest).toHaveURL(`/login?next=${encodeURIComponent(path)}`);
  for (let i = 0; i < 2; i++) await ann.page.goto(path);
  const [row] = await server.query<{ status: string }>("SELECT status::text FROM approval WHERE id = $1", [id]);
  expect(row?.status).toBe("pending");

  const bob = await owner();
  expect((await bob.page.goto(path))?.status()).toBe(404);
  expect((await bob.page.goto(`/agents/${agent.clientId}`))?.status()).toBe(404);
});

test("a manager sees a request that only an owner can decide, with the reason; a viewer gets 404", async ({
  owner,
  site,
  server,
}) => {
  const [ann, bob, eve] = [await owner(), await owner(), await owner()];
  const { shop, agent } = await setUp(ann, { site, server });
  await join(server, shop.siteId, bob.email, "manager");
  await join(server, shop.siteId, eve.email, "viewer");
  const { id } = await requestApproval(agent, "sites.delete", { site_id: shop.siteId });
  await bob.page.goto(`/approvals/${id}`);
  await expect(bob.page.getByText("you are a manager there")).toBeVisible();
  await expect(bob.page.getByRole("button", { name: "Approve" })).toHaveCount(0);
  expect((await eve.page.goto(`/approvals/${id}`))?.status()).toBe(404);
});

test("no page on which a human decides can be framed, and a bearer token decides nothing", async ({
  owner,
  site,
  server,
}) => {
  const ann = await owner();
  const { shop, agent } = await setUp(ann, { site, server });
  const { id } = await requestApproval(agent, "sites.delete", { site_id: shop.siteId });
  for (const path of ["/approvals", `/approvals/${id}`, "/agents", `/agents/${agent.clientId}`, "/device"]) {
    const headers = (await ann.page.goto(path))?.headers() ?? {};
    expect(headers["content-security-policy"], path).toContain("frame-ancestors 'none'");
    expect(headers["x-frame-options"], path).toBe("DENY");
    expect(headers["cache-control"], path).toContain("no-store");
  }
  const answer = await fetch(`${server.url}/actions/approvals.decide`, {
    method: "POST",
    headers: { authorization: `Bearer ${agent.token}`, "content-type": "application/json", origin: server.url },
    body: JSON.stringify({ id, decision: "approved" }),
  });
  expect(answer.status).toBe(401);
});

test("names that are markup are shown as text on every page", async ({ owner, site, server }) => {
  const ann = await owner();
  const shop = await site(ann);
  const agent = await connectAgent(server, { email: ann.email, siteIds: [shop.siteId], name: MARKUP });
  await server.query("UPDATE site SET name = $1 WHERE id = $2", [MARKUP, shop.siteId]);
  const { id } = await requestApproval(agent, "sites.settings.update", publicSettings(shop.siteId, MARKUP));
  for (const path of ["/approvals", `/approvals/${id}`, "/agents", `/agents/${agent.clientId}`]) {
    await ann.page.goto(path);
    await expect(ann.page.getByText(MARKUP).first(), path).toBeVisible();
    await expect(ann.page.locator('img[src="x"]'), path).toHaveCount(0);
    expect(await ann.page.title(), path).not.toBe("taken");
  }
});
