import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { endSessions, ownerOfSession, revokeSession, sidHashOf } from "@/lib/auth/session-row";
import { SESSION_DAYS, signIn, TooManyTries } from "@/lib/auth/sign-in";
import { createPerson } from "@/lib/auth/signup";
import { Refusal } from "@/lib/contract/errors";
import { db } from "@/lib/db";

const PASSWORD = "correct horse battery";
const now = new Date("2026-11-20T12:00:00Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const MINUTE = 60_000;

async function someone() {
  const email = `${randomUUID()}@example.com`;
  const { personId } = await createPerson({ email, password: PASSWORD }, randomUUID(), now);
  return { email, personId };
}

/** Each test tries from addresses of its own. */
const from = (email: string, password = PASSWORD, address: string = randomUUID()) => ({ email, password, address });

async function signedIn() {
  const person = await someone();
  const answer = await signIn(from(person.email), now);
  if (!answer) throw new Error("The right password was refused");
  return { ...person, sid: answer.sid };
}

test("the right password signs in, and the session names its person", async () => {
  const { sid, personId, email } = await signedIn();
  expect(await ownerOfSession(sid, now)).toEqual({
    personId,
    email,
    name: null,
    sid,
    signedInAt: now,
    secondFactor: false,
  });
});

test("the database never holds a session's name, only its digest", async () => {
  const { sid, personId } = await signedIn();
  const [row] = await db().ownerSession.findMany({ where: { personId } });
  expect(Buffer.from(row?.sidHash ?? []).toString("hex")).toBe(Buffer.from(sidHashOf(sid)).toString("hex"));
});

test("an e-mail address is the same in any case and with space around it", async () => {
  const { email } = await someone();
  expect(await signIn(from(` ${email.toUpperCase()} `), now)).not.toBeNull();
});

test("a wrong password and an unknown person get the same answer", async () => {
  const { email } = await someone();
  expect(await signIn(from(email, "not the password"), now)).toBeNull();
  expect(await signIn(from(`${randomUUID()}@example.com`), now)).toBeNull();
  expect(await signIn(from("no address \u0000 at all"), now)).toBeNull();
});

test("after five wrong passwords the sixth try is refused though it is right, until 15 minutes have passed", async () => {
  const { email } = await someone();
  for (let tries = 0; tries < 5; tries++) expect(await signIn(from(email, "wrong password"), now)).toBeNull();
  await expect(signIn(from(email), later(14 * MINUTE))).rejects.toThrow(TooManyTries);
  expect(await signIn(from(email), later(16 * MINUTE))).not.toBeNull();
});

test("six tries sent at the same moment do not slip past the limit", async () => {
  const { email } = await someone();
  const tries = await Promise.allSettled(Array.from({ length: 6 }, () => signIn(from(email, "wrong password"), now)));
  expect(tries.filter((outcome) => outcome.status === "rejected")).toHaveLength(1);
});

test("the limit does not tell who exists: an unknown account is locked alike", async () => {
  const email = `${randomUUID()}@example.com`;
  for (let tries = 0; tries < 5; tries++) expect(await signIn(from(email), now)).toBeNull();
  await expect(signIn(from(email), now)).rejects.toThrow(TooManyTries);
});

test("a success forgets the account's failures", async () => {
  const { email } = await someone();
  for (let tries = 0; tries < 4; tries++) await signIn(from(email, "wrong password"), now);
  expect(await signIn(from(email), now)).not.toBeNull();
  for (let tries = 0; tries < 4; tries++) expect(await signIn(from(email, "wrong password"), now)).toBeNull();
});

test("twenty wrong tries from one address close it for every account, and a success of its own does not reopen it", async () => {
  const address = randomUUID();
  const { email } = await someone();
  for (let tries = 0; tries < 19; tries++) {
    await signIn(from(`${randomUUID()}@example.com`, "wrong password", address), now);
    if (tries === 10) expect(await signIn(from(email, PASSWORD, address), now)).not.toBeNull();
  }
  expect(await signIn(from(`${randomUUID()}@example.com`, "wrong password", address), now)).toBeNull();
  await expect(signIn(from(email, PASSWORD, address), now)).rejects.toThrow(TooManyTries);
});

test("a revoked session is nobody", async () => {
  const { sid } = await signedIn();
  await revokeSession(sidHashOf(sid), now);
  expect(await ownerOfSession(sid, now)).toBeNull();
});

test("signing out everywhere ends every session of the person and no one else's", async () => {
  const one = await signedIn();
  const other = await signedIn();
  const second = await signIn(from(one.email), now);
  await endSessions(db(), one.personId, now);
  expect(await ownerOfSession(one.sid, now)).toBeNull();
  expect(await ownerOfSession(second?.sid ?? "", now)).toBeNull();
  expect(await ownerOfSession(other.sid, now)).not.toBeNull();
});

test("a session ends after 30 days", async () => {
  const { sid } = await signedIn();
  const end = SESSION_DAYS * 24 * 60 * MINUTE;
  expect(await ownerOfSession(sid, later(end - MINUTE))).not.toBeNull();
  expect(await ownerOfSession(sid, later(end))).toBeNull();
});

test("a session of a deleted person is nobody", async () => {
  const { sid, personId } = await signedIn();
  await db().person.delete({ where: { id: personId } });
  expect(await ownerOfSession(sid, now)).toBeNull();
});

test("a made-up session is nobody", async () => {
  expect(await ownerOfSession("made-up", now)).toBeNull();
});

test("when a session was last seen is written at most once a minute", async () => {
  const { sid } = await signedIn();
  const seen = async () =>
    (await db().ownerSession.findUniqueOrThrow({ where: { sidHash: sidHashOf(sid) } })).lastSeenAt;
  await ownerOfSession(sid, later(30_000));
  expect(await seen()).toEqual(now);
  await ownerOfSession(sid, later(2 * MINUTE));
  expect(await seen()).toEqual(later(2 * MINUTE));
});

test("a second account with the same address is refused, in any spelling", async () => {
  const { email } = await someone();
  const again = createPerson({ email: email.toUpperCase(), password: PASSWORD }, randomUUID(), now);
  await expect(again).rejects.toMatchObject({ code: "invalid_input", details: { issues: [{ path: "email" }] } });
});

test("with a made-up invitation one does not learn whether an address has an account", async () => {
  const known = await someone();
  const join = (email: string) =>
    createPerson({ email, password: PASSWORD }, randomUUID(), now, "made-up").catch((e) => e);
  const [answered, unknown] = [await join(known.email), await join(`${randomUUID()}@example.com`)];
  expect([answered.code, answered.message]).toEqual(["not_found", unknown.message]);
});

test("an account needs an address and 12 characters of password, and each refusal names its field", async () => {
  const refusal = await createPerson({ email: "nonsense", password: "short" }, randomUUID(), now).catch((e) => e);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal.details.issues.map((issue: { path: string }) => issue.path)).toEqual(["email", "password"]);
});
