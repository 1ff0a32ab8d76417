import { ageSignIn, requestDeviceCode } from "./support/agents";
import { expect, test } from "./support/fixtures";
import { enterUserCode, openConsent } from "./support/http-agent";
import { signIn, signOut } from "./support/sign-in";

/** Device flow: an agent shows a code, and a person enters it and consents. */

test("an owner allows two of three sites, and the agent gets access to exactly these", async ({
  owner,
  site,
  server,
}) => {
  const ann = await owner();
  const { page } = ann;
  const [shop, blog, wiki] = [await site(ann), await site(ann), await site(ann)];
  const agent = await requestDeviceCode(server, "Report writer", ["sites:read", "sites:write", "analytics:read"]);
  expect((await agent.poll()).body.error).toBe("authorization_pending");

  // Without a session: redirects to sign-in and back, and ignores a code in the URL.
  await page.goto("/sites");
  await signOut(page);
  await page.goto("/device");
  await expect(page).toHaveURL("/login?next=%2Fdevice");
  await signIn(page, ann);
  await page.waitForURL("/device");
  await page.goto(`/device?user_code=${agent.userCode}`);
  await expect(page.getByLabel("Code")).toHaveValue("");

  await enterUserCode(page, ` ${agent.userCode.toLowerCase().replace("-", " ")} `);
  await expect(page.getByRole("heading", { name: "An agent requests access" })).toBeFocused();
  await expect(page.getByText("If you did not start this just now, deny.")).toBeVisible();
  await expect(page.getByText(agent.clientId)).toBeVisible();
  await expect(page.getByText("127.0.0.1")).toBeVisible();
  for (const { host } of [shop, blog, wiki]) await expect(page.getByLabel(host)).not.toBeChecked();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Choose at least one site" })).toBeVisible();
  await page.getByLabel(shop.host).check();
  await page.getByLabel(blog.host).check();
  await expect(page.getByLabel("Change the settings of your sites")).not.toBeChecked();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: "Allowed. Go back to your agent." })).toBeFocused();

  const { status, body } = await agent.poll();
  expect([status, body.scope]).toEqual([200, "sites:read analytics:read"]);
  const read = async (siteId: number) => (await agent.read("sites.settings.get", { site_id: siteId })).status;
  expect([await read(shop.siteId), await read(blog.siteId), await read(wiki.siteId)]).toEqual([200, 200, 403]);
});

test("an hour after sign-in consent needs the password, and the selection is kept", { tag: "@full" }, async ({
  siteOwner: ann,
  server,
}) => {
  const agent = await requestDeviceCode(server, "Gardener", ["sites:read", "analytics:read"]);
  await ageSignIn(server, ann.email);
  await ann.page.goto("/device");
  await enterUserCode(ann.page, agent.userCode);
  // The only site is preselected.
  await expect(ann.page.getByLabel(ann.host)).toBeChecked();
  await ann.page.getByRole("button", { name: "Allow" }).click();
  await ann.page.getByLabel("Your password").fill(ann.password);
  await ann.page.getByRole("button", { name: "Continue" }).click();
  await expect(ann.page.getByRole("heading", { name: "Allowed. Go back to your agent." })).toBeVisible();
  expect((await agent.poll()).body.scope).toBe("sites:read analytics:read");
});

test("a denial is reported to the agent, and a wrong code is refused", async ({ owner, server }) => {
  const { page } = await owner();
  const agent = await requestDeviceCode(server, "Stranger", ["sites:read"]);
  await page.goto("/device");
  await enterUserCode(page, "BBBB-BBBB");
  await expect(page.getByRole("alert").filter({ hasText: "unknown or has expired" })).toBeVisible();
  await enterUserCode(page, agent.userCode);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading", { name: "Denied." })).toBeFocused();
  expect((await agent.poll()).body.error).toBe("access_denied");
});

test("consent without sites shows a warning once, and a later denial keeps the granted access", async ({
  owner,
  site,
  server,
}) => {
  const ann = await owner();
  const { page } = ann;
  await site(ann);
  await site(ann);
  const agent = await requestDeviceCode(server, "Founder", ["sites:read", "sites:create"]);
  await page.goto("/device");
  await enterUserCode(page, agent.userCode);
  await expect(page.getByText("0 of 2 chosen")).toBeVisible();
  await page.getByLabel("Add new sites").check();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByText("No site is chosen")).toBeVisible();
  expect((await agent.poll()).body.error).toBe("authorization_pending");
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: "Allowed. Go back to your agent." })).toBeFocused();

  await page.goto("/device");
  await enterUserCode(page, await agent.requestAgain());
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByText("got no new access; the access that it had before stays")).toBeVisible();
  await page.getByRole("link", { name: "View or revoke its access" }).click();
  await expect(page).toHaveURL(`/agents/${agent.clientId}`);
});

test("a code that expires on the open consent page shows an error and a link to enter another code", {
  tag: "@full",
}, async ({ owner, server }) => {
  const { page } = await owner();
  const agent = await requestDeviceCode(server, "Sleeper", ["account:read"]);
  await page.goto("/device");
  await enterUserCode(page, agent.userCode);
  await expect(page.getByRole("button", { name: "Allow" })).toBeVisible();
  await server.query("UPDATE device_code SET expires_at = now() WHERE client_id = $1", [agent.clientId]);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "The code has expired" })).toBeVisible();
  await page.getByRole("button", { name: "Enter another code" }).click();
  await expect(page.getByLabel("Code")).toBeFocused();
});

test("nothing that changes or deletes is ticked at first, and each permission names what it does without asking", async ({
  siteOwner: { page },
  server,
}) => {
  const scopes = [
    ...(["sites:read", "sites:write", "sites:create", "sites:delete", "members:read"] as const),
    ...(["teams:write", "analytics:read", "events:read", "account:read"] as const),
  ];
  const agent = await requestDeviceCode(server, "Gardener", scopes);
  await openConsent(page, agent.userCode);
  const permission = (about: RegExp) => page.getByRole("checkbox", { name: about });
  for (const about of [
    /^See your sites/,
    /^Read the reports/,
    /^Export the raw events/,
    /^See the members/,
    /^See your email/,
  ])
    await expect(permission(about)).toBeChecked();
  for (const about of [/^Change the settings/, /^Add new sites/, /^Delete sites and all/, /^Invite and remove members/])
    await expect(permission(about)).not.toBeChecked();

  const changes = permission(/^Change the settings/);
  for (const kind of ["a goal", "a funnel", "a segment", "a dashboard", "an experiment", "an annotation"])
    await expect(changes).toHaveAccessibleName(new RegExp(`Without asking you:.*Delete ${kind} ·`));
  await expect(changes).toHaveAccessibleName(/You can restore what it deletes for 30 days/);
  await expect(permission(/^Delete sites and all/)).toHaveAccessibleName(
    /Needs your approval each time: Delete a site/,
  );
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: "Allowed. Go back to your agent." })).toBeVisible();
  expect((await agent.poll()).body.scope.split(" ").sort()).toEqual([
    "account:read",
    "analytics:read",
    "events:read",
    "members:read",
    "sites:read",
  ]);
});
