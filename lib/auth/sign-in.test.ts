import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { joinByInvitation } from "@/lib/account/join";
import { createPerson } from "@/lib/auth/create-person";
import { knownBrowserCookie } from "@/lib/auth/known-browser";
import { endSessions, ownerOfSession, revokeSession, sidHashOf } from "@/lib/auth/session-row";
import { SESSION_DAYS, signIn, TooManyTries } from "@/lib/auth/sign-in";
import { db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { refused } from "@/lib/testing/calls";
import { damaged } from "@/lib/testing/damaged";
import { newPerson } from "@/lib/testing/owners";
import { PASSWORD } from "@/lib/testing/password";

const now = new Date("2026-11-20T12:00:00Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const MINUTE = 60_000;

const someone = () => newPerson(now);

/** A unique IP address by default, so that tests do not share limits. */
const from = (email: string, password = PASSWORD, address: string = randomUUID()) => ({ email, password, address });

async function signedIn() {
  const person = await someone();
  const answer = await signIn(from(person.email), now);
  if (!answer) throw new Error("The right password was refused");
  return { ...person, sid: answer.sid };
}

test("the correct password signs in and opens a session of the person", async () => {
  const { sid, personId, email } = await signedIn();
  expect(await ownerOfSession(sid, now)).toEqual({
    personId,
    email,
    name: null,
    sid,
    signedInAt: now,
    secondFactor: false,
    ways: { password: true, provider: false, passkey: false, formerPasskey: false, app: false },
    confirmed: true,
    administrator: false,
  });
});

test("the database stores only the digest of a session's secret id", async () => {
  const { sid, personId } = await signedIn();
  const [row] = await db().ownerSession.findMany({ where: { personId } });
  expect(Buffer.from(row?.sidHash ?? []).toString("hex")).toBe(Buffer.from(sidHashOf(sid)).toString("hex"));
});

test("email addresses are case-insensitive and trimmed", async () => {
  const { email } = await someone();
  expect(await signIn(from(` ${email.toUpperCase()} `), now)).not.toBeNull();
});

test("a wrong password and an unknown person get the same answer", async () => {
  const { email } = await someone();
  expect(await signIn(from(email, "not the password"), now)).toBeNull();
  expect(await signIn(from(`${randomUUID()}@example.com`), now)).toBeNull();
  expect(await signIn(from("no address \u0000 at all"), now)).toBeNull();
});

/** Makes five failed attempts from an address. */
async function exhaust(email: string, address: string) {
  for (let tries = 0; tries < 5; tries++) expect(await signIn(from(email, "wrong password", address), now)).toBeNull();
}

/** Sets a counter directly, because each attempt costs a hash. */
async function countAs(limit: "account" | "network", of: string, hits: number) {
  const key = `signin:${limit}:${createHash("sha256").update(of).digest("hex")}`;
  const { count } = await db().rateCount.updateMany({ where: { key }, data: { hits } });
  expect(count).toBe(1);
}

/** Returns the `Cookie` header of a known browser. */
function knownBrowser(email: string): string {
  const { name, value } = knownBrowserCookie(email);
  return `other=1; ${name}=${value}`;
}

test("after five wrong passwords from one network the sixth attempt is refused, even if correct, for 15 minutes", async () => {
  const { email } = await someone();
  await exhaust(email, "203.0.113.7");
  for (const address of ["203.0.113.7", "203.0.113.250"])
    await expect(signIn(from(email, PASSWORD, address), later(14 * MINUTE))).rejects.toThrow(TooManyTries);
  expect(await signIn(from(email, PASSWORD, "203.0.113.7"), later(16 * MINUTE))).not.toBeNull();
});

test("a stranger's wrong passwords do not lock the owner out from another network", async () => {
  const { email } = await someone();
  await exhaust(email, "198.51.100.7");
  await expect(signIn(from(email, PASSWORD, "198.51.101.7"), now)).resolves.not.toBeNull();
  await exhaust(email, "2001:db8:1:2::7");
  await expect(signIn(from(email, PASSWORD, "2001:db8:1:2:ffff::1"), now)).rejects.toThrow(TooManyTries);
  await expect(signIn(from(email, PASSWORD, "2001:db8:1:3::7"), now)).resolves.not.toBeNull();
});

test("a known browser can sign in while strangers on its network are locked out", async () => {
  const { email } = await someone();
  const address = randomUUID();
  await exhaust(email, address);
  const known = { ...from(email, PASSWORD, address), cookies: knownBrowser(email) };
  expect(await signIn(known, now)).not.toBeNull();
  await expect(signIn(from(email, PASSWORD, address), now)).rejects.toThrow(TooManyTries);
});

test("a known browser has its own limit: five wrong passwords in 15 minutes", async () => {
  const { email } = await someone();
  const cookies = knownBrowser(email);
  for (let tries = 0; tries < 5; tries++)
    expect(await signIn({ ...from(email, "wrong password"), cookies }, now)).toBeNull();
  await expect(signIn({ ...from(email), cookies }, now)).rejects.toThrow(TooManyTries);
  expect(await signIn({ ...from(email), cookies: knownBrowser(email) }, now)).not.toBeNull();
});

test("another account's cookie or a forged one does not make a browser known", async () => {
  const [{ email }, other] = [await someone(), await someone()];
  const address = randomUUID();
  await exhaust(email, address);
  const { name, value } = knownBrowserCookie(email);
  const forged = [damaged(value), value.split(".")[0], ".", "a.b", ""];
  for (const cookies of [knownBrowser(other.email), ...forged.map((each) => `${name}=${each}`), `x${name}=${value}`])
    await expect(signIn({ ...from(email, PASSWORD, address), cookies }, now), cookies).rejects.toThrow(TooManyTries);
});

test("100 wrong passwords an hour from any networks lock out unknown browsers but not a known one", async () => {
  const { email } = await someone();
  await signIn(from(email, "wrong password"), now);
  await countAs("account", email, 99);
  expect(await signIn(from(email, "wrong password"), now)).toBeNull();
  await expect(signIn(from(email), later(59 * MINUTE))).rejects.toThrow(TooManyTries);
  expect(await signIn({ ...from(email), cookies: knownBrowser(email) }, later(59 * MINUTE))).not.toBeNull();
  expect(await signIn(from(email), later(61 * MINUTE))).not.toBeNull();
});

test("six parallel attempts do not exceed the limit", async () => {
  const { email } = await someone();
  const address = randomUUID();
  const tries = await Promise.allSettled(
    Array.from({ length: 6 }, () => signIn(from(email, "wrong password", address), now)),
  );
  expect(tries.filter((outcome) => outcome.status === "rejected")).toHaveLength(1);
});

test("the limits do not reveal who has an account: an unknown address is locked too", async () => {
  const [email, address] = [`${randomUUID()}@example.com`, randomUUID()];
  await exhaust(email, address);
  await expect(signIn(from(email, PASSWORD, address), now)).rejects.toThrow(TooManyTries);
});

test("a successful sign-in resets the failures of its network on the account", async () => {
  const { email } = await someone();
  const address = randomUUID();
  for (let tries = 0; tries < 4; tries++) await signIn(from(email, "wrong password", address), now);
  expect(await signIn(from(email, PASSWORD, address), now)).not.toBeNull();
  for (let tries = 0; tries < 4; tries++) expect(await signIn(from(email, "wrong password", address), now)).toBeNull();
});

test("50 failures from one network lock it for every account, and a success of its own does not unlock it", async () => {
  const address = randomUUID();
  const { email } = await someone();
  const wrong = () => signIn(from(`${randomUUID()}@example.com`, "wrong password", address), now);
  await wrong();
  await countAs("network", address, 49);
  expect(await signIn(from(email, PASSWORD, address), now)).not.toBeNull();
  expect(await wrong()).toBeNull();
  await expect(signIn(from(email, PASSWORD, address), now)).rejects.toThrow(TooManyTries);
});

test("a revoked session is signed out", async () => {
  const { sid } = await signedIn();
  await revokeSession(sidHashOf(sid), now);
  expect(await ownerOfSession(sid, now)).toBeNull();
});

test("signing out everywhere ends all sessions of the person and no others", async () => {
  const one = await signedIn();
  const other = await signedIn();
  const second = await signIn(from(one.email), now);
  await endSessions(db(), one.personId, now);
  expect(await ownerOfSession(one.sid, now)).toBeNull();
  expect(await ownerOfSession(second?.sid ?? "", now)).toBeNull();
  expect(await ownerOfSession(other.sid, now)).not.toBeNull();
});

test("a session expires after 30 days", async () => {
  const { sid } = await signedIn();
  const end = SESSION_DAYS * 24 * 60 * MINUTE;
  expect(await ownerOfSession(sid, later(end - MINUTE))).not.toBeNull();
  expect(await ownerOfSession(sid, later(end))).toBeNull();
});

test("deleting a person ends their sessions", async () => {
  const { sid, personId } = await signedIn();
  await db().person.delete({ where: { id: personId } });
  expect(await ownerOfSession(sid, now)).toBeNull();
});

test("a forged session id is signed out", async () => {
  expect(await ownerOfSession("made-up", now)).toBeNull();
});

test("the last-seen time of a session is written at most once a minute", async () => {
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
  const again = createPerson({ email: email.toUpperCase(), password: PASSWORD }, now);
  await expect(again).rejects.toMatchObject({ code: "invalid_input", details: { issues: [{ path: "email" }] } });
});

test("a forged invitation does not reveal whether an address has an account", async () => {
  const known = await someone();
  const join = (email: string) => refused(joinByInvitation("made-up", { email, password: PASSWORD }, now));
  const [answered, unknown] = [await join(known.email), await join(`${randomUUID()}@example.com`)];
  expect([answered?.code, answered?.message]).toEqual(["not_found", unknown?.message]);
});

test("an account needs an address and a password of 12 characters, and each error names its field", async () => {
  const refusal = await createPerson({ email: "nonsense", password: "short" }, now).catch((e) => e);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal.details.issues.map((issue: { path: string }) => issue.path)).toEqual(["email", "password"]);
});
