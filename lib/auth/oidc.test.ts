import { createPublicKey, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setPassword } from "@/lib/account/change-password";
import { discover } from "@/lib/auth/discovery";
import { sidIn } from "@/lib/auth/options";
import { reauthenticate } from "@/lib/auth/reauth";
import { ownerOfSession } from "@/lib/auth/session-row";
import { signIn } from "@/lib/auth/sign-in";
import { countedNetwork } from "@/lib/platform/counted-address";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { hexDigest } from "@/lib/platform/secrets";
import { browser } from "@/lib/testing/browser";
import { EMAIL_TIME, emailsTo } from "@/lib/testing/emails";
import {
  jwkOf,
  type LyingProvider,
  lyingProvider,
  newKey,
  signedWithSecret,
  unsigned,
} from "@/lib/testing/lying-provider";
import { codeOf, doAction, newPerson, ownerAgain, withSecondFactor, wrongCodeOf } from "@/lib/testing/owners";
import { PASSWORD } from "@/lib/testing/password";
import { makeSite } from "@/lib/testing/world";

/** Signing in with a provider that lies, and with browsers that are attacked on the way. */

const CLIENT = "footfall";
const SECRET = "a client secret that is long enough";
const REFUSED = (why: string) => `/login/refused?why=${why}`;

let provider: LyingProvider;
const before = { ...env() };

beforeAll(async () => {
  // Without any account, the setup token would be asked for.
  await newPerson(new Date());
  provider = await lyingProvider();
  Object.assign(env(), {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT,
    OIDC_CLIENT_SECRET: SECRET,
    OIDC_NAME: "Example Login",
  });
});
afterAll(async () => {
  Object.assign(env(), { ...before, OIDC_ISSUER: undefined, OIDC_CLIENT_ID: undefined, OIDC_CLIENT_SECRET: undefined });
  await provider.stop();
});

/** Tests share the provider, whose next answer each sets, and the configuration. */
const alone = test.sequential;

type Visitor = ReturnType<typeof browser>;

/** Sends a browser to the provider. @returns what the provider is asked */
async function leave(own: Visitor, fields: Record<string, string> = {}, query = ""): Promise<URLSearchParams> {
  const { status, json } = await own.post("signin/oidc", { purpose: "sign-in", next: "/sites", ...fields }, query);
  expect(status).toBe(200);
  return new URL(json().url).searchParams;
}

const seconds = (offset = 0) => Math.floor(Date.now() / 1000) + offset;

/** The claims of an honest ID token, for a verified address. */
const claimsFor = (asked: URLSearchParams, more: object = {}) => ({
  iss: provider.issuer,
  aud: CLIENT,
  sub: randomUUID(),
  nonce: asked.get("nonce"),
  iat: seconds(),
  exp: seconds(3600),
  auth_time: seconds(),
  email_verified: true,
  ...more,
});

/** Brings a browser back with a code. @returns where it is sent */
async function comeBack(own: Visitor, asked: URLSearchParams, idToken: string, more: Record<string, string> = {}) {
  provider.idToken = idToken;
  const query = `?${new URLSearchParams({ code: "code", state: asked.get("state") ?? "", ...more })}`;
  const { status, headers } = await own.send("callback/oidc", { query });
  expect(status).toBe(302);
  const location = headers.get("location") ?? "";
  return location.replace(env().BASE_URL, "");
}

/** Signs in with claims in a new browser. */
async function enter(claims: object) {
  const own = browser();
  const asked = await leave(own);
  const location = await comeBack(own, asked, provider.sign(claimsFor(asked, claims)));
  return { location, own, email: await own.whoAmI() };
}

const freshEmail = () => `${randomUUID()}@example.com`;
const somebody = async () => newPerson(new Date());

alone("a request carries PKCE, state and nonce, and no parameter that the browser has added", async () => {
  const asked = await leave(browser(), {}, "?redirect_uri=https://evil.example&scope=admin&prompt=none");
  expect(Object.fromEntries(asked)).toEqual({
    client_id: CLIENT,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
    max_age: "2592000",
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    redirect_uri: `${env().BASE_URL}/api/auth/callback/oidc`,
    response_type: "code",
    scope: "openid email profile",
    state: expect.stringMatching(/^[\w-]{43}$/),
  });
});

alone("a verified address without an account gets one, confirmed and without a password", async () => {
  const email = freshEmail();
  const { location, own } = await enter({ email, name: "Ann Example" });
  expect([location, await own.whoAmI()]).toEqual(["/sites", email]);
  expect(provider.exchanges.at(-1)?.get("code_verifier")).toMatch(/^[\w-]{43}$/);
  const person = await db().person.findUniqueOrThrow({ where: { email } });
  expect(person).toMatchObject({ name: "Ann Example", passwordHash: null, confirmedAt: expect.any(Date) });
  expect(await signIn({ email, password: "", address: randomUUID() }, new Date())).toBeNull();
});

alone("a verified address links the account that has confirmed it, and its owner gets an email", async () => {
  const { email, personId } = await somebody();
  const { own } = await enter({ email: email.toUpperCase() });
  expect(await own.whoAmI()).toBe(email);
  expect(await db().providerAccount.count({ where: { personId } })).toBe(1);
  const subjects = (await emailsTo(email)).map(({ subject }) => subject);
  expect(subjects).toContain("You can now sign in with Example Login");
});

alone(
  "an address that is not verified links and creates nothing, whatever the provider says instead of true",
  async () => {
    const { email, personId } = await somebody();
    for (const email_verified of [undefined, false, "true", "false", 1, null, [], {}]) {
      const { location, own } = await enter({ email, email_verified });
      expect([location, await own.whoAmI()], `${email_verified}`).toEqual([REFUSED("unverified"), undefined]);
    }
    expect((await enter({ email: freshEmail(), email_verified: false })).location).toBe(REFUSED("unverified"));
    for (const wrong of [undefined, "", "nobody", ["a@example.com"]])
      expect((await enter({ email: wrong })).location).toBe(REFUSED("no_address"));
    expect(await db().providerAccount.count({ where: { personId } })).toBe(0);
  },
);

alone("an account whose address nobody has confirmed is not linked", async () => {
  const { email, personId } = await somebody();
  await db().person.update({ where: { id: personId }, data: { confirmedAt: null } });
  const { location, own } = await enter({ email });
  expect([location, await own.whoAmI()]).toEqual([REFUSED("unconfirmed"), undefined]);
});

alone("an identity stays with its account when its address changes, and takes over no other account", async () => {
  const [ann, bob] = [await somebody(), await somebody()];
  const sub = randomUUID();
  await enter({ email: ann.email, sub });
  const moved = await enter({ email: bob.email, sub });
  expect(await moved.own.whoAmI()).toBe(ann.email);
  const unverified = await enter({ email: "gone", email_verified: false, sub });
  expect(await unverified.own.whoAmI()).toBe(ann.email);
  expect(await db().providerAccount.count({ where: { personId: bob.personId } })).toBe(0);
});

alone("whoever gets the address of a linked account at the provider does not get the account", async () => {
  const { email } = await somebody();
  await enter({ email });
  const { location, own } = await enter({ email });
  expect([location, await own.whoAmI()]).toEqual([REFUSED("other_identity"), undefined]);
});

alone("an ID token that is forged, expired or for somebody else signs nobody in", async () => {
  const { email, personId } = await somebody();
  const foreign = newKey();
  const publicKey = createPublicKey(foreign).export({ type: "spki", format: "pem" });
  const lies: Record<string, (claims: object) => string> = {
    "another issuer": (claims) => provider.sign({ ...claims, iss: "https://evil.example" }),
    "another audience": (claims) => provider.sign({ ...claims, aud: "another-client" }),
    "several audiences, for another party": (claims) => provider.sign({ ...claims, aud: [CLIENT, "b"], azp: "b" }),
    "another nonce": (claims) => provider.sign({ ...claims, nonce: "of another browser" }),
    "no nonce": (claims) => provider.sign({ ...claims, nonce: undefined }),
    expired: (claims) => provider.sign({ ...claims, iat: seconds(-7200), exp: seconds(-3600) }),
    "without expiry": (claims) => provider.sign({ ...claims, exp: undefined }),
    "without subject": (claims) => provider.sign({ ...claims, sub: undefined }),
    "not signed": unsigned,
    "signed by another key": (claims) => provider.sign(claims, { key: foreign }),
    "signed with the client secret": (claims) => signedWithSecret(claims, SECRET),
    "signed with a public key as secret": (claims) => signedWithSecret(claims, publicKey),
    "no token": () => "",
  };
  for (const [lie, tokenOf] of Object.entries(lies)) {
    const own = browser();
    const asked = await leave(own);
    const location = await comeBack(own, asked, tokenOf(claimsFor(asked, { email })));
    expect([location, await own.whoAmI()], lie).toEqual([REFUSED("failed"), undefined]);
  }
  expect(await db().providerAccount.count({ where: { personId } })).toBe(0);
});

alone(
  "of several published keys, an ID token names the one that signed it; without a name nobody is signed in",
  async () => {
    const [old, current, unknown] = [newKey(), newKey(), newKey()];
    const published = provider.keys;
    const enterWith = async (key: ReturnType<typeof newKey>, kid: string | undefined) => {
      const { email } = await somebody();
      const own = browser();
      const asked = await leave(own);
      await comeBack(own, asked, provider.sign(claimsFor(asked, { email }), { key, header: { kid } }));
      return (await own.whoAmI()) === email;
    };
    try {
      provider.keys = [
        { ...jwkOf(old), kid: "old" },
        { ...jwkOf(current), kid: "current" },
      ];
      expect([await enterWith(current, "current"), await enterWith(old, "old")]).toEqual([true, true]);
      for (const [key, kid] of [
        [current, "old"],
        [unknown, "current"],
        [unknown, "unknown"],
        [unknown, undefined],
        [current, undefined],
      ] as const) {
        expect([kid, await enterWith(key, kid)]).toEqual([kid, false]);
      }
      // OpenID Connect Core 10.1: a token must name its key where several are published, also if these have no names.
      provider.keys = [jwkOf(old), jwkOf(current)];
      for (const kid of ["current", undefined]) expect([kid, await enterWith(current, kid)]).toEqual([kid, false]);
      provider.keys = [jwkOf(current)];
      expect([await enterWith(current, undefined), await enterWith(unknown, undefined)]).toEqual([true, false]);
    } finally {
      provider.keys = published;
    }
  },
);

alone("an answer for another browser, and one without state, sign nobody in", async () => {
  const { email } = await somebody();
  const [ann, eve] = [browser(), browser()];
  const [asked, attack] = [await leave(ann), await leave(eve)];
  const token = provider.sign(claimsFor(attack, { email }));
  expect(await comeBack(ann, attack, token)).toBe(REFUSED("failed"));
  expect(await comeBack(browser(), asked, token)).toBe(REFUSED("failed"));
  const own = browser();
  const mine = await leave(own);
  const honest = provider.sign(claimsFor(mine, { email }));
  const withoutState = new URLSearchParams();
  expect(await comeBack(own, withoutState, honest)).toBe(REFUSED("failed"));
});

alone("an answer that is replayed with the cookies of the first time signs nobody in", async () => {
  const { email } = await somebody();
  const own = browser();
  const asked = await leave(own);
  const before = new Map(own.jar);
  const idToken = provider.sign(claimsFor(asked, { email }));
  expect(await comeBack(own, asked, idToken)).toBe("/sites");
  const replay = browser();
  for (const [name, value] of before) replay.jar.set(name, value);
  expect([before.has("footfall.journey"), before.has("footfall.state")]).toEqual([true, true]);
  // This provider would take its code again.
  const exchanges = provider.exchanges.length;
  expect([await comeBack(replay, asked, idToken), await replay.whoAmI()]).toEqual([REFUSED("failed"), undefined]);
  expect(provider.exchanges).toHaveLength(exchanges);
});

alone("a token in the answer itself is not taken in place of a code", async () => {
  const own = browser();
  const asked = await leave(own);
  const token = provider.sign(claimsFor(asked, { email: freshEmail() }));
  const query = `?${new URLSearchParams({ id_token: token, state: asked.get("state") ?? "" })}`;
  const { headers } = await own.send("callback/oidc", { query });
  expect([headers.get("location"), await own.whoAmI()]).toEqual([REFUSED("failed"), undefined]);
});

alone(
  "the answer of another provider is refused: by its issuer, and by the one that the browser was sent to",
  async () => {
    const email = freshEmail();
    const own = browser();
    const asked = await leave(own);
    const token = provider.sign(claimsFor(asked, { email }));
    expect(await comeBack(own, asked, token, { iss: "https://other.example" })).toBe(REFUSED("failed"));

    const other = await lyingProvider();
    const second = browser();
    const sentTo = await leave(second);
    Object.assign(env(), { OIDC_ISSUER: other.issuer });
    other.idToken = other.sign({ ...claimsFor(sentTo, { email }), iss: other.issuer });
    expect(await comeBack(second, sentTo, "")).toBe(REFUSED("failed"));
    expect(other.exchanges).toEqual([]);

    other.discovery = { authorization_response_iss_parameter_supported: true };
    const third = browser();
    const named = await leave(third);
    other.idToken = other.sign({ ...claimsFor(named, { email }), iss: other.issuer });
    expect(await comeBack(third, named, "")).toBe(REFUSED("failed"));
    expect(other.exchanges).toEqual([]);
    Object.assign(env(), { OIDC_ISSUER: provider.issuer });
    await other.stop();
  },
);

alone("a discovery document of another issuer, or with an endpoint elsewhere without https, is not used", async () => {
  const other = await lyingProvider();
  const settings = { issuer: other.issuer, clientId: "a", clientSecret: "b", name: "c", domains: [] };
  for (const discovery of [
    { issuer: "https://evil.example" },
    { issuer: `${other.issuer}/` },
    { token_endpoint: "http://evil.example/token" },
    { jwks_uri: "file:///etc/passwd" },
  ]) {
    other.discovery = discovery;
    await expect(discover(settings, new Date()), JSON.stringify(discovery)).rejects.toThrow();
  }
  await other.stop();
});

alone("only addresses of the allowed domains sign in, also for identities that are linked", async () => {
  const sub = randomUUID();
  const { email } = await somebody();
  await enter({ email, sub });
  Object.assign(env(), { OIDC_ALLOWED_DOMAINS: ["corp.example"] });
  try {
    for (const address of [freshEmail(), "a@corp.example.evil.example", "a@evilcorp.example", "a@sub.corp.example"])
      expect((await enter({ email: address })).location, address).toBe(REFUSED("domain"));
    expect((await enter({ email, sub })).location).toBe(REFUSED("domain"));
    expect((await enter({ email: "a@corp.example", email_verified: false, sub })).location).toBe(REFUSED("unverified"));
    expect((await enter({ email: `${randomUUID()}@CORP.example` })).location).toBe("/sites");
  } finally {
    Object.assign(env(), { OIDC_ALLOWED_DOMAINS: [] });
  }
});

alone(
  "where sign-up is closed, a provider creates no account; where it is by invitation, one for whom was invited",
  async () => {
    const [invited, email] = [freshEmail(), freshEmail()];
    const ann = await somebody();
    const site = await makeSite();
    try {
      Object.assign(env(), { SIGNUP: "invite" });
      expect((await enter({ email })).location).toBe(REFUSED("closed"));
      const row = { hash: new Uint8Array(Buffer.from(randomUUID())), siteId: site.id, role: "viewer" as const };
      const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) };
      await db().invitation.create({ data: { ...row, ...times, email: invited, invitedById: ann.personId } });
      expect((await enter({ email: invited })).location).toBe("/sites");
      Object.assign(env(), { SIGNUP: "closed" });
      expect((await enter({ email })).location).toBe(REFUSED("closed"));
    } finally {
      Object.assign(env(), { SIGNUP: "open" });
    }
  },
);

alone("the second factor of an account is asked for after the provider too, and links the identity", async () => {
  const { email, personId } = await somebody();
  const now = new Date();
  const { codes } = await withSecondFactor(await ownerAgain(email, now), now);
  const { location, own } = await enter({ email });
  expect([location, await own.whoAmI()]).toEqual(["/login?step=app&next=%2Fsites", undefined]);
  const links = () => db().providerAccount.count({ where: { personId } });
  expect(await links()).toBe(0);
  const wrong = await own.post("callback/step", { code: await wrongCodeOf(personId, now) });
  expect([wrong.status, new URL(wrong.json().url).searchParams.get("error")]).toEqual([401, "second_factor_wrong"]);
  expect((await browser().post("callback/step", { code: codes[0] ?? "" })).status).toBe(401);
  const forged = browser();
  forged.jar.set(
    "footfall.step",
    Buffer.from(JSON.stringify({ personId, email, at: Date.now() })).toString("base64url"),
  );
  expect((await forged.post("callback/step", { code: codes[0] ?? "" })).status).toBe(401);
  // A sealed cookie of another step of the way, and one of another person.
  const eve = browser();
  await leave(eve);
  eve.jar.set("footfall.step", eve.jar.get("footfall.journey") ?? "");
  expect((await eve.post("callback/step", { code: codes[0] ?? "" })).status).toBe(401);
  const other = await somebody();
  await withSecondFactor(await ownerAgain(other.email, now), now);
  const { own: theirs } = await enter({ email: other.email });
  expect(theirs.jar.has("footfall.step")).toBe(true);
  expect((await theirs.post("callback/step", { code: codes[0] ?? "" })).status).toBe(401);
  expect(await links()).toBe(0);
  expect((await own.post("callback/step", { code: codes[0] ?? "" })).status).toBe(200);
  expect([await own.whoAmI(), await links()]).toEqual([email, 1]);
});

alone("a session is as fresh as the provider says, and a reset of the password unlinks every identity", async () => {
  const { email } = await somebody();
  const { own } = await enter({ email, auth_time: seconds(-3600) });
  const cookies = [...own.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const owner = await ownerOfSession((await sidIn(cookies)) ?? "", new Date());
  expect(Date.now() - (owner?.signedInAt.getTime() ?? 0)).toBeGreaterThan(3_500_000);
  const { personId = 0 } = owner ?? {};
  const change = { personId, passwordHash: "x", requestId: "test", disconnectAgents: true };
  await db().$transaction((tx) => setPassword(tx, change, new Date()));
  expect(await db().providerAccount.count({ where: { personId } })).toBe(0);
  expect(await own.whoAmI()).toBeUndefined();
});

alone("a page of another site does not use up the attempts of a network, and a long address is not kept", async () => {
  const own = browser();
  for (const query of ["", "?code=x&state=y"]) {
    expect((await own.send("callback/oidc", { query })).headers.get("location")).toBe(REFUSED("failed"));
  }
  const key = `signin:other:${hexDigest(countedNetwork(own.address))}`;
  expect(await db().rateCount.count({ where: { key } })).toBe(0);
  const asked = await leave(own, { next: `/oauth/authorize?state=${"x".repeat(4000)}` });
  const cookie = own.jar.get("footfall.journey") ?? "";
  expect(cookie.length).toBeGreaterThan(100);
  expect(cookie.length).toBeLessThan(1000);
  expect(await comeBack(own, asked, provider.sign(claimsFor(asked, { email: freshEmail() })))).toBe("/sites");
});

/** A browser that is signed in by the provider, and its session. */
async function signedIn() {
  const [email, sub] = [freshEmail(), randomUUID()];
  const { own } = await enter({ email, sub });
  const owner = async (now = new Date()) => {
    const cookies = [...own.jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const found = await ownerOfSession((await sidIn(cookies)) ?? "", now);
    if (!found) throw new Error("There is no session");
    return found;
  };
  return { own, email, sub, owner };
}

alone("an owner without a password reauthenticates at the provider, which must ask again", async () => {
  const { own, sub, owner } = await signedIn();
  const later = new Date(Date.now() + 11 * 60_000);
  expect((await doAction(await owner(), "sessions.revoke_others", {}, later)).status).toBe(200);
  expect((await doAction(await owner(), "account.delete", {}, later)).body.error?.code).toBe(
    "reauthentication_required",
  );
  await expect(reauthenticate(await owner(), {}, new Date())).rejects.toThrow("not confirmed yet");

  const prove = async (claims: object) => {
    const asked = await leave(own, { purpose: "prove", next: "/confirm-identity" });
    expect([asked.get("prompt"), asked.get("max_age")]).toEqual(["login", "0"]);
    return comeBack(own, asked, provider.sign(claimsFor(asked, { sub, ...claims })));
  };
  const NO = "/confirm-identity?done=no";
  // A provider that did not ask again says so by the time, or says nothing.
  for (const claims of [{ auth_time: seconds(-3600) }, { auth_time: "now" }])
    expect(await prove(claims), JSON.stringify(claims)).toBe(NO);
  expect(await prove({ auth_time: undefined })).toBe("/confirm-identity?done=unsaid");
  expect(await prove({ sub: randomUUID() })).toBe(NO);
  await expect(reauthenticate(await owner(), {}, new Date())).rejects.toThrow("not confirmed yet");

  expect(await prove({})).toBe("/confirm-identity?done=yes");
  const first = (await owner()).signedInAt;
  const at = new Date();
  await reauthenticate(await owner(), {}, at);
  expect((await owner()).signedInAt.getTime()).toBeGreaterThan(first.getTime());
  // A proof works once.
  await expect(reauthenticate(await owner(), {}, at)).rejects.toThrow("not confirmed yet");
});

alone("a proof at the provider needs a session, and signs nobody else in", async () => {
  const own = browser();
  const { status } = await own.post("signin/oidc", { purpose: "prove", next: "/confirm-identity" });
  expect(status).toBe(401);
  const { own: ann, sub } = await signedIn();
  const asked = await leave(ann, { purpose: "prove" });
  const token = provider.sign(claimsFor(asked, { sub }));
  // The session ended, or another one began, while the browser was away.
  ann.jar.delete("footfall.session");
  expect(await comeBack(ann, asked, token)).toBe("/confirm-identity?done=no");
  expect(await ann.whoAmI()).toBeUndefined();
});

alone(
  "with two-factor authentication the provider's proof needs a code too, and a wrong one does not use it up",
  async () => {
    const { own, sub, owner } = await signedIn();
    const now = new Date();
    const { codes } = await withSecondFactor(await owner(), now);
    const asked = await leave(own, { purpose: "prove" });
    await comeBack(own, asked, provider.sign(claimsFor(asked, { sub })));
    await expect(reauthenticate(await owner(), {}, now)).rejects.toThrow("code");
    const { personId } = await owner();
    const code = await wrongCodeOf(personId, now);
    await expect(reauthenticate(await owner(), { code }, now)).rejects.toThrow("code");
    await reauthenticate(await owner(), { code: codes[0] }, now);
    expect(await codeOf(personId, now)).toMatch(/^\d{6}$/);
  },
);

alone("an identity is unlinked only while another way to sign in is left", async () => {
  const { owner } = await signedIn();
  expect((await doAction(await owner(), "provider.unlink", {}, new Date())).body.error?.code).toBe("role_denied");
  const change = { password: "a quite different password" };
  expect((await doAction(await owner(), "password.change", change, new Date())).status).toBe(200);
  expect((await doAction(await owner(), "provider.unlink", {}, new Date())).status).toBe(200);
  expect((await owner()).ways).toMatchObject({ password: true, provider: false });
});

alone("an address that the ID token leaves out is read from userinfo, of the same subject only", async () => {
  const other = await lyingProvider();
  Object.assign(env(), { OIDC_ISSUER: other.issuer });
  const honest = provider;
  provider = other;
  try {
    const [email, sub] = [freshEmail(), randomUUID()];
    other.userinfo = { sub, email, email_verified: true };
    expect(await (await enter({ sub, email_verified: undefined })).own.whoAmI()).toBe(email);
    other.userinfo = { sub: randomUUID(), email: freshEmail(), email_verified: true };
    expect((await enter({ sub: randomUUID(), email_verified: undefined })).location).toBe(REFUSED("failed"));
  } finally {
    provider = honest;
    Object.assign(env(), { OIDC_ISSUER: provider.issuer });
    await other.stop();
  }
});

alone("without passwords nobody signs in, signs up, resets or reauthenticates with one", async () => {
  const { email } = await somebody();
  const owner = await ownerAgain(email, EMAIL_TIME);
  Object.assign(env(), { PASSWORD_SIGN_IN: "off" });
  try {
    expect((await browser().post("callback/credentials", { email, password: PASSWORD })).status).toBe(404);
    const entries: [string, object][] = [
      ["signup.request", { email: freshEmail(), next: "/sites" }],
      ["signup.finish", { token: "made-up", password: PASSWORD }],
      ["reset.request", { email }],
      ["reset.finish", { token: "made-up", password: PASSWORD }],
    ];
    for (const [id, input] of entries) {
      const { status, body } = await doAction(null, id, input, EMAIL_TIME);
      expect([status, body.error?.code], id).toEqual(
        id === "signup.finish" ? [404, "not_found"] : [403, "role_denied"],
      );
    }
    const own = await doAction(owner, "password.change", { password: "a quite different password" }, EMAIL_TIME);
    expect(own.body.error?.code).toBe("role_denied");
    const again = await doAction(owner, "session.reauthenticate", { password: PASSWORD }, EMAIL_TIME);
    expect(again.body.error?.details.issues[0].path).toBe("password");
    expect((await doAction(owner, "account.secure", {}, EMAIL_TIME)).status).toBe(200);
  } finally {
    Object.assign(env(), { PASSWORD_SIGN_IN: "on" });
  }
});
