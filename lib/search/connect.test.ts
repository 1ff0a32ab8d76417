import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { startConnecting } from "@/lib/search/connect";
import { fittingProperties } from "@/lib/search/properties";
import { purgeSearch } from "@/lib/search/purge";
import { makeMember, refused } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { doAction, newOwner, ownerAgain } from "@/lib/testing/owners";
import {
  accountOf,
  comeBack,
  connectionOf,
  connectSite,
  SEARCH_TIME,
  searchProviderForTests,
  searchSite,
} from "@/lib/testing/search-site";

/** Connecting sites over OAuth, with a provider that speaks the documented protocol, and with browsers that are attacked. */

// Purges end what is left of all connections.
databaseForTests();

const server = await searchProviderForTests();

/** Tests share the provider, whose next account each sets. */
const alone = test.sequential;

const connections = (siteId: number) => db().searchConnection.count({ where: { siteId } });
const exchanges = () => server.requests.filter((request) => request.endsWith("/token")).length;

alone("an owner is sent to the provider with PKCE, a state and the exact redirect address", async () => {
  const site = await searchSite();
  const { status, body } = await doAction(
    site.owner,
    "search.connect",
    { site_id: site.id, provider: "google" },
    SEARCH_TIME,
  );
  expect(status).toBe(200);
  const url = new URL(body.data.url);
  expect(url.origin + url.pathname).toBe(`${server.origin}/google/o/oauth2/v2/auth`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: "code",
    client_id: "footfall-client",
    redirect_uri: `${env().BASE_URL}/api/search/google/callback`,
    scope: "https://www.googleapis.com/auth/webmasters.readonly",
    access_type: "offline",
    prompt: "consent",
    state: expect.stringMatching(new RegExp(`^${site.id}\\.[\\w-]{43}$`)),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
  });
});

alone("a consent connects the site to its property, and the refresh token is stored sealed", async () => {
  const site = await searchSite();
  expect(await connectSite(server, site, accountOf(site))).toBe("connected");
  const { property, token, personId, nextFetchAt } = await connectionOf(site);
  expect({ property, personId, nextFetchAt }).toEqual({
    property: `sc-domain:${site.host}`,
    personId: site.ownerId,
    nextFetchAt: SEARCH_TIME,
  });
  expect(Buffer.from(token ?? []).toString("latin1")).not.toContain("refresh-");
  const audit = await db().audit.findFirst({ where: { siteId: site.id, operation: "search.connect" } });
  expect(audit).toMatchObject({ personId: site.ownerId, detail: { provider: "google", property } });
});

alone(
  "a state works once, for a quarter of an hour, in the session and for the provider that it was made for",
  async () => {
    const site = await searchSite();
    server.account = accountOf(site);
    const back = async () =>
      server.consent(await startConnecting(site.owner, site.id, "google", SEARCH_TIME)).searchParams;
    const before = exchanges();
    const stranger = await newOwner(SEARCH_TIME);
    const otherBrowser = await ownerAgain(site.owner.email, SEARCH_TIME);
    const late = new Date(SEARCH_TIME.getTime() + 15 * 60_000);
    const made = await back();
    const outcomes = [
      await comeBack(stranger, made),
      await comeBack(otherBrowser, made),
      await comeBack(null, made),
      await comeBack(site.owner, made, "bing"),
      await comeBack(site.owner, made, "google", late),
      await comeBack(site.owner, new URLSearchParams({ code: "code", state: `${site.id}.guessed` })),
      await comeBack(site.owner, new URLSearchParams({ code: "code" })),
    ].map(({ outcome }) => outcome);
    expect([...new Set(outcomes)]).toEqual(["expired"]);
    expect([exchanges(), await connections(site.id)]).toEqual([before, 0]);
    expect(await comeBack(site.owner, made)).toEqual({
      outcome: "connected",
      path: `/sites/${site.id}/settings/search?provider=google&outcome=connected`,
    });
    expect((await comeBack(site.owner, made)).outcome).toBe("expired");
    const [one, other] = await Promise.all([back(), back()]);
    const twice = await Promise.all([
      comeBack(site.owner, one),
      comeBack(site.owner, one),
      comeBack(site.owner, other),
    ]);
    expect(twice.map(({ outcome }) => outcome).sort()).toEqual(["connected", "connected", "expired"]);
  },
);

alone("a code for another redirect address, or one that somebody else got, connects nothing", async () => {
  const site = await searchSite();
  server.account = accountOf(site);
  const [mine, theirs] = [
    new URL(await startConnecting(site.owner, site.id, "google", SEARCH_TIME)),
    await startConnecting(site.owner, site.id, "google", SEARCH_TIME),
  ];
  // A code that an attacker got for their own challenge, with the state of the victim.
  const injected = new URLSearchParams(server.consent(theirs).searchParams);
  injected.set("state", mine.searchParams.get("state") ?? "");
  expect((await comeBack(site.owner, injected)).outcome).toBe("failed");
  const elsewhere = new URL(await startConnecting(site.owner, site.id, "google", SEARCH_TIME));
  elsewhere.searchParams.set("redirect_uri", "https://evil.example/api/search/google/callback");
  expect((await comeBack(site.owner, server.consent(elsewhere.href).searchParams)).outcome).toBe("setup");
  expect(await connections(site.id)).toBe(0);
});

alone("a person who cancels or leaves out the permission connects nothing, and is told", async () => {
  const site = await searchSite();
  server.account = accountOf(site);
  const address = await startConnecting(site.owner, site.id, "google", SEARCH_TIME);
  const state = new URL(address).searchParams.get("state") ?? "";
  expect((await comeBack(site.owner, new URLSearchParams({ error: "access_denied", state }))).outcome).toBe(
    "cancelled",
  );
  server.withoutPermission = true;
  expect(await connectSite(server, site, accountOf(site))).toBe("no_permission");
  server.withoutPermission = false;
  expect(await connections(site.id)).toBe(0);
});

alone("an account without a property of the site connects nothing, and its consent is revoked", async () => {
  const site = await searchSite();
  const google = [
    { siteUrl: "sc-domain:other.example", permissionLevel: "siteOwner" },
    { siteUrl: `https://${site.host}/`, permissionLevel: "siteUnverifiedUser" },
  ];
  expect(await connectSite(server, site, accountOf(site, [], { google }))).toBe("no_property");
  expect(await connections(site.id)).toBe(0);
  const before = server.revoked.length;
  await purgeSearch(new Date(Date.now() + 60_000));
  expect(server.revoked.length).toBe(before + 1);
});

alone("only an owner connects a site, also when they lose the role on the way", async () => {
  const site = await searchSite();
  const manager = await newOwner(SEARCH_TIME);
  await db().membership.create({ data: { siteId: site.id, personId: manager.personId, role: "manager" } });
  expect(await refused(startConnecting(manager, site.id, "google", SEARCH_TIME))).toMatchObject({
    code: "role_denied",
  });
  const stranger = await newOwner(SEARCH_TIME);
  expect(await refused(startConnecting(stranger, site.id, "google", SEARCH_TIME))).toMatchObject({
    code: "site_not_granted",
  });
  server.account = accountOf(site);
  const address = await startConnecting(site.owner, site.id, "google", SEARCH_TIME);
  await makeMember(site.id, "owner");
  await db().membership.updateMany({ where: { siteId: site.id, personId: site.ownerId }, data: { role: "manager" } });
  expect((await comeBack(site.owner, server.consent(address).searchParams)).outcome).toBe("role");
  expect(await connections(site.id)).toBe(0);
});

alone("a provider that is down, redirects or answers nonsense connects nothing, and the page says so", async () => {
  const site = await searchSite();
  const plan = async (path: string, status: number, body: unknown, headers = {}) => {
    server.instead.push({ path, answers: [{ status, body, headers }] });
    const outcome = await connectSite(server, site, accountOf(site));
    server.instead = [];
    return outcome;
  };
  expect(await plan("/token", 503, {})).toBe("unreachable");
  expect(await plan("/token", 200, "no JSON")).toBe("failed");
  expect(await plan("/token", 200, { access_token: "only" })).toBe("failed");
  expect(await plan("/token", 401, { error: "invalid_client" })).toBe("setup");
  const before = server.requests.length;
  expect(await plan("/token", 302, "", { location: `${server.origin}/stolen` })).toBe("failed");
  expect(server.requests.slice(before).some((request) => request.includes("stolen"))).toBe(false);
  expect(await plan("/sites", 200, { siteEntry: "many" })).toBe("failed");
  expect(await plan("/sites", 403, { error: { errors: [{ reason: "accessNotConfigured" }] } })).toBe("setup");
  expect(await connections(site.id)).toBe(0);
});

alone(
  "without the operator's client id a site cannot be connected, and the refusal says who can change that",
  async () => {
    const site = await searchSite();
    const [id, secret] = [env().BING_WEBMASTER_CLIENT_ID, env().BING_WEBMASTER_CLIENT_SECRET];
    Object.assign(env(), { BING_WEBMASTER_CLIENT_ID: undefined, BING_WEBMASTER_CLIENT_SECRET: undefined });
    const { status, body } = await doAction(
      site.owner,
      "search.connect",
      { site_id: site.id, provider: "bing" },
      SEARCH_TIME,
    );
    Object.assign(env(), { BING_WEBMASTER_CLIENT_ID: id, BING_WEBMASTER_CLIENT_SECRET: secret });
    expect([status, body.error.message]).toEqual([
      404,
      "This service is not set up for Bing Webmaster Tools. Its operator must register it there first.",
    ]);
  },
);

test("a property fits a site if it has the data of the site's domains and of no other", () => {
  const hosts = ["example.com", "example.org"];
  const fitting = [
    "sc-domain:example.com",
    "sc-domain:example.org",
    "https://example.com/",
    "https://www.example.com/",
    "http://example.com/",
    "https://shop.example.org/",
  ];
  const others = [
    "sc-domain:com",
    "sc-domain:notexample.com",
    "sc-domain:shop.example.com",
    "sc-domain:example.com.evil.example",
    "https://example.com.evil.example/",
    "https://evil.example/example.com/",
    "https://example.com@evil.example/",
    "ftp://example.com/",
    "example.com",
    "",
  ];
  expect(fittingProperties([...others, ...fitting.toReversed()], hosts)).toEqual(fitting);
  expect(fittingProperties(["sc-domain:example.com"], ["blog.example.com"])).toEqual([]);
});
