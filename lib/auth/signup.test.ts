import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { ownerOfSession } from "@/lib/auth/session-row";
import { signIn } from "@/lib/auth/sign-in";
import { completeSignup, openSignup, requestSignup } from "@/lib/auth/signup";
import { db } from "@/lib/platform/db";
import { refused } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsTo, signupLink } from "@/lib/testing/emails";
import { newOwner } from "@/lib/testing/owners";
import { PASSWORD } from "@/lib/testing/password";
import { makePerson } from "@/lib/testing/world";

const now = EMAIL_TIME;
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const freshEmail = () => `${randomUUID()}@example.com`;
const from = () => randomUUID();

// The first account is created differently.
beforeAll(async () => {
  await makePerson();
});

/** Requests a sign-up. @returns the secret of the emailed link */
async function linkFor(email: string, next = "/sites"): Promise<string> {
  const links = async () => (await emailsTo(email)).map(signupLink);
  const known = await links();
  await requestSignup(email, next, from(), now);
  return (await links()).find((link) => !known.includes(link)) ?? "";
}

test("a sign-up becomes an account only when its emailed link is opened, with the password chosen there", async () => {
  const email = freshEmail();
  const link = await linkFor(email, "/device?code=1");
  expect(await db().person.count({ where: { email } })).toBe(0);
  expect(await openSignup(link, now)).toEqual({ email });
  expect(await completeSignup(link, PASSWORD, now)).toEqual({ email, next: "/device?code=1" });
  const signedIn = await signIn({ email, password: PASSWORD, address: from() }, now);
  expect(await ownerOfSession(signedIn?.sid ?? "", now)).toMatchObject({ email, confirmed: true });
});

test("an address that a stranger signed up with first becomes the account of the person who opens the emailed link", async () => {
  const email = freshEmail();
  await requestSignup(email, "/sites", from(), now);
  const link = await linkFor(email);
  const all = (await emailsTo(email)).map(signupLink);
  expect(all).toHaveLength(2);
  await completeSignup(link, PASSWORD, now);
  for (const ended of all) {
    expect(await openSignup(ended, now)).toBeNull();
    expect((await refused(completeSignup(ended, "a password of eve's", now)))?.code).toBe("not_found");
  }
  expect(await signIn({ email, password: PASSWORD, address: from() }, now)).not.toBeNull();
});

test("signing up with an address that has an account responds and writes the same as with a new one, and emails its owner", async () => {
  const owner = await newOwner(now);
  const stranger = freshEmail();
  for (const email of [owner.email, stranger])
    expect(await requestSignup(email, "/sites", from(), now)).toBeUndefined();
  const [toOwner, toStranger] = [await emailsTo(owner.email), await emailsTo(stranger)];
  expect(toOwner.map(({ subject }) => subject)).toEqual(["You already have an account"]);
  expect(toOwner[0]?.text).toMatch(/\/login\n.*\/reset\n/s);
  expect(toOwner.map(signupLink)).toEqual([""]);
  expect(toStranger.map(({ subject }) => subject)).toEqual(["Confirm your email address"]);
  const rows = (email: string) => db().pendingSignup.count({ where: { email } });
  expect([await rows(owner.email), await rows(stranger)]).toEqual([1, 1]);
});

test("one link used twice in parallel creates one account", async () => {
  const email = freshEmail();
  const link = await linkFor(email);
  const both = [1, 2].map(() => completeSignup(link, PASSWORD, now));
  expect((await Promise.allSettled(both)).filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await db().person.count({ where: { email } })).toBe(1);
});

test("of three links for one address used in parallel one creates the account, and the others expire", async () => {
  const email = freshEmail();
  const links = [await linkFor(email), await linkFor(email), await linkFor(email)];
  const uses = await Promise.allSettled(links.map((link) => completeSignup(link, PASSWORD, now)));
  const codes = uses.map((use) => (use.status === "fulfilled" ? "made" : use.reason.code)).toSorted();
  expect(codes).toEqual(["made", "not_found", "not_found"]);
  expect(await db().person.count({ where: { email } })).toBe(1);
});

test("a link is valid for 48 hours, and a forged one is refused", async () => {
  const link = await linkFor(freshEmail());
  expect(await openSignup(link, later(47.9))).not.toBeNull();
  for (const [token, at] of [
    [link, later(48)],
    [link.slice(1), now],
    ["", now],
  ] as const) {
    expect(await openSignup(token, at)).toBeNull();
    expect((await refused(completeSignup(token, PASSWORD, at)))?.code).toBe("not_found");
  }
});

test("the database stores only the digest of a link's secret", async () => {
  const email = freshEmail();
  const link = await linkFor(email);
  const [row] = await db().pendingSignup.findMany({ where: { email } });
  expect(Buffer.from(row?.hash ?? []).toString("latin1")).not.toContain(link);
  expect(JSON.stringify(row)).not.toContain(link);
});

test("the redirect path is never another host", async () => {
  for (const next of ["/.//evil.example", "//evil.example", "\u0000", "/\u0000\ud800", `/${"x".repeat(9_000)}`]) {
    const link = await linkFor(freshEmail(), next);
    const answer = await completeSignup(link, PASSWORD, now);
    expect(new URL(answer.next, "https://stats.example.com").host, next).toBe("stats.example.com");
  }
});

test("an address gets at most three emails an hour, and the response does not reveal it", async () => {
  const owner = await newOwner(now);
  for (const email of [owner.email, freshEmail()]) {
    for (let asked = 0; asked < 5; asked++) await requestSignup(email, "/sites", from(), now);
    expect(await emailsTo(email)).toHaveLength(3);
  }
});

test("one network can request at most 20 accounts an hour", async () => {
  const address = from();
  for (let asked = 0; asked < 20; asked++) await requestSignup(freshEmail(), "/sites", address, now);
  const more = await refused(requestSignup(freshEmail(), "/sites", address, now));
  expect([more?.code, (more?.retryAfter ?? 0) > 0]).toEqual(["rate_limited", true]);
});
