import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { LinkifyIt } from "linkify-it";
import { type DefaultTreeAdapterMap, parse } from "parse5";
import { expect, test } from "vitest";
import { emailConsentGiven } from "@/lib/auth/notices";
import { unlink, unlinkOthers } from "@/lib/email/links";
import { type Email, quoteName, writeEmail } from "@/lib/email/mailer";
import { takeOver } from "@/lib/identity/take-over";
import { notifyIncident } from "@/lib/monitoring/notices";
import { emailAgentRemoved, emailTokenReuse } from "@/lib/oauth/notices";
import overview from "@/lib/operations/analytics.overview";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { parseUrl } from "@/lib/platform/text";
import { Temporal } from "@/lib/platform/time";
import { createSite } from "@/lib/sites/create";
import { takeOverDomain } from "@/lib/sites/domain-takeover";
import { notifyMembershipChange, notifyRoleChange, sendInvitationEmail } from "@/lib/sites/notices";
import { addressed, reportEmail } from "@/lib/sites/reports/write";
import { call, makeMember } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf, emailsTo } from "@/lib/testing/emails";
import { signedIn } from "@/lib/testing/owners";
import { callApi, makeClient, makePerson } from "@/lib/testing/world";

/** Untrusted text never becomes a link in an email. Checked with a linkifier as used by mail clients. */

const now = EMAIL_TIME;
const OWN = env().BASE_URL;
const HOSTILE = [
  "https://evil.com/pay?x=evil.com#a.b",
  "www.evil.com",
  "eve@evil.com",
  "mailto:eve@evil.com",
  "//evil.com/x",
  `${OWN}@evil.com/`,
  `${OWN}.evil.com`,
  "evil。com",
  "http://203.0.113.7:8080/x",
  "http://[::1]/x",
  "http://localhost/x",
].join(" ");

const linkifier = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: true, urlAuth: true }).tlds(
  ["example"],
  true,
);
const linksIn = (text: string): string[] => linkifier.match(text)?.map(({ raw }) => raw) ?? [];
const isOwn = (link: string) => parseUrl(link)?.origin === OWN;
const foreignLinksIn = (text: string) => linksIn(text).filter((link) => !isOwn(link));

type Node = DefaultTreeAdapterMap["node"];

/** Returns the text nodes and the link targets of an HTML document. */
function partsOf(node: Node): { texts: string[]; targets: string[] } {
  const parts = "childNodes" in node && node.nodeName !== "style" ? node.childNodes.map(partsOf) : [];
  const targets = "attrs" in node ? node.attrs.filter(({ name }) => name === "href").map(({ value }) => value) : [];
  return {
    texts: [
      ...("value" in node && node.nodeName === "#text" ? [node.value] : []),
      ...parts.flatMap(({ texts }) => texts),
    ],
    targets: [...targets, ...parts.flatMap(({ targets }) => targets)],
  };
}

function expectOnlyOwnLinks({ subject, text, html }: Email): void {
  const { texts, targets } = partsOf(parse(html ?? ""));
  for (const part of [subject, text, ...texts, texts.join("")]) expect(foreignLinksIn(part), part).toEqual([]);
  expect(targets.filter((target) => !isOwn(target))).toEqual([]);
}

/** A site with a linkable domain, two owners, a manager and an agent, all with hostile names. */
async function hostileSite(provedAt?: Date) {
  const [ownerId, host] = [await makePerson(), `${randomUUID()}.com`];
  const creator = { kind: "owner", personId: ownerId } as const;
  const site = { host, name: HOSTILE, timezone: "UTC", public: false, creator, now, ...(provedAt && { provedAt }) };
  const id = await createSite(db(), site);
  // As an agent creates it: no person has approved the name.
  await db().siteDomain.updateMany({ where: { siteId: id }, data: { namedByAgent: true } });
  const [second, member] = [await makeMember(id, "owner"), await makeMember(id, "manager")];
  await db().person.updateMany({ where: { id: { in: [ownerId, second, member] } }, data: { name: HOSTILE } });
  const scopes = ["sites:write", "sites:delete", "teams:write"] as const;
  const agent = await makeClient({ scopes, sites: [{ id }], personId: ownerId, now });
  await db().client.update({ where: { id: agent.id }, data: { name: HOSTILE } });
  return { id, host, ownerId, second, member, agent };
}
type HostileSite = Awaited<ReturnType<typeof hostileSite>>;

const challengeFor = (domain: string) =>
  db().challenge.create({
    data: {
      id: `chl_${randomUUID()}`,
      purpose: "claim",
      domain,
      method: "dns",
      value: "value",
      token: "token",
      createdAt: now,
      expiresAt: new Date(now.getTime() + 60_000),
    },
  });

const SETTINGS = { name: HOSTILE, timezone: "UTC", reporting_currency: "EUR", public: true };

/** Functions that email at least one member of the site. */
const EMAILS: Record<string, (site: HostileSite) => Promise<unknown>> = {
  "a request for approval": ({ id, agent }) =>
    callApi("sites.settings.update", { token: agent.token, input: { site_id: id, ...SETTINGS }, now }),
  "a site deleted by a person": ({ id, second }) => call(second, "sites.delete", { site_id: id }, now),
  "an ownership transfer": ({ id, ownerId, member }) =>
    call(ownerId, "sites.ownership.transfer", { site_id: id, new_owner_id: member }, now),
  "a refresh token used twice": ({ ownerId }) => emailTokenReuse(db(), { clientName: HOSTILE, personId: ownerId }, now),
  "an agent removed from a site": ({ id, agent, second }) =>
    emailAgentRemoved(db(), { clientId: agent.id, siteId: id, byId: second }, now),
  "a consent": ({ id, ownerId }) =>
    emailConsentGiven(db(), { personId: ownerId, clientName: HOSTILE, scopes: ["sites:read"], siteIds: [id] }, now),
  "a changed role": ({ id, member }) => notifyRoleChange(db(), { siteId: id, personId: member, role: "viewer" }, now),
  "a removed member": ({ id, member }) => notifyRoleChange(db(), { siteId: id, personId: member, role: null }, now),
  "a member who left": ({ id, member }) =>
    notifyMembershipChange(db(), { siteId: id, personId: member, act: "left" }, now),
  "an incident": ({ id }) =>
    notifyIncident(
      db(),
      id,
      { id: 1, cause: "unreachable", startedAt: now, endedAt: null, seen: HOSTILE, notified: true },
      now,
    ),
  "the end of an incident": ({ id }) =>
    notifyIncident(
      db(),
      id,
      { id: 1, cause: "unreachable", startedAt: now, endedAt: now, seen: HOSTILE, notified: true },
      now,
    ),
  "a domain taken over by another site": ({ host }) =>
    takeOverDomain(db(), host, { clientId: null, personId: null, operation: "test", requestId: "test", now }),
};

test.each(Object.entries(EMAILS))("the email about %s contains no links from untrusted text", async (_, send) => {
  const site = await hostileSite();
  await send(site);
  const emails = (await Promise.all([site.ownerId, site.second, site.member].map(emailsOf))).flat();
  expect(emails.length).toBeGreaterThan(0);
  for (const email of emails) expectOnlyOwnLinks(email);
});

test("an invitation links neither the inviter's address nor the site's domain, verified or not", async () => {
  const { id, host } = await hostileSite(now);
  const email = `${randomUUID()}@example.com`;
  const by = { email: "eve@evil.com", language: null };
  await sendInvitationEmail(
    db(),
    { place: { siteId: id }, email, role: "viewer", by, link: `${OWN}/invite/secret`, expiresAt: now },
    now,
  );
  const [invitation] = await emailsTo(email);
  expect(invitation?.text).toContain(`${OWN}/invite/secret\n`);
  expect(invitation?.subject).toContain(unlink(host));
  if (invitation) expectOnlyOwnLinks(invitation);
});

test("the email about an agent takeover keeps the verified domain as it is", async () => {
  const { id, ownerId, host } = await hostileSite();
  await db().membership.deleteMany({ where: { siteId: id } });
  const account = { id: `acc_${randomUUID()}`, domain: host, recoveryHash: new Uint8Array(32), createdAt: now };
  await db().machineAccount.create({ data: account });
  const machine = await makeClient({ scopes: ["sites:read"], sites: [{ id }], now });
  await db().client.update({ where: { id: machine.id }, data: { accountId: account.id } });
  const { email } = await db().person.findUniqueOrThrow({ where: { id: ownerId } });
  const proof = { challenges: [await challengeFor(host)], hasKey: false };
  const claim = { ...proof, accountId: account.id, domain: host, agent: HOSTILE, requestId: "test" };
  await takeOver({ ...claim, person: { id: ownerId, email, sid: (await signedIn(ownerId, now)).sid } }, now);
  const [message] = await emailsOf(ownerId);
  expect(message?.subject).toBe(`You took over an agent: ${host}`);
  expect(new Set(foreignLinksIn(message?.text ?? ""))).toEqual(new Set([host]));
});

test("emails to members keep the verified domain of the site as it is and defang an unverified one", async () => {
  for (const provedAt of [now, undefined]) {
    const { id, host, member } = await hostileSite(provedAt);
    await notifyRoleChange(db(), { siteId: id, personId: member, role: "viewer" }, now);
    const [email] = await emailsOf(member);
    expect(email?.subject).toBe(`Your role on ${provedAt ? host : unlink(host)} is now viewer`);
    expect(new Set(foreignLinksIn(email?.text ?? ""))).toEqual(new Set(provedAt ? [host] : []));
  }
});

test("emails name the domain that a person gave their site plainly, also among what changes, and defang all other text", async () => {
  const [ownerId, host] = [await makePerson(), `${randomUUID()}.com`];
  const creator = { kind: "owner", personId: ownerId } as const;
  const id = await createSite(db(), { host, name: null, timezone: "UTC", public: false, creator, now });
  const agent = await makeClient({ scopes: ["sites:write"], sites: [{ id }], personId: ownerId, now });
  const names = [`Shop ${host}`, `evil.${host}`, `${host}.evil.com`, `${OWN}/reset`, HOSTILE];
  for (const [index, name] of names.entries()) {
    const input = { site_id: id, ...SETTINGS, name };
    await callApi("sites.settings.update", { token: agent.token, input, now: new Date(now.getTime() + index * 1000) });
  }
  const emails = await emailsOf(ownerId);
  expect(emails.length).toBe(names.length);
  for (const { subject, text } of emails) {
    expect(subject).toBe(`Approval request: Change a site's settings (${host})`);
    expect(new Set(foreignLinksIn(text))).toEqual(new Set([host]));
  }
  const [plain = "", below, beyond, page] = emails.map(({ text }) => text);
  expect(plain).toContain(`Name: nothing → “Shop ${host}”`);
  expect(plain).toContain("Public dashboard: ");
  expect(below).toContain(`→ “${unlink(`evil.${host}`)}”`);
  expect(beyond).toContain(`→ “${unlink(`${host}.evil.com`)}”`);
  expect(page).toContain(`→ “${unlink(`${OWN}/reset`)}”`);
});

test("a domain that an agent named stays defanged until it is verified", async () => {
  const ownerId = await makePerson();
  const agent = await makeClient({ scopes: ["sites:create"], personId: ownerId, now });
  const host = `${randomUUID()}.com`;
  const { body } = await callApi("sites.create", {
    token: agent.token,
    input: { domain: host, timezone: "UTC", public: false },
    now,
  });
  const siteId = body.data.site_id;
  const subject = async () => {
    const member = await makeMember(siteId, "viewer");
    await notifyRoleChange(db(), { siteId, personId: member, role: "viewer" }, now);
    return (await emailsOf(member))[0]?.subject;
  };
  expect(await subject()).toContain(unlink(host));
  await db().siteDomain.updateMany({ where: { siteId }, data: { verifiedAt: now } });
  expect(await subject()).toContain(host);
});

test("an email report links no page or source, neither in its text nor in its HTML", async () => {
  const { id, host, ownerId } = await hostileSite();
  const { metrics, previous, panels } = await call(ownerId, overview.id, { site_id: id }, now);
  const rows = HOSTILE.split(" ").map((value) => ({ ...panels.pages[0], value, visitors: 1 }));
  const days = { from: Temporal.PlainDate.from("2040-04-01"), to: Temporal.PlainDate.from("2040-04-30") };
  for (const part of [rows.slice(0, 4), rows.slice(4, 8), rows.slice(8)]) {
    const data = {
      metrics,
      previous,
      panels: { ...panels, pages: part, sources: part, countries: part },
      domain: host,
      kept: [],
      currency: "EUR",
      campaigns: part.map(({ value }) => ({ campaign: value, visits: 1, revenue: 2 })),
      visitors: [1],
      annotations: part.map(({ value }, id) => ({
        id,
        at: "2026-01-01T00:00:00.000Z",
        date: "2026-01-01",
        all_day: true,
        kind: "note" as const,
        text: value,
        url: "https://evil.example/",
      })),
      changes: part.slice(0, 3).map(({ value }) => `Visits from ${value} fell by 3 (−75%), which is 75% of the fall.`),
    };
    const report = reportEmail({ siteId: id, cadence: "monthly", period: days, data, toMember: true });
    const email = addressed(report, "ann@example.com", "token");
    for (const { value } of part) expect(email.html).toContain(unlink(value).replaceAll("&", "&#38;"));
    expectOnlyOwnLinks({ ...email, to: "" });
  }
});

const ANN = { email: "ann@example.com", language: null };

test("URLs below BASE_URL stay links in the text of an email", () => {
  const { text } = writeEmail(ANN, () => ({
    subject: "Hello",
    paragraphs: [`See ${OWN}/sites/1?from=2026-01-01&to=2026-01-31\nnow.`],
    why: "so",
  }));
  expect(linksIn(text)).toEqual([`${OWN}/sites/1?from=2026-01-01&to=2026-01-31`, OWN]);
});

test("an untrusted name contains no link, not even to BASE_URL", () => {
  const paragraphs = [`It is called ${quoteName(`x ${OWN}/reset y`)}.`];
  const { text } = writeEmail(ANN, () => ({ subject: "Hello", paragraphs, why: "so" }));
  expect(linksIn(text)).toEqual([OWN]);
});

test("defanged text is not defanged again, and numbers, times and sentences stay as they are", () => {
  expect(unlink("https://evil.com/a.b eve@evil.com")).toBe("https[://]evil[.]com/a[.]b eve[@]evil[.]com");
  expect(unlink(unlink(HOSTILE))).toBe(unlink(HOSTILE));
  const plain = "It was 12:30, 1.5 % more. Next: “Signup”.\nThat is all.";
  expect(unlinkOthers(plain)).toBe(plain);
});

test("no combination of URL fragments gets a foreign link past the filter", () => {
  const piece = fc.constantFrom(
    ...["http://", "https:", "//", "www.", "evil", "com", "example", "eve", "localhost", "203.0.113.7", "xn--p1ai"],
    ...[".", "..", "@", ":", "/", "?", "#", "-", "_", "(", ")", "[", "]", "[.]", "”", "，", "。", "．", "!", ",", ";"],
    ...[" ", "\n", "\u00a0", "\u200b", "\u2060", "\ufeff", "\u00ad", "é", "🍕", "8", "mailto:", OWN, `${OWN}/x`],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      expect(foreignLinksIn(unlinkOthers(pieces.join("")))).toEqual([]);
      expect(linksIn(unlink(pieces.join("")))).toEqual([]);
    }),
    { numRuns: 5_000 },
  );
});
