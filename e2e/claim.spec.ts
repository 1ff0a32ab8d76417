import { createHash, randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, type Machines, type OwnedSite, test } from "./support/stories";

interface Agent {
  clientId: string;
  domain: string;
  siteId: number;
  /** Asks the management API to delete its site. */
  askToDelete(approvalId?: string): Promise<{ status: number; body: Body }>;
}

interface Body {
  data?: { deleted?: boolean };
  error?: {
    code: string;
    details: { interactive_url?: string; approval?: { id: string; approval_url: string; binding_code: string } };
  };
}

/** An agent that has registered by itself, as the identity endpoints leave it: an account, a token, a site without people. */
async function machine(server: Machines["server"], { siteId, host }: OwnedSite): Promise<Agent> {
  const [clientId, accountId, token] = [`ffc_${randomUUID()}`, `acc_${randomUUID()}`, `ffa_${randomUUID()}`];
  const scopes = ["sites:read", "sites:write", "sites:delete", "analytics:read"];
  await server.query("DELETE FROM membership WHERE site_id = $1", [siteId]);
  await server.query(
    "INSERT INTO machine_account (id, domain, recovery_hash, created_at) VALUES ($1, $2, '\\x00', now())",
    [accountId, host],
  );
  await server.query(
    `INSERT INTO client (id, kind, name, secret_hash, account_id, requested_scopes, granted_scopes)
     VALUES ($1, 'machine', 'Helpful agent', '\\x00', $2, $3, $3)`,
    [clientId, accountId, scopes],
  );
  await server.query("INSERT INTO client_site (client_id, site_id) VALUES ($1, $2)", [clientId, siteId]);
  await server.query(
    `INSERT INTO access_token (hash, client_id, issuer, audience, scopes, issued_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, now(), now() + interval '15 minutes')`,
    [createHash("sha256").update(token).digest(), clientId, server.url, `${server.url}/api/v1/management`, scopes],
  );
  const key = randomUUID();
  return {
    clientId,
    domain: host,
    siteId,
    async askToDelete(approvalId) {
      const answer = await fetch(`${server.url}/api/v1/management/actions/sites.delete`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "idempotency-key": key,
          ...(approvalId ? { "x-agent-approval-id": approvalId } : {}),
        },
        body: JSON.stringify({ site_id: siteId }),
      });
      return { status: answer.status, body: await answer.json() };
    },
  };
}

const codeBelow = (page: Page, label: string) =>
  page.getByText(label, { exact: true }).locator("xpath=following-sibling::*").getByRole("code");

test("an agent without a human sends its reader to a page where they prove the domain, and asks them from then on", async ({
  owner,
  site,
  server,
  dns,
}) => {
  const agent = await machine(server, await site(await owner()));
  const refused = await agent.askToDelete();
  expect([refused.status, refused.body.error?.code]).toEqual([409, "interactive_required"]);
  const address = refused.body.error?.details.interactive_url ?? "";
  expect(address).toBe(`${server.url}/agents/claim/${agent.clientId}`);

  const { page } = await owner();
  await page.goto(address);
  await expect(page.getByText("Chosen by the agent, not verified")).toBeVisible();
  await page.getByRole("button", { name: "Get the record" }).click();
  const name = `_footfall-challenge.${agent.domain}`;
  await expect(codeBelow(page, "Name of the TXT record")).toHaveText(name);
  const value = (await codeBelow(page, "Value").textContent()) ?? "";

  const check = page.getByRole("button", { name: "Check" });
  await check.click();
  await expect(page.getByRole("status")).toContainText("There is no TXT record of that name yet");
  dns.set(name, { TXT: ["something else"] });
  await check.click();
  await expect(page.getByRole("status")).toContainText("it says something else: “something else”");

  // The record is still the same after a while.
  await page.reload();
  await expect(codeBelow(page, "Value")).toHaveText(value);
  dns.set(name, { TXT: [value] });
  await check.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This agent is yours");
  await expect(page.getByRole("link", { name: agent.domain })).toHaveAttribute("href", `/sites/${agent.siteId}`);

  const asked = await agent.askToDelete();
  expect([asked.status, asked.body.error?.code]).toEqual([409, "approval_required"]);
  const approval = asked.body.error?.details.approval;
  await page.goto(approval?.approval_url ?? "");
  await expect(page.getByText(approval?.binding_code ?? "").first()).toBeVisible();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("button", { name: "Approve" })).toHaveCount(0);
  const done = await agent.askToDelete(approval?.id);
  expect([done.status, done.body.data?.deleted]).toEqual([200, true]);
});

test("of an agent that is somebody else's a person learns only that", async ({ owner, site, server, dns }) => {
  const agent = await machine(server, await site(await owner()));
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
  await expect(second.page.getByRole("heading", { level: 1 })).toHaveText("Somebody else has taken this agent over");
  await expect(second.page.getByText(agent.domain)).toHaveCount(0);
  await expect(second.page.getByText(first.email)).toHaveCount(0);
});

test("the page of an agent that does not exist is not found, and a stranger signs in first and comes back", async ({
  owner,
  open,
}) => {
  const { page } = await owner();
  expect((await page.goto("/agents/claim/ffc_nobody"))?.status()).toBe(404);
  const guest = await open();
  await guest.goto("/agents/claim/ffc_nobody");
  await expect(guest).toHaveURL("/login?next=%2Fagents%2Fclaim%2Fffc_nobody");
});
