import type { Page } from "@playwright/test";
import { SETTINGS_PATHS, type SettingsKey } from "@/components/shell/settings-pages";
import { setEnv } from "@/lib/platform/env";
import { bootSecrets } from "@/lib/platform/secrets";
import { unsubscribeToken } from "@/lib/sites/reports/unsubscribe";
import { expectAccessible } from "./support/accessibility";
import { connectAgent, join, makeAdministrator, publicSettings, requestDeviceCode } from "./support/agents";
import { postPageview } from "./support/events";
import { test as base, expect, type OwnedSite, type Owner, SECRETS } from "./support/fixtures";
import { enterUserCode } from "./support/http-agent";
import type { Server } from "./support/server";

const LONG = "a-page-with-quite-a-long-address/that-does-not-fit-on-a-phone/and-goes-on-and-on-for-ever";

/** A path, and a heading that is visible once the page is complete. */
type Shown = [path: string, heading: string];

const test = base.extend<{ /** A site with a pageview, and its owner. */ counting: Owner & OwnedSite }>({
  counting: async ({ siteOwner, server }, use) => {
    await postPageview(server, siteOwner, `/${LONG}?utm_source=${LONG}`);
    await use(siteOwner);
  },
});

const titled = (path: string) => `${path} is accessible and does not scroll sideways on a phone`;

async function look(page: Page, [path, heading]: Shown): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { name: heading }).first()).toBeVisible();
  await expectAccessible(page, path);
}

const PUBLIC: Shown[] = [
  ["/", "Privacy-first web analytics that agents can run"],
  ["/login", "Sign in"],
  ["/login/refused?why=unconfirmed", "Confirm your address first"],
  ["/signup", "Create an account"],
  ["/signup/made-up", "This link no longer works"],
  ["/reset", "Forgot your password?"],
  ["/reset/made-up", "This link no longer works"],
  ["/invite/made-up", "This invitation is no longer valid"],
  ["/unsubscribe/made-up", "This link is incomplete"],
  ["/no-such-page", "Page not found"],
];

for (const shown of PUBLIC) test(titled(shown[0]), async ({ open }) => look(await open(), shown));

/** Pages of an owner without sites. */
const EMPTY: Shown[] = [
  ["/sites", "Add your first site"],
  ["/sites/new", "Add a site"],
  ["/sites/combined", "A combined report needs sites"],
  ["/teams", "Make your first team"],
  ["/approvals", "Approvals"],
  ["/agents", "No connected agents"],
  ["/account", "Where you are signed in"],
  ["/account/tokens/new", "New personal token"],
  ["/account/log", "What was done"],
  ["/device", "Connect an agent"],
  ["/oauth/authorize?client_id=unknown", "This request cannot be answered"],
];

for (const shown of EMPTY)
  test(titled(`${shown[0]} without a site`), async ({ owner }) => look((await owner()).page, shown));

/** The heading of each settings page. */
const SETTINGS: Record<SettingsKey, string> = {
  general: "General",
  domains: "Add a domain",
  installation: "Events are arriving",
  people: "Invite someone",
  sharing: "Create a private link",
  goals: "Goals",
  privacy: "Visitor data",
  exclusions: "Event outcomes",
  tracking: "Live test",
  measurement: "Create a key",
  proxy: "Signing key",
  monitoring: "Checks",
  reports: "Alert rules",
  search: "Google Search Console",
  rates: "Add a rate",
  data: "Export data",
  import: "Import files",
  log: "Log",
  danger: "Delete the site",
};

/** Pages of a site with a pageview. */
const COUNTING: Shown[] = [
  ["/sites", "Your sites"],
  ["/sites/combined", "Countries"],
  ["/sites/[id]", "Devices"],
  ["/sites/[id]?panels=chart,metrics,pages,events,funnels", "Funnels"],
  ...Object.entries(SETTINGS).map(
    ([key, heading]): Shown => [`/sites/[id]/${SETTINGS_PATHS[key as SettingsKey]}`, heading],
  ),
];

/** Pages that the test of what they do looks at too, when they show more. */
const SEEN_ELSEWHERE = new Set([
  "/sites",
  ...(["sharing", "tracking", "reports", "search", "log"] as const).map((key) => `/sites/[id]/${SETTINGS_PATHS[key]}`),
]);

for (const [path, heading] of COUNTING)
  test(titled(path), { tag: SEEN_ELSEWHERE.has(path) ? "@full" : [] }, async ({ counting: { page, siteId } }) =>
    look(page, [path.replace("[id]", `${siteId}`), heading]),
  );

/** Pages of a site without events. */
const WAITING: Shown[] = [
  ["/sites/[id]/install", "Waiting for the first event"],
  ["/sites/[id]", "Waiting for the first visit"],
];

for (const [path, heading] of WAITING)
  test(titled(`${path} without events`), { tag: "@full" }, async ({ siteOwner: { page, siteId } }) =>
    look(page, [path.replace("[id]", `${siteId}`), heading]),
  );

test(titled("/admin"), async ({ owner, server }) => {
  const ann = await owner();
  await makeAdministrator(server, ann.email);
  await look(ann.page, ["/admin", "This service"]);
});

/** The unsubscribe page of an emailed link, before and after unsubscribing. */
for (const [query, heading] of [
  ["", "Unsubscribe?"],
  ["?done", "Unsubscribed"],
] as const)
  test(titled(`/unsubscribe/[token]${query}`), async ({ siteOwner: { page, siteId, email }, server }) => {
    bootSecrets(setEnv({ APP_SECRETS: SECRETS }));
    const [person] = await server.query<{ id: number }>("SELECT id FROM person WHERE email = $1", [email]);
    const token = unsubscribeToken({ kind: "member", siteId, personId: person?.id ?? 0, cadence: "weekly" });
    await look(page, [`/unsubscribe/${token}${query}`, heading]);
  });

/** An agent of the owner with a long name, and its request for an approval of an operation. */
async function requestApproval(ann: Owner & OwnedSite, server: Server, operation: "delete" | "settings.update") {
  const { email, siteId } = ann;
  const agent = await connectAgent(server, { email, siteIds: [siteId], name: `${LONG} `.repeat(3) });
  const input = operation === "delete" ? { site_id: siteId } : publicSettings(siteId, LONG);
  const { body } = await agent.call(`sites.${operation}`, input);
  return { agent, id: body.error.details.approval.id as string };
}

test(titled("/approvals with a pending request"), async ({ siteOwner, server }) => {
  await requestApproval(siteOwner, server, "delete");
  await look(siteOwner.page, ["/approvals", "Pending"]);
});

test(titled("/approvals/[id] of a pending request"), async ({ siteOwner, server }) => {
  const { id } = await requestApproval(siteOwner, server, "delete");
  await look(siteOwner.page, [`/approvals/${id}`, "Delete a site"]);
});

test(titled("/approvals/[id] of a denied request"), { tag: "@full" }, async ({ siteOwner, server }) => {
  const { page } = siteOwner;
  const { id } = await requestApproval(siteOwner, server, "settings.update");
  await page.goto(`/approvals/${id}`);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByText("Denied by you")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Change a site's settings" }).first()).toBeVisible();
  await expectAccessible(page, "a denied request");
});

test(titled("/agents with own and other agents"), async ({ siteOwner, account: bob, server }) => {
  await requestApproval(siteOwner, server, "delete");
  await join(server, siteOwner.siteId, bob.email, "viewer");
  await connectAgent(server, { email: bob.email, siteIds: [siteOwner.siteId] });
  await look(siteOwner.page, ["/agents", "Other agents on your sites"]);
});

test(titled("/agents/[id]"), async ({ siteOwner, server }) => {
  const { agent } = await requestApproval(siteOwner, server, "delete");
  await look(siteOwner.page, [`/agents/${agent.clientId}`, "Log"]);
});

test(titled("/agents/[id] of a disconnected agent"), { tag: "@full" }, async ({ owner, server }) => {
  const { page, email } = await owner();
  const { clientId } = await connectAgent(server, { email, siteIds: [] });
  await server.query("UPDATE client SET revoked_at = now() WHERE id = $1", [clientId]);
  await look(page, [`/agents/${clientId}`, "Log"]);
});

test(
  titled("a new token with errors, the token itself, and the account page with tokens,"),
  async ({ owner, site }) => {
    const ann = await owner();
    const { page } = ann;
    await site(ann);
    await page.goto("/account/tokens/new");
    const make = page.getByRole("button", { name: "Make token" });
    await make.click();
    await expect(page.getByRole("alert").first()).toBeVisible();
    await expectAccessible(page, "errors");
    await page.getByRole("textbox", { name: /^Name/ }).fill(LONG);
    await make.click();
    await expect(page.getByTestId("fresh-key")).toBeVisible();
    await expectAccessible(page, "the token");
    await page.getByRole("button", { name: "I have saved it" }).click();
    await expect(page.getByRole("button", { name: `Revoke ${LONG}` })).toBeVisible();
    await expectAccessible(page, "tokens");
  },
);

test(titled("/device after a wrong code"), async ({ owner }) => {
  const { page } = await owner();
  await page.goto("/device");
  await enterUserCode(page, "BBBB-BBBB");
  await expect(page.getByRole("alert").filter({ hasText: "unknown" })).toBeVisible();
  await expectAccessible(page, "a wrong code");
});

test(titled("consent with an error, and after a denial,"), async ({ owner, site, server }) => {
  const ann = await owner();
  const { page } = ann;
  await site(ann);
  await site(ann);
  const code = await requestDeviceCode(server, LONG.slice(0, 80));
  await page.goto("/device");
  await enterUserCode(page, code.userCode);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Choose at least one site" })).toBeVisible();
  await expectAccessible(page, "consent");
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading", { name: "Denied." })).toBeVisible();
  await expectAccessible(page, "denied");
});

test(titled("reducing the access of an agent and disconnecting it"), async ({ owner, site, server }) => {
  const ann = await owner();
  const { page, email } = ann;
  const siteIds = [(await site(ann)).siteId, (await site(ann)).siteId];
  const agent = await connectAgent(server, { email, siteIds, name: LONG });
  await page.goto(`/agents/${agent.clientId}`);
  await page.getByRole("button", { name: "Reduce access" }).click();
  await expect(page.getByRole("button", { name: "Save" })).toBeVisible();
  await expectAccessible(page, "reducing access");
  await page.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "disconnecting");
});
