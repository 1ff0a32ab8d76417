import { hash, randomUUID, X509Certificate } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "@playwright/test";
import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { findBrowser } from "@/lib/sites/check/browser";
import { runTest, type World } from "@/lib/sites/check/runner";
import { readTest, startTest } from "@/lib/sites/check/runs";
import { findingsOfVisit, type TestVisit, visit } from "@/lib/sites/check/visit";
import { type PagedSite, pagesForTests } from "@/lib/testing/own-page";
import { PATIENT_MS } from "@/lib/testing/patience";
import { sampled } from "@/lib/testing/tier";
import { postRaw } from "@/lib/testing/world";

/** Opens pages in a real browser: working ones, and hostile ones that try to reach private addresses. */

const { paged, set, stops } = pagesForTests();

const program = findBrowser() ?? chromium.executablePath();
const open = test.runIf(existsSync(program));

/** Starts an HTTP server on loopback. @returns its URL, the requested paths and the number of connections */
async function listening(answer: RequestListener): Promise<{ url: string; requests: string[]; connections(): number }> {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    answer(request, response);
  }).listen(0, "127.0.0.1");
  server.on("connection", () => connections++);
  await once(server, "listening");
  stops.push(async () => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, connections: () => connections };
}

/** A stand-in for this service: the tracker script and the event endpoint. */
const service = () =>
  listening((request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    if (request.url === "/script.js") return void response.setHeader("content-type", "text/javascript").end(SCRIPT);
    const body: Buffer[] = [];
    request.on("data", (piece) => body.push(piece));
    request.on("end", async () => {
      const answer = await postRaw(Buffer.concat(body));
      response.writeHead(answer.status).end(await answer.text());
    });
  });
const SCRIPT = `const { src, dataset } = document.currentScript;
fetch(new URL("api/event", src), { method: "POST", body: JSON.stringify({ domain: dataset.domain, name: "pageview", url: location.href }) });`;

const certificate = new X509Certificate(readFileSync("lib/testing/certificates/proof.pem"));
const key = certificate.publicKey.export({ type: "spki", format: "der" });
/** A visit ends when its event got a response, and so never waits for that long. */
const PATIENT = { deadlineMs: PATIENT_MS, settleMs: PATIENT_MS };
/** The test environment may have no sandbox, and the test CA is not installed. */
const switches = ["--no-sandbox", `--ignore-certificate-errors-spki-list=${hash("sha256", key, "base64")}`];

async function tested(site: PagedSite, baseUrl: string, world: World = {}) {
  const { id } = await startTest(db(), { id: site.id, domain: site.host }, new Date());
  await runTest(id, {
    internet: site.internet,
    browser: program,
    switches,
    baseUrl,
    pollMs: 50,
    ...PATIENT,
    ...world,
  });
  return readTest(db(), site.id, id, new Date());
}

open("a browser opens the page, its event arrives, and the test passes without a person", async () => {
  const { url } = await service();
  const site = await paged(
    (host: string) => `<head><script defer src="${url}/script.js" data-domain="${host}"></script></head>`,
  );
  const done = await tested(site, url);
  expect(done).toMatchObject({ status: "passed", page: { browser: true }, event: { page: `${site.host}/` } });
  expect(done.findings.map(({ code }) => code)).toEqual(["snippet_found", "browser_used", "event_arrived"]);
});

open(
  "a page that never loads the script, or that the browser cannot open, fails with the browser's findings",
  async () => {
    const { url } = await service();
    const site = await paged((request, response) => {
      if (request.url === "/app.js") return void response.setHeader("content-type", "text/javascript").end("1");
      response.setHeader("content-type", "text/html").end('<script src="/app.js"></script>');
    });
    const done = await tested(site, url, { settleMs: 100 });
    expect(done.status).toBe("failed");
    expect(done.findings.map(({ code }) => code)).toEqual(["snippet_missing", "browser_used", "script_not_asked"]);

    // A browser that does not trust the test CA.
    const unopened = await tested(site, url, { switches: ["--no-sandbox"], settleMs: 100 });
    expect(unopened.findings.at(-1)).toMatchObject({
      code: "page_not_opened",
      evidence: "net::ERR_CERT_AUTHORITY_INVALID",
    });
  },
);

open(
  "a page cannot make the browser reach private addresses, private names, other ports or bypass the proxy",
  async () => {
    const { url, requests } = await service();
    const inner = await listening((_, response) =>
      response.setHeader("access-control-allow-origin", "*").end("secret"),
    );
    const datagrams: Buffer[] = [];
    const udp = createSocket("udp4").on("message", (message) => datagrams.push(message));
    udp.bind(0, "127.0.0.1");
    await once(udp, "listening");
    stops.push(async () => void udp.close());
    const port = new URL(inner.url).port;
    const targets = [
      inner.url,
      `http://localhost:${port}`,
      `http://[::1]:${port}`,
      `http://2130706433:${port}`,
      `http://inner.example:${port}`,
      "http://inner.example",
      "http://169.254.169.254/latest/meta-data/",
      "file:///etc/passwd",
    ];
    const site = await paged(
      (host: string) => `<script>
    const targets = ${JSON.stringify(targets)};
    const peer = RTCPeerConnection;
    const call = new peer({ iceServers: [
      { urls: "stun:127.0.0.1:${udp.address().port}" },
      { urls: "turn:127.0.0.1:${port}?transport=tcp", username: "x", credential: "x" },
    ] });
    call.createDataChannel("x");
    call.createOffer().then((offer) => call.setLocalDescription(offer), () => {});
    const tries = targets.flatMap((target) => [
      fetch(target).then((answer) => answer.text()),
      new Promise((done, fail) => { const image = new Image(); image.onload = done; image.onerror = fail; image.src = target }),
      new Promise((done, fail) => { const socket = new WebSocket(target.replace(/^\\w+/, "ws")); socket.onopen = done; socket.onerror = fail }),
      new Promise((done, fail) => { try { done(new Worker(URL.createObjectURL(new Blob(["importScripts(" + JSON.stringify(target) + ")"])))) } catch (error) { fail(error) } }),
    ]);
    for (const target of targets) { const frame = document.createElement("iframe"); frame.src = target; document.documentElement.append(frame) }
    open(targets[0]);
    Promise.allSettled(tries).then((all) => fetch("${url}/api/event", { method: "POST", body: JSON.stringify({ domain: "${host}", name: "tried", props: { tries: all.length } }) }));
  </script>`,
    );
    set("inner.example", { A: ["127.0.0.2"] });
    const seen = await visit({
      account: site.host,
      program,
      address: `https://${site.host}/`,
      baseUrl: url,
      internet: site.internet,
      switches,
      ...PATIENT,
    });
    // The page ran all its attempts to the end.
    expect(seen).toMatchObject({ event: { status: 202 } });
    expect(requests).toEqual(["/api/event"]);
    expect([inner.requests, inner.connections(), datagrams]).toEqual([[], 0, []]);
  },
);

open("a browser that a page keeps busy is killed at its deadline", { tags: "full" }, async () => {
  const site = await paged(() => "<script>for (;;);</script>");
  const { url } = await service();
  const options = {
    account: site.host,
    program,
    address: `https://${site.host}/`,
    baseUrl: url,
    internet: site.internet,
    switches,
  };
  let seen = null;
  // A slow machine needs longer to start the browser.
  for (const deadlineMs of [3_000, 10_000, 30_000]) seen ??= await visit({ ...options, deadlineMs });
  expect(seen).toEqual({ refusal: null, script: null, event: null, stopped: null });
});

open("a page that takes memory without end is stopped, and the test says so", async () => {
  const { url } = await service();
  const hoards = [
    // Typed arrays, which the limit of JavaScript objects does not cover, in the page and in a worker.
    "setInterval(() => kept.push(new Uint8Array(32e6).fill(1)), 1)",
    "for (;;) kept.push(new Uint8Array(32e6).fill(1))",
    `new Worker(URL.createObjectURL(new Blob(["const kept = []; setInterval(() => kept.push(new Uint8Array(32e6).fill(1)), 1)"])))`,
  ];
  for (const hoard of sampled(hoards, 3)) {
    const site = await paged(() => `<script>const kept = []; ${hoard}</script>`);
    const address = `https://${site.host}/`;
    const options = { account: site.host, program, address, baseUrl: url, internet: site.internet, switches };
    const seen = (await visit({ ...options, ...PATIENT })) as TestVisit;
    expect(["memory", "crash"]).toContain(seen.stopped);
    expect(findingsOfVisit(seen).map(({ code }) => code)).toEqual(["browser_used", "page_too_heavy"]);
    expect(findingsOfVisit(seen).at(-1)?.evidence).toMatch(/^The page (used too much memory|crashed)$/);
  }
});

open("many frames of other sites and many workers share few processes", { tags: "full" }, async () => {
  const { url } = await service();
  const hosts = Array.from({ length: 40 }, () => `${randomUUID()}.example`);
  const site = await paged(
    (host: string) => `<script>if (self === top) {
    const loaded = ${JSON.stringify(hosts)}.map((name) => new Promise((done) => {
      const frame = document.createElement("iframe");
      frame.onload = done;
      frame.src = "https://" + name + "/";
      document.documentElement.append(frame);
    }));
    const working = Array.from({ length: 40 }, () => new Promise((done) => {
      new Worker(URL.createObjectURL(new Blob(["postMessage(1)"]))).onmessage = done;
    }));
    Promise.all([...loaded, ...working]).then(() => fetch("${url}/api/event", { method: "POST", body: JSON.stringify({ domain: "${host}", name: "all" }) }));
  }</script>`,
  );
  for (const name of hosts) set(name, { A: ["127.0.0.1"] });
  const seen = await visit({
    account: site.host,
    program,
    address: `https://${site.host}/`,
    baseUrl: url,
    internet: site.internet,
    switches,
    ...PATIENT,
  });
  expect(seen).toMatchObject({ event: { status: 202 }, stopped: null });
});

open("a browser with more processes than it may have is stopped", async () => {
  const { url } = await service();
  // Without an event the visit does not end by itself.
  const site = await paged(() => "<p>Nothing to count</p>");
  const address = `https://${site.host}/`;
  const options = { account: site.host, program, address, baseUrl: url, internet: site.internet, switches };
  const limits = { memoryBytes: Number.POSITIVE_INFINITY, processes: 2 };
  expect(await visit({ ...options, ...PATIENT, limits })).toMatchObject({ stopped: "processes" });
});

test("an account has one visit that waits; further ones are told so, and those of others wait their turn", async () => {
  const visitFor = (account: string) =>
    visit({ account, program, address: "https://nobody.invalid/", baseUrl: "http://127.0.0.1:9", isOver: () => true });
  const [, , third, other] = ["hoarder", "hoarder", "hoarder", "other"].map(visitFor);
  expect([await third, await other]).toEqual(["busy", null]);
});

open("invalid and extremely long URLs on a page do not disturb the visit", { tags: "full" }, async () => {
  const { url } = await service();
  const site = await paged(
    (host: string) => `<script>
    for (const odd of ["foo://a b/", "foo://[x/", "http://a b/"]) new Image().src = odd;
    new Image().src = "data:image/png;base64," + "A".repeat(3e6);
  </script><script defer src="${url}/script.js" data-domain="${host}"></script>`,
  );
  const { host, internet } = site;
  const seen = await visit({
    account: host,
    program,
    address: `https://${host}/`,
    baseUrl: url,
    internet,
    switches,
    ...PATIENT,
  });
  expect(seen).toEqual({ refusal: null, script: { status: 200 }, event: { status: 202 }, stopped: null });
});

open("a queued visit whose test has ended is skipped", async () => {
  const options = {
    account: "nobody",
    program,
    address: "https://nobody.invalid/",
    baseUrl: "http://127.0.0.1:9",
    switches,
  };
  expect(await visit({ ...options, isOver: () => true })).toBeNull();
});
