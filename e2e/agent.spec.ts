import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { ageSignIn } from "./support/agents";
import { authenticator } from "./support/authenticator";
import { findSecrets, type Secret } from "./support/find-secrets";
import { expect, findInEmail, type Owner, test } from "./support/fixtures";
import { Agent, openConsent, tickAll } from "./support/http-agent";

/** Full flows of agents, followed by a search for every secret that they used. */

test("an agent gets access to two of three sites with two-factor authentication, and deletes one only after an approval", {
  tag: "@full",
}, async ({ owner, site, server }) => {
  const ann = await owner();
  const [first, second, third] = [await site(ann), await site(ann), await site(ann)];
  const authApp = await enrol(ann.page);
  await ageSignIn(server, ann.email);

  const agent = new Agent(server.url);
  const scopes = ["sites:read", "sites:write", "sites:delete", "analytics:read"];
  const { body: bootstrap } = await agent.identity("delegations", { name: "Helpful agent", scopes });
  expect(bootstrap.data).toMatchObject({ owner_id: null, scopes: [], site_ids: [] });
  const { body: device } = await agent.oauth("/oauth/device/code", { scope: scopes.join(" ") });
  const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
  const poll = () => agent.requestToken({ grant_type, device_code: device.device_code });
  expect((await poll()).body.error).toBe("authorization_pending");

  await openConsent(ann.page, device.user_code.toLowerCase().replace("-", " "));
  await tickAll(ann.page);
  for (const { host } of [first, second]) await ann.page.getByRole("checkbox", { name: host }).check();
  await ann.page.getByRole("button", { name: "Allow" }).click();
  const dialog = ann.page.getByRole("dialog", { name: "Confirm it’s you" });
  await dialog.getByLabel("Your password").fill(ann.password);
  await dialog.getByLabel("Code from your app").fill(authApp.nextCode());
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(ann.page.getByRole("heading", { name: "Allowed. Go back to your agent." })).toBeVisible();

  const { body: tokens } = await poll();
  expect(tokens.scope.split(" ").sort()).toEqual([...scopes].sort());
  const { body: list } = await agent.read("sites.list", {});
  expect(list.data.sites.map(({ site_id }: { site_id: number }) => site_id)).toEqual([first.siteId, second.siteId]);
  const overview = (siteId: number) => agent.read("analytics.overview", { site_id: siteId });
  // The first response waits for the report copy of the site.
  await expect.poll(async () => (await overview(second.siteId)).status).toBe(200);
  expect((await overview(third.siteId)).body.error.code).toBe("site_not_granted");

  const deleteFirst = agent.writing("sites.delete", { site_id: first.siteId });
  const refusal = (await deleteFirst()).body.error;
  expect(refusal.code).toBe("approval_required");
  await decide(ann.page, refusal.details.approval, "Deny");
  expect((await deleteFirst(refusal.details.approval.id)).body.error.details.reason).toBe("denied");
  const again = (await deleteFirst()).body.error.details;
  expect(again.reason).toBe("no_approval");
  await decide(ann.page, again.approval, "Approve", first.host);
  const done = await deleteFirst(again.approval.id);
  expect([done.status, done.body.replayed]).toEqual([200, false]);
  const replayed = await deleteFirst(again.approval.id);
  expect([replayed.status, replayed.body.replayed, replayed.body.data]).toEqual([200, true, done.body.data]);
  await ann.page.goto("/sites");
  await expect(ann.page.getByRole("link", { name: second.host })).toBeVisible();
  await expect(ann.page.getByRole("link", { name: first.host })).toHaveCount(0);
  expect((await overview(first.siteId)).body.error.code).toBe("site_not_granted");

  const refresh = () => agent.requestToken({ grant_type: "refresh_token", refresh_token: tokens.refresh_token });
  expect((await refresh()).status).toBe(200);
  expect((await refresh()).body.error).toBe("invalid_grant");
  expect((await overview(second.siteId)).body.error.code).toBe("invalid_token");

  const secrets = [...agent.secrets, ...authApp.secrets, ...(await browserSecrets(ann))];
  expect(await findSecrets(server, secrets, { "an error response": agent.refusals })).toEqual([]);
});

test("no secret of a machine registration or recovery appears in the log, an error or the database", async ({
  server,
  dns,
}) => {
  const agent = new Agent(server.url);
  const domain = "canary.example";
  const challenge = async (body: object) => {
    const { data } = (await agent.identity("challenges", { domain, method: "dns", ...body })).body;
    dns.set(data.dns_name, { TXT: [data.value] });
    return data.challenge_id;
  };
  const recovery_key = agent.newRecoveryKey();
  const challenge_id = await challenge({ recovery_key });
  const scopes = ["sites:read"];
  const wrong = await agent.identity("registrations", { challenge_id, scopes, recovery_key: agent.newRecoveryKey() });
  expect(wrong.body.error.code).toBe("recovery_key_wrong");
  const { status, body } = await agent.identity("registrations", { challenge_id, scopes, recovery_key });
  expect(status).toBe(201);
  const clientToken = () => agent.requestToken({ grant_type: "client_credentials", scope: "sites:read" });
  expect((await clientToken()).status).toBe(200);
  expect((await agent.requestToken({ grant_type: "client_credentials", client_secret: "wrong" })).status).toBe(401);

  const { client_id } = body.data;
  const renewed = await challenge({ purpose: "recover", client_id, recovery_key: agent.newRecoveryKey() });
  const recovered = await agent.identity("recoveries", { challenge_id: renewed, client_id, recovery_key });
  expect([recovered.status, recovered.body.data.site_ids]).toEqual([201, body.data.site_ids]);
  expect((await agent.read("sites.list", {})).body.error.code).toBe("invalid_token");
  expect((await clientToken()).status).toBe(200);
  expect(await findSecrets(server, agent.secrets, { "an error response": agent.refusals })).toEqual([]);
});

test("no emailed link appears in the log or the database, opened or not", async ({ siteOwner: ann, server, open }) => {
  const ben = `${randomUUID()}@example.com`;
  await ann.page.goto(`/sites/${ann.siteId}/settings/people`);
  await ann.page.getByLabel("Email", { exact: true }).fill(ben);
  await ann.page.getByRole("button", { name: "Invite", exact: true }).click();
  const invitation = await findInEmail(server, ben, /(http:\/\/\S+\/invite\/\S+)/);

  const page = await open();
  await page.goto("/reset");
  await page.getByLabel("Email", { exact: true }).fill(ann.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  const reset = await findInEmail(server, ann.email, /(http:\/\/\S+\/reset\/\S+)/);
  const password = `a new one ${randomUUID()}`;
  await page.goto(reset);
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.waitForURL("/login?reset=done");
  await page.goto(invitation);

  const carl = `${randomUUID()}@example.com`;
  await page.goto("/signup");
  await page.getByLabel("Email", { exact: true }).fill(carl);
  await page.getByRole("button", { name: "Create account" }).click();
  const signup = await findInEmail(server, carl, /(http:\/\/\S+\/signup\/\S+)/);
  await page.goto(signup);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("/sites");

  const token = (link: string) => link.split("/").at(-1) ?? "";
  const secrets: Secret[] = [
    ["a reset link", token(reset)],
    ["an invitation", token(invitation)],
    ["a sign-up link", token(signup)],
    ["the new password", password],
    ["the old password", ann.password],
  ];
  expect(await findSecrets(server, secrets, {})).toEqual([]);
});

/** Decides an approval request on its page, after checking the code. @param typed what approving asks for */
async function decide(
  page: Page,
  { approval_url, binding_code }: { approval_url: string; binding_code: string },
  decision: "Deny" | "Approve",
  typed = "",
): Promise<void> {
  await page.goto(approval_url);
  await expect(page.getByText(binding_code)).toBeVisible();
  if (typed) await page.getByLabel(`Type ${typed} to confirm`).fill(typed);
  await page.getByRole("button", { name: decision }).click();
  await expect(page.getByText(decision === "Deny" ? "Denied by" : "Approved by")).toBeVisible();
}

/** Sets up two-factor authentication. @returns the authenticator app, and the secrets that were shown */
async function enrol(page: Page): Promise<{ nextCode(): string; secrets: Secret[] }> {
  await page.goto("/account");
  await page.getByRole("button", { name: "Set up" }).click();
  const seed = ((await page.getByTestId("secret").textContent()) ?? "").replaceAll(" ", "");
  const authApp = authenticator(seed);
  await page.getByLabel("Code from your app").fill(authApp.next());
  await page.getByRole("button", { name: "Turn on" }).click();
  const codes = await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").allTextContents();
  await page.getByRole("button", { name: "I have saved them" }).click();
  const bare = codes.map((code) => code.replace("-", ""));
  const secrets = [...codes, ...bare].map((code): Secret => ["a recovery code", code]);
  return { nextCode: authApp.next, secrets: [["the seed", seed], ...secrets] };
}

async function browserSecrets({ page, password }: Owner): Promise<Secret[]> {
  const cookies = await page.context().cookies();
  const session = cookies.find(({ name }) => name.endsWith("session"));
  return [["the password", password], ...(session ? [["the session's cookie", session.value] as Secret] : [])];
}
