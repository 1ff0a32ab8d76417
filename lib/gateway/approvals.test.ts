import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Role } from "@/lib/contract/access";
import { defineOperation, type Principal } from "@/lib/contract/define";
import { buildApprovalRequest } from "@/lib/gateway/approvals";
import { decideApproval } from "@/lib/gateway/decide";
import { execute } from "@/lib/gateway/execute";
import { managementResource } from "@/lib/oauth/tokens";
import sitesDelete from "@/lib/operations/sites.delete";
import { db } from "@/lib/platform/db";
import { HOUR_MS } from "@/lib/platform/durations";
import { Refusal } from "@/lib/platform/errors";
import { decide } from "@/lib/testing/approved";
import { signedIn } from "@/lib/testing/owners";
import {
  callApi,
  makeClient,
  makePerson,
  makeSite,
  siteWithAgent,
  type TestClient,
  type TestSite,
} from "@/lib/testing/world";

/** Approvals: each allows one exact input, once. */

const SCOPES = ["sites:read", "sites:write", "sites:delete", "teams:write"] as const;

const setup = () => siteWithAgent(SCOPES);

const settings = (site: TestSite, more: object = {}) => ({
  site_id: site.id,
  name: "New name",
  timezone: "UTC",
  reporting_currency: "USD",
  public: true,
  ...more,
});

interface Try {
  operation?: string;
  input?: Record<string, unknown>;
  key?: string;
  approval?: string;
  now?: Date;
}

const attempt = (agent: TestClient, { operation = "sites.settings.update", input, key, approval, now }: Try) =>
  callApi(operation, {
    token: agent.token,
    ...(input ? { input } : {}),
    key: key ?? randomUUID(),
    headers: approval ? { "x-agent-approval-id": approval } : {},
    ...(now ? { now } : {}),
  });

const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error) => error.code,
  );

test("an operation that needs approval has no effect, and the agent gets what to show its human", async () => {
  const { site, agent } = await setup();
  const { status, body, headers } = await attempt(agent, { input: settings(site) });
  expect([status, body.error.code, headers["retry-after"]]).toEqual([409, "approval_required", "5"]);
  const { approval, reason } = body.error.details;
  expect(reason).toBe("no_approval");
  expect(approval).toEqual({
    id: expect.stringMatching(/^apr_[A-Za-z0-9_-]{24}$/),
    status: "pending",
    operation: "sites.settings.update",
    risk: "sharing",
    payload_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    binding_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{3}-\d{3}$/),
    approval_url: `http://localhost:3000/approvals/${approval.id}`,
    expires_at: expect.any(String),
  });
  expect((await db().site.findUniqueOrThrow({ where: { id: site.id } })).public).toBe(false);
});

test("requested, pending, approved, executed once and replayed, all under one key", async () => {
  const { site, agent } = await setup();
  const [input, key] = [settings(site), randomUUID()];
  const { id } = (await attempt(agent, { input, key })).body.error.details.approval;
  const again = (await attempt(agent, { input, key })).body.error.details.approval;
  expect(again.id).toBe(id);
  expect((await attempt(agent, { input, key, approval: id })).body.error.details.reason).toBe("pending");
  await decide(id, site.ownerId);
  const done = await attempt(agent, { input, key, approval: id });
  expect([done.status, done.body.data.public, done.body.replayed]).toEqual([200, true, false]);
  expect((await attempt(agent, { input, key, approval: id })).body.replayed).toBe(true);
  const spent = await attempt(agent, { input, approval: id });
  expect([spent.status, spent.body.error.details.reason]).toEqual([409, "consumed"]);
  const [, line] = await db().audit.findMany({ where: { approvalId: id }, orderBy: { id: "asc" } });
  expect(line).toMatchObject({ clientId: agent.id, operation: "sites.settings.update" });
});

test("the approval of payload A never allows B, and B gets a request of its own", async () => {
  const { site, agent } = await setup();
  const { id } = (await attempt(agent, { input: settings(site) })).body.error.details.approval;
  await decide(id, site.ownerId);
  const { body } = await attempt(agent, { input: settings(site, { name: "Another" }), approval: id });
  expect(body.error?.details.reason).toBe("payload_mismatch");
  expect(body.error.details.approval.id).not.toBe(id);
  expect(
    (await attempt(agent, { operation: "sites.delete", input: { site_id: site.id }, approval: id })).body.error.details
      .reason,
  ).toBe("payload_mismatch");
  expect((await attempt(agent, { input: settings(site), approval: id })).status).toBe(200);
});

test("an approval is invalid when the site was changed after the request", async () => {
  const { site, agent } = await setup();
  const { id } = (await attempt(agent, { input: settings(site) })).body.error.details.approval;
  await decide(id, site.ownerId);
  await db().site.update({ where: { id: site.id }, data: { revision: { increment: 1 } } });
  const { body } = await attempt(agent, { input: settings(site), approval: id });
  expect([body.error.details.reason, body.error.details.approval.id === id]).toEqual(["context_changed", false]);
});

test("an approval works only for its own client; another's id is treated like none", async () => {
  const { site, agent } = await setup();
  const other = await makeClient({ scopes: SCOPES, sites: [site], personId: site.ownerId });
  const { id } = (await attempt(agent, { input: settings(site) })).body.error.details.approval;
  await decide(id, site.ownerId);
  for (const approval of [id, "apr_nobody", "'; DROP TABLE site; --"]) {
    const { status, body } = await attempt(other, { input: settings(site), approval });
    expect([status, body.error.details.reason]).toEqual([409, "unknown"]);
  }
});

test("a denied request stays denied, without Retry-After", async () => {
  const { site, agent } = await setup();
  const { id } = (await attempt(agent, { input: settings(site) })).body.error.details.approval;
  await decide(id, site.ownerId, "denied");
  const { body, headers } = await attempt(agent, { input: settings(site), approval: id });
  expect([body.error.details.reason, body.error.details.approval.id]).toEqual(["denied", id]);
  expect(headers["retry-after"]).toBeUndefined();
  expect(await db().approval.count({ where: { clientId: agent.id } })).toBe(1);
});

test("after a denial a request can be repeated once, after the second denial only an hour later", async () => {
  const { site, agent } = await setup();
  const start = Date.now();
  const requestAfter = async (minutes: number) => {
    const now = new Date(start + minutes * 60_000);
    return { now, ...(await attempt(agent, { input: settings(site), now })).body.error.details };
  };
  const deny = ({ approval, now }: { approval: { id: string }; now: Date }) =>
    decide(approval.id, site.ownerId, "denied", now);
  const first = await requestAfter(0);
  await deny(first);
  const second = await requestAfter(1);
  expect([second.reason, second.approval.id === first.approval.id]).toEqual(["no_approval", false]);
  await deny(second);
  const third = await requestAfter(2);
  expect([third.reason, third.approval.id]).toEqual(["denied", second.approval.id]);
  expect(await db().approval.count({ where: { clientId: agent.id } })).toBe(2);
});

test("an approval is valid for an hour, a pending request for a day", async () => {
  const { site, agent } = await setup();
  const now = new Date();
  const later = (ms: number) => new Date(now.getTime() + ms);
  await db().accessToken.updateMany({ where: { clientId: agent.id }, data: { expiresAt: later(48 * HOUR_MS) } });
  const { id } = (await attempt(agent, { input: settings(site), now })).body.error.details.approval;
  await decide(id, site.ownerId, "approved", later(23 * HOUR_MS));
  const { body } = await attempt(agent, { input: settings(site), approval: id, now: later(24 * HOUR_MS) });
  expect(body.error.details.reason).toBe("expired");
  const second = body.error.details.approval.id;
  expect(second).not.toBe(id);
  expect(await refused(decide(second, site.ownerId, "approved", later(48.1 * HOUR_MS)))).toBe("approval_denied");
});

test("an approval is invalid when the approver has lost the role since", async () => {
  const { site, agent } = await setup();
  const { id } = (await attempt(agent, { operation: "sites.delete", input: { site_id: site.id } })).body.error.details
    .approval;
  await decide(id, site.ownerId);
  await db().membership.updateMany({ where: { siteId: site.id }, data: { role: "manager" } });
  const { body } = await attempt(agent, { operation: "sites.delete", input: { site_id: site.id }, approval: id });
  expect(body.error.code).toBe("role_denied");
  expect(await db().site.count({ where: { id: site.id } })).toBe(1);
});

test("an approval is invalid when its owner was demoted to manager, though the agent can request it again", async () => {
  const { site, agent } = await setup();
  const extra = await db().siteDomain.create({ data: { siteId: site.id, host: `${randomUUID()}.example` } });
  const input = { site_id: site.id, domain_id: extra.id };
  const { id } = (await attempt(agent, { operation: "sites.domains.delete", input })).body.error.details.approval;
  await decide(id, site.ownerId);
  await db().membership.updateMany({ where: { siteId: site.id }, data: { role: "manager" } });
  const other = await makePerson();
  await db().membership.create({ data: { siteId: site.id, personId: other, role: "owner" } });
  const { body } = await attempt(agent, { operation: "sites.domains.delete", input, approval: id });
  expect(body.error.details.reason).toBe("context_changed");
  expect(await db().siteDomain.count({ where: { id: extra.id } })).toBe(1);
  // The site's owner can approve it instead.
  await decide(body.error.details.approval.id, other);
  const done = await attempt(agent, {
    operation: "sites.domains.delete",
    input,
    approval: body.error.details.approval.id,
  });
  expect(done.status).toBe(200);
});

test("an agent of a manager on a site without an owner is not asked for an approval that no one can give", async () => {
  const { site, agent } = await setup();
  await db().membership.updateMany({ where: { siteId: site.id }, data: { role: "manager" } });
  const extra = await db().siteDomain.create({ data: { siteId: site.id, host: `${randomUUID()}.example` } });
  const input = { site_id: site.id, domain_id: extra.id };
  expect((await attempt(agent, { operation: "sites.domains.delete", input })).body.error.code).toBe(
    "interactive_required",
  );
});

test("eight parallel identical calls create one request", async () => {
  const { site, agent } = await setup();
  const answers = await Promise.all(Array.from({ length: 8 }, () => attempt(agent, { input: settings(site) })));
  expect(new Set(answers.map(({ body }) => body.error.details.approval.binding_code)).size).toBe(1);
});

test("requests for an earlier revision of a site are superseded and free their quota", async () => {
  const { site, agent } = await setup();
  for (let i = 0; i < 5; i++) await attempt(agent, { input: settings(site, { name: `Name ${i}` }) });
  await db().site.update({ where: { id: site.id }, data: { revision: { increment: 1 } } });
  expect((await attempt(agent, { input: settings(site) })).body.error.code).toBe("approval_required");
  expect(await db().approval.count({ where: { clientId: agent.id, status: "superseded" } })).toBe(5);
});

test("a decision is audited with the decided payload and the time of the sign-in", async () => {
  const { site, agent } = await setup();
  const { id, payload_sha256 } = (await attempt(agent, { input: settings(site) })).body.error.details.approval;
  await decide(id, site.ownerId, "denied");
  const lines = await db().audit.findMany({ where: { approvalId: id }, orderBy: { id: "asc" } });
  expect(lines).toMatchObject([{ personId: site.ownerId, detail: { decision: "denied", payload_sha256 } }]);
});

test("only site members with the role that the risk requires and a fresh sign-in may decide", async () => {
  const { site, agent } = await setup();
  const stranger = await makePerson();
  const question = async (operation: string, input: Record<string, unknown>) =>
    (await attempt(agent, { operation, input })).body.error.details.approval.id as string;
  const sharing = await question("sites.settings.update", settings(site));
  const destructive = await question("sites.delete", { site_id: site.id });
  expect(await refused(decide(sharing, stranger))).toBe("not_found");
  await db().membership.create({ data: { siteId: site.id, personId: stranger, role: "manager" } });
  expect(await refused(decide(destructive, stranger))).toBe("approval_denied");
  const as = (role: Role) =>
    db().membership.updateMany({ where: { siteId: site.id, personId: site.ownerId }, data: { role } });
  await as("viewer");
  expect(await refused(decide(sharing, site.ownerId))).toBe("approval_denied");
  await as("manager");
  expect(await refused(decide(destructive, site.ownerId))).toBe("approval_denied");
  expect((await decide(sharing, site.ownerId)).status).toBe("approved");
  await as("owner");
  const now = new Date();
  const signedInAt = new Date(now.getTime() - 6 * 60_000);
  const stale = { ...(await signedIn(site.ownerId, signedInAt)), requestId: "test" };
  expect(await refused(decideApproval(destructive, "approved", stale, now))).toBe("reauthentication_required");
  expect((await decideApproval(destructive, "denied", stale, now)).status).toBe("denied");
});

test("of two parallel decisions one wins and both get that outcome", async () => {
  const { site, agent } = await setup();
  const { id } = (await attempt(agent, { input: settings(site) })).body.error.details.approval;
  const decisions = (["approved", "denied", "approved", "denied"] as const).map((decision) =>
    decide(id, site.ownerId, decision),
  );
  const seen = new Set((await Promise.all(decisions)).map((approval) => approval.status));
  expect([...seen].filter((status) => status !== "pending")).toHaveLength(1);
});

test("an approval that was used is spent, also for the same call under a new key", async () => {
  const { site, agent } = await setup();
  const { id } = (await attempt(agent, { input: settings(site) })).body.error.details.approval;
  await decide(id, site.ownerId);
  expect((await attempt(agent, { input: settings(site), approval: id })).status).toBe(200);
  // The revision of the request, so that nothing but the use of the approval has changed.
  const { document } = await db().approval.findUniqueOrThrow({ where: { id } });
  const { revision } = (document as { site: { revision: number } }).site;
  await db().site.update({ where: { id: site.id }, data: { revision, name: site.host, public: false } });
  const { status, body } = await attempt(agent, { input: settings(site), approval: id });
  expect([status, body.error.details.reason]).toEqual([409, "consumed"]);
});

test("one approval used in parallel under ten keys has one effect", async () => {
  const { site, agent } = await setup();
  const input = settings(site);
  const { id } = (await attempt(agent, { input })).body.error.details.approval;
  await decide(id, site.ownerId);
  const answers = await Promise.all(Array.from({ length: 10 }, () => attempt(agent, { input, approval: id })));
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(await db().audit.count({ where: { approvalId: id, clientId: agent.id, NOT: { requestId: "test" } } })).toBe(1);
});

test("an approval whose operation fails can be used again", async () => {
  const { site, agent } = await setup();
  let works = false;
  const operation = defineOperation({
    id: "test.flaky",
    title: "Fail or not",
    about: "Does what the test says.",
    scope: "sites:write",
    role: "manager",
    risk: "sharing",
    input: z.strictObject({ site_id: z.int() }),
    output: z.object({ done: z.boolean() }),
    example: { site_id: 1 },
    summary: async () => [{ label: "Nothing", before: null, after: null }],
    async run() {
      if (!works) throw new Refusal("invalid_input", "Not now.");
      return { done: true };
    },
  });
  const principal = {
    kind: "client",
    clientId: agent.id,
    clientKind: "delegated",
    personId: site.ownerId,
    scopes: SCOPES,
    resource: managementResource(),
  } as const;
  const run = (approvalId: string | null) =>
    execute(operation, {
      principal,
      input: { site_id: site.id },
      now: new Date(),
      idempotencyKey: "flaky-key",
      approvalId,
    });
  const refusal = await run(null).catch(
    (error: Refusal) => error as unknown as { details: { approval: { id: string } } },
  );
  const { id } = (refusal as { details: { approval: { id: string } } }).details.approval;
  await decide(id, site.ownerId);
  expect(await refused(run(id))).toBe("invalid_input");
  expect((await db().approval.findUniqueOrThrow({ where: { id } })).status).toBe("approved");
  works = true;
  expect(await run(id)).toEqual({ data: { done: true }, replayed: false });
});

test("the answer of a site's deletion is replayed although the site no longer exists", async () => {
  const { site, agent } = await setup();
  const [input, key, operation] = [{ site_id: site.id }, randomUUID(), "sites.delete"];
  const { id } = (await attempt(agent, { operation, input, key })).body.error.details.approval;
  await decide(id, site.ownerId);
  const first = await attempt(agent, { operation, input, key, approval: id });
  const again = await attempt(agent, { operation, input, key, approval: id });
  expect([first.status, again.status, again.body.replayed]).toEqual([200, 200, true]);
  expect(again.body.data).toEqual(first.body.data);
  expect((await attempt(agent, { operation, input })).body.error.code).toBe("site_not_granted");
});

test("a machine without a human gets a URL to find one instead of a request that no one can approve", async () => {
  const site = await makeSite();
  await db().membership.deleteMany({ where: { siteId: site.id } });
  const machine = await makeClient({ scopes: SCOPES, sites: [site] });
  const { status, body } = await attempt(machine, { operation: "sites.delete", input: { site_id: site.id } });
  expect([status, body.error.code]).toEqual([409, "interactive_required"]);
  expect(body.error.details.interactive_url).toBe(`http://localhost:3000/agents/claim/${machine.id}`);
  expect(await db().approval.count({ where: { clientId: machine.id } })).toBe(0);
});

test("a call that would fail anyway requests no approval", async () => {
  const { site, agent } = await setup();
  const foreign = await makeSite();
  expect((await attempt(agent, { input: settings(foreign) })).body.error.code).toBe("site_not_granted");
  expect((await attempt(agent, { input: settings(site, { timezone: "Mars/Phobos" }) })).body.error.code).toBe(
    "invalid_input",
  );
  expect(await db().approval.count({ where: { clientId: agent.id } })).toBe(0);
});

test("a client can have five pending requests per operation, not six", async () => {
  const { site, agent } = await setup();
  for (let i = 0; i < 5; i++) await attempt(agent, { input: settings(site, { name: `Name ${i}` }) });
  const { status, body } = await attempt(agent, { input: settings(site, { name: "Name 6" }) });
  expect([status, body.error.code]).toEqual([429, "rate_limited"]);
});

test("equal inputs have the same hash in any key order, and different inputs have different hashes", () => {
  const client: Principal & { kind: "client" } = {
    kind: "client",
    clientId: "c",
    clientKind: "delegated",
    personId: 1,
    scopes: [],
    resource: managementResource(),
  };
  const hash = (body: unknown) =>
    Buffer.from(buildApprovalRequest(sitesDelete, client, null, [], body).payloadHash).toString("hex");
  const reversed = (value: unknown): unknown =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, item]) => [key, reversed(item)]),
        )
      : value;
  const plain = fc.dictionary(
    fc.string(),
    fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null), fc.dictionary(fc.string(), fc.integer())),
  );
  fc.assert(
    fc.property(plain, plain, (one, two) => {
      expect(hash(one)).toBe(hash(reversed(JSON.parse(JSON.stringify(one)))));
      const same = isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(two)));
      if (!same) expect(hash(one)).not.toBe(hash(two));
    }),
  );
});
