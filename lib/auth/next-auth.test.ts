import { expect, test, vi } from "vitest";
import { signInWithPassword } from "@/lib/auth/browser";
import { signOut } from "@/lib/auth/sign-out";
import { closeDatabase, openDatabase } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { bootSecrets } from "@/lib/platform/secrets";
import { browser } from "@/lib/testing/browser";
import { openTestDatabase } from "@/lib/testing/database";
import { newPerson } from "@/lib/testing/owners";
import { PASSWORD } from "@/lib/testing/password";
import { TEST_SECRETS } from "@/lib/testing/world";

/** next-auth's endpoints, as browsers use them. */

const OWN = "http://localhost:3000";
const CREDENTIALS = "callback/credentials";

const someone = async () => (await newPerson(new Date())).email;

async function signedIn() {
  const [email, own] = [await someone(), browser()];
  const answer = await own.post(CREDENTIALS, { email, password: PASSWORD });
  expect([answer.status, answer.json()]).toEqual([200, { url: OWN }]);
  return { ...own, email };
}

/** Runs client-side code as this browser. */
async function asScript<Result>({ send }: ReturnType<typeof browser>, work: () => Promise<Result>): Promise<Result> {
  vi.stubGlobal(
    "fetch",
    async (address: string, { method, body }: { method?: string; body?: URLSearchParams } = {}) => {
      const form = body && Object.fromEntries(body);
      const { status, text } = await send(address.replace("/api/auth/", ""), { ...(method ? { method, form } : {}) });
      return new Response(text, { status });
    },
  );
  try {
    return await work();
  } finally {
    vi.unstubAllGlobals();
  }
}

/** Sends without the CSRF cookie, so that the token is invalid. */
const losingCsrf =
  ({ jar, send }: ReturnType<typeof browser>): typeof send =>
  (path, sending) => {
    if (sending?.method === "POST") jar.delete("footfall.csrf");
    return send(path, sending);
  };

/** Returns the error of the sign-in form with the correct password, or null. */
async function typedIn(own: ReturnType<typeof browser>, email: string): Promise<string | null> {
  const answer = await asScript(own, () => signInWithPassword(email, PASSWORD));
  return answer.ok ? null : answer.message;
}

test("the correct password signs a browser in, and signing out ends its session", async () => {
  const own = await signedIn();
  expect(await own.whoAmI()).toBe(own.email);
  await own.post("signout");
  expect(await own.whoAmI()).toBeUndefined();
});

test("a wrong password is 401, and the sixth attempt in a row 429 with Retry-After", async () => {
  const [email, own] = [await someone(), browser()];
  for (let tries = 0; tries < 5; tries++) {
    const { status, json } = await own.post(CREDENTIALS, { email, password: "not the password" });
    expect([status, new URL(json().url).searchParams.get("error")]).toEqual([401, "CredentialsSignin"]);
  }
  const { status, headers } = await own.post(CREDENTIALS, { email, password: PASSWORD });
  expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
});

test("a known browser has an HttpOnly cookie and can sign in while others are locked out", async () => {
  const own = await signedIn();
  const cookie = (await own.post(CREDENTIALS, { email: own.email, password: PASSWORD })).headers
    .getSetCookie()
    .find((each) => each.startsWith("footfall.browser="));
  expect(cookie).toMatch(/^footfall\.browser=[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/);
  expect(cookie).not.toContain(own.email);
  await own.post("signout");
  expect(own.jar.has("footfall.browser")).toBe(true);

  const stranger = browser(own.address);
  for (let tries = 0; tries < 5; tries++)
    await stranger.post(CREDENTIALS, { email: own.email, password: "not the password" });
  expect((await stranger.post(CREDENTIALS, { email: own.email, password: PASSWORD })).status).toBe(429);
  expect((await own.post(CREDENTIALS, { email: own.email, password: PASSWORD })).status).toBe(200);
});

test("a wrong password sets no device cookie", async () => {
  const [email, own] = [await someone(), browser()];
  await own.post(CREDENTIALS, { email, password: "not the password" });
  expect(own.jar.has("footfall.browser")).toBe(false);
});

test("a body is read only up to 16 KiB, whatever length it announces", async () => {
  for (const address of [CREDENTIALS, "signout", "session"]) {
    let read = 0;
    const endless = new ReadableStream({
      pull(stream) {
        read += 1024;
        stream.enqueue(new Uint8Array(1024).fill(97));
      },
    });
    const { status, json } = await browser().send(address, { method: "POST", body: endless });
    expect([status, json().error.code], address).toEqual([413, "payload_too_large"]);
    expect(read, address).toBeLessThan(20 * 1024);
  }
});

test("whatever callbackUrl says, sign-in works and redirects only to this origin", async () => {
  const email = await someone();
  const hostile = ["javascript:x", "%00", "\u0000", "https:evil.example", "//evil.example", "\\evil.example", "["];
  for (const callbackUrl of hostile) {
    const own = browser();
    own.jar.set("footfall.callback", encodeURIComponent(callbackUrl));
    const query = `?${new URLSearchParams({ callbackUrl })}`;
    expect((await own.send("csrf", { query })).status, callbackUrl).toBe(200);
    own.jar.set("footfall.callback", encodeURIComponent(callbackUrl));
    const { status, json } = await own.post(CREDENTIALS, { email, password: PASSWORD, callbackUrl }, query);
    expect([status, json()], callbackUrl).toEqual([200, { url: OWN }]);
    own.jar.set("footfall.callback", encodeURIComponent(callbackUrl));
    expect(await own.whoAmI(), callbackUrl).toBe(email);
    expect((await own.post("signout", { callbackUrl }, query)).json(), callbackUrl).toEqual({ url: OWN });
  }
});

/** For tests that replace the database, the keys or `fetch` of the process. */
const alone = test.sequential;

alone("without a database sign-in is a 503 with Retry-After, and nobody is signed out", async () => {
  const own = await signedIn();
  const other = browser();
  await closeDatabase();
  try {
    openDatabase("postgresql://nobody@127.0.0.1:1/none");
    for (const ask of [
      () => other.post(CREDENTIALS, { email: own.email, password: PASSWORD }),
      () => own.send("session"),
    ]) {
      const { status, headers, json } = await ask();
      expect([status, headers.get("retry-after"), headers.getSetCookie()]).toEqual([503, "2", []]);
      expect(json().error).toEqual({ code: "unavailable", message: expect.stringContaining("Repeat the same call") });
    }
    expect(await typedIn(other, own.email)).toBe("Accounts are temporarily unavailable. Try again in a moment.");
  } finally {
    await closeDatabase();
    openTestDatabase();
  }
  expect(await own.whoAmI()).toBe(own.email);
});

alone("a failed sign-out throws, and the person stays signed in", async () => {
  const own = await signedIn();
  await closeDatabase();
  try {
    openDatabase("postgresql://nobody@127.0.0.1:1/none");
    await expect(asScript(own, signOut)).rejects.toThrow("Signing out failed");
  } finally {
    await closeDatabase();
    openTestDatabase();
  }
  expect(await own.whoAmI()).toBe(own.email);
  await expect(asScript({ ...own, send: losingCsrf(own) }, signOut)).rejects.toThrow("Signing out failed");
  await asScript(own, signOut);
  expect(await own.whoAmI()).toBeUndefined();
});

alone("a server error during sign-in is a 500 that does not expose its message", async () => {
  const [email, own] = [await someone(), browser()];
  await closeDatabase();
  try {
    const { status, text } = await own.post(CREDENTIALS, { email, password: PASSWORD });
    expect([status, JSON.parse(text).error.code]).toEqual([500, "internal"]);
    expect(text).not.toContain("openDatabase");
    expect(await typedIn(own, email)).toBe("Sign-in failed. Try again in a moment.");
  } finally {
    openTestDatabase();
  }
});

alone("key rotation signs nobody out, and a sign-in in progress succeeds at the second attempt", async () => {
  const own = await signedIn();
  const other = browser();
  const { csrfToken } = (await other.send("csrf")).json();
  const fields = { email: own.email, password: PASSWORD, json: "true" };
  try {
    bootSecrets({ ...env(), APP_SECRETS: `k2:${Buffer.alloc(32, 9).toString("base64")},${TEST_SECRETS}` });
    expect(await own.whoAmI()).toBe(own.email);
    const early = await other.send(CREDENTIALS, { method: "POST", form: { ...fields, csrfToken } });
    expect(new URL(early.json().url).searchParams.get("csrf")).toBe("true");
    expect(await other.whoAmI()).toBeUndefined();
    await other.post(CREDENTIALS, fields);
    expect(await other.whoAmI()).toBe(own.email);
    // Without the old key, sessions used since the rotation have a cookie of the new one.
    bootSecrets({ ...env(), APP_SECRETS: `k2:${Buffer.alloc(32, 9).toString("base64")}` });
    expect(await own.whoAmI()).toBe(own.email);
  } finally {
    bootSecrets(env());
  }
});
