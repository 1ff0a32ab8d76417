import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { SCOPES, type Scope } from "@/lib/contract/access";
import type { Principal } from "@/lib/contract/define";
import { managementResource } from "@/lib/oauth/tokens";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import { call, makeMember, refused } from "@/lib/testing/calls";
import { makePerson, makeSite, type TestSite } from "@/lib/testing/world";

const capabilities = (who: number | Principal) => call(who, "account.capabilities", {});
const ALL = Object.keys(SCOPES) as Scope[];

/** Creates a client of the sites with every scope, or with the given ones. */
async function makeAgent(
  personId: number | null,
  sites: TestSite[],
  { granted = ALL, effective = granted }: { granted?: Scope[]; effective?: Scope[] } = {},
): Promise<Principal & { kind: "client" }> {
  const clientKind = personId === null ? "machine" : "delegated";
  const { id } = await db().client.create({
    data: {
      id: randomUUID(),
      kind: clientKind,
      name: "Helper",
      secretHash: new Uint8Array(),
      ownerId: personId,
      requestedScopes: ALL,
      grantedScopes: granted,
      sites: { create: sites.map((site) => ({ siteId: site.id })) },
    },
  });
  return { kind: "client", clientId: id, clientKind, personId, scopes: effective, resource: managementResource() };
}

const whyOf = (answer: { operations: { id: string; allowed: boolean; why: string | null }[] }, id: string) => {
  const found = answer.operations.find((operation) => operation.id === id);
  expect(found?.allowed).toBe(found?.why === null);
  return found?.why;
};

test("a signed-in owner of a site may call every operation and has no client", async () => {
  const site = await makeSite();
  const answer = await capabilities(site.ownerId);
  expect(answer).toMatchObject({
    client: null,
    owner: { person_id: site.ownerId, email: expect.stringContaining("@example.com") },
    sites: [{ site_id: site.id, domain: site.host, role: "owner" }],
    sites_total: 1,
    limits: {
      read: { limit: 600, seconds: 60 },
      write: { limit: 120, seconds: 60 },
      reports: { seconds_per_minute: 120, running: 3, waiting: 400 },
      account_reports: { seconds_per_minute: 120, running: 3, waiting: 400 },
    },
  });
  expect(answer.operations.map(({ id }: { id: string }) => id)).toEqual([...OPERATIONS.keys()]);
  for (const id of OPERATIONS.keys()) expect(whyOf(answer, id), id).toBeNull();
});

test("each operation reports its risk, and needs_approval exactly when a call by an agent needs approval", async () => {
  const site = await makeSite();
  const answer = await capabilities(await makeAgent(site.ownerId, [site]));
  const listed = answer.operations.map(({ id, risk, needs_approval }: Record<string, unknown>) => [
    id,
    risk,
    needs_approval,
  ]);
  expect(listed).toEqual([...OPERATIONS.values()].map((op) => [op.id, op.risk, op.summary !== undefined]));
});

test("an agent gets its own report limits and those of its person", async () => {
  const agent = await makeAgent(await makePerson(), []);
  expect((await capabilities(agent)).limits).toMatchObject({
    reports: { seconds_per_minute: 90, running: 2, waiting: 200 },
    account_reports: { seconds_per_minute: 120 },
  });
  expect((await capabilities(await makeAgent(null, []))).limits).toMatchObject({
    reports: { seconds_per_minute: 90 },
    account_reports: null,
  });
});

test("a person without sites may create and list sites, and gets the reason why other operations are not allowed", async () => {
  const answer = await capabilities(await makePerson());
  expect(whyOf(answer, "sites.create")).toBeNull();
  expect(whyOf(answer, "sites.list")).toBeNull();
  expect(whyOf(answer, "analytics.overview")).toBe("You have no access to any site yet.");
});

test("a viewer gets the role that each operation needs", async () => {
  const site = await makeSite();
  const answer = await capabilities(await makeMember(site.id, "viewer"));
  expect(whyOf(answer, "analytics.overview")).toBeNull();
  expect(whyOf(answer, "sites.delete")).toBe("This needs the role owner on a site; your highest role is viewer.");
});

test("an agent gets its requested, granted and effective scopes, and only its granted sites", async () => {
  const site = await makeSite();
  const second = await makeSite();
  await db().membership.create({ data: { siteId: second.id, personId: site.ownerId, role: "owner" } });
  const granted: Scope[] = ["account:read", "sites:read", "analytics:read"];
  const agent = await makeAgent(site.ownerId, [site], { granted, effective: ["account:read", "sites:read"] });
  const answer = await capabilities(agent);
  expect(answer).toMatchObject({
    client: { client_id: agent.clientId, kind: "delegated", name: "Helper" },
    owner: { person_id: site.ownerId },
    scopes: { requested: ALL, granted, effective: ["account:read", "sites:read"] },
    sites: [{ site_id: site.id, domain: site.host, role: "owner" }],
    sites_total: 1,
  });
  expect(whyOf(answer, "sites.list")).toBeNull();
  expect(whyOf(answer, "sites.delete")).toBe(
    "The scope sites:delete was not granted. A scope that was not granted needs a new consent of your human, as you asked before: /oauth/device/code or /oauth/authorize.",
  );
  expect(whyOf(answer, "analytics.overview")).toBe(
    "This access token lacks the scope analytics:read. Request a token with it.",
  );
});

test("a machine client without a person may call everything on its sites that needs no approval", async () => {
  const site = await makeSite();
  await db().membership.deleteMany({ where: { siteId: site.id } });
  const answer = await capabilities(await makeAgent(null, [site]));
  expect(answer.owner).toBeNull();
  expect(answer.client.kind).toBe("machine");
  expect(whyOf(answer, "sites.domains.add")).toBeNull();
  expect(whyOf(answer, "sites.delete")).toContain("needs a person's approval");
});

test("an agent whose person left a site loses the site", async () => {
  const site = await makeSite();
  const agent = await makeAgent(site.ownerId, [site]);
  await db().membership.deleteMany({ where: { siteId: site.id } });
  expect(await capabilities(agent)).toMatchObject({ sites: [], sites_total: 0 });
});

test("a token without account:read is refused", async () => {
  const agent = await makeAgent(await makePerson(), [], { granted: ["sites:read"] });
  expect((await refused(capabilities(agent)))?.code).toBe("insufficient_scope");
});
