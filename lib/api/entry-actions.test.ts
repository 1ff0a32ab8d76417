import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { act } from "@/lib/api/actions";
import { ownCookie } from "@/lib/auth/cookies";
import { knownBrowserOf } from "@/lib/auth/known-browser";
import { csrfToken } from "@/lib/auth/reauth";
import type { Owner } from "@/lib/contract/define";
import { ENTRY_OPERATIONS } from "@/lib/operations/entry/index";
import { OPERATIONS } from "@/lib/operations/index";
import { PERSONAL_OPERATIONS } from "@/lib/operations/personal/index";
import { db } from "@/lib/platform/db";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { RATES } from "@/lib/platform/limits";
import { agentTexts } from "@/lib/publish/llms/pages";
import { openapi } from "@/lib/publish/openapi";
import { EMAIL_TIME, emailsTo, signupLink } from "@/lib/testing/emails";
import { doAction, newOwner } from "@/lib/testing/owners";
import { PASSWORD } from "@/lib/testing/password";
import { callApi, makeClient, makePerson, makeSite } from "@/lib/testing/world";

/** How visitors without a session get an account, and back into it: what our pages send, and what others might. */

const OWN = "http://localhost:3000";
const now = EMAIL_TIME;
const IDS = [...ENTRY_OPERATIONS.keys()];
const EVE = "a password of eve's";

// The first account is created differently.
beforeAll(async () => {
  await makePerson();
});

const freshEmail = () => `${randomUUID()}@example.com`;

interface VisitOptions {
  owner?: Owner;
  headers?: Record<string, string | null>;
  address?: string;
}

/** Posts as our pages do, with changes by the test. A text is sent unchanged. */
async function visit(id: string, body: object | string, { owner, headers, address = randomUUID() }: VisitOptions = {}) {
  const all: Record<string, string | null> = {
    origin: OWN,
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
    "x-csrf-token": owner ? csrfToken(owner.sid) : null,
    [CALLER_HEADERS.address]: address,
    ...headers,
  };
  const bytes = async () => Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const answer = await act({ header: (name) => all[name] ?? null, bytes }, id, owner ?? null, now);
  const { data, error } = JSON.parse(answer.body);
  return { status: answer.status, data, error, headers: answer.headers, after: answer.after };
}

/** Returns the status, and the code of a refusal. */
const outcome = async (...given: Parameters<typeof visit>) => {
  const { status, error } = await visit(...given);
  return [status, error?.code];
};

/** An input that each operation accepts, with links that do not exist. */
const inputs: Record<string, object> = {
  "invitations.join": { invitation: "made-up", email: "eve@example.com", password: EVE },
  "links.unlock": { secret: "made-up", password: EVE },
  "passkeys.ask": {},
  "reset.finish": { token: "made-up", password: EVE },
  "reset.request": { email: "eve@example.com" },
  "signup.finish": { token: "made-up", password: EVE },
  "signup.first": { email: "eve@example.com", password: EVE },
  "signup.request": { email: "eve@example.com", next: "/sites" },
};

/** The secret of the newest link of a kind in someone's emails. */
const linkTo = async (page: "invite" | "reset", email: string) =>
  (await emailsTo(email)).flatMap(({ text }) => new RegExp(`/${page}/([\\w-]{43})\n`).exec(text)?.[1] ?? []).at(-1) ??
  "";

async function invite(email: string): Promise<{ secret: string; siteId: number }> {
  const ann = await newOwner(now);
  const { id: siteId } = await makeSite();
  await db().membership.create({ data: { siteId, personId: ann.personId, role: "owner" } });
  await doAction(ann, "sites.members.invite", { site_id: siteId, email, role: "viewer" }, now);
  return { secret: await linkTo("invite", email), siteId };
}

test("each file in entry/ is an operation of that name, and no document and no agent knows one", async () => {
  const files = readdirSync("lib/operations/entry").filter((file) => file !== "index.ts");
  expect(IDS.map((id) => `${id}.ts`).sort()).toEqual(files.sort());
  expect(Object.keys(inputs).sort()).toEqual([...IDS].sort());
  const published = [JSON.stringify(openapi(OWN)), ...agentTexts(OWN, RATES).values()].join();
  expect(published).toContain("sites.create");
  const { token } = await makeClient({ scopes: ["sites:create"], personId: await makePerson() });
  for (const [id, operation] of ENTRY_OPERATIONS) {
    expect([operation.id, OPERATIONS.has(id), PERSONAL_OPERATIONS.has(id)]).toEqual([id, false, false]);
    expect(published).not.toContain(id);
    for (const method of ["GET", "POST"] as const) {
      const { status, body } = await callApi(id, { token, method, input: inputs[id] as Record<string, unknown> });
      expect([status, body.error.code], `${method} ${id}`).toEqual([404, "operation_not_found"]);
    }
  }
});

test.for(IDS)("%s is refused from any other origin, and without one", async (id) => {
  const input = inputs[id] as object;
  for (const origin of [null, "null", "https://evil.example", "http://localhost:3000.evil.example", `${OWN}/`]) {
    expect(await outcome(id, input, { headers: { origin } }), `${origin}`).toEqual([403, "cross_site"]);
  }
  for (const site of ["cross-site", "same-site", "none"]) {
    expect(await outcome(id, input, { headers: { "sec-fetch-site": site } }), site).toEqual([403, "cross_site"]);
  }
});

test.for(IDS)("%s refuses what a plain form can send, unknown fields and JSON that is no object", async (id) => {
  const input = inputs[id] as Record<string, string>;
  for (const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", null]) {
    const headers = { "content-type": type };
    const answers = [
      await outcome(id, `${new URLSearchParams(input)}`, { headers }),
      await outcome(id, input, { headers }),
    ];
    expect(answers, `${type}`).toEqual(Array(2).fill([415, "unsupported_media_type"]));
  }
  expect(await outcome(id, { ...input, is_admin: true })).toEqual([422, "invalid_input"]);
  for (const text of ["null", "[]", '"text"']) expect(await outcome(id, text), text).toEqual([422, "invalid_input"]);
  expect(await outcome(id, "{")).toEqual([400, "malformed_json"]);
});

test.for(IDS)("%s ignores a bearer token", async (id) => {
  const { token } = await makeClient({ scopes: ["sites:create"], personId: await makePerson() });
  const input = { ...inputs[id], ...("email" in (inputs[id] as object) && { email: freshEmail() }) };
  const headers = { authorization: `Bearer ${token}` };
  expect(await outcome(id, input, { headers })).toEqual(await outcome(id, input));
});

test.for(IDS)("%s needs the token of a session that the browser has, and the session gives nothing", async (id) => {
  const [owner, other] = [await newOwner(now), await newOwner(now)];
  const input = { ...inputs[id], ...("email" in (inputs[id] as object) && { email: freshEmail() }) };
  for (const token of [null, "", csrfToken(other.sid)]) {
    const refused = await outcome(id, input, { owner, headers: { "x-csrf-token": token } });
    expect(refused).toEqual([403, "cross_site"]);
  }
  expect(await outcome(id, input, { owner })).toEqual(await outcome(id, input));
});

test("a person who is signed in creates no second first account, with any token or from the server's machine", async () => {
  const owner = await newOwner(now);
  const email = freshEmail();
  for (const [token, local] of [
    [undefined, "1"],
    ["a guess", "1"],
    ["a guess", "0"],
  ] as const) {
    const input = { email, password: EVE, ...(token !== undefined && { token }) };
    const { status, error } = await visit("signup.first", input, { owner, headers: { [CALLER_HEADERS.local]: local } });
    expect([status, error.message]).toEqual([403, expect.stringContaining("has been created meanwhile")]);
  }
  expect(await db().person.count({ where: { email } })).toBe(0);
});

test("an invalid address and a short password are refused at their fields, all of them, and a link stays valid", async () => {
  for (const email of ["nonsense", "", null, "a@b\r\nBcc: eve@example.com", "\u0000@example.com"]) {
    for (const [id, more] of [
      ["signup.request", { next: "/" }],
      ["reset.request", {}],
    ] as const) {
      const { status, error } = await visit(id, { email, ...more });
      expect([status, error.details.issues[0].path], `${id} ${email}`).toEqual([422, "email"]);
    }
  }
  const both = await visit("invitations.join", { invitation: "made-up", email: "nonsense", password: "short" });
  expect(both.error.details.issues.map(({ path }: { path: string }) => path)).toEqual(["email", "password"]);
  const email = freshEmail();
  await visit("signup.request", { email, next: "/sites" });
  const token = signupLink((await emailsTo(email))[0]);
  const short = await visit("signup.finish", { token, password: "short" });
  expect(short.error.details.issues).toEqual([{ path: "password", message: "must have at least 12 characters" }]);
  expect((await visit("signup.finish", { token, password: PASSWORD })).data).toEqual({ next: "/sites" });
});

test("a sign-up or a reset answers the same for an address with an account and for a new one, in any spelling", async () => {
  const { email: known } = await newOwner(now);
  for (const [id, more] of [
    ["signup.request", { next: "/sites" }],
    ["reset.request", {}],
  ] as const) {
    const unknown = freshEmail();
    const shape = async (email: string) => {
      const { "x-request-id": _, ...headers } = (await visit(id, { email, ...more })).headers;
      const { status, data, after } = await visit(id, { email: ` ${email.toUpperCase()} `, ...more });
      return { status, data, headers, later: after !== undefined };
    };
    expect(await shape(known)).toEqual(await shape(unknown));
  }
  const subjects = (await emailsTo(known)).map(({ subject }) => subject);
  expect(subjects).toEqual(Array(2).fill("You already have an account"));
});

test("a reset looks the address up after its answer, and its fourth email of an hour is not sent", async () => {
  const { email, personId } = await newOwner(now);
  const links = () => db().passwordReset.count({ where: { personId } });
  const first = await visit("reset.request", { email });
  expect([first.status, first.data, await links()]).toEqual([200, {}, 0]);
  await first.after?.();
  expect(await links()).toBe(1);
  for (const spelling of [email.toUpperCase(), email])
    expect((await visit("reset.request", { email: spelling })).after).toBeDefined();
  const fourth = await visit("reset.request", { email });
  expect([fourth.status, fourth.data, fourth.after]).toEqual([200, {}, undefined]);
});

test("a network can ask for 20 sign-ups and 20 resets an hour, and send 120 actions a minute", async () => {
  const requests = [
    ["signup.request", { next: "/sites" }],
    ["reset.request", {}],
  ] as const;
  for (const [id, more] of requests) {
    const address = randomUUID();
    const ask = () => outcome(id, { email: freshEmail(), ...more }, { address });
    for (let asked = 0; asked < 20; asked++) expect(await ask()).toEqual([200, undefined]);
    expect(await ask()).toEqual([429, "rate_limited"]);
  }
  const address = randomUUID();
  const guess = () => outcome("signup.finish", { token: randomUUID(), password: EVE }, { address });
  for (let tried = 0; tried < 120; tried++) expect(await guess()).toEqual([404, "not_found"]);
  expect(await guess()).toEqual([429, "rate_limited"]);
  expect(await outcome("signup.finish", { token: randomUUID(), password: EVE })).toEqual([404, "not_found"]);
});

test("an invitation creates an account for its own address alone, and a forged one does not reveal who has one", async () => {
  const [ben, carl] = [freshEmail(), freshEmail()];
  const { email: known } = await newOwner(now);
  const { secret, siteId } = await invite(ben);
  const { secret: ofCarl } = await invite(carl);
  const join = (invitation: string, email: string) =>
    visit("invitations.join", { invitation, email, password: PASSWORD });
  for (const [invitation, email] of [
    [ofCarl, ben],
    [secret, carl],
    [secret, known],
  ] as const) {
    const { status, error } = await join(invitation, email);
    expect([status, error.message]).toEqual([403, expect.stringContaining("is for another email address")]);
  }
  const [forged, forgedKnown] = [await join([...secret].reverse().join(""), ben), await join("made-up", known)];
  expect([forged.status, forged.error]).toEqual([404, forgedKnown.error]);
  expect(await db().person.count({ where: { email: { in: [ben, carl] } } })).toBe(0);
  expect((await join(secret, ben)).status).toBe(200);
  const { memberships } = await db().person.findUniqueOrThrow({
    where: { email: ben },
    include: { memberships: true },
  });
  expect(memberships.map((one) => one.siteId)).toEqual([siteId]);
});

test("a forged or used reset link changes no password", async () => {
  const { email } = await newOwner(now);
  await (await visit("reset.request", { email })).after?.();
  const token = await linkTo("reset", email);
  const hash = async () => (await db().person.findUniqueOrThrow({ where: { email } })).passwordHash;
  const before = await hash();
  const choose = (link: string) => outcome("reset.finish", { token: link, password: EVE });
  expect(await choose([...token].reverse().join(""))).toEqual([404, "not_found"]);
  expect(await hash()).toBe(before);
  expect(await choose(token)).toEqual([200, undefined]);
  const changed = await hash();
  expect(await choose(token)).toEqual([404, "not_found"]);
  expect(await hash()).toBe(changed);
});

test("a browser is known for an account once it has shown an emailed link of it, and not before", async () => {
  const email = freshEmail();
  const knows = ({ headers }: Awaited<ReturnType<typeof visit>>) => {
    const cookie = headers["set-cookie"];
    if (cookie !== undefined)
      expect(cookie).toMatch(new RegExp(`^${ownCookie("browser").name}=.*; HttpOnly; SameSite=Lax`));
    return knownBrowserOf(cookie?.split(";", 1)[0], email) !== null;
  };
  const { secret } = await invite(email);
  const wrong = await visit("invitations.join", { invitation: "made-up", email, password: PASSWORD });
  const joined = await visit("invitations.join", { invitation: secret, email, password: PASSWORD });
  const asked = await visit("reset.request", { email });
  await asked.after?.();
  const reset = await visit("reset.finish", { token: await linkTo("reset", email), password: EVE });
  expect([wrong, joined, asked, reset].map(knows)).toEqual([false, true, false, true]);
});

test("a page under another of the server's own hosts may send its form, and no other page", async () => {
  const from = (origin: string, host: string) =>
    outcome("signup.request", { email: freshEmail(), next: "/sites" }, { headers: { origin, host } });
  expect((await from("http://127.0.0.1:3000", "127.0.0.1:3000"))[0]).toBe(200);
  for (const [origin, host] of [
    ["http://127.0.0.1:4000", "127.0.0.1:3000"],
    ["http://evil.example", "127.0.0.1:3000"],
    ["null", "null"],
    ["", ""],
  ] as const)
    expect(await from(origin, host), origin).toEqual([403, "cross_site"]);
});
