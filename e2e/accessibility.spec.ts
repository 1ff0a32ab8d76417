import type { Page } from "@playwright/test";
import { setEnv } from "@/lib/platform/env";
import { bootSecrets } from "@/lib/platform/secrets";
import { unsubscribeToken } from "@/lib/sites/reports/subscriptions";
import { expectAccessible } from "./support/accessibility";
import { connectAgent, join, makeFirstAccount, publicSettings, requestDeviceCode } from "./support/agents";
import { expect, type Owner, SECRETS, type TestFixtures, test, type WorkerFixtures } from "./support/fixtures";
import { enterUserCode } from "./support/http-agent";
import type { Server } from "./support/server";

type Parts = Pick<TestFixtures, "owner" | "site" | "pageview"> & Pick<WorkerFixtures, "server">;

const LONG = "a-page-with-quite-a-long-address/that-does-not-fit-on-a-phone/and-goes-on-and-on-for-ever";

/** Public pages: path, and a heading that is visible once the page is complete. */
const PUBLIC: [path: string, heading: string][] = [
  ["/", "Privacy-first web analytics that agents can run"],
  ["/login", "Sign in"],
  ["/signup", "Create an account"],
  ["/signup/made-up", "This link no longer works"],
  ["/reset", "Forgot your password?"],
  ["/reset/made-up", "This link no longer works"],
  ["/invite/made-up", "This invitation is no longer valid"],
  ["/unsubscribe/made-up", "This link is incomplete"],
  ["/no-such-page", "Page not found"],
];

/** The owner's pages, of a site with a pageview and of an empty site. */
async function ownedPages(owner: Owner, parts: Parts): Promise<[path: string, heading: string][]> {
  const { site, pageview } = parts;
  const [busy, quiet] = [await site(owner), await site(owner)];
  await pageview(busy.host, `/${LONG}?utm_source=${LONG}`);
  return [
    ["/sites", "Your sites"],
    ["/sites/new", "Add a site"],
    [`/sites/${busy.siteId}/install`, "Events are arriving"],
    [`/sites/${busy.siteId}`, "Devices"],
    [`/sites/${busy.siteId}/settings/general`, "General"],
    [`/sites/${busy.siteId}/settings/domains`, "Add a domain"],
    [`/sites/${busy.siteId}/settings/proxy`, "Signing key"],
    [`/sites/${busy.siteId}/settings/monitoring`, "Checks"],
    [`/sites/${busy.siteId}/settings/rates`, "Add a rate"],
    [`/sites/${busy.siteId}/settings/data`, "Export data"],
    [`/sites/${busy.siteId}/settings/people`, "Invite someone"],
    [`/sites/${busy.siteId}/settings/goals`, "Goals"],
    [`/sites/${busy.siteId}?panels=chart,metrics,pages,events,funnels`, "Funnels"],
    [`/sites/${busy.siteId}/settings/privacy`, "Visitor data"],
    [`/sites/${busy.siteId}/settings/exclusions`, "Event outcomes"],
    [`/sites/${busy.siteId}/settings/danger`, "Delete the site"],
    ["/account", "Where you are signed in"],
    [`/sites/${quiet.siteId}/install`, "Waiting for the first event"],
    [`/sites/${quiet.siteId}`, "Waiting for the first visit"],
    ["/device", "Connect an agent"],
    ...(await unsubscribePages(owner, busy.siteId, parts.server)),
    ...(await agentPages(owner, busy.siteId, parts)),
  ];
}

/** The unsubscribe page of an emailed link, before and after unsubscribing. */
async function unsubscribePages(
  { email }: Owner,
  siteId: number,
  server: Server,
): Promise<[path: string, heading: string][]> {
  bootSecrets(setEnv({ APP_SECRETS: SECRETS }));
  const [person] = await server.query<{ id: number }>("SELECT id FROM person WHERE email = $1", [email]);
  const path = `/unsubscribe/${unsubscribeToken({ siteId, personId: person?.id ?? 0, cadence: "weekly" })}`;
  return [
    [path, "Unsubscribe?"],
    [`${path}?done`, "Unsubscribed"],
  ];
}

/** Pages of agents and approvals: own and other agents, a pending and a denied request. */
async function agentPages(
  ann: Owner,
  siteId: number,
  { owner, server }: Parts,
): Promise<[path: string, heading: string][]> {
  const bob = await owner();
  await join(server, siteId, bob.email, "viewer");
  const agent = await connectAgent(server, { email: ann.email, siteIds: [siteId], name: `${LONG} `.repeat(3) });
  await connectAgent(server, { email: bob.email, siteIds: [siteId] });
  const ended = await connectAgent(server, { email: ann.email, siteIds: [] });
  await server.query("UPDATE client SET revoked_at = now() WHERE id = $1", [ended.clientId]);
  const requestApproval = async (operation: string, input: Record<string, unknown>) =>
    (await agent.call(operation, input)).body.error.details.approval.id;
  const waiting = await requestApproval("sites.delete", { site_id: siteId });
  const denied = await requestApproval("sites.settings.update", publicSettings(siteId, LONG));
  await ann.page.goto(`/approvals/${denied}`);
  await ann.page.getByRole("button", { name: "Deny" }).click();
  await expect(ann.page.getByText("Denied by you")).toBeVisible();
  return [
    ["/approvals", "Pending"],
    [`/approvals/${waiting}`, "Delete a site"],
    [`/approvals/${denied}`, "Change a site's settings"],
    ["/agents", "Other agents on your sites"],
    [`/agents/${agent.clientId}`, "Log"],
    [`/agents/${ended.clientId}`, "Log"],
  ];
}

/** Empty states. */
const EMPTY: [path: string, heading: string][] = [
  ["/sites", "Add your first site"],
  ["/approvals", "Approvals"],
  ["/agents", "No connected agents"],
];

async function look(page: Page, pages: [path: string, heading: string][], when = ""): Promise<void> {
  for (const [path, heading] of pages) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: heading }).first()).toBeVisible();
    await expectAccessible(page, path + when);
  }
}

test("public pages are accessible and do not scroll sideways on a phone", async ({ open }) => {
  await look(await open(), PUBLIC);
});

test("pages of an owner are accessible and do not scroll sideways on a phone", async ({
  owner,
  site,
  pageview,
  server,
}) => {
  const ann = await owner();
  await look(ann.page, EMPTY, ", empty");
  await look(ann.page, await ownedPages(ann, { owner, site, pageview, server }));
  await makeFirstAccount(server, ann.email);
  await look(ann.page, [["/admin", "This service"]]);
});

test("consent and agent pages are accessible and do not scroll sideways on a phone", async ({
  owner,
  site,
  server,
}) => {
  const ann = await owner();
  const { page } = ann;
  const sites = [await site(ann), await site(ann)];
  const code = await requestDeviceCode(server, LONG.slice(0, 80));
  await page.goto("/device");
  await enterUserCode(page, "BBBB-BBBB");
  await expect(page.getByRole("alert").filter({ hasText: "unknown" })).toBeVisible();
  await expectAccessible(page, "a wrong code");
  await enterUserCode(page, code.userCode);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Choose at least one site" })).toBeVisible();
  await expectAccessible(page, "consent");
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading", { name: "Denied." })).toBeVisible();
  await expectAccessible(page, "denied");

  const agent = await connectAgent(server, {
    email: ann.email,
    siteIds: sites.map(({ siteId }) => siteId),
    name: LONG,
  });
  await page.goto(`/agents/${agent.clientId}`);
  await page.getByRole("button", { name: "Reduce access" }).click();
  await expectAccessible(page, "reducing access");
  await page.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "disconnecting");
});
