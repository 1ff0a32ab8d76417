import { expect, test } from "vitest";
import { accountLog } from "@/lib/agents/account-log";
import { titleOfDecision } from "@/lib/agents/entry-titles";
import { undoable } from "@/lib/agents/undo";
import { lockSite } from "@/lib/gateway/changes/lock-site";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { call, faults, makeMember } from "@/lib/testing/calls";
import { EMAIL_TIME } from "@/lib/testing/emails";
import { someoneWaitsFor } from "@/lib/testing/locks";
import { doAction, newOwner, signedIn } from "@/lib/testing/owners";
import { callApi, makeClient, makeSite } from "@/lib/testing/world";

/** The audit log of a site with its changes, and what undoes them. */

const now = EMAIL_TIME;

/** A site with an owner who is signed in. */
async function ownSite() {
  const [owner, site] = [await newOwner(now), await makeSite()];
  await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role: "owner" } });
  const act = async (id: string, input: object) => {
    const { status, body } = await doAction(owner, id, { site_id: site.id, ...input }, now);
    expect([id, status, body.error]).toEqual([id, 200, undefined]);
    return body.data;
  };
  const log = async (input: object = {}) =>
    (await call(owner.personId, "sites.audit.list", { site_id: site.id, ...input }, now)).entries;
  const undo = (entryId: string) => doAction(owner, "audit.undo", { site_id: site.id, entry_id: entryId }, now);
  return { owner, site, act, log, undo };
}

const SETTINGS = { name: "Shop", timezone: "UTC", reporting_currency: "EUR", public: false };

test("an entry has the settings before and after in words, and undoing it keeps what others changed since", async () => {
  const { act, log, undo } = await ownSite();
  await act("sites.settings.update", { ...SETTINGS });
  await act("sites.settings.update", { ...SETTINGS, name: "Store", page_query: ["p"] });
  await act("sites.settings.update", { ...SETTINGS, name: "Store", timezone: "Europe/Berlin" });
  const [zone, renamed] = await log({ operation: "sites.settings" });
  expect(renamed.changes).toEqual([
    { label: "Name", before: "Shop", after: "Store" },
    { label: expect.any(String), before: null, after: "p" },
  ]);
  expect(renamed.before).toEqual({ name: "Shop", page_query: [] });
  expect(zone.changes).toEqual([{ label: "Timezone", before: "UTC", after: "Europe/Berlin" }]);
  expect((await undo(renamed.entry_id)).status).toBe(200);
  const settings = await act("sites.settings.get", {});
  expect([settings.name, settings.timezone, settings.page_query]).toEqual(["Shop", "Europe/Berlin", []]);
  // It was undone, so its values are others now.
  expect((await undo(renamed.entry_id)).body.error?.code).toBe("not_found");
});

test("settings, privacy, monitoring, goals, funnels, segments and dashboards go back to what they were", async () => {
  const { site, owner, act, log, undo } = await ownSite();
  const privacy = { anonymise_ip: false, geo_precision: "city", honour_gpc: true, retention_salt: false };
  const steps = [
    { kind: "page", pattern: "/pricing" },
    { kind: "event", pattern: "Signup" },
  ];
  const view = { name: "Mornings", filters: {}, panels: [] };
  const kinds: [operation: string, first: object, second: object][] = [
    ["sites.privacy.update", privacy, { ...privacy, geo_precision: "none", anonymise_ip: true }],
    ["sites.monitoring", { enabled: false }, { enabled: true }],
    [
      "sites.proxy.update",
      { trusted_proxy_ips: [], require_signature: false },
      { trusted_proxy_ips: ["192.0.2.1"], require_signature: false },
    ],
    [
      "sites.goals.save",
      { name: "Signup", reached_by: { kind: "event", pattern: "Signup" } },
      { name: "Sign-up", reached_by: { kind: "page", pattern: "/hi" } },
    ],
    ["sites.funnels.save", { name: "Buying", steps }, { name: "Buying", steps: steps.toReversed(), window_minutes: 5 }],
    [
      "sites.segments.save",
      { name: "French", filters: { country: "FR" } },
      { name: "French", filters: { country: "BE" } },
    ],
    ["sites.dashboards.save", view, { ...view, period: "7d", panels: ["pages"] }],
  ];
  for (const [operation, first, second] of kinds) {
    const made = await act(operation, first);
    const id = made.id === undefined ? {} : { id: made.id };
    await act(operation, { ...second, ...id });
    const [entry] = await log({ operation });
    expect([operation, entry.changes.length > 0]).toEqual([operation, true]);
    const by = { owner, siteId: site.id, now };
    expect([...(await undoable(by, [entry.entry_id]))]).toEqual([entry.entry_id]);
    const answer = await undo(entry.entry_id);
    expect([operation, answer.body.error]).toEqual([operation, undefined]);
    const [back] = await log({ operation });
    expect(back.before).toEqual(
      Object.fromEntries(Object.keys(entry.before).map((field) => [field, expect.anything()])),
    );
    expect(
      back.changes.map(({ label, before, after }: Record<string, string>) => ({ label, before: after, after: before })),
    ).toEqual(entry.changes);
  }
});

test("what was deleted without approval is saved again, and what deletes data is not undone by a press", async () => {
  const { owner, site, act, log, undo } = await ownSite();
  const goal = await act("sites.goals.save", { name: "Signup", reached_by: { kind: "event", pattern: "Signup" } });
  await act("sites.goals.delete", { id: goal.id });
  const [deleted] = await log();
  expect((await undo(deleted.entry_id)).status).toBe(200);
  expect((await act("sites.goals.list", {})).goals.map(({ name }: { name: string }) => name)).toEqual(["Signup"]);
  await act("sites.retention.update", { retention_months: 24 });
  const [retention] = await log();
  expect(retention.changes[0]).toMatchObject({ before: "Forever", after: "For 2 years" });
  expect([...(await undoable({ owner, siteId: site.id, now }, [retention.entry_id]))]).toEqual([]);
  expect((await undo(retention.entry_id)).body.error?.code).toBe("not_found");
});

test("an entry is undone once, also by two presses at a time, and no press takes back what changed meanwhile", async () => {
  const { owner, site, act, log, undo } = await ownSite();
  const note = await act("sites.annotations.save", { text: "Launch", date: "2040-04-30" });
  await act("sites.annotations.delete", { id: note.id });
  const [deleted] = await log();
  const presses = await Promise.all([undo(deleted.entry_id), undo(deleted.entry_id)]);
  expect(presses.map(({ status }) => status).sort()).not.toEqual([200, 200]);
  expect((await undo(deleted.entry_id)).body.error.message).toBe("It was undone already.");
  expect((await act("sites.annotations.list", {})).annotations).toHaveLength(1);
  expect([...(await undoable({ owner, siteId: site.id, now }, [deleted.entry_id]))]).toEqual([]);

  await act("sites.settings.update", { ...SETTINGS });
  await act("sites.settings.update", { ...SETTINGS, name: "Store" });
  const [renamed] = await log();
  // Whoever presses has read the settings, and waits for a change that holds the lock of the site.
  const { press } = await db().$transaction(async (tx) => {
    await lockSite(tx, site.id);
    const press = undo(renamed.entry_id);
    await someoneWaitsFor(tx);
    await tx.site.update({ where: { id: site.id }, data: { timezone: "Europe/Berlin" } });
    return { press };
  });
  expect((await press).body.error).toMatchObject({ message: expect.stringMatching(/^It was changed again since/) });
  expect((await act("sites.settings.get", {})).timezone).toBe("Europe/Berlin");
});

test("the log and its undo belong to managers of the site, and an operation of owners is not undone by a manager", async () => {
  const { site, act, log, undo } = await ownSite();
  await act("sites.proxy.update", { trusted_proxy_ips: ["192.0.2.1"], require_signature: false });
  const [entry] = await log();
  const [viewer, manager] = [await makeMember(site.id, "viewer"), await makeMember(site.id, "manager")];
  const foreign = await makeSite();
  const input = { site_id: site.id, entry_id: entry.entry_id };
  const answerTo = async (personId: number, sent: object) =>
    (await doAction(await signedIn(personId, now), "audit.undo", sent, now)).body.error?.code;
  expect(await answerTo(viewer, input)).toBe("role_denied");
  expect(await answerTo(manager, input)).toBe("role_denied");
  expect(await answerTo(foreign.ownerId, input)).toBe("site_not_granted");
  expect(await answerTo(foreign.ownerId, { ...input, site_id: foreign.id })).toBe("not_found");
  expect(await answerTo(manager, { ...input, entry_id: "x" })).toBe("invalid_input");
  const by = { owner: { personId: manager }, siteId: site.id, now };
  expect([...(await undoable(by, [entry.entry_id]))]).toEqual([]);
  expect((await undo(entry.entry_id)).status).toBe(200);
});

test("a stale session proves itself again before it undoes what needs a proof", async () => {
  const { owner, site, act, log } = await ownSite();
  await act("sites.settings.update", { ...SETTINGS, public: true });
  const [entry] = await log();
  const hours = new Date(now.getTime() + 7 * DAY_MS);
  const stale = await doAction(owner, "audit.undo", { site_id: site.id, entry_id: entry.entry_id }, hours);
  expect(stale.body.error?.code).toBe("reauthentication_required");
});

test("the log is filtered by operation, person, agent and local day, and says who it was", async () => {
  const { owner, site, act, log } = await ownSite();
  const agent = await makeClient({ scopes: ["sites:write"], sites: [site], personId: owner.personId });
  const goal = { site_id: site.id, name: "Signup", reached_by: { kind: "event", pattern: "Signup" } };
  expect((await callApi("sites.goals.save", { token: agent.token, input: goal })).status).toBe(200);
  await act("sites.monitoring", { enabled: true });
  const [byPerson, byAgent] = [await log({ by: "people" }), await log({ by: "agents" })];
  expect(byPerson.map(({ operation }: { operation: string }) => operation)).toEqual(["sites.monitoring"]);
  expect(byAgent).toMatchObject([
    {
      operation: "sites.goals.save",
      client_name: "A test's agent",
      person: expect.stringMatching(/^\S\*\*\*@example\.com$/),
    },
  ]);
  const count = async (input: object) => (await log(input)).length;
  expect(await count({ operation: "sites.goals" })).toBe(1);
  expect(await count({ operation: "sites.goal" })).toBe(0);
  expect(await count({ client_id: agent.id })).toBe(1);
  expect(await count({ person_id: owner.personId })).toBe(2);
  expect(await count({ from: "2040-05-01", to: "2040-05-01" })).toBe(1);
  expect(await count({ to: "2040-04-30" })).toBe(1);
  expect(await faults(log({ from: "2040-05-02", to: "2040-05-01" }))).toEqual(["to: must not be before from"]);
  for (const operation of ["sites.%", "Sites", "sites..x"]) {
    expect(await faults(log({ operation }))).toEqual([expect.stringMatching(/^operation: must be the id/)]);
  }
});

test("the log of an account has what the person and their agents did, and what was done to it", async () => {
  const { owner, site, act } = await ownSite();
  await act("sites.monitoring", { enabled: true });
  await doAction(owner, "password.change", { password: "a quite different password" }, now);
  const agent = await makeClient({ scopes: ["sites:write"], sites: [site], personId: owner.personId });
  const goal = { site_id: site.id, name: "Signup", reached_by: { kind: "event", pattern: "Signup" } };
  await callApi("sites.goals.save", { token: agent.token, input: goal });
  const titles = async (of: "all" | "account" | "sites" | "agents") =>
    (await accountLog(owner.personId, of, undefined)).entries.map(({ title }) => title);
  expect(await titles("account")).toEqual(["Password changed"]);
  expect(await titles("sites")).toEqual(["Save a goal", "Turn monitoring on or off"]);
  expect(await titles("agents")).toEqual(["Save a goal"]);
  expect(await titles("all")).toHaveLength(3);
  const other = await newOwner(now);
  expect((await accountLog(other.personId, "all", undefined)).entries).toEqual([]);
  expect(titleOfDecision("sites.delete", "approved")).toBe(`Approved: ${OPERATIONS.get("sites.delete")?.title}`);
});
