import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CADDY, FORWARD, NGINX, SIGN_PHP, SIGN_PYTHON, WORKER } from "@/lib/publish/forwarding";
import { databaseForTests } from "@/lib/testing/database";
import { ALICE, BOB, FORGED, postFrom, proxiedSite, view, visitorsOf, visitThrough } from "@/lib/testing/forwarding";
import { openedUrl } from "@/lib/testing/opened-url";
import { rowsOf } from "@/lib/testing/rows";
import { freePort, type RunningServer, startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { CHROME, TEST_SECRETS } from "@/lib/testing/world";

/** The configurations and functions of the docs, run unchanged between visitors and the built server. */

const dir = temporaryDir(afterAll);
// The jobs of the server work on all sites, by its own clock.
databaseForTests();

let server: RunningServer;

beforeAll(async () => {
  server = await startServer({
    DATABASE_URL: await openedUrl(),
    APP_SECRETS: TEST_SECRETS,
    DATA_DIR: path.join(dir, "data"),
  });
});
afterAll(async () => void (await server.end("SIGTERM")));

const has = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return process.platform === "linux";
  } catch {
    return false;
  }
};

test.runIf(has("nginx", "-v"))(
  "nginx with the documented configuration passes on each visitor's address and ignores forged ones",
  async () => {
    const { site } = await proxiedSite();
    const port = await freePort();
    const [prefix, config] = [path.join(dir, "nginx"), path.join(dir, "nginx", "nginx.conf")];
    mkdirSync(prefix);
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${prefix};`);
    const block = `server { listen 127.0.0.1:${port}; location / { return 404; }\n${NGINX(server.url)}\n}`;
    const user = process.getuid?.() === 0 ? "user root;" : "";
    writeFileSync(
      config,
      `${user} pid ${prefix}/pid; events {} http { access_log off; ${paths.join(" ")}\n${block}\n}`,
    );
    const nginx = (...args: string[]) =>
      execFileSync("nginx", ["-p", prefix, "-e", `${prefix}/error.log`, "-c", config, ...args], { stdio: "ignore" });
    nginx();
    try {
      await visitThrough(`http://127.0.0.1:${port}`, site, server);
    } finally {
      nginx("-s", "stop");
    }
  },
);

test.runIf(has("caddy", "version"))(
  "Caddy with the documented configuration passes on each visitor's address and ignores forged ones",
  async () => {
    const { site } = await proxiedSite();
    const [port, admin] = [await freePort(), `127.0.0.1:${await freePort()}`];
    const config = path.join(dir, "Caddyfile");
    const block = `${CADDY(server.url)}\nhandle {\nrespond 404\n}`;
    writeFileSync(config, `{\nadmin ${admin}\n}\nhttp://127.0.0.1:${port} {\nbind 127.0.0.1\n${block}\n}`);
    const env = { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir };
    const options = { stdio: "ignore", env } as const;
    execFileSync("caddy", ["start", "--config", config, "--adapter", "caddyfile"], options);
    try {
      await visitThrough(`http://127.0.0.1:${port}`, site, server);
    } finally {
      execFileSync("caddy", ["stop", "--address", admin], options);
    }
  },
);

const load = (code: string) => import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);

test("the Worker for Cloudflare signs forwarded events and drops addresses that a visitor sends", async () => {
  const { site, key } = await proxiedSite({ require_signature: true, rotate_signing_key: true });
  const worker = (await load(WORKER(server.url))).default;
  const visit = (ip: string, signingKey: string, headers: Record<string, string> = {}) => {
    const sent = {
      "cf-connecting-ip": ip,
      "content-type": "text/plain",
      "user-agent": CHROME,
      cookie: "a=b",
      ...headers,
    };
    const request = new Request(`https://${site.host}/numbers/in`, {
      method: "POST",
      headers: sent,
      body: view(site),
    });
    return worker.fetch(request, { FOOTFALL_SIGNING_KEY: signingKey });
  };
  expect((await visit(ALICE, key)).status).toBe(202);
  expect((await visit(ALICE, key, { "x-forwarded-for": FORGED, "x-footfall-signature": "0".repeat(64) })).status).toBe(
    202,
  );
  expect((await visit(BOB, key)).status).toBe(202);
  expect((await visit(BOB, "ffs_another")).status).toBe(422);
  // Directly from Alice's address: she is the visitor that the Worker passed on.
  expect(await postFrom(ALICE, `${server.url}/api/event`, site)).toBe(202);
  expect(await visitorsOf(site)).toEqual([1, 3]);
  const script = await worker.fetch(new Request(`https://${site.host}/numbers/read.js`), {});
  expect([script.status, script.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
  expect((await worker.fetch(new Request(`https://${site.host}/numbers/login`), {})).status).toBe(404);
});

test("the server accepts what the Node function forwards, and opt-out signals still apply", async () => {
  const { site, key } = await proxiedSite({ require_signature: true, rotate_signing_key: true });
  const { forward } = await load(FORWARD(server.url));
  const visit = (ip: string, more: Record<string, string> = {}) => {
    const headers = {
      "content-type": "text/plain",
      "user-agent": CHROME,
      "accept-language": "en",
      origin: `https://${site.host}`,
      connection: "keep-alive",
      cookie: "a=b",
      "x-forwarded-for": FORGED,
      ...more,
    };
    const url = `https://${site.host}/numbers/in`;
    return forward(new Request(url, { method: "POST", headers, body: view(site) }), { key, ip });
  };
  for (const ip of [ALICE, ALICE, BOB]) expect((await visit(ip)).status).toBe(202);
  expect(await (await visit("127.0.3.9", { "sec-gpc": "1" })).json()).toMatchObject({ status: "filtered" });
  expect(await (await visit("127.0.4.9", { dnt: "1" })).json()).toMatchObject({ status: "filtered" });
  // Without its own headers, a Chromium browser would be suspicious.
  const classes = await rowsOf`SELECT traffic::int FROM facts.visit WHERE site_id = ${site.id} GROUP BY 1`;
  expect(classes).toEqual([{ traffic: 1 }]);
  expect(await visitorsOf(site)).toEqual([1, 2]);
});

const SIGN = "import json, sys; print(json.dumps(signed(sys.argv[1], sys.argv[2], sys.argv[3].encode())))";
test.runIf(has("python3", "--version"))("the server accepts the signature of the Python function", async () => {
  await expectTaken("python3", "-c", `${SIGN_PYTHON}\n${SIGN}`);
});

test.runIf(has("php", "--version"))("the server accepts the signature of the PHP function", async () => {
  const code = SIGN_PHP.replace("<?php", "");
  await expectTaken("php", "-r", `${code} echo json_encode(signed($argv[1], $argv[2], $argv[3]));`, "--");
});

/** Lets a program sign the views of two visitors for a site that requires signatures. */
async function expectTaken(command: string, ...args: string[]): Promise<void> {
  const { site, key } = await proxiedSite({ require_signature: true, rotate_signing_key: true });
  const body = view(site);
  const forward = (headers: Record<string, string>) =>
    fetch(`${server.url}/api/event`, { method: "POST", headers: { "user-agent": CHROME, ...headers }, body });
  for (const ip of [ALICE, BOB]) {
    const signed = JSON.parse(execFileSync(command, [...args, key, ip, body], { encoding: "utf8" }));
    expect((await forward(signed)).status).toBe(202);
    expect((await forward({ ...signed, "X-Forwarded-For": "127.0.3.9" })).status).toBe(422);
  }
  expect(await visitorsOf(site)).toEqual([1, 1]);
}
