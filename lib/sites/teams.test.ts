import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { deleteAccount } from "@/lib/account/delete-account";
import { exportAccount } from "@/lib/account/export-account";
import { ROLES, type Role, SCOPES, type Scope } from "@/lib/contract/access";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { hashOf } from "@/lib/platform/secrets";
import { callApproved, decide } from "@/lib/testing/approved";
import { EMAIL_TIME, emailsOf, emailsTo } from "@/lib/testing/emails";
import { doAction, newOwner } from "@/lib/testing/owners";
import { callApi, makeClient, makeSite } from "@/lib/testing/world";

/** Teams: a role in one holds on all its sites. Actions are called as pages do, agents over the API. */

const now = EMAIL_TIME;
const ALL = Object.keys(SCOPES) as Scope[];

/** Calls an operation as a page does. @returns its data @throws when it is refused */
async function done(who: Owner, id: string, input: object) {
  const { status, body } = await doAction(who, id, input, now);
  if (status !== 200) throw new Error(`${id}: ${JSON.stringify(body)}`);
  return body.data;
}

/** The same. @returns the code of the refusal, or 200 */
async function outcome(who: Owner, id: string, input: object, at = now) {
  const { status, body } = await doAction(who, id, input, at);
  return body.error?.code ?? status;
}

async function person(): Promise<Owner> {
  const owner = await newOwner(now);
  await db().person.update({ where: { id: owner.personId }, data: { confirmedAt: now } });
  return { ...owner, confirmed: true };
}

async function siteOf({ personId }: Owner): Promise<number> {
  const site = await makeSite();
  await db().membership.updateMany({ where: { siteId: site.id }, data: { personId } });
  return site.id;
}

/** A team of Ann's with so many of her sites. */
async function teamOf(ann: Owner, sites = 1) {
  const { team_id } = await done(ann, "teams.create", { name: "Acme" });
  const siteIds: number[] = [];
  for (let n = 0; n < sites; n++) {
    const site_id = await siteOf(ann);
    await done(ann, "sites.team.set", { site_id, team_id });
    siteIds.push(site_id);
  }
  return { team_id: team_id as number, siteIds };
}

/** Invites someone to a team, who accepts. */
async function join(by: Owner, team_id: number, who: Owner, role: Role) {
  await done(by, "teams.members.invite", { team_id, email: who.email, role });
  await done(who, "invitations.accept", { invitation: await secretOf(who.email) });
}

/** The secret of the open invitation of an address; of the last one that ended without one. */
async function secretOf(email: string): Promise<string> {
  const secrets = (await emailsTo(email)).flatMap(({ text }) => /\/invite\/([\w-]{43})\n/.exec(text)?.[1] ?? []);
  const open = await db().invitation.findMany({ where: { email } });
  const isOpen = (secret: string) =>
    open.some(({ hash }) => hashOf(secret).every((byte, index) => byte === hash[index]));
  return secrets.find(isOpen) ?? secrets.at(-1) ?? "";
}

const roleOn = async (siteId: number, { personId }: Owner): Promise<Role | null> =>
  (await db().membership.findUnique({ where: { siteId_personId: { siteId, personId } } }))?.role ?? null;

const higher = (one: Role | null, other: Role | null): Role | null =>
  ROLES[one ?? "viewer"].rank >= ROLES[other ?? "viewer"].rank ? (one ?? other) : other;

test("after any changes, the role of a person on a site is the higher one of those that the site and its team give", async () => {
  const [ann, ben, eve] = [await person(), await person(), await person()];
  const { team_id, siteIds } = await teamOf(ann, 2);
  const outside = await siteOf(ann);
  const sites = [...siteIds, outside];
  const inTeam = new Set(siteIds);
  const ofTeam = new Map<Owner, Role>();
  const own = new Map<string, Role>();
  const roles = Object.keys(ROLES) as Role[];
  const anyStep = fc.tuple(
    fc.constantFrom("join", "change", "remove", "site", "unsite", "move"),
    fc.constantFrom(ben, eve),
    fc.constantFrom(...roles),
    fc.constantFrom(...sites),
  );
  const steps: string[] = [];
  for (const [what, who, role, site_id] of fc.sample(anyStep, 40)) {
    const [key, person_id] = [`${site_id}:${who.personId}`, who.personId];
    steps.push(`${what} ${who === ben ? "ben" : "eve"} ${role} ${sites.indexOf(site_id)}`);
    if (what === "join") {
      await join(ann, team_id, who, role);
      ofTeam.set(who, higher(ofTeam.get(who) ?? null, role) as Role);
    } else if (what === "change" && ofTeam.has(who)) {
      await done(ann, "teams.members.update", { team_id, person_id, role });
      ofTeam.set(who, role);
    } else if (what === "remove" && ofTeam.delete(who)) {
      await done(ann, "teams.members.remove", { team_id, person_id });
    } else if (what === "site") {
      await done(ann, "sites.members.invite", { site_id, email: who.email, role });
      await done(who, "invitations.accept", { invitation: await secretOf(who.email) });
      own.set(key, higher(own.get(key) ?? null, role) as Role);
    } else if (what === "unsite" && own.delete(key)) {
      await done(ann, "sites.members.remove", { site_id, person_id });
    } else if (what === "move") {
      const isIn = inTeam.delete(site_id);
      if (!isIn) inTeam.add(site_id);
      await done(ann, "sites.team.set", { site_id, team_id: isIn ? null : team_id });
    }
    for (const siteId of sites)
      for (const one of [ben, eve]) {
        const given = inTeam.has(siteId) ? (ofTeam.get(one) ?? null) : null;
        const expected = higher(own.get(`${siteId}:${one.personId}`) ?? null, given);
        expect(await roleOn(siteId, one), steps.join(", ")).toBe(expected);
      }
    for (const siteId of sites) expect(await roleOn(siteId, ann)).toBe("owner");
  }
});

test("who is removed from a team loses its sites at once: pages, agents, approvals, reports and invitations they sent", async () => {
  const [ann, ben] = [await person(), await person()];
  const { team_id, siteIds } = await teamOf(ann, 2);
  const [site_id = 0] = siteIds;
  await join(ann, team_id, ben, "owner");
  const own = await siteOf(ben);
  const sites = [...siteIds, own].map((id) => ({ id }));
  const agent = await makeClient({ scopes: ALL, sites, personId: ben.personId, now });
  const input = { site_id, team_id: null };
  const asked = await callApi("sites.team.set", { token: agent.token, input, now });
  expect([asked.status, asked.body.error?.code]).toEqual([409, "approval_required"]);
  await done(ben, "sites.reports.update", { site_id, weekly: true, monthly: false });
  const carol = await person();
  await done(ben, "teams.members.invite", { team_id, email: carol.email, role: "owner" });
  const invitation = await secretOf(carol.email);
  expect(await outcome(ben, "sites.settings.get", { site_id })).toBe(200);

  await done(ann, "teams.members.remove", { team_id, person_id: ben.personId });

  for (const siteId of siteIds) {
    expect(await outcome(ben, "sites.settings.get", { site_id: siteId })).toBe("site_not_granted");
    const call = await callApi("sites.settings.get", { token: agent.token, input: { site_id: siteId }, now });
    expect(call.body.error?.code).toBe("site_not_granted");
    expect(await db().clientSite.count({ where: { siteId, clientId: agent.id } })).toBe(0);
    expect(await db().reportSubscription.count({ where: { siteId, personId: ben.personId } })).toBe(0);
  }
  const approval = await db().approval.findUniqueOrThrow({ where: { id: asked.body.error.details.approval.id } });
  expect(approval.status).toBe("superseded");
  expect(await outcome(carol, "invitations.accept", { invitation })).toBe("not_found");
  expect(await outcome(ben, "teams.members.invite", { team_id, email: ben.email, role: "owner" })).toBe("not_found");
  expect((await done(ben, "teams.list", {})).teams).toEqual([]);
  const kept = await callApi("sites.settings.get", { token: agent.token, input: { site_id: own }, now });
  expect(kept.status).toBe(200);
  const subjects = (await emailsOf(ben.personId)).map(({ subject }) => subject);
  expect(subjects).toContainEqual(expect.stringContaining("You no longer have access to the team “Acme”"));
});

test("a team keeps an owner: the last one cannot leave, step down or be removed, and of two who go at once one stays", async () => {
  const [ann, ben] = [await person(), await person()];
  const { team_id } = await teamOf(ann);
  const person_id = ann.personId;
  expect(await outcome(ann, "teams.leave", { team_id })).toBe("role_denied");
  expect(await outcome(ann, "teams.members.update", { team_id, person_id, role: "viewer" })).toBe("role_denied");
  expect(await outcome(ann, "teams.members.remove", { team_id, person_id })).toBe("role_denied");
  await join(ann, team_id, ben, "owner");
  const gone = await Promise.all([ann, ben].map((who) => outcome(who, "teams.leave", { team_id })));
  expect(gone.sort()).toEqual([200, "role_denied"]);
  expect(await db().teamMember.count({ where: { teamId: team_id, role: "owner" } })).toBe(1);
});

test("a site goes into a team by an owner of both, and whoever takes it out stays its owner while the team loses it", async () => {
  const [ann, ben, eve] = [await person(), await person(), await person()];
  const { team_id, siteIds } = await teamOf(ann);
  const [site_id = 0] = siteIds;
  await join(ann, team_id, ben, "owner");
  await join(ann, team_id, eve, "manager");
  const mine = await siteOf(eve);
  expect(await outcome(eve, "sites.team.set", { site_id: mine, team_id })).toBe("role_denied");
  expect(await outcome(eve, "sites.team.set", { site_id, team_id: null })).toBe("role_denied");
  const others = await teamOf(await person());
  expect(await outcome(ann, "sites.team.set", { site_id, team_id: others.team_id })).toBe("not_found");
  expect(await outcome(ann, "sites.team.set", { site_id, team_id })).toBe("invalid_input");
  await done(ben, "sites.team.set", { site_id, team_id: null });
  expect([await roleOn(site_id, ann), await roleOn(site_id, ben), await roleOn(site_id, eve)]).toEqual([
    "owner",
    "owner",
    null,
  ]);
  expect(await outcome(ann, "teams.delete", { team_id: others.team_id })).toBe("not_found");
  await done(ann, "teams.delete", { team_id });
  expect(await db().team.count({ where: { id: team_id } })).toBe(0);
});

test("a role that a team gives is neither lowered nor taken on the site, by its owners or by leaving", async () => {
  const [ann, ben] = [await person(), await person()];
  const { team_id, siteIds } = await teamOf(ann);
  const [site_id = 0] = siteIds;
  await join(ann, team_id, ben, "manager");
  const person_id = ben.personId;
  const refusal = await doAction(ann, "sites.members.update", { site_id, person_id, role: "viewer" }, now);
  expect([refusal.status, refusal.body.error?.message]).toEqual([403, expect.stringContaining("teams.members.update")]);
  expect(await outcome(ann, "sites.members.remove", { site_id, person_id })).toBe("role_denied");
  expect(await outcome(ben, "members.leave", { site_id })).toBe("role_denied");
  await done(ann, "sites.members.update", { site_id, person_id, role: "owner" });
  expect(await outcome(ben, "sites.ownership.transfer", { site_id, new_owner_id: ann.personId })).toBe(200);
  expect(await roleOn(site_id, ben)).toBe("manager");
  expect(await outcome(ann, "sites.ownership.transfer", { site_id, new_owner_id: person_id })).toBe("role_denied");
});

test("an agent acts on a team with a consent for each of its sites and a person's yes, which another site in the team voids", async () => {
  const ann = await person();
  const { team_id, siteIds } = await teamOf(ann, 2);
  const [first = 0] = siteIds;
  const some = await makeClient({ scopes: ALL, sites: [{ id: first }], personId: ann.personId, now });
  const input = { team_id, email: "ben@example.com", role: "viewer" };
  const listed = await callApi("teams.list", { token: some.token, now });
  expect(listed.body.data.teams).toEqual([]);
  expect((await callApi("teams.members.invite", { token: some.token, input, now })).body.error?.code).toBe("not_found");

  const every = await makeClient({ scopes: ALL, sites: siteIds.map((id) => ({ id })), personId: ann.personId, now });
  const seen = await callApi("teams.list", { token: every.token, now });
  expect(seen.body.data.teams).toMatchObject([
    { team_id, role: "owner", sites: siteIds.map((site_id) => ({ site_id })) },
  ]);
  const key = randomUUID();
  const asked = await callApi("teams.members.invite", { token: every.token, input, key, now });
  expect(asked.body.error?.code).toBe("approval_required");
  const { id } = asked.body.error.details.approval;
  await decide(id, ann.personId, "approved", now);
  const third = await siteOf(ann);
  await db().clientSite.create({ data: { clientId: every.id, siteId: third, createdAt: now } });
  await done(ann, "sites.team.set", { site_id: third, team_id });
  const headers = { "x-agent-approval-id": id };
  const again = await callApi("teams.members.invite", { token: every.token, input, key, headers, now });
  expect([again.status, again.body.error?.code]).toEqual([409, "approval_required"]);
  const approved = { token: every.token, input, approverId: ann.personId, now };
  const sent = await callApproved("teams.members.invite", approved);
  expect(sent.status).toBe(200);
  expect(sent.body.data.link).toBeNull();
});

test("an invitation to a team works once, for its address, and only while its sender owns the team", async () => {
  const [ann, ben, eve] = [await person(), await person(), await person()];
  const { team_id, siteIds } = await teamOf(ann);
  const [site_id = 0] = siteIds;
  await done(ann, "teams.members.invite", { team_id, email: ben.email, role: "viewer" });
  const invitation = await secretOf(ben.email);
  expect(await outcome(eve, "invitations.accept", { invitation })).toBe("role_denied");
  const twice = await Promise.all([1, 2].map(() => outcome(ben, "invitations.accept", { invitation })));
  expect(twice.sort()).toEqual([200, "not_found"]);
  expect(await roleOn(site_id, ben)).toBe("viewer");
  await done(ann, "teams.members.invite", { team_id, email: eve.email, role: "owner" });
  const [waiting] = (await done(ann, "teams.list", {})).teams[0].invitations;
  await done(ann, "teams.invitations.withdraw", { team_id, invitation_id: waiting.invitation_id });
  expect(await outcome(eve, "invitations.accept", { invitation: await secretOf(eve.email) })).toBe("not_found");
  expect(await outcome(ben, "teams.members.invite", { team_id, email: eve.email, role: "owner" })).toBe("role_denied");
});

test("outsiders learn nothing of a team, and its changes of access need a fresh proof", async () => {
  const [ann, eve] = [await person(), await person()];
  const { team_id, siteIds } = await teamOf(ann);
  const person_id = ann.personId;
  const inputs: Record<string, object> = {
    "teams.update": { name: "Mine" },
    "teams.delete": {},
    "teams.members.invite": { email: eve.email, role: "owner" },
    "teams.members.update": { person_id, role: "viewer" },
    "teams.members.remove": { person_id },
    "teams.invitations.withdraw": { invitation_id: 1 },
    "teams.leave": {},
  };
  for (const [id, input] of Object.entries(inputs)) {
    const answers = await Promise.all(
      [team_id, 2_000_000_000].map((one) => doAction(eve, id, { team_id: one, ...input }, now)),
    );
    const told = answers.map(({ status, body }) =>
      `${status} ${body.error?.code} ${body.error?.message}`.replace(/\d{4,}|team \d+/, "N"),
    );
    expect(new Set(told).size, id).toBe(1);
    expect(answers[0]?.status, id).toBe(404);
  }
  const later = new Date(now.getTime() + 3600_000);
  const risky = ["teams.delete", "teams.members.invite", "teams.members.update", "teams.members.remove"];
  for (const id of [...risky, "teams.invitations.withdraw"])
    expect(await outcome(ann, id, { team_id, ...inputs[id] }, later), id).toBe("reauthentication_required");
  const out = { site_id: siteIds[0], team_id: null };
  expect(await outcome(ann, "sites.team.set", out, later)).toBe("reauthentication_required");
});

test("a change of a team is in the log of each of its sites, and its owners get an email", async () => {
  const [ann, ben, zoe] = [await person(), await person(), await person()];
  const { team_id, siteIds } = await teamOf(ann, 2);
  await join(ann, team_id, ben, "viewer");
  await join(ann, team_id, zoe, "owner");
  await done(ann, "teams.members.update", { team_id, person_id: ben.personId, role: "manager" });
  for (const siteId of siteIds) {
    const rows = await db().audit.findMany({ where: { siteId, operation: { startsWith: "teams." } } });
    expect(rows).toMatchObject([
      { operation: "teams.members.update", personId: ann.personId, detail: { person_id: ben.personId, team: "Acme" } },
    ]);
  }
  const subjects = async (who: Owner) => (await emailsOf(who.personId)).map(({ subject }) => subject).join("\n");
  expect(await subjects(zoe)).toContain("Change a role in a team");
  expect(await subjects(ben)).toContain("Your role on the team “Acme” is now manager");
});

test("an account that is deleted leaves its teams, unless it is the only owner of one with others", async () => {
  const [ann, ben] = [await person(), await person()];
  const { team_id, siteIds } = await teamOf(ann);
  const [site_id = 0] = siteIds;
  await join(ann, team_id, ben, "viewer");
  const deleting = () => deleteAccount(ann, "test", now);
  await db().membership.create({ data: { siteId: site_id, personId: (await person()).personId, role: "owner" } });
  await expect(deleting()).rejects.toThrow("only owner of the team Acme");
  await done(ann, "teams.members.update", { team_id, person_id: ben.personId, role: "owner" });
  expect(await exportAccount(ann, now)).toMatchObject({
    teams: [{ team_id, name: "Acme", role: "owner" }],
    sites: [{ site_id, role: "owner", team_role: "owner" }],
    invitations_sent: [],
  });
  await deleting();
  expect([await roleOn(site_id, ann), await roleOn(site_id, ben)]).toEqual([null, "owner"]);
  await deleteAccount(ben, "test", now);
  expect(await db().team.count({ where: { id: team_id } })).toBe(0);
  expect(await db().site.findUniqueOrThrow({ where: { id: site_id } })).toMatchObject({ teamId: null });
});
