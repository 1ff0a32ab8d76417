import { createHash, randomBytes } from "node:crypto";
import { expectAccessible } from "./support/accessibility";
import { ageSignIn } from "./support/agents";
import { expect } from "./support/fixtures";
import { BACK, type LoopbackApp, test } from "./support/loopback-app";
import type { Server } from "./support/server";
import { signIn, signOut } from "./support/sign-in";

/** Authorization code flow: an assistant opens a page, and a person signs in and consents. */

async function register(server: Server, redirectUris = ["http://127.0.0.1:8787/callback"]): Promise<string> {
  const response = await fetch(`${server.url}/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Helper", redirect_uris: redirectUris, application_type: "native" }),
  });
  expect(response.status).toBe(201);
  return (await response.json()).client_id;
}

/** A request for these scopes, and how its code is redeemed. */
function request(server: Server, clientId: string, app: LoopbackApp, scope: string, more: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: app.redirectUri,
    state: "a state & more",
    scope,
    resource: `${server.url}/api/v1/management`,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...more,
  });
  const redeem = (code: string) =>
    fetch(`${server.url}/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: clientId,
        redirect_uri: app.redirectUri,
        code,
        code_verifier: verifier,
      }),
    });
  return { path: `/authorize?${query}`, redeem };
}

test("a person signs in, allows an assistant, and finds and disconnects it among their agents", async ({
  siteOwner: ann,
  server,
  app,
}) => {
  const { page } = ann;
  const clientId = await register(server);
  const { path, redeem } = request(server, clientId, app, "sites:read analytics:read");
  await page.goto("/sites");
  await signOut(page);
  const login = await page.goto(path);
  expect(login?.url()).toContain("/login?next=");
  await signIn(page, ann);
  await expect(page.getByRole("heading", { name: "An agent requests access" })).toBeFocused();
  await expect(page.getByText("Nobody: it registered itself")).toBeVisible();
  await expect(page.getByText(`an app on this device (${new URL(app.redirectUri).host})`)).toBeVisible();
  await expect(page.getByLabel(ann.host)).toBeChecked();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: BACK })).toBeVisible();
  const [answer] = app.answers;
  expect(Object.fromEntries(answer ?? [])).toEqual({
    code: expect.any(String),
    state: "a state & more",
    iss: server.url,
  });

  const tokens = await redeem(answer?.get("code") ?? "");
  expect(tokens.status).toBe(200);
  const { access_token, scope } = await tokens.json();
  expect(scope).toBe("sites:read analytics:read");
  const read = async () => {
    const headers = { authorization: `Bearer ${access_token}` };
    const url = `${server.url}/api/v1/management/actions/sites.settings.get?site_id=${ann.siteId}`;
    return (await fetch(url, { headers })).status;
  };
  expect(await read()).toBe(200);

  await page.goto("/agents");
  await expect(page.getByText("Registered itself · not verified")).toBeVisible();
  await page.getByRole("link", { name: "Helper" }).click();
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByText("It no longer has access; its log stays.")).toBeVisible();
  expect(await read()).toBe(401);
});

test("a later request asks only for what is new, and its consent needs the password again", async ({
  siteOwner: ann,
  server,
  app,
}) => {
  const { page } = ann;
  const clientId = await register(server);
  await page.goto(request(server, clientId, app, "sites:read").path);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: BACK })).toBeVisible();

  await ageSignIn(server, ann.email);
  const more = request(server, clientId, app, "sites:read sites:write");
  await page.goto(more.path);
  const permissions = page.getByRole("region", { name: "Permissions", exact: true });
  await expect(permissions.getByRole("checkbox")).toHaveCount(1);
  await expect(page.getByRole("region", { name: "Permissions it has already" })).toContainText("See your sites");
  await expectAccessible(page, "the consent to an assistant");
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(permissions.getByRole("alert")).toContainText("the agent keeps only what it has already");
  await permissions.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByLabel("Your password").fill(ann.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: BACK })).toBeVisible();
  const tokens = await more.redeem(app.answers[1]?.get("code") ?? "");
  expect((await tokens.json()).scope).toBe("sites:read sites:write");
});

test("a denial takes the person back with access_denied, and gives no access", async ({
  siteOwner: { page },
  server,
  app,
}) => {
  await page.goto(request(server, await register(server), app, "sites:read").path);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading", { name: BACK })).toBeVisible();
  expect(app.answers.map((answer) => Object.fromEntries(answer))).toEqual([
    { error: "access_denied", error_description: expect.any(String), state: "a state & more", iss: server.url },
  ]);
  await page.goto("/agents");
  await expect(page.getByRole("heading", { name: "No connected agents" })).toBeVisible();
});

test("a bad request goes back to an app on this machine, never by itself to a website, and nowhere unregistered", async ({
  siteOwner: { page },
  server,
  app,
}) => {
  const clientId = await register(server, ["http://127.0.0.1/callback", "https://website.example/callback"]);
  const plain = { code_challenge_method: "plain" };
  const website = { ...plain, redirect_uri: "https://website.example/callback" };
  await page.goto(request(server, clientId, app, "sites:read", website).path);
  await expect(page.getByRole("heading", { name: "The agent's request is not valid" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Go back to website.example" })).toHaveAttribute(
    "href",
    /^https:\/\/website\.example\/callback\?error=invalid_request&.*&state=a\+state\+%26\+more&iss=/,
  );
  const unknown: Record<string, string>[] = [{ redirect_uri: "https://evil.example/" }, { client_id: "ffp_unknown" }];
  for (const more of unknown) {
    await page.goto(request(server, clientId, app, "sites:read", more).path);
    await expect(page.getByRole("heading", { name: "This request cannot be answered" })).toBeVisible();
  }
  expect(app.answers).toEqual([]);
  await page.goto(request(server, clientId, app, "sites:read", plain).path);
  await expect(page.getByRole("heading", { name: BACK })).toBeVisible();
  expect(app.answers.map((answer) => Object.fromEntries(answer))).toEqual([
    { error: "invalid_request", error_description: expect.any(String), state: "a state & more", iss: server.url },
  ]);
});

test("the consent page cannot be framed or stored, and runs its scripts by a nonce", async ({
  siteOwner: { page },
  server,
  app,
}) => {
  const { path } = request(server, await register(server), app, "sites:read");
  for (const address of [path, `/oauth${path}`]) {
    const headers = (await page.goto(address))?.headers() ?? {};
    expect(headers["content-security-policy"]).toMatch(/'nonce-.*frame-ancestors 'none'/);
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["cache-control"]).toContain("no-store");
    await expect(page.getByRole("button", { name: "Deny" })).toBeVisible();
  }
});
