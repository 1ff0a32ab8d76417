import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { discoverOAuthServerInfo } from "@modelcontextprotocol/client";
import { discoverOAuthServerInfo as firstDiscover } from "@modelcontextprotocol/sdk/client/auth.js";
import { afterAll, beforeAll, test as concurrent, expect, onTestFinished } from "vitest";
import { INGEST_PATHS } from "@/lib/platform/http/ingest-paths";
import { embeddedUrl } from "@/lib/postgres/start";
import { call } from "@/lib/testing/calls";
import { connected, databaseForTests } from "@/lib/testing/database";
import { signedIp, siteWithKey } from "@/lib/testing/measuring";
import { openedUrl } from "@/lib/testing/opened-url";
import { rowsOf } from "@/lib/testing/rows";
import { type RunningServer, startNext, startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { CHROME, makeSite, TEST_SECRETS, type TestSite } from "@/lib/testing/world";

/** The built server as a process: sockets, two servers on one database, stop and crash. Sequential. */
const test = concurrent.sequential;

// The jobs of the servers would do the work of other tests, such as sending their email.
databaseForTests();

/** Starts a server on the test database that trusts `X-Forwarded-For`. */
const startOn = async (dataDir: string): Promise<RunningServer> =>
  startServer({
    DATABASE_URL: await openedUrl(),
    APP_SECRETS: TEST_SECRETS,
    DATA_DIR: dataDir,
    TRUSTED_PROXIES: "127.0.0.1",
  });

/** A server for one test, which can stop it. */
async function ownServer(): Promise<RunningServer> {
  const server = await startOn(temporaryDir());
  onTestFinished(async () => void (await server.end("SIGTERM")));
  return server;
}

// Two shared servers for all other tests, which must not affect each other.
const folders = [temporaryDir(afterAll), temporaryDir(afterAll)];
let servers: Promise<RunningServer[]>;
beforeAll(() => {
  servers = Promise.all(folders.map(startOn));
});
const sharedServer = async (): Promise<RunningServer> => (await servers)[0] as RunningServer;
afterAll(async () => {
  const codes = await Promise.all((await servers).map((server) => server.end("SIGTERM")));
  expect(codes).toEqual([0, 0]);
});

const event = (url: string, body: object | string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/event`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": CHROME, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const pageview = (site: TestSite, path: string) => ({
  domain: site.host,
  name: "pageview",
  url: `https://${site.host}${path}`,
});

test("concurrent events of one visitor at two app processes make one visit", async () => {
  const [one, two] = (await servers) as [RunningServer, RunningServer];
  const site = await makeSite();
  const from = (address: string) => ({ "x-forwarded-for": address });
  for (let round = 0; round < 20; round++) {
    const address = `198.51.100.${round}`;
    const requests = [one, two, one, two].map((server, i) => event(server.url, pageview(site, `/${i}`), from(address)));
    expect((await Promise.all(requests)).map((response) => response.status)).toEqual([202, 202, 202, 202]);
  }
  const visits = await rowsOf`
    SELECT pageviews, count(*)::int AS visits FROM facts.visit WHERE site_id = ${site.id} GROUP BY 1`;
  expect(visits).toEqual([{ pageviews: 4, visits: 20 }]);
});

test("concurrent events with one id at two app processes are stored once", async () => {
  const [one, two] = (await servers) as [RunningServer, RunningServer];
  const site = await makeSite();
  for (let round = 0; round < 10; round++) {
    const body = { domain: site.host, name: "Order", event_id: `order-2025-03-${round}` };
    const answers = await Promise.all([one, two, one, two].map((server) => event(server.url, body)));
    const states = await Promise.all(answers.map(async (answer) => (await answer.json()).status));
    expect(states.sort()).toEqual(["duplicate", "duplicate", "duplicate", "stored"]);
  }
});

test("Next's route and the fast path give the same responses to events", async () => {
  const server = await sharedServer();
  const site = await makeSite();
  const bodies = [
    pageview(site, "/a"),
    "{",
    { domain: "nobody.example", name: "a" },
    pageview(site, "/x".repeat(40_000)),
    { domain: site.host, name: "" },
  ];
  for (const body of bodies) {
    const [fast, route] = await Promise.all(
      ["/api/event", "/api/event/"].map(async (address) => {
        const response = await fetch(server.url + address, {
          method: "POST",
          headers: { "content-type": "text/plain", "user-agent": CHROME, "x-request-id": "same" },
          body: typeof body === "string" ? body : JSON.stringify(body),
        });
        const { event_id, ...rest } = await response.json();
        return { status: response.status, cors: response.headers.get("access-control-allow-origin"), rest };
      }),
    );
    expect(fast).toEqual(route);
  }
  const preflight = await fetch(`${server.url}/api/event`, { method: "OPTIONS" });
  expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "POST"]);
  const wrong = await fetch(`${server.url}/api/event`);
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
});

test("Next's route and the fast path give the same responses to batches and signed visitor addresses", async () => {
  const server = await sharedServer();
  const { key } = await siteWithKey();
  const body = JSON.stringify({
    events: [{ type: "event", name: "a", event_id: "in-both-paths-1" }, { type: "page" }],
  });
  const seconds = `${Math.floor(Date.now() / 1000)}`;
  const send = async (address: string, headers: Record<string, string>, text = body) => {
    const all = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "x-request-id": "same",
      ...headers,
    };
    const response = await fetch(server.url + address, { method: "POST", headers: all, body: text });
    return {
      status: response.status,
      challenge: response.headers.get("www-authenticate"),
      answer: await response.json(),
    };
  };
  const signed = signedIp(key, body, "198.51.100.20", seconds);
  expect((await send("/api/v1/events", {})).status).toBe(207);
  for (const [headers, text] of [
    [signed],
    [{ ...signed, "x-footfall-client-ip": "198.51.100.21" }],
    [{ "x-footfall-client-ip": "198.51.100.20" }],
    [{ authorization: "Bearer ffk_unknown" }],
    [{ "content-encoding": "gzip" }],
    [{}, "{"],
  ] as [Record<string, string>, string?][]) {
    const [fast, route] = [await send("/api/v1/events", headers, text), await send("/api/v1/events/", headers, text)];
    expect(route).toEqual(fast);
    if (headers === signed) expect(fast.answer.client_ip).toEqual({ accepted: true });
  }
  const wrong = await fetch(`${server.url}/api/v1/events`);
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
});

/** Sends raw bytes. @returns the status line of the response */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = net.connect(port, "127.0.0.1");
  socket.write(bytes);
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return answer.toString().split("\r\n", 1)[0] ?? "";
}

test("200 pipelined events of one connection are stored and answered in order", async () => {
  const server = await sharedServer();
  const site = await makeSite();
  const socket = net.connect(server.port, "127.0.0.1");
  const requests = Array.from({ length: 200 }, (_, n) => {
    const body = JSON.stringify(pageview(site, `/${n}`));
    const last = n === 199 ? "Connection: close\r\n" : "";
    const head = `POST /api/event HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ${CHROME}\r\n${last}`;
    return `${head}X-Request-Id: r-${n}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
  socket.write(requests.join(""));
  const answers = await text(socket);
  expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(Array(200).fill("202"));
  expect([...answers.matchAll(/x-request-id: r-(\d+)/gi)].map(([, n]) => Number(n))).toEqual([...Array(200).keys()]);
  const visits = await rowsOf`SELECT pageviews FROM facts.visit WHERE site_id = ${site.id}`;
  expect(visits).toEqual([{ pageviews: 200 }]);
});

test("the client of a body that is too large receives the 413", async () => {
  const { url } = await sharedServer();
  const large = "x".repeat(5 * 2 ** 20);
  for (let time = 0; time < 20; time++) expect((await event(url, large)).status).toBe(413);
});

test("next start stores the outcome counts of all answered events before it stops", { tags: "full" }, async () => {
  const next = await startNext({
    DATABASE_URL: await openedUrl(),
    APP_SECRETS: TEST_SECRETS,
    DATA_DIR: temporaryDir(),
  });
  const site = await makeSite();
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => event(next.url, pageview(site, `/${n}`))));
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(202));
  await next.end("SIGTERM");
  const counts = await rowsOf`SELECT events::int FROM facts.intake WHERE site_id = ${site.id}`;
  expect(counts).toEqual([{ events: 40 }]);
});

test("malformed requests get a clear status and never a 500", async () => {
  const server = await sharedServer();
  const head = (line: string, ...headers: string[]) => `${[line, "Host: localhost", ...headers].join("\r\n")}\r\n\r\n`;
  const json = "Content-Type: application/json";
  expect(await raw(server.port, head("GET /%zz HTTP/1.1"))).toBe("HTTP/1.1 400 Bad Request");
  expect(await raw(server.port, head("TRACE / HTTP/1.1"))).toBe("HTTP/1.1 400 Bad Request");
  expect(await raw(server.port, head("GET http://evil.example/sites HTTP/1.1"))).toBe("HTTP/1.1 400 Bad Request");
  expect(await raw(server.port, head("OPTIONS * HTTP/1.1"))).toBe("HTTP/1.1 400 Bad Request");
  expect(await raw(server.port, head("PUT /script.js HTTP/1.1"))).toBe("HTTP/1.1 405 Method Not Allowed");
  const base = "/api/auth";
  expect(await raw(server.port, head(`GET ${base}/error?error=%00 HTTP/1.1`))).toBe("HTTP/1.1 404 Not Found");
  expect(await raw(server.port, head(`GET ${base}/callback/credentials HTTP/1.1`))).toBe("HTTP/1.1 404 Not Found");
  const broken = `${head(`POST ${base}/callback/credentials HTTP/1.1`, json, "Content-Length: 5")}{"bad`;
  expect(await raw(server.port, broken)).toBe("HTTP/1.1 400 Bad Request");
  const endless = `${head("POST /api/event HTTP/1.1", json, "Transfer-Encoding: chunked")}11170\r\n${"x".repeat(70_000)}`;
  expect(await raw(server.port, endless)).toBe("HTTP/1.1 413 Payload Too Large");
  const announced = head("POST /api/event HTTP/1.1", json, "Content-Length: 99999999");
  expect(await raw(server.port, announced)).toBe("HTTP/1.1 413 Payload Too Large");
  const both = head("POST /api/event HTTP/1.1", json, "Content-Length: 2", "Transfer-Encoding: chunked");
  expect(await raw(server.port, `${both}0\r\n\r\n`)).toBe("HTTP/1.1 400 Bad Request");
  expect(server.faults()).toEqual([]);
});

test("a wrong method answers 405 with Allow, in the standard error format", async () => {
  const server = await sharedServer();
  const reads = [
    ...["/api/health", "/openapi.json", "/llms.txt", "/auth.md"],
    ...["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp"],
  ];
  const cases = [
    ...[...reads, "/.well-known/oauth-protected-resource/api/v1/management"].flatMap((address) =>
      ["POST", "PUT", "DELETE", "PATCH"].map((method) => [method, address, "GET, HEAD"]),
    ),
    ...["GET", "PUT", "DELETE", "PATCH"].map((method) => [method, "/actions/agents.revoke", "POST"]),
    ["PUT", "/api/auth/csrf", "GET, POST"],
    ["PUT", "/api/event/", "POST, OPTIONS"],
  ] as [string, string, string][];
  for (const [method, address, allow] of cases) {
    const answer = await fetch(server.url + address, { method });
    const { error, request_id } = await answer.json();
    expect([answer.status, answer.headers.get("allow"), error.code], `${method} ${address}`).toEqual([
      405,
      allow,
      "method_not_allowed",
    ]);
    expect(answer.headers.get("x-request-id")).toBe(request_id);
  }
  expect((await fetch(`${server.url}/actions/agents.revoke`, { method: "HEAD" })).status).toBe(405);
});

test("metadata is at each address that clients try for it, and 404 where it would name another issuer", async () => {
  const url = `http://localhost:${(await sharedServer()).port}`;
  const resource = async (path: string) => (await (await fetch(url + path)).json()).resource;
  const known = "/.well-known/oauth-protected-resource";
  for (const path of [`${known}/mcp`, `${known}/mcp/`, `${known}/mcp?x=1`, known, `${known}/`, `/mcp${known}`]) {
    expect([path, await resource(path)]).toEqual([path, `${url}/mcp`]);
  }
  for (const path of [`${known}/api/v1/management`, `/api/v1/management${known}`]) {
    expect([path, await resource(path)]).toEqual([path, `${url}/api/v1/management`]);
  }
  const own = "/.well-known/oauth-authorization-server";
  for (const path of [own, `${own}/`]) {
    expect([path, (await (await fetch(url + path)).json()).issuer]).toEqual([path, url]);
  }
  for (const path of [
    ...[`${own}/mcp`, `/mcp${own}`, `${known}/other`],
    ...["/.well-known/openid-configuration", "/.well-known/openid-configuration/mcp"],
    "/mcp/.well-known/openid-configuration",
  ]) {
    const answer = await fetch(url + path, { headers: { accept: "application/json" }, redirect: "manual" });
    expect([path, answer.status, (await answer.json()).error.code]).toEqual([path, 404, "operation_not_found"]);
  }
});

test("published MCP clients discover the endpoints, also when they only ask at the root, and without our challenge", async () => {
  const url = `http://localhost:${(await sharedServer()).port}`;
  for (const discover of [discoverOAuthServerInfo, firstDiscover]) {
    const found = await discover(`${url}/mcp`);
    expect(found.resourceMetadata?.resource).toBe(`${url}/mcp`);
    expect([found.authorizationServerUrl, found.authorizationServerMetadata?.issuer]).toEqual([url, url]);
  }
  // A proxy that does not pass on the inserted path.
  const onlyRoot = (address: string | URL, init?: RequestInit) =>
    `${address}`.endsWith("/mcp") ? Promise.resolve(new Response(null, { status: 404 })) : fetch(address, init);
  const found = await discoverOAuthServerInfo(`${url}/mcp`, { fetchFn: onlyRoot });
  expect([found.resourceMetadata?.resource, found.authorizationServerMetadata?.issuer]).toEqual([`${url}/mcp`, url]);
});

test("programs that ask for JSON get a JSON 404 at unknown addresses, and people a page", async () => {
  const server = await sharedServer();
  const json = { "content-type": "application/json" };
  const calls: [string, RequestInit][] = [
    ["/v1/events", { method: "POST", headers: json, body: "{}" }],
    ["/management/actions/sites.list", { headers: { accept: "application/json" } }],
    ["/collect", { method: "POST", headers: { ...json, accept: "*/*" }, body: "{" }],
    ["/graphql", { headers: { accept: "application/problem+json, application/json;q=0.9" } }],
  ];
  for (const [path, init] of calls) {
    const answer = await fetch(server.url + path, init);
    expect([answer.status, answer.headers.get("content-type")], path).toEqual([404, "application/json"]);
    expect((await answer.json()).error.code, path).toBe("operation_not_found");
  }
  const people = [
    ["/v2/events", "text/html,application/json;q=0.1"],
    ["/v2/events", "*/*"],
    ["/v1/unknown", "text/html,*/*;q=0.8"],
    ["/v1/track/unknown", "text/html,*/*;q=0.8"],
  ] as const;
  for (const [path, accept] of people) {
    const { status, headers } = await fetch(server.url + path, { headers: { accept } });
    expect([status, headers.get("content-type")], `${path} ${accept}`).toEqual([404, "text/html; charset=utf-8"]);
    expect(headers.get("content-security-policy"), path).toContain("nonce-");
  }
  const program = await fetch(`${server.url}/v1/unknown`, { headers: { accept: "*/*" } });
  expect([program.status, (await program.json()).error.code]).toEqual([405, "method_not_allowed"]);
});

test("each path that takes events takes them also from a page that accepts HTML, and says how where it is opened", async () => {
  const server = await sharedServer();
  const headers = { accept: "text/html,*/*;q=0.8", "content-type": "text/plain" };
  for (const path of INGEST_PATHS) {
    const sent = await fetch(server.url + path, { method: "POST", headers, body: "{}", redirect: "manual" });
    expect([303, 404].includes(sent.status), `${path} ${sent.status}`).toBe(false);
    const opened = await fetch(server.url + path, { headers: { accept: headers.accept } });
    expect([opened.status, opened.headers.get("allow")], path).toEqual([405, expect.stringContaining("POST")]);
  }
});

test("a sign-in body larger than any form is a 413 and closes the connection", async () => {
  const server = await sharedServer();
  const head = ["POST /api/auth/callback/credentials HTTP/1.1", "Host: localhost"];
  const form = "Content-Type: application/x-www-form-urlencoded";
  const announced = [...head, form, "Content-Length: 314572800"].join("\r\n");
  expect(await raw(server.port, `${announced}\r\n\r\n`)).toBe("HTTP/1.1 413 Payload Too Large");
  const chunked = [...head, form, "Transfer-Encoding: chunked"].join("\r\n");
  const sent = `${chunked}\r\n\r\n11170\r\n${"x".repeat(70_000)}`;
  expect(await raw(server.port, sent)).toBe("HTTP/1.1 413 Payload Too Large");
  // The server does not wait for a client that keeps the connection open.
  const socket = net.connect(server.port, "127.0.0.1").resume();
  socket.on("error", () => {});
  socket.write(sent);
  await new Promise((closed) => socket.once("close", closed));
  expect(server.faults()).toEqual([]);
});

test("health is 200 and names each part while all of them work", async ({ expect }) => {
  const server = await sharedServer();
  // Asked again: on a busy machine a part may miss the time of one check.
  const readHealth = async () => {
    const health = await fetch(`${server.url}/api/health`);
    return [health.status, await health.json()];
  };
  const parts = { database: "ok", ingest: "ok", analytics: "ok" };
  await expect.poll(readHealth).toEqual([200, { status: "ok", version: expect.any(String), ...parts }]);
});

test("the scripts that every page loads ask browsers to compile them in the background", async () => {
  const server = await sharedServer();
  const { rootMainFiles } = JSON.parse(readFileSync(".next/build-manifest.json", "utf8"));
  const page = await (await fetch(`${server.url}/login`)).text();
  expect(rootMainFiles.length).toBeGreaterThan(2);
  for (const file of rootMainFiles) {
    expect(page).toContain(file);
    expect(await (await fetch(`${server.url}/_next/${file}`)).text()).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
  }
});

test("the landing page and the docs are prerendered, and caches must revalidate them", async () => {
  const server = await sharedServer();
  for (const path of ["/", "/docs", "/docs/api", "/docs/api/sites.list"]) {
    const { headers } = await fetch(server.url + path, { headers: { cookie: "a=b" } });
    expect(headers.get("x-nextjs-prerender"), path).toBeTruthy();
    expect(headers.get("cache-control"), path).toBe("public, max-age=0, must-revalidate");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy, path).toContain("script-src 'self' 'unsafe-inline';");
    expect(policy, path).toContain("frame-ancestors 'none'");
  }
  expect((await fetch(`${server.url}/docs/api/nope`)).status).toBe(404);
});

test("readers of other languages get the landing page in theirs, by their browser or their choice", async () => {
  const server = await sharedServer();
  const pageFor = async (headers: Record<string, string>) => (await fetch(`${server.url}/`, { headers })).text();
  expect(await pageFor({ "accept-language": "de-AT,de;q=0.9" })).toMatch(/<html lang="de".*Konto erstellen/s);
  expect(await pageFor({ "accept-language": "de", cookie: "language=es" })).toMatch(
    /<html lang="es".*Crear una cuenta/s,
  );
  expect(await pageFor({ "accept-language": "fr" })).toMatch(/<html lang="en".*Create an account/s);
  expect(await pageFor({ "accept-language": "de", cookie: "language=en" })).toMatch(
    /<html lang="en".*Create an account/s,
  );
  const { headers } = await fetch(`${server.url}/`, { headers: { "accept-language": "de" } });
  expect(headers.get("content-security-policy")).toContain("script-src 'self' 'unsafe-inline';");
});

test("every Next response has the basic security headers, and paths with a token send no referrer", async () => {
  const server = await sharedServer();
  const basic = {
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "browsing-topics=(), camera=(), geolocation=(), microphone=()",
  };
  for (const path of ["/", "/docs", "/reset", "/api/nope", "/llms.txt", "/icon.svg", "/sites"]) {
    const { headers } = await fetch(server.url + path, { redirect: "manual" });
    expect(Object.fromEntries(headers), path).toMatchObject({ ...basic, "referrer-policy": "same-origin" });
  }
  for (const path of [
    "/reset/x",
    "/invite/x",
    "/signup/x",
    "/confirm/x",
    "/unsubscribe/x",
    "/api/v1/management/downloads/x",
  ]) {
    const { headers } = await fetch(server.url + path, { redirect: "manual" });
    expect(Object.fromEntries(headers), path).toMatchObject({ ...basic, "referrer-policy": "no-referrer" });
  }
  // A website that opened the sign-in of an assistant keeps its window.
  for (const path of ["/login", "/authorize", "/oauth/authorize"]) {
    const { headers } = await fetch(server.url + path, { redirect: "manual" });
    const policies = { ...basic, "cross-origin-opener-policy": "unsafe-none", "x-frame-options": "DENY" };
    expect(Object.fromEntries(headers), path).toMatchObject({ ...policies, "referrer-policy": "same-origin" });
  }
});

test("pipelined batches on one connection are stored in order", async () => {
  const server = await sharedServer();
  const { site, key } = await siteWithKey();
  const paths = ["/z", "/m", "/x", "/a", "/y", "/b"];
  const requests = paths.map((path, index) => {
    const context = { page: { url: `https://${site.host}${path}` }, session_id: "s-1" };
    // Every second event has an id, which needs a lookup first.
    const id = index % 2 === 0 ? { event_id: `pipelined-event-${index}` } : {};
    const body = JSON.stringify({ events: [{ type: "page", ...id, context }] });
    const last = index === paths.length - 1 ? "Connection: close\r\n" : "";
    const head = `POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${last}`;
    return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  });
  const socket = net.connect(server.port, "127.0.0.1");
  socket.write(requests.join(""));
  const answers = await text(socket);
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(paths.length);
  expect(answers.match(/"status":"stored"/g)).toHaveLength(paths.length);
  const today = { site_id: site.id, period: "24h" };
  const { journeys } = await call(site.ownerId, "analytics.journeys", today, new Date(Date.now() + 1000));
  expect(journeys[0].paths).toHaveLength(1);
  expect(journeys[0].paths[0].steps.map(({ value }: { value: string }) => value)).toEqual(paths);
});

test("clients cannot set their own address", async () => {
  const server = await sharedServer();
  const site = await makeSite();
  const spoof = (address: string) =>
    fetch(`${server.url}/api/event/`, {
      method: "POST",
      headers: { "content-type": "text/plain", "user-agent": CHROME, "x-footfall-client-ip": address },
      body: JSON.stringify(pageview(site, "/")),
    });
  expect([(await spoof("192.0.2.1")).status, (await spoof("192.0.2.2")).status]).toEqual([202, 202]);
  const visits = await rowsOf`SELECT pageviews FROM facts.visit WHERE site_id = ${site.id}`;
  expect(visits).toEqual([{ pageviews: 2 }]);
});

test("a second start on the same data names the URL of the first; after a kill the next server takes over its Postgres", {
  tags: "full",
}, async () => {
  const dataDir = temporaryDir();
  const first = await startServer({ DATA_DIR: dataDir });
  const second = await startServer({ DATA_DIR: dataDir }).catch((error: Error) => error);
  expect((second as Error).message).toContain(`already running on ${dataDir}, at http://localhost:${first.port}`);
  const postgresStartedAt = () =>
    connected(embeddedUrl(dataDir, "admin"), async (client) => {
      const { rows } = await client.query("SELECT pg_postmaster_start_time() AS at");
      return rows;
    });
  const before = await postgresStartedAt();
  await first.end("SIGKILL");
  const third = await startServer({ DATA_DIR: dataDir });
  expect(await postgresStartedAt()).toEqual(before);
  expect(await third.end("SIGTERM")).toBe(0);
  expect(statSync(path.join(dataDir, "app-secrets")).mode & 0o777).toBe(0o600);
});

test("a stop under load loses no acknowledged event", async () => {
  // The second shared server, which no later test needs.
  const [, server] = (await servers) as [RunningServer, RunningServer];
  const site = await makeSite();
  let answered = 0;
  let running = true;
  const sender = async (i: number) => {
    while (running) {
      const response = await event(server.url, pageview(site, "/"), { "x-forwarded-for": `10.9.0.${i}` }).catch(
        () => null,
      );
      if (response?.status === 202) answered++;
      else running = false;
      if (answered === 300) server.process.kill("SIGTERM");
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, i) => sender(i)));
  expect(await server.end("SIGTERM")).toBe(0);
  const [stored] = await rowsOf<{ events: number; counted: number }[]>`
    SELECT (SELECT count(*)::int FROM facts.event WHERE site_id = ${site.id}) AS events,
           (SELECT sum(events)::int FROM facts.intake WHERE site_id = ${site.id} AND outcome = 'stored') AS counted`;
  expect(answered).toBeGreaterThanOrEqual(300);
  expect(stored).toEqual({ events: answered, counted: answered });
});

test("a stop closes an unused connection at once, and waits for a request that has begun", {
  tags: "full",
}, async () => {
  const server = await ownServer();
  const [spare, busy] = [net.connect(server.port, "127.0.0.1"), net.connect(server.port, "127.0.0.1")];
  await Promise.all([once(spare, "connect"), once(busy, "connect")]);
  const head = ["POST /api/event HTTP/1.1", "Host: localhost", "Content-Type: application/json", "Content-Length: 2"];
  busy.write(`${head.join("\r\n")}\r\n\r\n{`);
  // Answered after the request above has arrived.
  await fetch(`${server.url}/api/health`);
  const ended = server.end("SIGTERM");
  await once(spare, "close");
  busy.write("}");
  expect((await text(busy)).split("\r\n", 1)).toEqual(["HTTP/1.1 422 Unprocessable Entity"]);
  expect(await ended).toBe(0);
});

test("an invalid configuration aborts the start and names each variable", async () => {
  const bad = await startServer({
    PORT: "99999999",
    BASE_URL: "ftp://x",
    SIGNUP: "maybe",
    DATA_DIR: temporaryDir(),
  }).catch((error: Error) => error);
  for (const name of ["PORT", "BASE_URL", "SIGNUP"]) expect((bad as Error).message).toContain(`  ${name} `);
});
