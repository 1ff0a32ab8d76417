import * as library from "oauth4webapi";
import * as openid from "openid-client";
import { expect, test } from "vitest";
import type { Client, Tier } from "@/e2e/contract/client";
import type { Scope } from "@/lib/contract/access";
import { db } from "@/lib/platform/db";
import { MINUTE_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { hashOf } from "@/lib/platform/secrets";
import { decideRequest, makeAssistant, pkce, REDIRECT, requestOf } from "@/lib/testing/assistants";
import { consent, freshAddress, makeAgent, runPersonal, type TestAgent } from "@/lib/testing/oauth";
import { makeSite } from "@/lib/testing/world";

const SCOPES: Scope[] = ["sites:read", "sites:write", "analytics:read"];

/** Sends a request from a new IP address, so that tests do not share rate limits. */
const fromFreshAddress = (url: string, { headers, ...init }: { headers: Record<string, string> }): Promise<Response> =>
  fetch(url, { ...init, headers: { ...headers, "x-forwarded-for": freshAddress() } });

let turn: Promise<unknown> = Promise.resolve();

/** Runs `work` as a server of this address. This process has another one, so that works run one after the other. */
function atAddress<T>(url: string, work: () => Promise<T>): Promise<T> {
  const done = turn.then(async () => {
    const own = env().BASE_URL;
    env().BASE_URL = url;
    try {
      return await work();
    } finally {
      env().BASE_URL = own;
    }
  });
  turn = done.catch(() => {});
  return done;
}

const insecure = { [library.allowInsecureRequests]: true, [library.customFetch]: fromFreshAddress } as const;

/**
 * OAuth with two unmodified client libraries. Consent is given in this process, on the server's database. Tests move
 * times in the database instead of waiting.
 */
export function oauth(caller: () => Client, tier: Tier): void {
  const resource = () => `${caller().url}/api/v1/management`;

  async function discover(): Promise<library.AuthorizationServer> {
    const response = await library.discoveryRequest(new URL(caller().url), { algorithm: "oauth2", ...insecure });
    return library.processDiscoveryResponse(new URL(caller().url), response);
  }

  /** An oauth4webapi client: server metadata, agent and client authentication. */
  async function using(agent: TestAgent, authWith: (secret: string) => library.ClientAuth = library.ClientSecretPost) {
    return { as: await discover(), client: { client_id: agent.id }, auth: authWith(agent.secret) };
  }
  type Using = Awaited<ReturnType<typeof using>>;

  const delegated = () => makeAgent({ kind: "delegated", scopes: SCOPES });

  async function authorize({ as, client, auth }: Using, scope = SCOPES.join(" ")) {
    const response = await library.deviceAuthorizationRequest(as, client, auth, { scope }, insecure);
    return library.processDeviceAuthorizationResponse(as, client, response);
  }

  async function poll({ as, client, auth }: Using, deviceCode: string) {
    const more = { additionalParameters: { resource: resource() }, ...insecure };
    const response = await library.deviceCodeGrantRequest(as, client, auth, deviceCode, more);
    return library.processDeviceCodeResponse(as, client, response);
  }

  async function refresh({ as, client, auth }: Using, token: string, scope = SCOPES.join(" ")) {
    const more = { additionalParameters: { resource: resource(), scope }, ...insecure };
    const response = await library.refreshTokenGrantRequest(as, client, auth, token, more);
    return library.processRefreshTokenResponse(as, client, response);
  }

  async function introspect({ as, client, auth }: Using, token: string) {
    const response = await library.introspectionRequest(as, client, auth, token, insecure);
    return library.processIntrospectionResponse(as, client, response);
  }

  const call = async (token: string, operation = "sites.list") =>
    (await fetch(`${resource()}/actions/${operation}`, { headers: { authorization: `Bearer ${token}` } })).status;

  /** A person's consent to an assistant's request for the management API. */
  async function answered(clientId: string, state: string) {
    const { verifier, challenge } = pkce();
    const site = await makeSite();
    const asked = { code_challenge: challenge, state, resource: resource(), scope: "sites:read" };
    const choice = { scopes: ["sites:read" as const], sites: [site] };
    const { answer } = await atAddress(caller().url, () =>
      decideRequest(requestOf(clientId, asked), site.ownerId, choice, new Date()),
    );
    return { verifier, challenge, answer };
  }

  /** The OAuth error that a client library has read from a response; null without an error. */
  const errorOf = (promise: Promise<unknown>): Promise<string | null> =>
    promise.then(
      () => null,
      (error) => error.error ?? error.cause?.[0]?.parameters?.error ?? `${error}`,
    );

  /** A connected agent with its first pair of tokens. */
  async function connected() {
    const site = await makeSite();
    const agent = await delegated();
    const session = await using(agent);
    const device = await authorize(session);
    await consent(device.user_code, site.ownerId, { scopes: SCOPES, sites: [site] });
    const { access_token: access, refresh_token } = await poll(session, device.device_code);
    return { session, agent, site, access, refreshToken: refresh_token ?? "" };
  }

  async function openidClient(agent: TestAgent, authWith: (secret: string) => openid.ClientAuth) {
    return openid.discovery(new URL(caller().url), agent.id, undefined, authWith(agent.secret), {
      algorithm: "oauth2",
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: fromFreshAddress,
    });
  }

  test("oauth4webapi discovers the authorization server from the header of a refused call", async () => {
    const refused = await fetch(`${resource()}/actions/sites.list`);
    expect(refused.headers.get("www-authenticate")).toContain(
      `resource_metadata="${caller().url}/.well-known/oauth-protected-resource/api/v1/management"`,
    );
    const document = await library.resourceDiscoveryRequest(new URL(resource()), insecure);
    expect(document.headers.get("access-control-allow-origin")).toBe("*");
    const described = await library.processResourceDiscoveryResponse(new URL(resource()), document);
    expect(described).toMatchObject({
      resource: resource(),
      authorization_servers: [caller().url],
      bearer_methods_supported: ["header"],
      resource_name: "Footfall management API",
    });
    const as = await discover();
    expect(as).toMatchObject({
      issuer: caller().url,
      token_endpoint: `${caller().url}/oauth/token`,
      device_authorization_endpoint: `${caller().url}/oauth/device/code`,
      authorization_endpoint: `${caller().url}/oauth/authorize`,
      registration_endpoint: `${caller().url}/oauth/register`,
      grant_types_supported: [
        ...["authorization_code", "client_credentials"],
        ...["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
      ],
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic", "none", "private_key_jwt"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      protected_resources: [resource(), `${caller().url}/mcp`],
    });
  });

  test("oauth4webapi discovers that the MCP endpoint has the same authorization server", async () => {
    const mcp = new URL(`${caller().url}/mcp`);
    const document = await library.resourceDiscoveryRequest(mcp, insecure);
    const described = await library.processResourceDiscoveryResponse(mcp, document);
    expect(described).toMatchObject({ resource: mcp.href, authorization_servers: [caller().url] });
    expect(described.scopes_supported).not.toContain("offline_access");
  });

  test("oauth4webapi registers an assistant, and gets and refreshes its tokens with PKCE", async () => {
    const as = await discover();
    const metadata = { client_name: "Helper", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" };
    const registration = await library.dynamicClientRegistrationRequest(as, metadata, insecure);
    const client = await library.processDynamicClientRegistrationResponse(registration);
    const { verifier, challenge, answer } = await answered(client.client_id, "a state");
    const parameters = library.validateAuthResponse(as, client, new URL(answer), "a state");
    const response = await library.authorizationCodeGrantRequest(
      as,
      client,
      library.None(),
      parameters,
      REDIRECT,
      verifier,
      { additionalParameters: { resource: resource() }, ...insecure },
    );
    const tokens = await library.processAuthorizationCodeResponse(as, client, response);
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 900, scope: "sites:read" });
    expect(await call(tokens.access_token)).toBe(200);
    const again = await library.refreshTokenGrantRequest(
      as,
      client,
      library.None(),
      tokens.refresh_token ?? "",
      insecure,
    );
    const next = await library.processRefreshTokenResponse(as, client, again);
    expect([await call(tokens.access_token), await call(next.access_token)]).toEqual([401, 200]);
    expect(challenge).toBe(await library.calculatePKCECodeChallenge(verifier));
    expect(() => library.validateAuthResponse(as, client, new URL(answer), "another state")).toThrow();
  });

  test("openid-client runs the authorization code flow, and a code does not work twice", async () => {
    const config = await openid.discovery(
      new URL(caller().url),
      await makeAssistant(),
      { redirect_uris: [REDIRECT] },
      openid.None(),
      {
        algorithm: "oauth2",
        execute: [openid.allowInsecureRequests],
        [openid.customFetch]: fromFreshAddress,
      },
    );
    const { verifier, answer } = await answered(config.clientMetadata().client_id, "its state");
    const redeem = () =>
      openid.authorizationCodeGrant(config, new URL(answer), {
        pkceCodeVerifier: verifier,
        expectedState: "its state",
      });
    const tokens = await redeem();
    expect(await call(tokens.access_token)).toBe(200);
    expect(await errorOf(redeem())).toBe("invalid_grant");
    expect(await call(tokens.access_token)).toBe(401);
  });

  test("the addresses that some MCP clients build from the issuer are those of the metadata", async () => {
    const form = { method: "POST", body: new URLSearchParams({ grant_type: "x", client_id: "x", client_secret: "x" }) };
    expect((await fetch(`${caller().url}/token`, form)).status).toBe(401);
    const json = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
    expect(await (await fetch(`${caller().url}/register`, json)).json()).toMatchObject({
      error: "invalid_client_metadata",
    });
    const authorize = await fetch(`${caller().url}/authorize?client_id=x`, { redirect: "manual" });
    expect(authorize.headers.get("location")).toContain("/login?next=%2Fauthorize%3Fclient_id%3Dx");
  });

  test("oauth4webapi introspects and revokes", async () => {
    const { session, agent, access, refreshToken } = await connected();
    expect(await introspect(session, access)).toMatchObject({
      active: true,
      client_id: agent.id,
      scope: SCOPES.join(" "),
      aud: resource(),
      iss: caller().url,
      token_type: "Bearer",
    });
    expect(await introspect(session, "unknown")).toEqual({ active: false });
    const revoke = async (token: string) =>
      library.processRevocationResponse(
        await library.revocationRequest(session.as, session.client, session.auth, token, insecure),
      );
    await revoke(refreshToken);
    await revoke("unknown");
    expect([await introspect(session, access), await introspect(session, refreshToken)]).toEqual(
      Array(2).fill({ active: false }),
    );
    expect(await call(access)).toBe(401);
  });

  test("openid-client does client_credentials, introspection and revocation, with post and with Basic", async () => {
    const agent = await makeAgent({ kind: "machine", scopes: SCOPES });
    for (const authWith of [openid.ClientSecretPost, openid.ClientSecretBasic]) {
      const config = await openidClient(agent, authWith);
      const token = await openid.clientCredentialsGrant(config, { scope: "sites:read", resource: resource() });
      expect(token).toMatchObject({ expires_in: 900, scope: "sites:read" });
      expect(await openid.tokenIntrospection(config, token.access_token)).toMatchObject({
        active: true,
        sub: agent.id,
      });
      await openid.tokenRevocation(config, token.access_token);
      expect(await openid.tokenIntrospection(config, token.access_token)).toEqual({ active: false });
      expect(await call(token.access_token)).toBe(401);
    }
  });

  test("openid-client polls a device code by itself until it is approved, then refreshes", async () => {
    const site = await makeSite();
    const config = await openidClient(await delegated(), openid.ClientSecretPost);
    const device = await openid.initiateDeviceAuthorization(config, { scope: "sites:read" });
    await consent(device.user_code, site.ownerId, { scopes: ["sites:read"], sites: [site] });
    const tokens = await openid.pollDeviceAuthorizationGrant(
      config,
      { ...device, interval: 0.01 },
      { resource: resource() },
    );
    expect(await call(tokens.access_token)).toBe(200);
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "", {
      resource: resource(),
      scope: "sites:read",
    });
    expect([await call(tokens.access_token), await call(next.access_token)]).toEqual([401, 200]);
    expect(await errorOf(openid.refreshTokenGrant(config, tokens.refresh_token ?? "", { resource: resource() }))).toBe(
      "invalid_grant",
    );
  });

  if (tier === "short") return;

  test("oauth4webapi gets a machine token with the secret in the body and as Basic, with any characters", async () => {
    for (const secret of [undefined, "a: +%b/ü=&"]) {
      const agent = await makeAgent({ kind: "machine", scopes: SCOPES, ...(secret ? { secret } : {}) });
      for (const authWith of [library.ClientSecretPost, library.ClientSecretBasic]) {
        const { as, client, auth } = await using(agent, authWith);
        const parameters = { scope: "sites:read", resource: resource() };
        const response = await library.clientCredentialsGrantRequest(as, client, auth, parameters, insecure);
        const token = await library.processClientCredentialsResponse(as, client, response);
        expect(token).toMatchObject({ token_type: "bearer", expires_in: 900, scope: "sites:read" });
        expect(token.refresh_token).toBeUndefined();
        const answer = await library.protectedResourceRequest(
          token.access_token,
          "GET",
          new URL(`${resource()}/actions/sites.list`),
          new Headers(),
          null,
          insecure,
        );
        expect(answer.status).toBe(200);
      }
    }
  });

  test("oauth4webapi reads a wrong secret as a challenge to Basic, and as invalid_client otherwise", async () => {
    const agent = await makeAgent({ kind: "machine", scopes: SCOPES });
    const wrong = { id: agent.id, secret: "wrong" };
    const request = async (authWith: (secret: string) => library.ClientAuth) => {
      const { as, client, auth } = await using(wrong, authWith);
      const response = await library.clientCredentialsGrantRequest(
        as,
        client,
        auth,
        { resource: resource() },
        insecure,
      );
      return library.processClientCredentialsResponse(as, client, response);
    };
    expect(await errorOf(request(library.ClientSecretPost))).toBe("invalid_client");
    await expect(request(library.ClientSecretBasic)).rejects.toBeInstanceOf(library.WWWAuthenticateChallengeError);
  });

  test("oauth4webapi runs the device flow: pending, slow_down, approved, redeemed once", async () => {
    const site = await makeSite();
    const session = await using(await delegated(), library.ClientSecretBasic);
    const device = await authorize(session);
    expect(device).toMatchObject({ verification_uri: `${caller().url}/device`, expires_in: 600, interval: 5 });
    expect(device.verification_uri_complete).toBeUndefined();

    expect(await errorOf(poll(session, device.device_code))).toBe("authorization_pending");
    expect(await errorOf(poll(session, device.device_code))).toBe("slow_down");
    // Skips the interval, which is ten seconds now.
    const hash = hashOf(device.device_code);
    await db().deviceCode.update({ where: { hash }, data: { lastPolledAt: new Date(Date.now() - 10_000) } });
    expect(await errorOf(poll(session, device.device_code))).toBe("authorization_pending");

    await consent(device.user_code, site.ownerId, { scopes: ["sites:read"], sites: [site] });
    const tokens = await poll(session, device.device_code);
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 900, scope: "sites:read" });
    expect([await call(tokens.access_token), await call(tokens.access_token, "account.capabilities")]).toEqual([
      200, 403,
    ]);
    expect(await errorOf(poll(session, device.device_code))).toBe("invalid_grant");
  });

  test("oauth4webapi lets a machine client ask its person for more, and its next token has it", async () => {
    const site = await makeSite();
    const agent = await makeAgent({ kind: "machine", scopes: ["sites:read"], ownerId: site.ownerId });
    const session = await using(agent);
    const device = await authorize(session, "sites:create");
    await consent(device.user_code, site.ownerId, { scopes: ["sites:create"], sites: [site] });
    const told = await poll(session, device.device_code);
    expect([told.scope, told.refresh_token]).toEqual(["sites:read sites:create", undefined]);
    const { as, client, auth } = session;
    const response = await library.clientCredentialsGrantRequest(as, client, auth, { resource: resource() }, insecure);
    const next = await library.processClientCredentialsResponse(as, client, response);
    expect([next.scope, await call(next.access_token)]).toEqual(["sites:read sites:create", 200]);
  });

  test("a personal token works in the header at the management API, nowhere else, and is never in the output", async () => {
    const site = await makeSite();
    const input = { name: "Nightly export", scopes: ["sites:read"], site_ids: [site.id] };
    const made = await atAddress(caller().url, () => runPersonal("tokens.create", input, site.ownerId, new Date()));
    const { token } = made as { token: string };
    expect(await call(token)).toBe(200);
    const inUrl = (name: string) => caller().call(`/api/v1/management/actions/sites.list?${name}=${token}`);
    expect([(await inUrl("access_token")).status, (await inUrl("token")).status]).toEqual([401, 401]);
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    expect((await caller().call("/mcp", { body: message, headers })).status).toBe(401);
    const action = await caller().call("/actions/tokens.create", { body: input, headers });
    expect(action.status).toBe(401);
    expect(caller().server.output()).not.toContain(token);
  });

  test("oauth4webapi gets access_denied after a denial and expired_token after the expiry of the code", async () => {
    const session = await using(await delegated());
    const denied = await authorize(session);
    await consent(denied.user_code, (await makeSite()).ownerId, "deny");
    expect(await errorOf(poll(session, denied.device_code))).toBe("access_denied");
    const expired = await authorize(session);
    const hash = hashOf(expired.device_code);
    await db().deviceCode.update({ where: { hash }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await errorOf(poll(session, expired.device_code))).toBe("expired_token");
  });

  test("oauth4webapi refreshes: the old pair is revoked, and reuse revokes the family", async () => {
    const { session, access, refreshToken } = await connected();
    const next = await refresh(session, refreshToken);
    expect(next).toMatchObject({ token_type: "bearer", scope: SCOPES.join(" ") });
    expect([await call(access), await call(next.access_token)]).toEqual([401, 200]);
    expect(await errorOf(refresh(session, refreshToken))).toBe("invalid_grant");
    expect(await call(next.access_token)).toBe(401);
    expect(await errorOf(refresh(session, next.refresh_token ?? ""))).toBe("invalid_grant");
  });

  test("openid-client stops polling a code that was denied or has expired", async () => {
    const config = await openidClient(await delegated(), openid.ClientSecretBasic);
    const denied = await openid.initiateDeviceAuthorization(config, { scope: "sites:read" });
    await consent(denied.user_code, (await makeSite()).ownerId, "deny");
    const stop = (device: openid.DeviceAuthorizationResponse) =>
      errorOf(openid.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.01 }, { resource: resource() }));
    expect(await stop(denied)).toBe("access_denied");
    const expired = await openid.initiateDeviceAuthorization(config, { scope: "sites:read" });
    const hash = hashOf(expired.device_code);
    await db().deviceCode.update({ where: { hash }, data: { expiresAt: new Date(Date.now() - MINUTE_MS) } });
    expect(await stop(expired)).toBe("expired_token");
  });

  test("other methods are 405 with Allow, cookies are ignored, and other origins cannot read responses", async () => {
    for (const address of ["token", "device/code", "revoke", "introspect", "register"]) {
      for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const { status, headers } = await fetch(`${caller().url}/oauth/${address}`, { method });
        expect([status, headers.get("allow"), headers.get("cache-control")], `${method} ${address}`).toEqual([
          405,
          "POST",
          "no-store",
        ]);
        expect(headers.get("access-control-allow-origin")).toBeNull();
      }
      // A registration is JSON of callers without credentials.
      if (address === "register") continue;
      const body = new URLSearchParams({ grant_type: "client_credentials", token: "x" });
      const cookie = await fetch(`${caller().url}/oauth/${address}`, {
        method: "POST",
        body,
        headers: { cookie: "a=b" },
      });
      expect([cookie.status, cookie.headers.get("pragma"), cookie.headers.get("set-cookie")]).toEqual([
        401,
        "no-cache",
        null,
      ]);
    }
  });

  test("no secret of these flows is in the server's output (case 35)", async () => {
    const { session, agent, access, refreshToken } = await connected();
    const device = await authorize(session);
    const secrets = [access, refreshToken, agent.secret, device.device_code, device.user_code];
    for (const secret of secrets) {
      const query = new URLSearchParams({ client_secret: secret, device_code: secret });
      const answer = await fetch(`${caller().url}/oauth/token?${query}`, {
        method: "POST",
        body: new URLSearchParams({ grant_type: "client_credentials", client_id: agent.id, client_secret: secret }),
      });
      expect([answer.status, (await answer.json()).error]).toEqual([400, "invalid_request"]);
    }
    expect(caller().server.output()).toContain("/oauth/token");
    for (const secret of secrets) expect(caller().server.output()).not.toContain(secret);
  });
}
