import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { expect, test, type WorkerFixtures } from "./support/fixtures";
import { Agent } from "./support/http-agent";

/** Registers an agent with a DNS proof and gets a token for it. */
async function registerMachine(
  { server, dns }: Pick<WorkerFixtures, "server" | "dns">,
  domain = `shop-${randomUUID().slice(0, 8)}.example`,
) {
  const agent = new Agent(server.url);
  const recovery_key = agent.newRecoveryKey();
  const challenge = { domain, method: "dns", recovery_key, name: "Helpful agent" };
  const { challenge_id, value, dns_name } = (await agent.identity("challenges", challenge)).body.data;
  dns.set(dns_name, { TXT: [value] });
  const scopes = ["sites:read", "sites:write", "sites:create", "sites:delete", "analytics:read"];
  const registered = await agent.identity("registrations", { challenge_id, scopes, recovery_key });
  dns.set(dns_name, {});
  await agent.requestToken({ grant_type: "client_credentials", scope: scopes.join(" ") });
  const { client_id, site_ids } = registered.body.data;
  const requestDeletion = agent.writing("sites.delete", { site_id: site_ids[0] });
  const createSite = async (host: string) => {
    const created = await agent.writing("sites.create", { domain: host, timezone: "UTC", public: false })();
    return created.body.data?.site_id as number;
  };
  return { clientId: client_id as string, domain, siteId: site_ids[0] as number, requestDeletion, createSite };
}

const codeBelow = (page: Page, label: string) =>
  page.getByText(label, { exact: true }).locator("xpath=following-sibling::*").getByRole("code");

test("an agent without an owner sends a person to a page to prove its domain, and from then on needs their approvals", async ({
  owner,
  server,
  dns,
}) => {
  const host = `a-shop-with-quite-a-long-name-that.does-not-fit-on-a-phone-${randomUUID().slice(0, 8)}.example`;
  const agent = await registerMachine({ server, dns }, host);
  const refused = await agent.requestDeletion();
  expect([refused.status, refused.body.error?.code]).toEqual([409, "interactive_required"]);
  const claimUrl = refused.body.error?.details.interactive_url ?? "";
  expect(claimUrl).toBe(`${server.url}/agents/claim/${agent.clientId}`);

  const { page } = await owner();
  await page.goto(claimUrl);
  await expect(page.getByText("Chosen by the agent, not verified")).toBeVisible();
  await expectAccessible(page, "before a check");
  await page.getByRole("button", { name: "Get the record" }).click();
  const name = `_footfall-challenge.${agent.domain}`;
  await expect(codeBelow(page, "Name of the TXT record")).toHaveText(name);
  const value = (await codeBelow(page, "Value").textContent()) ?? "";

  const check = page.getByRole("button", { name: "Check" });
  await check.click();
  await expect(page.getByRole("status")).toContainText("There is no TXT record of that name yet");
  dns.set(name, { TXT: ["something else"] });
  await check.click();
  await expect(page.getByRole("status")).toContainText("its value is different: “something else”");
  await page.getByRole("tab", { name: "File" }).click();
  await page.getByRole("button", { name: "Get the file" }).click();
  await page.getByRole("tab", { name: "DNS" }).click();
  await check.click();
  await expect(page.getByRole("status")).toHaveCount(2);
  await expectAccessible(page, "after a failed check");

  // The record stays the same after a reload.
  await page.reload();
  await expect(codeBelow(page, "Value")).toHaveText(value);
  dns.set(name, { TXT: [value] });
  await check.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This agent is yours");
  await expectAccessible(page, "taken over");
  await expect(page.getByRole("link", { name: agent.domain })).toHaveAttribute("href", `/sites/${agent.siteId}`);

  const challenge = await agent.requestDeletion();
  expect([challenge.status, challenge.body.error?.code]).toEqual([409, "approval_required"]);
  const approval = challenge.body.error?.details.approval;
  await page.goto(approval?.approval_url ?? "");
  await expect(page.getByText(approval?.binding_code ?? "").first()).toBeVisible();
  await page.getByLabel(`Type ${agent.domain} to confirm`).fill(agent.domain);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Approved by you just now.")).toBeVisible();
  const done = await agent.requestDeletion(approval?.id);
  expect([done.status, done.body.data?.deleted]).toEqual([200, true]);
});

test("a person learns nothing about an agent that someone else has taken over", async ({ owner, server, dns }) => {
  const agent = await registerMachine({ server, dns });
  const [first, second] = [await owner(), await owner()];
  await first.page.goto(`/agents/claim/${agent.clientId}`);
  await second.page.goto(`/agents/claim/${agent.clientId}`);
  const values: string[] = [];
  for (const { page } of [first, second]) {
    await page.getByRole("button", { name: "Get the record" }).click();
    values.push((await codeBelow(page, "Value").textContent()) ?? "");
  }
  dns.set(`_footfall-challenge.${agent.domain}`, { TXT: [values.join(""), ...values] });
  await first.page.getByRole("button", { name: "Check" }).click();
  await expect(first.page.getByRole("heading", { level: 1 })).toHaveText("This agent is yours");
  await second.page.getByRole("button", { name: "Check" }).click();
  await expect(second.page.getByRole("heading", { level: 1 })).toHaveText("Someone else has taken over this agent");
  await expect(second.page.getByText(agent.domain)).toHaveCount(0);
  await expect(second.page.getByText(first.email)).toHaveCount(0);
});

test("a person gets the site of the domain that they prove, and sees what the agent's other sites need", async ({
  owner,
  server,
  dns,
}) => {
  const agent = await registerMachine({ server, dns });
  const other = `other-${randomUUID().slice(0, 8)}.example`;
  await agent.createSite(other);
  const { page } = await owner();
  await page.goto(`/agents/claim/${agent.clientId}`);
  const sites = page.getByRole("region", { name: "Its sites" });
  await expect(sites.getByText(`Handed over when you have proven ${agent.domain}.`)).toBeVisible();
  await expect(sites.getByText(`Handed over when you have proven ${other}.`)).toBeVisible();

  await page.getByLabel("Domain", { exact: true }).selectOption(other);
  await page.getByRole("button", { name: "Get the record" }).click();
  await expect(codeBelow(page, "Name of the TXT record")).toHaveText(`_footfall-challenge.${other}`);
  const value = (await codeBelow(page, "Value").textContent()) ?? "";
  dns.set(`_footfall-challenge.${other}`, { TXT: [value] });
  await expectAccessible(page, "with two domains");
  await page.getByLabel("Recovery key of the agent").fill("0".repeat(64));
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("This is not the agent's recovery key.")).toBeVisible();
  await page.getByLabel("Recovery key of the agent").fill("");
  await page.getByRole("button", { name: "Check" }).click();
  await expect(sites.getByText("Yours: its approvals go to you.")).toBeVisible();
  await expect(sites.getByText(`Handed over when you have proven ${agent.domain}.`)).toBeVisible();
  expect((await agent.requestDeletion()).body.error?.code).toBe("interactive_required");
});

test("the page of an unknown agent is 404, and without a session it redirects to sign-in and back", async ({
  owner,
  open,
}) => {
  const { page } = await owner();
  expect((await page.goto("/agents/claim/ffc_nobody"))?.status()).toBe(404);
  const guest = await open();
  await guest.goto("/agents/claim/ffc_nobody");
  await expect(guest).toHaveURL("/login?next=%2Fagents%2Fclaim%2Fffc_nobody");
});
