import { test as concurrent, expect } from "vitest";
import { createFirstAccount, needsSetup, setupToken } from "@/lib/auth/setup";
import { completeSignup, readSignup, requestSignup } from "@/lib/auth/signup";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { bootSecrets } from "@/lib/platform/secrets";
import { faults, refused } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { emailsTo, signupLink } from "@/lib/testing/emails";
import { TEST_SECRETS } from "@/lib/testing/world";

/** The first account. Sequential, because whether there is one is a state of the whole database. */
const test = concurrent.sequential;

databaseForTests();

const now = new Date("2026-11-20T12:00:00Z");
const PASSWORD = "correct horse battery";
const typed = (email: string, token?: string) => ({
  email,
  password: PASSWORD,
  ...(token === undefined ? {} : { token }),
});

test("over the network the first account takes the setup token, and nothing else creates one", async () => {
  const wrong = ["token: is not the setup token that the server printed when it started"];
  for (const token of [undefined, "", "a guess", setupToken().slice(1), `${setupToken()}x`])
    expect(await faults(createFirstAccount(typed("eve@example.com", token), false, now)), token).toEqual(wrong);
  expect((await refused(requestSignup("eve@example.com", "/sites", "203.0.113.7", now)))?.code).toBe("role_denied");
  expect([await needsSetup(), await readSignup(), await db().pendingSignup.count()]).toEqual([true, "first", 0]);
});

test("a sign-up link from before the last account was deleted does not create the first account", async () => {
  const { id } = await db().person.create({ data: { email: "old@example.com", passwordHash: "none" } });
  await requestSignup("eve@example.com", "/sites", "203.0.113.7", now);
  const token = signupLink((await emailsTo("eve@example.com"))[0]);
  await db().person.delete({ where: { id } });
  expect((await refused(completeSignup(token, PASSWORD, now)))?.code).toBe("role_denied");
  expect(await needsSetup()).toBe(true);
});

test("the setup token is the same in every process and changes with the secrets", async () => {
  const token = setupToken();
  expect(token).toMatch(/^[\w-]{24}$/);
  const later = `k2:${Buffer.alloc(32, 9).toString("base64")}`;
  try {
    bootSecrets({ ...env(), APP_SECRETS: later });
    expect(setupToken()).not.toBe(token);
  } finally {
    bootSecrets({ ...env(), APP_SECRETS: TEST_SECRETS });
  }
  expect(setupToken()).toBe(token);
});

test("of several parallel first accounts one is created and confirmed, and the token is invalid afterwards", async () => {
  const attempts = ["ann", "ben", "carl"].map((name) =>
    createFirstAccount(typed(`${name}@example.com`, ` ${setupToken()} `), false, now),
  );
  const outcomes = await Promise.allSettled(attempts);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const people = await db().person.findMany();
  expect(people).toHaveLength(1);
  expect(people[0]?.confirmedAt).toEqual(now);
  expect(people[0]?.administrator).toBe(true);
  for (const fromThisMachine of [true, false]) {
    const again = createFirstAccount(typed("dora@example.com", setupToken()), fromThisMachine, now);
    expect((await refused(again))?.code).toBe("role_denied");
  }
});

test("on the server's own machine the first account needs no token", async () => {
  await db().person.deleteMany();
  await createFirstAccount(typed("ann@example.com"), true, now);
  expect(await db().person.count()).toBe(1);
});
