import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http, { createServer, type IncomingMessage, type RequestListener } from "node:http";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { test as concurrent, expect, onTestFinished } from "vitest";
import { FORWARDED_HEADER_BYTES, forward, onlyForwarded } from "@/lib/server/forward";
import { pagesApart } from "@/lib/server/pages-apart";

/** What is asked at one server and answered by another behind it. One after the other: each has servers to end. */
const test = concurrent.sequential;

function temporaryDir(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "footfall-forward-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function listening(listener: RequestListener, where: string | number, options = {}): Promise<http.Server> {
  const server = createServer(options, listener).listen(where);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

const SECRET = "a secret of two servers";

/** The port of a server that has everything answered by `behind`, after `prepare`. */
async function front(behind: RequestListener, prepare: (request: IncomingMessage) => void = () => {}): Promise<number> {
  const socketPath = path.join(temporaryDir(), "behind");
  const inner = await listening(onlyForwarded(SECRET, behind), socketPath, { maxHeaderSize: FORWARDED_HEADER_BYTES });
  inner.maxHeadersCount = 0;
  const outer = await listening((request, response) => {
    prepare(request);
    forward(request, response, { secret: SECRET, socketPath });
  }, 0);
  return (outer.address() as net.AddressInfo).port;
}

async function said(port: number, bytes: string): Promise<string> {
  const socket = net.connect(port, "127.0.0.1");
  socket.write(bytes);
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

test("a body goes through in both directions as it comes, piece by piece, whatever its length", async () => {
  const port = await front((request, response) => request.pipe(response));
  const asked = http.request({ port, method: "POST" });
  asked.write("first");
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const pieces = answer[Symbol.asyncIterator]();
  expect(`${(await pieces.next()).value}`).toBe("first");
  asked.write("second");
  expect(`${(await pieces.next()).value}`).toBe("second");
  asked.end();
  expect((await pieces.next()).done).toBe(true);
  const large = "x".repeat(3_000_000);
  const echo = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: large });
  expect((await echo.text()) === large).toBe(true);
});

test("method, path, status, headers and several cookies arrive; HEAD and 304 have no body", async () => {
  const port = await front((request, response) => {
    response.writeHead(request.url === "/same" ? 304 : 201, { "set-cookie": ["a=1", "b=2"], "x-told": "yes" });
    response.end(`${request.method} ${request.url} ${request.headers["x-asked"]}`);
  });
  const url = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${url}/a?b=c`, { method: "DELETE", headers: { "x-asked": "so" } });
  expect([answer.status, answer.headers.getSetCookie(), answer.headers.get("x-told"), await answer.text()]).toEqual([
    201,
    ["a=1", "b=2"],
    "yes",
    "DELETE /a?b=c so",
  ]);
  const head = await fetch(`${url}/`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([201, ""]);
  const same = await fetch(`${url}/same`);
  expect([same.status, await same.text()]).toEqual([304, ""]);
});

test("no sender can take away or drown what we add to a request, nor open another protocol", async () => {
  const ours = (request: IncomingMessage) => {
    request.headers["x-ours"] = "true";
  };
  const port = await front((request, response) => {
    const { host, upgrade, connection, "x-ours": told } = request.headers;
    response.end(JSON.stringify({ host, told, upgrade, connection }));
  }, ours);
  const many = Array.from({ length: 1_900 }, (_, i) => `a${i}:`);
  const head = ["GET / HTTP/1.1", "Host: public.example", "x-ours: forged", "Upgrade: websocket"];
  const answer = await said(port, `${[...head, "Connection: x-ours, upgrade, close", ...many].join("\r\n")}\r\n\r\n`);
  expect(answer).toContain("HTTP/1.1 200 ");
  expect(answer).toContain('{"host":"public.example","told":"true","connection":"keep-alive"}');
});

test("whoever goes away before the answer is not worked for any longer, and one after an answer harms nobody", async () => {
  const seen = new EventEmitter();
  const port = await front((request, response) => {
    if (request.url === "/next") return response.end("next");
    request.once("close", () => seen.emit("gone"));
    seen.emit("asked");
  });
  const socket = net.connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(seen, "asked");
  socket.destroy();
  await once(seen, "gone");
  for (let round = 0; round < 20; round++) {
    expect(await said(port, "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")).toContain("next");
  }
});

test("an answer that comes before the end of its request is heard, and an announced body need not come at all", async () => {
  const port = await front((_, response) => response.writeHead(413).end("too much"));
  const announced = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300000000\r\n\r\n";
  const socket = net.connect(port, "127.0.0.1");
  socket.write(announced);
  expect(`${(await once(socket, "data"))[0]}`).toContain("HTTP/1.1 413 ");
  socket.destroy();
});

test("the inner server answers only requests with the secret, and the application never sees it", async () => {
  const socketPath = path.join(temporaryDir(), "behind");
  const seen: string[] = [];
  const answered = onlyForwarded(SECRET, ({ url, headers, rawHeaders }, response) => {
    seen.push(`${url} ${JSON.stringify([headers, rawHeaders])}`);
    response.end("answered");
  });
  await listening(answered, socketPath);
  const outer = await listening((request, response) => forward(request, response, { secret: SECRET, socketPath }), 0);
  const { port } = outer.address() as net.AddressInfo;
  const forged = { "x-footfall-forward-secret": "forged", "x-footfall-client-ip": "192.0.2.1" };
  expect(await (await fetch(`http://127.0.0.1:${port}/forwarded`, { headers: forged })).text()).toBe("answered");
  for (const headers of [{}, forged, { "x-footfall-forward-secret": [SECRET, SECRET] }]) {
    const request = http.get({ socketPath, path: "/straight", headers });
    await expect(once(request, "response")).rejects.toThrow("socket hang up");
  }
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatch(/^\/forwarded /);
  expect(seen[0]).not.toContain(SECRET);
  expect(seen[0]).not.toContain("forged");
});

test("an unsolicited answer of the inner server never reaches a caller", async () => {
  const socketPath = path.join(temporaryDir(), "behind");
  const answerOf = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  let asked = 0;
  const behind = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      socket.write(answerOf(`own ${++asked}`));
      setImmediate(() => socket.write(answerOf("another's")));
    });
  });
  behind.listen(socketPath);
  await once(behind, "listening");
  onTestFinished(() => void behind.close());
  const outer = await listening((request, response) => forward(request, response, { secret: SECRET, socketPath }), 0);
  const url = `http://127.0.0.1:${(outer.address() as net.AddressInfo).port}`;
  for (let round = 1; round <= 20; round++) expect(await (await fetch(url)).text()).toBe(`own ${round}`);
});

test("a body is forwarded with the framing of its own request", async () => {
  const port = await front((request, response) => {
    let size = 0;
    request.on("data", (chunk) => {
      size += chunk.length;
    });
    const { "content-length": length, "transfer-encoding": coding } = request.headers;
    request.on("end", () => response.end(JSON.stringify([request.method, length ?? null, coding ?? null, size])));
  });
  for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
    const head = `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
    // Node says of a POST that it has no body.
    expect(await said(port, `${head}\r\n`)).toContain(
      JSON.stringify([method, method === "POST" ? "0" : null, null, 0]),
    );
    expect(await said(port, `${head}Content-Length: 2\r\n\r\n{}`)).toContain(JSON.stringify([method, "2", null, 2]));
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    expect(await said(port, chunked)).toContain(JSON.stringify([method, null, "chunked", 2]));
  }
});

test("an answer that does not wait for the body is never lost to it", async () => {
  const port = await front((_, response) => response.writeHead(401).end("no"));
  const url = `http://127.0.0.1:${port}`;
  for (let round = 0; round < 300; round++) {
    const chunks = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 3; i++) controller.enqueue(new TextEncoder().encode("x".repeat(500)));
        controller.close();
      },
    });
    const answer = await fetch(url, { method: "POST", body: chunks, duplex: "half" } as RequestInit);
    expect([answer.status, await answer.text()]).toEqual([401, "no"]);
  }
});

/** A thread that ends when it is asked to, and says its name otherwise. */
const MORTAL = `
  import { createServer } from "node:http";
  import { parentPort, threadId, workerData } from "node:worker_threads";
  createServer((request, response) => {
    if (request.url === "/die") process.exit(3);
    response.end(String(threadId));
  }).listen(workerData.socketPath, () => parentPort.postMessage("listening"));
  parentPort.on("message", (word) => word === "stop" && process.exit(0));
`;

test("pages whose thread ends are answered 503, and soon again by another thread", async () => {
  const program = path.join(temporaryDir(), "mortal.mjs");
  writeFileSync(program, MORTAL);
  const pages = await pagesApart({ databaseUrl: "", reportsUrl: "" }, pathToFileURL(program));
  const server = await listening(pages.answer, 0);
  const ask = (where: string) => fetch(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}${where}`);
  const first = await (await ask("/")).text();
  const died = await ask("/die");
  expect([died.status, died.headers.get("retry-after"), (await died.json()).error.code]).toEqual([
    503,
    "2",
    "unavailable",
  ]);
  await expect.poll(async () => (await ask("/")).status, { timeout: 20_000 }).toBe(200);
  expect(await (await ask("/")).text()).not.toBe(first);
  await pages.close();
  expect((await ask("/")).status).toBe(503);
});
