import { expect, test } from "vitest";
import { liveAccessToken, managementResource, mcpResource } from "@/lib/oauth/tokens";
import { callOAuth, consent, grants, makeAgent, postAuth, statusAndError } from "@/lib/testing/oauth";
import { makeSite } from "@/lib/testing/world";

/** Tokens are for one resource: the management API, or the MCP endpoint. */

const SCOPES = ["sites:read"] as const;
const forMcp = () => ({ resource: mcpResource() });

test("client credentials give a token for the requested resource, which is its audience", async () => {
  const agent = await makeAgent({ kind: "machine", scopes: SCOPES });
  const { body } = await grants.credentials(agent, forMcp());
  const now = new Date();
  const known = await liveAccessToken(body.access_token, now);
  expect(known).toMatchObject({ clientId: agent.id, audience: mcpResource() });
});

test("a token for any other address, or for two resources at once, is not issued", async () => {
  const agent = await makeAgent({ kind: "machine", scopes: SCOPES });
  for (const resource of [`${mcpResource()}/`, `${mcpResource()}?a=1`, "https://evil.example/mcp"]) {
    expect(statusAndError(await grants.credentials(agent, { resource }))).toBe("400 invalid_target");
  }
  const form = new URLSearchParams({ grant_type: "client_credentials", ...postAuth(agent) });
  for (const resource of [mcpResource(), managementResource()]) form.append("resource", resource);
  expect(statusAndError(await callOAuth("token", `${form}`))).toBe("400 invalid_target");
});

test("a token family keeps its resource: it refreshes for no other one, and is introspected with its own", async () => {
  const site = await makeSite();
  const agent = await makeAgent({ kind: "delegated", scopes: SCOPES });
  const { body: device } = await callOAuth("device", postAuth(agent));
  await consent(device.user_code, site.ownerId, { scopes: [...SCOPES], sites: [site] });
  const { body: first } = await grants.poll(agent, device.device_code, undefined, forMcp());
  expect(statusAndError(await grants.refresh(agent, first.refresh_token))).toBe("400 invalid_target");
  const { body: next } = await grants.refresh(agent, first.refresh_token, undefined, forMcp());
  for (const token of [next.access_token, next.refresh_token]) {
    const { body } = await callOAuth("introspect", { ...postAuth(agent), token });
    expect([body.active, body.aud]).toEqual([true, mcpResource()]);
  }
});
