import { expect, test } from "vitest";
import type { Client, Tier } from "@/e2e/contract/client";
import { freshDomain, freshKey } from "@/lib/testing/agents";

const IDENTITY = "/api/v1/agents/identity";

/** Identity endpoints: an agent without an owner becomes a client by proving a domain. */
export function identity(client: () => Client, tier: Tier): void {
  const send = (name: string, body: object, key = freshKey()) =>
    client().call(`${IDENTITY}/${name}`, { body, headers: { "idempotency-key": key } });
  const challenge = (domain: string, recovery_key: string) =>
    send("challenges", { domain, method: "dns", recovery_key });

  test("an agent proves a domain by DNS, registers, gets a token and reads its site", async () => {
    const [domain, recovery_key] = [freshDomain(), freshKey()];
    const response = await challenge(domain, recovery_key);
    expect(response.status, response.text).toBe(201);
    const { challenge_id, dns_name, value } = response.body.data;
    client().dns.set(dns_name, { TXT: [value] });
    const key = freshKey();
    const register = () => send("registrations", { challenge_id, recovery_key, scopes: ["sites:read"] }, key);
    const registered = await register();
    expect(registered.status, registered.text).toBe(201);
    const { client_id, client_secret, resource, site_ids, oauth } = registered.body.data;
    expect([resource, oauth.token_endpoint]).toEqual([
      `${client().url}/api/v1/management`,
      `${client().url}/oauth/token`,
    ]);
    expect((await register()).body.data).toEqual(registered.body.data);
    const form = { grant_type: "client_credentials", client_id, client_secret, resource };
    const token = await client().call("/oauth/token", { body: new URLSearchParams(form) });
    const site = await client().read(token.body.access_token, "sites.settings.get", { site_id: site_ids[0] });
    expect([site.status, site.body.data.domain]).toEqual([200, domain]);
  });

  test("a domain without proof is refused, and so is a call without an idempotency key", async () => {
    const recovery_key = freshKey();
    const { body } = await challenge(freshDomain(), recovery_key);
    const { challenge_id } = body.data;
    const unproven = await send("registrations", { challenge_id, recovery_key, scopes: ["sites:read"] });
    expect([unproven.status, unproven.body.error.code]).toEqual([422, "proof_not_verified"]);
    const wrong = await send("registrations", { challenge_id, recovery_key: freshKey(), scopes: ["sites:read"] });
    expect([wrong.status, wrong.body.error.code]).toEqual([403, "recovery_key_wrong"]);
    const keyless = await send("challenges", { domain: freshDomain(), method: "dns", recovery_key }, "");
    expect([keyless.status, keyless.body.error.code]).toEqual([422, "idempotency_key_required"]);
  });

  test("an agent of a human becomes a client that waits for consent", async () => {
    const made = await send("delegations", { name: "Report writer", scopes: ["analytics:read"] });
    expect(made.status, made.text).toBe(201);
    const { client_id, client_secret } = made.body.data;
    const form = { client_id, client_secret, scope: "analytics:read" };
    const device = await client().call("/oauth/device/code", { body: new URLSearchParams(form) });
    expect([device.status, device.body.verification_uri]).toEqual([200, `${client().url}/device`]);
  });

  if (tier === "short") return;

  test("every other method of an identity endpoint is 405 with Allow", async () => {
    for (const name of ["challenges", "registrations", "recoveries", "delegations"]) {
      for (const method of ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const { status, headers, body } = await client().call(`${IDENTITY}/${name}`, { method });
        expect([status, headers.get("allow"), body.error.code], `${method} ${name}`).toEqual([
          405,
          "POST",
          "method_not_allowed",
        ]);
      }
    }
  });
}
