import { SETTINGS_PATHS, type SettingsKey } from "@/components/shell/settings-pages";
import { setEnv } from "@/lib/platform/env";
import { bootSecrets } from "@/lib/platform/secrets";
import { unsubscribeToken } from "@/lib/sites/reports/unsubscribe";
import { expectAccessible } from "./support/accessibility";
import { connectAgent, join, makeAdministrator, publicSettings, requestDeviceCode } from "./support/agents";
import { postPageview } from "./support/events";
import { test as base, expect, type OwnedSite, type Owner, SECRETS } from "./support/fixtures";
import { enterUserCode } from "./support/http-agent";
import { look, type Shown } from "./support/looking";
import type { Server } from "./support/server";

const LONG = "a-page-with-quite-a-long-address/that-does-not-fit-on-a-phone/and-goes-on-and-on-for-ever";

const test = base.extend<{ /** A site with a pageview, and its owner. */ counting: Owner & OwnedSite }>({
  counting: async ({ siteOwner, server }, use) => {
    await postPageview(server, siteOwner, `/${LONG}?utm_source=${LONG}`);
    await use(siteOwner);
  },
});

const titled = (pages: string) => `${pages} are accessible, do not scroll sideways on a phone and violate no policy`;

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
  ["/share/nobody.example", "There is no public dashboard here"],
  ["/no-such-page", "Page not found"],
  ["/docs/no-such-page", "Page not found"],
];

test(titled("pages that anyone can open"), async ({ open }) => look(await open(), PUBLIC));

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

test(titled("the pages of an owner without a site"), async ({ owner }) => look((await owner()).page, EMPTY));

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

/** Settings that the test of what they do looks at too, when they show more. */
const SEEN_ELSEWHERE: SettingsKey[] = ["sharing", "tracking", "reports", "search", "log"];

const settingsOf = (siteId: number, isWanted: (key: SettingsKey) => boolean): Shown[] =>
  (Object.keys(SETTINGS) as SettingsKey[])
    .filter(isWanted)
    .map((key) => [`/sites/${siteId}/${SETTINGS_PATHS[key]}`, SETTINGS[key]]);

test(titled("the dashboards of a site with a pageview"), async ({ counting: { page, siteId } }) =>
  look(page, [
    ["/sites/combined", "Countries"],
    [`/sites/${siteId}`, "Devices"],
    [`/sites/${siteId}?panels=chart,metrics,pages,events,funnels`, "Funnels"],
  ]),
);

test(titled("the settings of a site with a pageview"), async ({ counting: { page, siteId } }) =>
  look(
    page,
    settingsOf(siteId, (key) => !SEEN_ELSEWHERE.includes(key)),
  ),
);

test(titled("pages that other tests see with more on them"), { tag: "@full" }, async ({ counting: { page, siteId } }) =>
  look(page, [["/sites", "Your sites"], ...settingsOf(siteId, (key) => SEEN_ELSEWHERE.includes(key))]),
);

test(titled("the pages of a site without events"), { tag: "@full" }, async ({ siteOwner: { page, siteId } }) =>
  look(page, [
    [`/sites/${siteId}/install`, "Waiting for the first event"],
    [`/sites/${siteId}`, "Waiting for the first visit"],
  ]),
);

test(
  titled("the page of administrators, and those of an emailed link before and after unsubscribing,"),
  async ({ siteOwner: { page, siteId, email }, server }) => {
    await makeAdministrator(server, email);
    bootSecrets(setEnv({ APP_SECRETS: SECRETS }));
    const [person] = await server.query<{ id: number }>("SELECT id FROM person WHERE email = $1", [email]);
    const token = unsubscribeToken({ kind: "member", siteId, personId: person?.id ?? 0, cadence: "weekly" });
    await look(page, [
      ["/admin", "This service"],
      [`/unsubscribe/${token}`, "Unsubscribe?"],
      [`/unsubscribe/${token}?done`, "Unsubscribed"],
    ]);
  },
);

/** An agent of the owner with a long name, and its request for an approval of an operation. */
async function requestApproval(ann: Owner & OwnedSite, server: Server, operation: "delete" | "settings.update") {
  const { email, siteId } = ann;
  const agent = await connectAgent(server, { email, siteIds: [siteId], name: `${LONG} `.repeat(3) });
  const input = operation === "delete" ? { site_id: siteId } : publicSettings(siteId, LONG);
  const { body } = await agent.call(`sites.${operation}`, input);
  return { agent, id: body.error.details.approval.id as string };
}

test(
  titled("the pages of a pending request, of its agent, and of own and other agents"),
  async ({ siteOwner, account: bob, server }) => {
    const { agent, id } = await requestApproval(siteOwner, server, "delete");
    await join(server, siteOwner.siteId, bob.email, "viewer");
    await connectAgent(server, { email: bob.email, siteIds: [siteOwner.siteId] });
    await look(siteOwner.page, [
      ["/approvals", "Pending"],
      [`/approvals/${id}`, "Delete a site"],
      [`/agents/${agent.clientId}`, "Log"],
      ["/agents", "Other agents on your sites"],
    ]);
  },
);

test(titled("the parts of a denied request"), { tag: "@full" }, async ({ siteOwner, server }) => {
  const { page } = siteOwner;
  const { id } = await requestApproval(siteOwner, server, "settings.update");
  await page.goto(`/approvals/${id}`);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByText("Denied by you")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Change a site's settings" }).first()).toBeVisible();
  await expectAccessible(page, "a denied request");
});

test(titled("the parts of a disconnected agent's page"), { tag: "@full" }, async ({ owner, server }) => {
  const { page, email } = await owner();
  const { clientId } = await connectAgent(server, { email, siteIds: [] });
  await server.query("UPDATE client SET revoked_at = now() WHERE id = $1", [clientId]);
  await look(page, [[`/agents/${clientId}`, "Log"]]);
});

test(
  titled("/device after a wrong code, consent with an error, and after a denial,"),
  async ({ owner, site, server }) => {
    const ann = await owner();
    const { page } = ann;
    await site(ann);
    await site(ann);
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
  },
);
