import type { Page } from "@playwright/test";
import { setEnv } from "@/lib/platform/env";
import { bootSecrets } from "@/lib/platform/secrets";
import { endingToken } from "@/lib/sites/reports/subscriptions";
import { askForCode, connectAgent, join, makeFirst, openToAll } from "./support/agents";
import { looksRight } from "./support/faults";
import type { Server } from "./support/server";
import { counted, expect, type Machines, type Owner, SECRETS, type Stories, test } from "./support/stories";

type Parts = Pick<Stories, "owner" | "site" | "visitor"> & Pick<Machines, "server" | "web">;

const LONG = "a-page-with-quite-a-long-address/that-does-not-fit-on-a-phone/and-goes-on-and-on-for-ever";

/** Pages that anyone may see: the address, and the heading by which it is complete. */
const PUBLIC: [path: string, heading: string][] = [
  ["/", "Privacy-first web analytics that agents can run"],
  ["/login", "Sign in"],
  ["/signup", "Create an account"],
  ["/signup/made-up", "This link no longer works"],
  ["/reset", "Forgot your password?"],
  ["/reset/made-up", "This link has ended"],
  ["/invite/made-up", "This invitation has ended"],
  ["/unsubscribe/made-up", "This link is not whole"],
  ["/no-such-page", "There is nothing here"],
];

/** The owner's pages, of a site on which a page was read and of one where nothing has happened yet. */
async function ownedPages(owner: Owner, parts: Parts): Promise<[path: string, heading: string][]> {
  const { site, visitor, web } = parts;
  const [busy, quiet] = [await site(owner), await site(owner)];
  const { page } = await visitor();
  await counted(page, "pageview", () => page.goto(web.at(busy.host, `/${LONG}?utm_source=${LONG}`)));
  return [
    ["/sites", "Your sites"],
    ["/sites/new", "Add a site"],
    [`/sites/${busy.siteId}/install`, "Events are arriving"],
    [`/sites/${busy.siteId}`, "Devices"],
    [`/sites/${busy.siteId}/settings/general`, "General"],
    [`/sites/${busy.siteId}/settings/domains`, "Add a domain"],
    [`/sites/${busy.siteId}/settings/proxy`, "Signing key"],
    [`/sites/${busy.siteId}/settings/monitoring`, "What is watched"],
    [`/sites/${busy.siteId}/settings/rates`, "Enter a rate"],
    [`/sites/${busy.siteId}/settings/data`, "Take everything along"],
    [`/sites/${busy.siteId}/settings/people`, "Invite someone"],
    [`/sites/${busy.siteId}/settings/goals`, "Goals"],
    [`/sites/${busy.siteId}?panels=chart,metrics,pages,events,funnels`, "Funnels"],
    [`/sites/${busy.siteId}/settings/privacy`, "What is kept of visitors"],
    [`/sites/${busy.siteId}/settings/exclusions`, "What became of events"],
    [`/sites/${busy.siteId}/settings/danger`, "Delete the site"],
    ["/account", "Where you are signed in"],
    [`/sites/${quiet.siteId}/install`, "Waiting for the first event"],
    [`/sites/${quiet.siteId}`, "Waiting for the first visit"],
    ["/device", "Connect an agent"],
    ...(await endingPages(owner, busy.siteId, parts.server)),
    ...(await agentPages(owner, busy.siteId, parts)),
  ];
}

/** Where a letter leads whoever wants no more of its kind, before and after. */
async function endingPages(
  { email }: Owner,
  siteId: number,
  server: Server,
): Promise<[path: string, heading: string][]> {
  bootSecrets(setEnv({ APP_SECRETS: SECRETS }));
  const [person] = await server.query<{ id: number }>("SELECT id FROM person WHERE email = $1", [email]);
  const path = `/unsubscribe/${endingToken({ siteId, personId: person?.id ?? 0, cadence: "weekly" })}`;
  return [
    [path, "No more reports?"],
    [`${path}?done`, "No more of these"],
  ];
}

/** The pages on which a human decides: agents of their own and of others, a question that waits and one that was denied. */
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
  const ask = async (operation: string, input: Record<string, unknown>) =>
    (await agent.call(operation, input)).body.error.details.approval.id;
  const waiting = await ask("sites.delete", { site_id: siteId });
  const denied = await ask("sites.settings.update", openToAll(siteId, LONG));
  await ann.page.goto(`/approvals/${denied}`);
  await ann.page.getByRole("button", { name: "Deny" }).click();
  await expect(ann.page.getByText("Denied by you")).toBeVisible();
  return [
    ["/approvals", "Waiting"],
    [`/approvals/${waiting}`, "Delete a site"],
    [`/approvals/${denied}`, "Change a site's settings"],
    ["/agents", "Other agents on your sites"],
    [`/agents/${agent.clientId}`, "Log"],
    [`/agents/${ended.clientId}`, "Log"],
  ];
}

/** What someone sees whom no agent has met. */
const EMPTY: [path: string, heading: string][] = [
  ["/sites", "Add your first site"],
  ["/approvals", "Approvals"],
  ["/agents", "No agent acts for you"],
];

async function look(page: Page, pages: [path: string, heading: string][], when = ""): Promise<void> {
  for (const [path, heading] of pages) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: heading }).first()).toBeVisible();
    await looksRight(page, path + when);
  }
}

test("axe finds no fault on any page that anyone may see, and none scrolls sideways on a phone", async ({ open }) => {
  await look(await open(), PUBLIC);
});

test("axe finds no fault on any page of an owner, and none scrolls sideways on a phone", async ({
  owner,
  site,
  visitor,
  server,
  web,
}) => {
  const ann = await owner();
  await look(ann.page, EMPTY, ", empty");
  await look(ann.page, await ownedPages(ann, { owner, site, visitor, server, web }));
  await makeFirst(server, ann.email);
  await look(ann.page, [["/admin", "This service"]]);
});

test("axe finds no fault while a human decides, and nothing scrolls sideways on a phone", async ({
  owner,
  site,
  server,
}) => {
  const ann = await owner();
  const { page } = ann;
  const sites = [await site(ann), await site(ann)];
  const code = await askForCode(server, LONG.slice(0, 80));
  await page.goto("/device");
  await page.getByLabel("Code").fill("BBBB-BBBB");
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "not known" })).toBeVisible();
  await looksRight(page, "a wrong code");
  await page.getByLabel("Code").fill(code.userCode);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Choose at least one site" })).toBeVisible();
  await looksRight(page, "consent");
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading", { name: "Denied." })).toBeVisible();
  await looksRight(page, "denied");

  const agent = await connectAgent(server, {
    email: ann.email,
    siteIds: sites.map(({ siteId }) => siteId),
    name: LONG,
  });
  await page.goto(`/agents/${agent.clientId}`);
  await page.getByRole("button", { name: "Take some of it away" }).click();
  await looksRight(page, "taking some away");
  await page.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await looksRight(page, "disconnecting");
});
