import { once } from "node:events";
import net, { type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { test as concurrent, expect } from "vitest";
import { siteWithKey } from "@/lib/testing/measuring";
import { rowsOf } from "@/lib/testing/rows";
import type { RunningServer } from "@/lib/testing/server";
import { serverForTests } from "@/lib/testing/server-for-tests";
import { CHROME, makeSite, type TestSite } from "@/lib/testing/world";

/** Many requests at once against the built server: order and counts, not times. Sequential. */
const test = concurrent.sequential;

const { started, start } = serverForTests({ TRUSTED_PROXIES: "127.0.0.1" });

function connect({ port }: RunningServer): Socket {
  const socket = net.connect(port, "127.0.0.1");
  // The server may reset a connection that still sends data after the response.
  socket.on("error", () => {});
  return socket;
}

const get = (path: string, ...headers: string[]) =>
  `${[`GET ${path} HTTP/1.1`, "Host: localhost", ...headers].join("\r\n")}\r\n\r\n`;
const CLOSE = "Connection: close";

const sendEvent = ({ url }: RunningServer, site: TestSite) =>
  fetch(`${url}/api/event`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": CHROME },
    body: JSON.stringify({ domain: site.host, name: "pageview", url: `https://${site.host}/` }),
  });

const statusesOf = (answers: string) => [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);

test("of 600 connections that ask for a page at once, each gets it or a 503 in the format of its path, and events are stored meanwhile", async () => {
  const server = await started();
  const site = await makeSite();
  const sockets = Array.from({ length: 600 }, () => connect(server));
  // Answered without Next, so that all connections are open before the first page is asked for.
  for (const socket of sockets) {
    socket.write("OPTIONS /api/event HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(socket, "data");
  }
  const paths = ["/login", "/api/v1/management/actions/sites.list", "/oauth/token"];
  const asked = sockets.map(async (socket, n) => {
    socket.write(get(paths[n % 3] as string, CLOSE));
    return text(socket);
  });
  const [event, health] = await Promise.all([sendEvent(server, site), fetch(`${server.url}/api/health`)]);
  expect(event.status).toBe(202);
  // The parts were asked: a crowd is refused without. On a busy machine they may answer late.
  expect(await health.json()).toMatchObject({ database: expect.any(String), ingest: expect.any(String) });
  const answers = await Promise.all(asked);
  const refused = answers
    .map((answer, n) => ({ answer, path: paths[n % 3] }))
    .filter(({ answer }) => statusesOf(answer)[0] === "503");
  expect(new Set(answers.flatMap(statusesOf))).toEqual(new Set(["200", "401", "405", "503"]));
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(256);
  for (const { answer, path } of refused) {
    expect(answer).toMatch(/^retry-after: [1-9]\d*\r$/im);
    if (path === "/login") expect(answer).toMatch(/\r\n\r\nThe server is answering too many requests/);
    else
      expect(answer).toMatch(path?.startsWith("/api") ? /"code":"unavailable"/ : /"error":"temporarily_unavailable"/);
  }
  expect(server.faults()).toEqual([]);
});

test("of 40,000 pipelined pages whose client hung up, hardly any is made", { tags: "full" }, async () => {
  const own = await start({ LOG_LEVEL: "info" });
  const site = await makeSite();
  const socket = connect(own);
  socket.write(get("/login").repeat(40_000));
  await once(socket, "data");
  socket.destroy();
  for (let n = 0; n < 20; n++) expect((await sendEvent(own, site)).status).toBe(202);
  expect((await fetch(`${own.url}/login`)).status).toBe(200);
  expect(await own.end("SIGTERM")).toBe(0);
  const made = own.output().match(/"route":"\/login"/g)?.length;
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThan(20);
});

test("a server that is asked for 40,000 pipelined pages by each of five clients ends at SIGTERM", {
  tags: "full",
}, async () => {
  const own = await start();
  const sockets = Array.from({ length: 5 }, () => connect(own));
  for (const socket of sockets) socket.write(get("/login").repeat(40_000));
  await Promise.all(sockets.map((socket) => once(socket, "data")));
  expect(await own.end("SIGTERM")).toBe(0);
});

test("a batch without a valid key is refused before its body is sent, and stores nothing", async () => {
  const server = await started();
  const { site, key } = await siteWithKey();
  const unfinished = async (authorization: string[], ...more: string[]) => {
    const socket = connect(server);
    const head = ["POST /api/v1/events HTTP/1.1", "Host: localhost", "Content-Type: application/json"];
    socket.write(`${[...head, ...authorization, ...more].join("\r\n")}\r\n\r\n`);
    if (more.includes("Transfer-Encoding: chunked")) socket.write('5\r\n{"eve\r\n');
    const answer = await text(socket);
    return [statusesOf(answer)[0], /www-authenticate: [^\r]*/i.exec(answer)?.[0]];
  };
  const missing = ["401", 'www-authenticate: Bearer realm="events"'];
  const wrong = ["401", 'www-authenticate: Bearer realm="events", error="invalid_token"'];
  expect(await unfinished([], "Content-Length: 900000")).toEqual(missing);
  expect(await unfinished(["Authorization: Bearer x"], "Content-Length: 40")).toEqual(wrong);
  expect(await unfinished([`Authorization: Bearer ffk_${"a".repeat(43)}`], "Transfer-Encoding: chunked")).toEqual(
    wrong,
  );
  const socket = connect(server);
  const body = JSON.stringify({ events: [{ type: "event", name: "Late", properties: { text: "x".repeat(3_000) } }] });
  const head = ["POST /api/v1/events HTTP/1.1", "Host: localhost", `Authorization: Bearer ${key}`, CLOSE];
  const format = ["Content-Type: application/json", `Content-Length: ${body.length}`];
  socket.write(`${[...head, ...format].join("\r\n")}\r\n\r\n`);
  expect((await sendEvent(server, site)).status).toBe(202);
  socket.write(body.slice(0, 2_000));
  expect((await sendEvent(server, site)).status).toBe(202);
  socket.write(body.slice(2_000));
  expect(statusesOf(await text(socket))).toEqual(["200"]);
  const stored = await rowsOf<object[]>`SELECT 1 FROM facts.event WHERE site_id = ${site.id}`;
  expect(stored).toHaveLength(3);
});

/** Opens an event of this address whose body lacks its last byte. */
function openBody(server: RunningServer, address: string): Socket {
  const socket = connect(server);
  const bytes = 64 * 1024;
  const head = ["POST /api/event HTTP/1.1", "Host: localhost", "Content-Type: application/json"];
  const more = [`X-Forwarded-For: ${address}`, `Content-Length: ${bytes}`];
  socket.write(`${[...head, ...more].join("\r\n")}\r\n\r\n${"x".repeat(bytes - 1)}`);
  return socket;
}

test("unfinished bodies of one /64 share 16 MB: the oldest ends first, and whole events are stored throughout", async () => {
  const server = await started();
  const site = await makeSite();
  const sockets = Array.from({ length: 300 }, (_, n) => openBody(server, `2001:db8:0:1::${(n + 1).toString(16)}`));
  const [answer] = (await once(sockets[0] as Socket, "data")) as [Buffer];
  expect(`${answer}`).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 2\r\n/i);
  expect((await sendEvent(server, site)).status).toBe(202);
  for (const socket of sockets) socket.destroy();
});

test("64 MB of unfinished bodies of many networks keep no event out", async () => {
  const server = await started();
  const site = await makeSite();
  const sockets = Array.from({ length: 1_100 }, (_, n) => openBody(server, `2001:db8:0:${n.toString(16)}::1`));
  const [answer] = (await once(sockets[0] as Socket, "data")) as [Buffer];
  expect(`${answer}`).toMatch(/^HTTP\/1\.1 503 /);
  for (let n = 0; n < 20; n++) expect((await sendEvent(server, site)).status).toBe(202);
  for (const socket of sockets) socket.destroy();
});
