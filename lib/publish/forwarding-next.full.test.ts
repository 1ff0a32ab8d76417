import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http, { type Server } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FORWARD, NEXT, TAG } from "@/lib/publish/forwarding";
import { databaseForTests } from "@/lib/testing/database";
import { ALICE, BOB, postFrom, proxiedSite, visitorsOf, visitThrough } from "@/lib/testing/forwarding";
import { openedUrl } from "@/lib/testing/opened-url";
import { type RunningServer, startServer } from "@/lib/testing/server";
import { TEST_SECRETS, type TestSite } from "@/lib/testing/world";

/** The documented rewrites and signing function in a separate Next.js application, built and started. */

const NEXT_COMMAND = path.resolve("node_modules/next/dist/bin/next");
/** A handler that gets the visitor's address from the proxy in front. */
const SIGNING_ROUTE = `import { forward } from "../forward.js";

export const POST = (request) =>
  forward(request, { key: process.env.FOOTFALL_SIGNING_KEY, ip: request.headers.get("x-forwarded-for") });`;

const environment = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as const;
// Inside the project, so that it finds node_modules.
const app = path.resolve(mkdtempSync("build/next-app-"));

// The jobs of the server work on all sites, by its own clock.
databaseForTests();

let server: RunningServer;
let signed: { site: TestSite; key: string };
let next: { url: string; process: ChildProcess };
let proxy: { url: string; server: Server };

beforeAll(async () => {
  server = await startServer({
    DATABASE_URL: await openedUrl(),
    APP_SECRETS: TEST_SECRETS,
    DATA_DIR: path.join(app, "data"),
  });
  signed = await proxiedSite({ require_signature: true, rotate_signing_key: true });
  mkdirSync(path.join(app, "app/signed"), { recursive: true });
  const layout = `<html lang="en"><head>${TAG}</head><body>{children}</body></html>`;
  writeFileSync(path.join(app, "next.config.mjs"), NEXT(server.url));
  // Turbopack also searches the parent folders, and would find ours.
  writeFileSync(path.join(app, "instrumentation.js"), "export function register() {}");
  writeFileSync(path.join(app, "app/layout.js"), `export default ({ children }) => ${layout};`);
  writeFileSync(path.join(app, "app/page.js"), "export default () => <p>Our shop</p>;");
  writeFileSync(path.join(app, "app/forward.js"), FORWARD(server.url));
  writeFileSync(path.join(app, "app/signed/route.js"), SIGNING_ROUTE);
  await promisify(execFile)(process.execPath, [NEXT_COMMAND, "build", app], { env: environment });
  next = await startNext();
  proxy = await startProxy(next.url);
});

afterAll(async () => {
  proxy.server.close();
  next.process.kill();
  await Promise.all([once(next.process, "exit"), server.end("SIGTERM")]);
  rmSync(app, { recursive: true, force: true });
});

async function startNext() {
  const args = [NEXT_COMMAND, "start", app, "--port", "0", "--hostname", "127.0.0.1"];
  const env = { ...environment, FOOTFALL_SIGNING_KEY: signed.key };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk;
      const [, local] = /Local:\s+(http:\S+)/.exec(said) ?? [];
      if (local) resolve(local);
    });
    child.once("exit", () => reject(new Error(`Next ended before it was ready:\n${said}`)));
  });
  return { url, process: child };
}

/** The documented proxy in front: it replaces X-Forwarded-For by the visitor's address. */
async function startProxy(target: string) {
  const listening = http.createServer((request, response) => {
    const { method, url = "/", socket } = request;
    const headers = { ...request.headers, "x-forwarded-for": socket.remoteAddress };
    const onward = http.request(target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  return { url: `http://127.0.0.1:${(listening.address() as { port: number }).port}`, server: listening };
}

test("Next.js with the documented rewrites behind a proxy serves the script and passes on each visitor", async () => {
  const { site } = await proxiedSite();
  expect(await (await fetch(proxy.url)).text()).toContain('src="/numbers/read.js"');
  await visitThrough(proxy.url, site, server);
});

test("without a proxy, Next.js passes on no address and visitors can forge one, as the docs warn", async () => {
  const { site } = await proxiedSite();
  for (const from of [ALICE, BOB]) expect(await postFrom(from, `${next.url}/numbers/in`, site)).toBe(202);
  expect(await visitorsOf(site)).toEqual([2]);
  const lie = { "x-forwarded-for": ALICE };
  expect(await postFrom(BOB, `${next.url}/numbers/in`, site, lie)).toBe(202);
  expect(await postFrom(ALICE, `${server.url}/api/event`, site)).toBe(202);
  expect(await visitorsOf(site)).toEqual([2, 2]);
});

test("the server accepts what a Next.js route handler forwards with the documented signing function", async () => {
  const { site } = signed;
  for (const from of [ALICE, ALICE, BOB]) expect(await postFrom(from, `${proxy.url}/signed`, site)).toBe(202);
  expect(await visitorsOf(site)).toEqual([1, 2]);
  expect(await postFrom(ALICE, `${next.url}/numbers/in`, site, { "x-forwarded-for": ALICE })).toBe(422);
});
