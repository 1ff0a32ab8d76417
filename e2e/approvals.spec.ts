import type { Route } from "@playwright/test";
import { ageSignIn, type ConnectedAgent, connectAgent, join, publicSettings } from "./support/agents";
import { postPageview } from "./support/events";
import { test as base, expect, showAgain } from "./support/fixtures";
import { press } from "./support/keyboard";

/** An agent requests an approval, its owner decides on a page, and the agent continues. */

const MARKUP = '<img src="x" onerror="document.title=\'taken\'"><script>document.title="taken"</script>';

const test = base.extend<{ agent: ConnectedAgent }>({
  /** An agent of `siteOwner`. */
  agent: async ({ siteOwner: { email, siteId }, server }, use) =>
    use(await connectAgent(server, { email, siteIds: [siteId] })),
});

async function requestApproval(agent: ConnectedAgent, operation: string, input: Record<string, unknown>) {
  const { status, body } = await agent.call(operation, input);
  expect([status, body.error.code]).toEqual([409, "approval_required"]);
  return body.error.details.approval as { id: string; binding_code: string };
}

test("an owner approves with the keyboard only, and the agent runs the action once", async ({
  siteOwner: { page, email, password, siteId },
  agent,
  server,
}) => {
  const input = publicSettings(siteId);
  const { id, binding_code } = await requestApproval(agent, "sites.settings.update", input);
  await ageSignIn(server, email);

  await page.goto("/sites");
  await press(page, page.getByRole("link", { name: /^Approvals\s*1/ }).first());
  await page.waitForURL("/approvals");
  await press(page, page.getByRole("link", { name: "Change a site's settings" }).first());
  await page.waitForURL(`/approvals/${id}`);
  await expect(page.getByText(binding_code)).toBeVisible();
  await expect(page.getByText("Name chosen by the agent, not verified")).toBeVisible();
  const row = page.getByRole("row", { name: /Public dashboard/ });
  await expect(row).toContainText("Members only");
  await expect(row.locator("mark")).toHaveText("Anyone");
  await press(page, page.getByRole("button", { name: "Approve" }).first());
  await expect(page.getByLabel("Your password")).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Approved by you just now.")).toBeVisible();

  expect((await agent.call("sites.settings.update", input, id)).status).toBe(200);
  // The open page updates by itself.
  await showAgain(page);
  await expect(page.getByText("It cannot be used again.")).toBeVisible();
  expect((await agent.call("sites.settings.update", input, id)).status).toBe(409);
});

test("an open inbox shows a new request and its count by itself", { tag: "@full" }, async ({
  siteOwner: { page, siteId },
  agent,
}) => {
  await page.goto("/approvals");
  await expect(page.getByRole("heading", { name: "Approvals" })).toBeVisible();
  await requestApproval(agent, "sites.delete", { site_id: siteId });
  await showAgain(page);
  await expect(page.getByRole("link", { name: "Delete a site" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Approvals\s*1/ }).first()).toBeVisible();
});

test("every open page shows by itself how many requests wait", async ({
  siteOwner: { page, siteId },
  agent,
  server,
}) => {
  await page.goto(`/sites/${siteId}/settings/goals`);
  const link = (name: RegExp) => page.getByRole("link", { name }).first();
  await expect(link(/^Approvals$/)).toBeVisible();
  const { id } = await requestApproval(agent, "sites.delete", { site_id: siteId });
  await showAgain(page);
  await expect(link(/^Approvals\s*1/)).toBeVisible();
  await server.query("UPDATE approval SET status = 'withdrawn' WHERE id = $1", [id]);
  await showAgain(page);
  await expect(link(/^Approvals$/)).toBeVisible();
});

test("a page whose session has ended asks for the count of approvals once more, and then never", {
  tag: "@full",
}, async ({ siteOwner: { page } }) => {
  await page.goto("/sites");
  const asked: number[] = [];
  page.on("response", (response) => response.url().endsWith("/approvals/pending") && asked.push(response.status()));
  await page.context().clearCookies();
  const refused = page.waitForResponse((response) => response.url().endsWith("/approvals/pending"));
  await showAgain(page);
  expect((await refused).status()).toBe(401);
  await expect.poll(() => asked).toEqual([401]);
  for (let i = 0; i < 3; i++) await showAgain(page);
  // An answer to a later request shows that none was sent before it.
  await page.evaluate(() => fetch("/sites/find?q=").then(() => {}));
  expect(asked).toEqual([401]);
});

test("the approval of a site's deletion shows what is lost in inbox and page, and asks for the domain as the settings do", async ({
  siteOwner: { page, host, siteId },
  agent,
  server,
}) => {
  for (const path of ["/", "/pricing", "/docs"]) await postPageview(server, { host }, path);
  const { id } = await requestApproval(agent, "sites.delete", { site_id: siteId });
  const lost = page.getByText(/Deletes 3 events of 1 day, since /);
  await page.goto("/approvals");
  await expect(lost).toBeVisible();
  await page.goto(`/sites/${siteId}/settings/danger`);
  await expect(lost).toBeVisible();
  await page.goto(`/approvals/${id}`);
  await expect(lost).toBeVisible();
  await page.getByLabel(`Type ${host} to confirm`).fill("something else");
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText(`Does not match. Type ${host}.`)).toBeVisible();
  // More events do not void the request.
  await postPageview(server, { host }, "/late");
  await page.getByLabel(`Type ${host} to confirm`).fill(host);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Approved by you just now.")).toBeVisible();
  expect((await agent.call("sites.delete", { site_id: siteId }, id)).status).toBe(200);
});

test("what an agent deleted without asking is restored from its log with one press", async ({
  siteOwner: { page, siteId },
  agent,
}) => {
  const goal = { site_id: siteId, name: "Signup", reached_by: { kind: "event", pattern: "Signup" } };
  const { id } = (await agent.call("sites.goals.save", goal)).body.data;
  expect((await agent.call("sites.goals.delete", { site_id: siteId, id })).status).toBe(200);
  await page.goto(`/agents/${agent.clientId}`);
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByText("Restored.")).toBeVisible();
  await page.goto(`/sites/${siteId}/settings/goals`);
  await expect(page.getByText("Signup").first()).toBeVisible();
});

test("a denial changes nothing and needs no password", async ({ siteOwner: ann, agent, server }) => {
  const { id } = await requestApproval(agent, "sites.delete", { site_id: ann.siteId });
  await ageSignIn(server, ann.email);
  await ann.page.goto(`/approvals/${id}`);
  await expect(ann.page.getByText("This cannot be undone.")).toBeVisible();
  await ann.page.getByRole("button", { name: "Deny" }).click();
  await expect(ann.page.getByText("Denied by you just now.")).toBeVisible();
  const { body } = await agent.call("sites.delete", { site_id: ann.siteId }, id);
  expect(body.error.details.reason).toBe("denied");
  await ann.page.goto("/approvals");
  await expect(ann.page.getByText("No pending requests.")).toBeVisible();
  await expect(ann.page.getByRole("link", { name: "Delete a site" })).toBeVisible();
});

test("opening an approval page decides nothing, and strangers get 404", async ({
  siteOwner: ann,
  account: bob,
  agent,
  open,
  server,
}) => {
  const { id } = await requestApproval(agent, "sites.delete", { site_id: ann.siteId });
  const path = `/approvals/${id}`;
  const guest = await open();
  await guest.goto(path);
  await expect(guest).toHaveURL(`/login?next=${encodeURIComponent(path)}`);
  for (let i = 0; i < 2; i++) await ann.page.goto(path);
  const [row] = await server.query<{ status: string }>("SELECT status::text FROM approval WHERE id = $1", [id]);
  expect(row?.status).toBe("pending");

  for (const hidden of [path, `/agents/${agent.clientId}`])
    expect((await bob.request.get(hidden)).status(), hidden).toBe(404);
});

test("a manager sees a request that only an owner can decide, with the reason; a viewer gets 404", async ({
  siteOwner: { siteId },
  account: eve,
  agent,
  owner,
  server,
}) => {
  const bob = await owner();
  await join(server, siteId, bob.email, "manager");
  await join(server, siteId, eve.email, "viewer");
  const { id } = await requestApproval(agent, "sites.delete", { site_id: siteId });
  await bob.page.goto(`/approvals/${id}`);
  await expect(bob.page.getByText("you are a manager there")).toBeVisible();
  await expect(bob.page.getByRole("button", { name: "Approve" })).toHaveCount(0);
  expect((await eve.request.get(`/approvals/${id}`)).status()).toBe(404);
});

test("no page on which a human decides can be framed, and a bearer token decides nothing", async ({
  siteOwner: { page, siteId },
  agent,
  server,
}) => {
  const { id } = await requestApproval(agent, "sites.delete", { site_id: siteId });
  for (const path of ["/approvals", `/approvals/${id}`, "/agents", `/agents/${agent.clientId}`, "/device"]) {
    const headers = (await page.request.get(path)).headers();
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

test("names that are markup are shown as text on every page", async ({
  siteOwner: { page, email, siteId },
  server,
}) => {
  const agent = await connectAgent(server, { email, siteIds: [siteId], name: MARKUP });
  await server.query("UPDATE site SET name = $1 WHERE id = $2", [MARKUP, siteId]);
  const { id } = await requestApproval(agent, "sites.settings.update", publicSettings(siteId, MARKUP));
  for (const path of ["/approvals", `/approvals/${id}`, "/agents", `/agents/${agent.clientId}`]) {
    await page.goto(path);
    await expect(page.getByText(MARKUP).first(), path).toBeVisible();
    await expect(page.locator('img[src="x"]'), path).toHaveCount(0);
    expect(await page.title(), path).not.toBe("taken");
  }
});

test("a page that updates by itself waits for one render before it asks for the next, so that a slow one is shown", {
  tag: "@full",
}, async ({ siteOwner: { page, siteId }, agent, server }) => {
  const { id } = await requestApproval(agent, "sites.settings.update", publicSettings(siteId));
  const asked: Route[] = [];
  let isSlow = true;
  await page.clock.install();
  await page.goto(`/approvals/${id}`);
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
  await page.route("**/approvals/*_rsc*", async (route) => {
    asked.push(route);
    if (!isSlow) await route.continue();
  });
  await page.clock.runFor(60_000);
  await expect.poll(() => asked.length).toBe(1);
  await server.query("UPDATE approval SET expires_at = now() - interval '1 minute' WHERE id = $1", [id]);
  isSlow = false;
  await asked[0]?.continue();
  await expect(page.getByRole("button", { name: "Approve" })).toHaveCount(0);
  expect(asked).toHaveLength(1);
});
