import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { isSharingHost, ownHosts } from "@/lib/platform/http/own-hosts";
import { dynamicPagePolicy, isStaticPage, pageRefusal, transportSecurity } from "@/lib/platform/http/page-request";
import nextConfig from "@/next.config.mjs";
import { proxy } from "@/proxy";

const BASE_URL = "https://stats.example.com";
const HOSTS = {
  BASE_URL,
  ALLOWED_HOSTS: ["share.example.com", "stats.internal", "app", "192.0.2.7", "[2001:db8::7]", "stats.example.com"],
};
const site = {
  baseUrl: BASE_URL,
  isOwnHost: ownHosts(HOSTS),
  isSharingHost: (host: string | null) => isSharingHost(host, HOSTS),
};
const refused = (method: string, headers: Record<string, string>, path = "/share/shop.example") =>
  pageRefusal({ method, path, headers: new Headers(headers) }, site)?.code ?? null;

test("a page answers only under the server's own hosts", () => {
  for (const host of ["stats.example.com", "stats.internal:3000", "localhost:3000"]) {
    expect(refused("GET", { host }), host).toBeNull();
  }
  for (const host of ["evil.example", "stats.example.com.evil.example", ""]) {
    expect(refused("GET", { host }), host).toBe("misdirected_request");
  }
});

test("public names of ALLOWED_HOSTS serve shared and public pages only; BASE_URL, loopback and private names serve all", () => {
  const secret = "s".repeat(43);
  const shared = [
    `/s/${secret}`,
    `/s/${secret}/reports/events`,
    `/embed/${secret}`,
    "/share/shop.example",
    "/embed.js",
  ];
  for (const path of [...shared, "/", "/docs", "/docs/goals"])
    expect(refused("GET", { host: "share.example.com" }, path), path).toBeNull();
  const owners = ["/login", "/sites", "/sites/1", "/account", "/approvals", "/device", "/admin", "/oauth/authorize"];
  for (const path of [...owners, "/share", "/s", "/s/", "/shared/x", "/sites/s/x", "/embed.js/x", "//s/x"]) {
    expect(refused("GET", { host: "SHARE.example.com:3000" }, path), path).toBe("misdirected_request");
    for (const host of [
      "stats.example.com",
      "localhost:3000",
      "stats.internal",
      "app:3000",
      "192.0.2.7",
      "[2001:db8::7]",
    ])
      expect(refused("GET", { host }, path), path).toBeNull();
  }
});

test("a page accepts forms only from BASE_URL and from the host of the request", () => {
  const host = "stats.internal:3000";
  for (const origin of [BASE_URL, "http://stats.internal:3000"]) {
    expect(refused("POST", { host, origin }), origin).toBeNull();
  }
  for (const origin of ["https://evil.example", "http://stats.internal:3001", "http://stats.example.com", "null", ""]) {
    expect(refused("POST", { host, origin }), origin).toBe("cross_site");
  }
  expect(refused("POST", { host })).toBeNull();
  expect(refused("GET", { host, origin: "https://evil.example" })).toBeNull();
});

test("what is posted to a page never reaches Next: a form and a Server Action are sent back to the page", () => {
  const origin = "http://localhost:3000";
  for (const path of ["/signup?next=%2Fa", "/", "/docs", "/sites/new"]) {
    for (const [name, value] of [
      ["next-action", "40".repeat(21)],
      ["content-type", "multipart/form-data; boundary=x"],
      ["accept", "application/json"],
    ] as const) {
      const headers = new Headers({ host: "localhost:3000", origin, [name]: value });
      const answer = proxy(new NextRequest(origin + path, { method: "POST", headers, body: "x" }));
      expect([answer.status, answer.headers.get("location")]).toEqual([303, origin + path]);
    }
  }
});

test("a program that posts JSON reaches the error in JSON of unknown addresses, and never a Server Action", () => {
  const origin = "http://localhost:3000";
  const all: Record<string, string>[] = [
    { "content-type": "application/json", accept: "*/*" },
    { "content-type": "application/problem+json" },
    { "content-type": "application/json", "next-action": "40".repeat(21) },
  ];
  for (const sent of all) {
    const headers = new Headers({ host: "localhost:3000", ...sent });
    const answer = proxy(new NextRequest(`${origin}/v1/events`, { method: "POST", headers, body: "{}" }));
    expect(answer.headers.get("x-middleware-next"), JSON.stringify(sent)).toBe("1");
    expect(answer.headers.get("x-middleware-override-headers")).not.toContain("next-action");
  }
});

test("the landing page is in the language that the reader chose, or else in the browser's", () => {
  const shown = (headers: Record<string, string>) => {
    const answer = proxy(
      new NextRequest("http://localhost:3000/", { headers: { host: "localhost:3000", ...headers } }),
    );
    return answer.headers.get("x-middleware-rewrite")?.replace("http://localhost:3000", "") ?? "/";
  };
  expect(shown({ "accept-language": "de-AT,en;q=0.5" })).toBe("/translated");
  expect(shown({ cookie: "theme=dark; language=es" })).toBe("/translated");
  expect(shown({ "accept-language": "de", cookie: "language=en" })).toBe("/");
  expect(shown({ "accept-language": "fr", cookie: "language=xx" })).toBe("/");
});

test("only the landing page and the docs are static", () => {
  for (const path of ["/", "/translated", "/docs", "/docs/", "/docs/api/sites.list", "/docs/searching"])
    expect(isStaticPage(path), path).toBe(true);
  for (const path of [
    "/login",
    "/docsy",
    "/docs/search",
    "/docs/search/",
    "/demo",
    "/sites/1/docs",
    "//",
    "/share/docs",
  ]) {
    expect(isStaticPage(path), path).toBe(false);
  }
});

const policyOf = (path: string) => dynamicPagePolicy(path, { nonce: "n", inlineHashes: ["sha256-h"], dev: false });

test("a rendered page runs scripts with its nonce, our inline scripts, and scripts that these load", () => {
  expect(policyOf("/login")).toContain("script-src 'self' 'nonce-n' 'sha256-h' 'strict-dynamic';");
  expect(policyOf("/login")).not.toContain("unsafe-eval");
});

test("the policies of rendered and prerendered pages differ only in their scripts", async () => {
  const rest = (policy: string | undefined) => policy?.split("; ").filter((part) => !part.startsWith("script-src"));
  const rules = (await nextConfig.headers?.()) ?? [];
  const given = rules.flatMap(({ headers }) => headers).filter(({ key }) => key === "Content-Security-Policy");
  expect(given.length).toBeGreaterThan(0);
  for (const { value } of given) expect(rest(value)).toEqual(rest(policyOf("/login")));
});

test("HSTS is sent only when BASE_URL is https", () => {
  expect(transportSecurity(BASE_URL)).toBe("max-age=31536000");
  expect(transportSecurity("http://localhost:3000")).toBeNull();
});

test("only shared pages may be framed: public dashboards, and links below /embed", () => {
  const secret = "s".repeat(43);
  for (const path of [
    "/share/shop.example",
    "/share/shop.example/",
    `/embed/${secret}`,
    `/embed/${secret}/`,
    `/embed/${secret}/reports/events`,
  ])
    expect(policyOf(path), path).toContain("frame-ancestors *");
  for (const path of [
    `/s/${secret}`,
    `/s/${secret}/reports/events`,
    "/share",
    "/share/",
    "/share/shop.example/b",
    "/embed",
    "/embed/",
    "/login",
    "/embed/x/y",
    "/sites",
  ])
    expect(policyOf(path), path).toContain("frame-ancestors 'none'");
});
