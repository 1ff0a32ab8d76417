import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Client, Reply, Tier } from "@/e2e/contract/client";
import { createPerson } from "@/lib/auth/create-person";
import { db } from "@/lib/platform/db";
import { PASSWORD } from "@/lib/testing/password";
import { makeSite } from "@/lib/testing/world";

const TRACKERS = ["/script.js", "/script.full.js", "/footfall.mjs", "/umami.js", "/js/script.hash.outbound-links.js"];

/** Pages and tracker scripts with their headers. */
export function pages(client: () => Client, tier: Tier): void {
  test("landing page, docs and sign-in have one heading and headers against framing and sniffing", async () => {
    for (const path of ["/", "/docs", "/docs/api", "/docs/", "/login"]) {
      const page = await client().call(path);
      expect([page.status, page.headers.get("content-type")], path).toEqual([200, "text/html; charset=utf-8"]);
      expect(page.text.match(/<h1\b/g), path).toHaveLength(1);
      expectSafe(page, path);
    }
  });

  test("a dynamic page allows only scripts with its nonce or hash, and clients cannot choose the nonce", async () => {
    const spoofed = { "x-nonce": "evil", "content-security-policy": "script-src 'nonce-evil'" };
    const paths = [
      "/login",
      "/signup",
      "/reset",
      "/reset/x",
      "/invite/x",
      "/unsubscribe/x",
      "/share/a.example",
      "/nope",
    ];
    const policies = new Set<string>();
    for (const path of paths) {
      for (const headers of [{}, spoofed]) {
        const page = await client().call(path, { headers });
        const policy = policyOf(page);
        policies.add(policy);
        expect(page.text, path).not.toContain('nonce="evil"');
        expect(policy, path).toMatch(/script-src [^;]*'nonce-[\w+/=-]{16,}'[^;]* 'strict-dynamic'/);
        const scripts = [...page.text.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs)];
        expect(scripts.length, path).toBeGreaterThan(1);
        const blocked = scripts.filter(([, attributes = "", code = ""]) => !isAllowed(policy, attributes, code));
        expect(
          blocked.map(([tag]) => tag.slice(0, 100)),
          path,
        ).toEqual([]);
      }
    }
    expect(policies.size).toBe(2 * paths.length);
  });

  test("icons, manifest, robots.txt and licence answer with their types, and every icon of the manifest exists", async () => {
    for (const [path, type] of [
      ["/favicon.ico", "image/x-icon"],
      ["/apple-icon.png", "image/png"],
      ["/apple-touch-icon.png", "image/png"],
      ["/apple-touch-icon-precomposed.png", "image/png"],
      ["/robots.txt", "text/plain"],
      ["/licence.txt", "text/plain; charset=utf-8"],
      ["/manifest.webmanifest", "application/manifest+json"],
    ] as const) {
      const file = await client().call(path);
      expect([file.status, file.headers.get("content-type")], path).toEqual([200, type]);
    }
    const { icons } = JSON.parse((await client().call("/manifest.webmanifest")).text);
    expect(icons.length).toBeGreaterThan(1);
    for (const { src, type } of icons) {
      const icon = await client().call(src);
      expect([icon.status, icon.headers.get("content-type")], src).toEqual([200, type]);
    }
  });

  test("the landing page, the docs and a public dashboard have cards whose picture exists", async () => {
    const { id, host } = await makeSite();
    await db().site.update({ where: { id }, data: { public: true } });
    for (const path of ["/", "/docs", "/docs/privacy", `/share/${host}`]) {
      const { text } = await client().call(path);
      const metaOf = (name: string) =>
        new RegExp(`<meta (?:property|name)="${name}" content="([^"]+)"`).exec(text)?.[1] ?? "";
      for (const name of ["og:title", "og:description", "twitter:card"]) expect(metaOf(name), path).not.toBe("");
      expect(text.match(/property="og:image"/g), path).toHaveLength(1);
      const picture = new URL(metaOf("og:image"), client().url).pathname;
      const { status, headers } = await client().call(picture);
      expect([status, headers.get("content-type")], path).toEqual([200, "image/png"]);
    }
    expect((await client().call(`/share/${host}`)).text).toMatch(/property="og:image" content="https?:/);
  });

  test("the search of the docs is rendered with a nonce, needs no script and shows a query as text", async () => {
    const page = await client().call("/docs/search?q=banner");
    expect(page.text).toContain('href="/docs/privacy#banner"');
    const hostile = await client().call(`/docs/search?q=${encodeURIComponent('"><img src=x onerror=alert(1)>')}&q=2`);
    expect(hostile.status).toBe(200);
    expect(hostile.text).not.toContain("<img src=x");
    for (const { headers } of [page, hostile]) {
      expect(headers.get("content-security-policy")).toMatch(/'nonce-/);
      expect(headers.get("cache-control")).toContain("no-store");
    }
  });

  test("a page with a secret in its URL sends no referrer", async () => {
    for (const path of ["/reset/secret", "/invite/secret", "/confirm/secret", "/signup/secret"]) {
      const page = await client().call(path);
      expect(page.headers.get("referrer-policy"), path).toBe("no-referrer");
      expect(page.text, path).not.toContain("Application error");
    }
  });

  test("an unknown page and the public URL of a private site are 404", async () => {
    const { host } = await makeSite();
    for (const path of ["/nothing-here", "/share/nobody.example", `/share/${host}`]) {
      const page = await client().call(path);
      expect([page.status, page.headers.get("x-content-type-options")], path).toEqual([404, "nosniff"]);
    }
  });

  test("a public dashboard is visible without sign-in and can be framed, and no address beside it", async () => {
    const { id, host } = await makeSite();
    await db().site.update({ where: { id }, data: { public: true } });
    for (const path of [`/share/${host}`, `/share/${host}/`, `/share/${host}?embed=true`]) {
      const page = await client().call(path);
      expect([page.status, page.headers.get("x-frame-options")], path).toEqual([200, null]);
      expect(policyOf(page), path).toMatch(/frame-ancestors \*/);
      expect(page.text, path).toContain(host);
    }
    for (const path of ["/share/", `/share/${host}/b`, `/share/${host}/data/last-event/`]) {
      const page = await client().call(path);
      expect(page.headers.get("x-frame-options"), path).toBe("DENY");
      expect(policyOf(page), path).toMatch(/frame-ancestors 'none'/);
    }
  });

  test("dates have the locale of each request's browser, also on one connection", async () => {
    const { id, host } = await makeSite();
    await db().site.update({ where: { id }, data: { public: true } });
    const path = `/share/${host}?from=2026-03-03&to=2026-03-05`;
    for (const [language, words] of [
      ["de-DE,de;q=0.9,en;q=0.8", "3.–5. März 2026"],
      ["fr", "3–5 mars 2026"],
      ["en-US", "Mar 3 – 5, 2026"],
      ["", "Mar 3 – 5, 2026"],
    ] as const) {
      const page = await client().call(path, { headers: { "accept-language": language } });
      expect(page.text, language).toContain(words);
    }
  });

  test("only a signed-in member sees a site", async () => {
    const email = `${randomUUID()}@example.com`;
    const { personId } = await createPerson({ email, password: PASSWORD }, new Date());
    const site = await makeSite();
    await db().membership.create({ data: { siteId: site.id, personId, role: "owner" } });
    const path = `/sites/${site.id}/settings/general`;
    const stranger = await client().call(path);
    expect([stranger.status, stranger.headers.get("location")]).toEqual([
      307,
      `/login?next=${encodeURIComponent(path)}`,
    ]);
    const cookie = await signIn(client(), email);
    const page = await client().call(path, { headers: { cookie } });
    expect(page.status, page.headers.get("location") ?? "").toBe(200);
    expect(page.text).toContain(site.host);
    expect(page.headers.get("cache-control")).toContain("no-store");
    expectSafe(page, path);
    const other = await client().call(`/sites/${(await makeSite()).id}`, { headers: { cookie } });
    expect(other.status).toBe(404);
  });

  test("a wrong password is 401, and cross-site submissions are refused", async () => {
    const email = `${randomUUID()}@example.com`;
    await createPerson({ email, password: PASSWORD }, new Date());
    const wrong = await sendSignIn(client(), email, "another password");
    expect([wrong.status, wrong.headers.getSetCookie().join()]).toEqual([401, expect.not.stringContaining("session")]);
    const foreign = { origin: "https://evil.example" };
    const form = await client().call("/login", { body: new URLSearchParams({ a: "1" }), headers: foreign });
    expect(form.status).toBe(403);
    const action = await client().call("/actions/agents.revoke", { body: {}, headers: foreign });
    expect(action.status).toBe(401);
  });

  test("a visitor's sign-up is taken from our own pages alone", async () => {
    const email = `${randomUUID()}@example.com`;
    const request = { email, next: "/sites" };
    const foreign: Record<string, string>[] = [{ origin: "https://evil.example" }, { origin: "null" }, {}];
    for (const headers of foreign) {
      const signup = await client().call("/actions/signup.request", { body: request, headers });
      expect([signup.status, signup.body.error.code]).toEqual([403, "cross_site"]);
    }
    expect(await db().pendingSignup.count({ where: { email } })).toBe(0);
    const own = await client().call("/actions/signup.request", { body: request, headers: { origin: client().url } });
    expect([own.status, await db().pendingSignup.count({ where: { email } })]).toEqual([200, 1]);
  });

  test("a page runs nothing that is posted to it: a form or a Server Action is sent back to the page", async () => {
    const own = { origin: client().url };
    const action = { ...own, accept: "text/x-component", "next-action": "40".repeat(21), "content-type": "text/plain" };
    const forged = new URLSearchParams({ [`$ACTION_ID_${"40".repeat(21)}`]: "", email: "eve@example.com" });
    for (const path of ["/signup?next=%2Fsites", "/login", "/sites/new", "/", "/docs"]) {
      for (const call of [
        { body: forged, headers: own },
        { body: '["$F1"]', headers: action },
      ]) {
        const { status, headers } = await client().call(path, call);
        // Without a host: behind a proxy the server's idea of it is another.
        expect([status, headers.get("location")], path).toEqual([303, path]);
      }
      const headers = { ...action, origin: "https://evil.example" };
      expect((await client().call(path, { body: '["$F1"]', headers })).status, path).toBe(403);
    }
    const elsewhere = await client().call("//evil.example/signup", { body: forged, headers: own });
    expect(new URL(elsewhere.headers.get("location") ?? "", client().url).origin).toBe(client().url);
  });

  test("any origin can load the tracker scripts, and browsers revalidate them", async () => {
    for (const path of TRACKERS) {
      const script = await client().call(path);
      expect([script.status, script.headers.get("content-type")], path).toEqual([
        200,
        expect.stringMatching(/^(text|application)\/javascript; charset=utf-8$/i),
      ]);
      expect(script.headers.get("access-control-allow-origin"), path).toBe("*");
      expect(script.headers.get("cross-origin-resource-policy"), path).toBe("cross-origin");
      expect(script.headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(script.headers.get("cache-control"), path).toContain("max-age=3600");
      const etag = script.headers.get("etag") ?? "";
      const again = await client().callWith({ "if-none-match": etag }, path);
      expect([again.status, again.text], path).toEqual([304, ""]);
    }
  });

  test("pages answer only under the server's own hosts; tracker, events and health under any host", async () => {
    for (const path of ["/", "/docs", "/login", "/share/nobody.example"]) {
      const { status, type } = await client().callWith({ host: "evil.example" }, path);
      expect([status, type], path).toEqual([421, "text/plain; charset=utf-8"]);
    }
    expect((await client().callWith({ host: `127.0.0.1:${client().server.port}` }, "/login")).status).toBe(200);
    for (const path of [...TRACKERS, "/api/health"]) {
      expect((await client().callWith({ host: "numbers.shop.example" }, path)).status, path).toBe(200);
    }
    for (const path of ["/api/event", "/api/event/"]) {
      expect((await client().callWith({ host: "numbers.shop.example" }, path, "OPTIONS")).status, path).toBe(204);
    }
  });

  test("health is 200 while the database answers", async () => {
    const { status, headers, body } = await client().call("/api/health");
    expect([status, headers.get("cache-control"), body]).toMatchObject([200, "no-store", { database: "ok" }]);
  });

  test("the APIs of agents and of our own pages answer only under the server's own hosts", async () => {
    for (const [method, path] of [
      ["GET", "/api/v1/management/actions/sites.list"],
      ["POST", "/api/v1/agents/identity/challenges"],
      ["GET", "/.well-known/oauth-authorization-server"],
      ["POST", "/oauth/token"],
      ["GET", "/api/auth/session"],
      ["POST", "/actions/agents.revoke"],
    ] as const) {
      const { status, text } = await client().callWith({ host: "evil.example" }, path, method);
      const { error } = JSON.parse(text);
      expect([status, error.code ?? error], path).toEqual([
        421,
        path.startsWith("/oauth/") ? "invalid_request" : "misdirected_request",
      ]);
      expect((await client().callWith({ host: "localhost" }, path, method)).status, path).not.toBe(421);
    }
  });

  if (tier === "short") return;

  test("the tracker scripts refuse all methods except GET and HEAD", async () => {
    for (const path of TRACKERS) {
      const { status, headers } = await client().call(path, { method: "POST" });
      expect([status, headers.get("allow")], path).toEqual([405, "GET, HEAD"]);
    }
  });
}

const policyOf = ({ headers }: Reply): string => headers.get("content-security-policy") ?? "";

/** Checks the security headers of all pages except public dashboards. */
function expectSafe(page: Reply, path: string): void {
  expect(page.headers.get("x-content-type-options"), path).toBe("nosniff");
  expect(page.headers.get("x-frame-options"), path).toBe("DENY");
  expect(page.headers.get("referrer-policy"), path).toBe("same-origin");
  const policy = policyOf(page);
  for (const rule of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'", "default-src 'self'"]) {
    expect(policy, path).toContain(rule);
  }
}

/** Whether the content security policy of a page allows a script. */
function isAllowed(policy: string, attributes: string, code: string): boolean {
  const nonce = /\bnonce="([^"]+)"/.exec(attributes)?.[1];
  if (nonce !== undefined) return policy.includes(`'nonce-${nonce}'`);
  return policy.includes(`'sha256-${createHash("sha256").update(code).digest("base64")}'`);
}

/** Signs in like the form of the sign-in page. */
async function sendSignIn(client: Client, email: string, password: string): Promise<Reply> {
  const csrf = await client.call("/api/auth/csrf");
  const cookie = cookiesOf(csrf);
  const form = { csrfToken: csrf.body.csrfToken, email, password, json: "true" };
  const headers = { cookie, origin: client.url };
  return client.call("/api/auth/callback/credentials", { body: new URLSearchParams(form), headers });
}

async function signIn(client: Client, email: string): Promise<string> {
  const answer = await sendSignIn(client, email, PASSWORD);
  if (answer.status !== 200) throw new Error(`Not signed in: ${answer.status} ${answer.text}`);
  return cookiesOf(answer);
}

const cookiesOf = ({ headers }: Reply): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
