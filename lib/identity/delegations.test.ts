import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { digest } from "@/lib/platform/secrets";
import { callIdentity } from "@/lib/testing/agents";

const delegation = (more: object = {}) => ({ name: "Reporter", scopes: ["analytics:read", "sites:read"], ...more });

test("a new delegated client has a secret but no access, and is not audited", async () => {
  const { status, body } = await callIdentity("delegations", delegation());
  const base = env().BASE_URL;
  expect(status).toBe(201);
  expect(body.data).toEqual({
    client_id: expect.stringMatching(/^ffc_/),
    client_secret: expect.stringMatching(/^ffs_[\w-]{43}$/),
    requested_scopes: ["analytics:read", "sites:read"],
    scopes: [],
    site_ids: [],
    owner_id: null,
    resource: `${base}/api/v1/management`,
    oauth: {
      issuer: base,
      token_endpoint: `${base}/oauth/token`,
      device_authorization_endpoint: `${base}/oauth/device/code`,
      revocation_endpoint: `${base}/oauth/revoke`,
      introspection_endpoint: `${base}/oauth/introspect`,
    },
  });
  const stored = await db().client.findUniqueOrThrow({
    where: { id: body.data.client_id },
    include: { sites: true },
  });
  expect(stored).toMatchObject({
    kind: "delegated",
    name: "Reporter",
    ownerId: null,
    accountId: null,
    grantedScopes: [],
  });
  expect([stored.requestedScopes, stored.sites]).toEqual([["analytics:read", "sites:read"], []]);
  // Anyone may call this, so nothing is stored for longer than the client.
  expect(await db().audit.count({ where: { clientId: stored.id } })).toBe(0);
  expect(Buffer.from(stored.secretHash).equals(digest(body.data.client_secret))).toBe(true);
});

test("resource must be exactly that of the management API, or omitted", async () => {
  const resource = `${env().BASE_URL}/api/v1/management`;
  expect((await callIdentity("delegations", delegation({ resource }))).status).toBe(201);
  for (const other of [`${resource}/`, resource.toUpperCase(), `${resource}#x`, "https://other.example", ""]) {
    const { status, body } = await callIdentity("delegations", delegation({ resource: other }));
    expect([status, body.error.details.issues[0].path, other]).toEqual([422, "resource", other]);
  }
});

test("scopes are known, at least one and unique; names have 1 to 100 safe characters", async () => {
  for (const scopes of [[], ["sites:read", "sites:read"], ["sites:READ"], ["admin"], "sites:read", [["sites:read"]]]) {
    const { status, body } = await callIdentity("delegations", delegation({ scopes }));
    expect([status, body.error.details.issues[0].path.split(".")[0]]).toEqual([422, "scopes"]);
  }
  for (const name of ["", "   ", "x".repeat(101), "a\u0007b", "a\u202eb", null]) {
    const { status, body } = await callIdentity("delegations", delegation({ name }));
    expect([status, body.error.details.issues[0].path]).toEqual([422, "name"]);
  }
});
