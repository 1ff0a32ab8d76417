import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { RISKS, type Risk, ROLES, type Role, SCOPES, type Scope } from "@/lib/contract/access";
import type { AnyOperation, ChangeLine } from "@/lib/contract/define";
import { changeInWords } from "@/lib/gateway/change-words";
import { approverRole, decideApproval } from "@/lib/gateway/decide";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import { SEARCH_PROVIDERS } from "@/lib/search/providers";
import { sealToken } from "@/lib/search/tokens";
import { assignDomain } from "@/lib/sites/owned-domains";
import { deleteSite } from "@/lib/sites/purge";
import { call, makeMember, refused } from "@/lib/testing/calls";
import { emailsOf } from "@/lib/testing/emails";
import { signedIn } from "@/lib/testing/owners";
import { importFiles } from "@/lib/testing/transfer";
import { callApi, makeClient, makeSite } from "@/lib/testing/world";
import { inLanguage } from "@/lib/texts/in-language";
import { PLAUSIBLE } from "@/lib/transfer/plausible";

/** Guarantees of every site operation called by an agent: scope, role, site, key, approval, audit and email. */

const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];
const EMAILED: readonly Risk[] = ["destructive", "access", "security"];

/** Creates a site with one object of each kind, its owner, and an agent with every scope. */
async function stage() {
  const site = await makeSite();
  const [now, site_id] = [new Date(), site.id];
  const callAsOwner = (id: string, input: object) =>
    call(site.ownerId, id, { site_id, ...input }, now) as Promise<Record<string, never>>;
  const member = await makeMember(site.id, "manager");
  await db().person.updateMany({ where: { id: { in: [site.ownerId, member] } }, data: { confirmedAt: now } });
  const second = `second.${site.host}`;
  await assignDomain(db(), site.id, second, { isPrimary: false });
  const { id: domain_id } = await db().siteDomain.findUniqueOrThrow({ where: { host: second } });
  const agent = await makeClient({ scopes: SCOPE_NAMES, sites: [site], personId: site.ownerId });
  return { site, site_id, second, member, domain_id, agent, callAsOwner };
}
type Stage = Awaited<ReturnType<typeof stage>>;

/** Returns the input that names an object created by the given operation. */
const created =
  (operation: string, input: object, field = "id") =>
  async (on: Stage) => ({
    [field]: (await on.callAsOwner(operation, input))[field],
  });
const createdWebhook = async (on: Stage) => {
  await on.callAsOwner("sites.webhooks.set", { url: "https://example.com/hook" });
  return {};
};
const connectedSearch = async ({ site }: Stage) => {
  const [one, other] = ["sc-domain:example.com", "https://www.example.com/"];
  const token = sealToken(site.id, "google", "a refresh token");
  const known = { siteId: site.id, provider: "google" as const, property: one, properties: [one, other], token };
  await db().searchConnection.create({ data: { ...known, connectedAt: new Date() } });
  return {};
};
const STEPS = [
  { kind: "page", pattern: "/pricing" },
  { kind: "event", pattern: "Signup" },
];
const GOAL = { name: "Signup", reached_by: { kind: "event", pattern: "Signup" } };

/** An address can be asked a few times a day only. */
const someAddress = () => `${randomUUID()}@example.com`;

const ALERT = {
  name: "Few visits",
  metric: "visits",
  condition: "below",
  threshold: 1,
  span: "day",
  channels: [{ kind: "slack", url: "https://hooks.slack.com/services/T0/B0/secret" }],
};

const IMPORTED = '"date","visitors","pageviews","bounces","visits","visit_duration"\n"2025-03-01",10,30,4,12,600';

/** Announces a file, and stores that it has arrived. @returns its id */
async function uploadedFile(on: Stage): Promise<string> {
  const { file_id } = await on.callAsOwner("sites.imports.upload", { name: "totals.csv", size: 10 });
  await db().importFile.update({ where: { id: file_id }, data: { arrivedBytes: 10n } });
  return `${file_id}`;
}

/** Inputs that name existing objects, where the published example is not enough. */
const INPUTS: Record<string, (on: Stage) => Promise<object> | object> = {
  "sites.domains.add": () => ({ domain: `${randomUUID()}.example` }),
  "sites.domains.primary": ({ domain_id }) => ({ domain_id }),
  "sites.domains.delete": ({ domain_id }) => ({ domain_id }),
  "sites.ownership.transfer": ({ member }) => ({ new_owner_id: member }),
  "sites.installation.tests.stop": created("sites.installation.tests.start", {}),
  "sites.goals.delete": created("sites.goals.save", GOAL),
  "sites.funnels.delete": created("sites.funnels.save", { name: "Buying", steps: STEPS }),
  "sites.segments.delete": created("sites.segments.save", { name: "French", filters: { country: "FR" } }),
  "sites.dashboards.delete": created("sites.dashboards.save", { name: "Mornings", filters: {}, panels: [] }),
  "sites.experiments.delete": async (on) => {
    await on.callAsOwner("sites.goals.save", GOAL);
    const variants = [
      { name: "a", weight: 1 },
      { name: "b", weight: 1 },
    ];
    return created("sites.experiments.save", { name: "Button", variants, goal: GOAL.name })(on);
  },
  "sites.keys.rotate": created("sites.keys.create", { name: "Shop" }, "key_id"),
  "sites.keys.revoke": created("sites.keys.create", { name: "Shop" }, "key_id"),
  "sites.exclusions.delete": created("sites.exclusions.add", { kind: "path", pattern: "/admin/**" }, "exclusion_id"),
  "sites.alerts.save": () => ALERT,
  "sites.alerts.delete": created("sites.alerts.save", ALERT),
  "sites.links.revoke": created("sites.links.create", { name: "Press" }, "link_id"),
  "sites.reports.recipients.add": () => ({ email: someAddress() }),
  "sites.reports.recipients.remove": (on) =>
    created("sites.reports.recipients.add", { email: someAddress(), cadences: ["weekly"] }, "recipient_id")(on),
  "sites.aliases.set": () => ({ alias: randomUUID() }),
  "sites.aliases.delete": (on) => created("sites.aliases.set", { alias: randomUUID() }, "alias")(on),
  "sites.scrubbing.delete": created("sites.scrubbing.add", { kind: "key", pattern: "nickname" }, "rule_id"),
  "sites.search_engines.disconnect": connectedSearch,
  "sites.search_engines.refresh": connectedSearch,
  "sites.search_engines.update": connectedSearch,
  "sites.webhooks.rotate": createdWebhook,
  "sites.webhooks.delete": createdWebhook,
  "sites.members.invitations.withdraw": created(
    "sites.members.invite",
    { email: "ben@example.com", role: "viewer" },
    "invitation_id",
  ),
  "sites.members.update": ({ member }) => ({ person_id: member, role: "viewer" }),
  "sites.members.remove": ({ member }) => ({ person_id: member }),
  "sites.team.set": async ({ site }) => {
    const { team_id } = (await call(site.ownerId, "teams.create", { name: "Acme" }, new Date())) as { team_id: number };
    return { team_id };
  },
  "sites.rates.delete": async (on) => {
    await on.callAsOwner("sites.rates.set", { currency: "USD", day: "2026-11-20", per_euro: "1.0895" });
    return {};
  },
  "sites.imports.create": async (on) => ({ files: [await uploadedFile(on)] }),
  "sites.imports.start": async (on) => {
    const { import_id } = await on.callAsOwner("sites.imports.create", { files: [await uploadedFile(on)] });
    await db().importRun.update({ where: { id: import_id }, data: { state: "ready" } });
    return { import_id };
  },
  "sites.imports.fetch": async ({ site }) => {
    const properties = [{ property: "properties/1", name: "Shop", account: "Shop" }];
    const data = { siteId: site.id, token: new Uint8Array(32), personId: site.ownerId, connectedAt: new Date() };
    await db().importConnection.create({ data: { ...data, properties } });
    return { property: "properties/1", from: "2025-03-01", to: "2025-03-02" };
  },
  "sites.imports.delete": async ({ site }) => {
    await importFiles(site, PLAUSIBLE, { "imported_visitors_20250301_20250310.csv": IMPORTED });
    return {};
  },
  "sites.annotations.delete": created("sites.annotations.save", { date: "2026-11-20", text: "Sale" }),
};

const ON_SITES = [...OPERATIONS.values()].filter((op) => "site_id" in op.input.shape);
const CHANGES = ON_SITES.filter((op) => RISKS[op.risk as Risk].method === "POST");
const inputOf = async (op: AnyOperation, on: Stage) => ({
  ...op.example,
  ...(await INPUTS[op.id]?.(on)),
  site_id: on.site_id,
});

test.each(ON_SITES)("$id is refused without its scope, and alike on foreign, deleted and missing sites", async (op) => {
  const on = await stage();
  const input = await inputOf(op, on);
  const without = SCOPE_NAMES.filter((scope) => scope !== op.scope);
  const weak = await makeClient({ scopes: without, sites: [on.site], personId: on.site.ownerId });
  const answer = await callApi(op.id, { token: weak.token, input });
  expect([answer.status, answer.body.error?.code]).toEqual([403, "insufficient_scope"]);
  const deleted = await makeSite();
  const stranger = await makeClient({ scopes: SCOPE_NAMES, sites: [deleted], personId: deleted.ownerId });
  await deleteSite(db(), deleted.id, new Date());
  const messages = new Set<string>();
  for (const site_id of [on.site_id, deleted.id, 2_000_000_000]) {
    const foreign = await callApi(op.id, { token: stranger.token, input: { ...input, site_id } });
    expect([foreign.status, foreign.body.error?.code]).toEqual([403, "site_not_granted"]);
    messages.add(foreign.body.error.message.replace(/\d+/, "N"));
  }
  expect(messages.size).toBe(1);
  expect(await db().audit.count({ where: { operation: op.id, clientId: { in: [weak.id, stranger.id] } } })).toBe(0);
});

const BELOW: Record<Role, Role | null> = { viewer: null, manager: "viewer", owner: "manager" };

test.each(ON_SITES.filter(({ role }) => BELOW[role as Role]))("$id is refused below its role", async (op) => {
  const on = await stage();
  const person = await makeMember(on.site_id, BELOW[op.role as Role] as Role);
  expect((await refused(call(person, op.id, await inputOf(op, on), new Date())))?.code).toBe("role_denied");
  expect(await db().audit.count({ where: { siteId: on.site_id, personId: person } })).toBe(0);
});

test.each([
  ...["sites.domains.add", "sites.domains.primary", "sites.domains.delete"],
  ...["sites.tracking_test.start", "sites.tracking_test.stop", "sites.installation.tests.start"],
])("a manager may call %s, which is audited", async (id) => {
  const on = await stage();
  await call(on.member, id, await inputOf(OPERATIONS.get(id) as AnyOperation, on), new Date());
  expect(await db().audit.count({ where: { siteId: on.site_id, operation: id, personId: on.member } })).toBe(1);
});

test.each(CHANGES)("$id is refused without an idempotency key", async (op) => {
  const on = await stage();
  const input = await inputOf(op, on);
  const { status, body } = await callApi(op.id, { token: on.agent.token, input, key: null });
  expect([status, body.error?.code]).toEqual([422, "idempotency_key_required"]);
});

const PRODUCTS = Object.values(SEARCH_PROVIDERS).map(({ name }) => `${name}`);
/** Whether a label of a line that a human approves should have a translation, but has none. */
const isEnglishOnly = (label: string): boolean =>
  !PRODUCTS.includes(label) &&
  ["de", "es"].every((language) => inLanguage(language, () => changeInWords(label)) === label);

/** These call external servers; their own tests cover them. */
const REACHING_OUT = new Set(["sites.verify", "sites.webhooks.send_test", "sites.alerts.send_test"]);

test.each(CHANGES.filter(({ id }) => !REACHING_OUT.has(id)))(
  "$id by an agent needs approval according to its risk, in words of the reader, runs once, is audited and emails owners if required",
  async (op) => {
    const on = await stage();
    const input = await inputOf(op, on);
    const key = randomUUID();
    const risk = op.risk as Risk;
    const send = (headers: Record<string, string> = {}) =>
      callApi(op.id, { token: on.agent.token, input, key, headers });
    const rows = () =>
      // Without the row of the decision.
      db().audit.findMany({
        where: {
          siteId: on.site_id,
          operation: op.id,
          clientId: on.agent.id,
          personId: on.site.ownerId,
          requestId: { not: "test" },
        },
      });
    let headers: Record<string, string> = {};
    if (RISKS[risk].needsApproval) {
      const pending = await send();
      expect([pending.status, pending.body.error?.code], JSON.stringify(pending.body)).toEqual([
        409,
        "approval_required",
      ]);
      expect(await rows()).toEqual([]);
      const { id } = pending.body.error.details.approval;
      const { lines } = await db().approval.findUniqueOrThrow({ where: { id }, select: { lines: true } });
      expect((lines as unknown as ChangeLine[]).map(({ label }) => label).filter(isEnglishOnly)).toEqual([]);
      const decider = { ...(await signedIn(on.site.ownerId, new Date())), requestId: "test" };
      expect(ROLES[approverRole(risk)].rank).toBeLessThanOrEqual(ROLES.owner.rank);
      await decideApproval(id, "approved", decider, new Date());
      headers = { "x-agent-approval-id": id };
    }
    const done = await send(headers);
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    const again = await send(headers);
    expect([again.status, again.body.replayed]).toEqual([200, true]);
    expect(again.body.data).toEqual(done.body.data);
    const audited = await rows();
    expect(audited.map(({ requestId, approvalId }) => [requestId, approvalId])).toEqual([
      [done.body.request_id, headers["x-agent-approval-id"] ?? null],
    ]);
    const emails = (await emailsOf(on.site.ownerId)).filter(({ subject }) => subject.startsWith(`${op.title}:`));
    expect(emails.length).toBe(EMAILED.includes(risk) ? 1 : 0);
  },
);
