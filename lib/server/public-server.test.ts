import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import net, { type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, type TestContext, test } from "vitest";
import { publicServer } from "@/lib/server/public-server";

interface Held {
  path: string;
  response: ServerResponse;
}

/** A server whose answers the test gives itself. `begun` has the requests whose turn has come, in order. */
async function heldServer({ onTestFinished }: TestContext) {
  const { server, answer } = publicServer();
  const begun: Held[] = [];
  answer((request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    begun.push({ path: request.url ?? "", response });
    server.emit("begun");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const connect = (): Socket => {
    const socket = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => {});
    return socket;
  };
  const begin = async (count: number): Promise<Held> => {
    while (begun.length < count) await once(server, "begun");
    return begun[count - 1] as Held;
  };
  return { server, begun, connect, begin };
}

const get = (path: string, ...headers: string[]) =>
  `${[`GET ${path} HTTP/1.1`, "Host: localhost", ...headers].join("\r\n")}\r\n\r\n`;
const post = (path: string, body: string) => `${get(path, `Content-Length: ${body.length}`)}${body}`;
const CLOSE = "Connection: close";

test.for([
  ["in one write", (all: string[]) => [all.join("")]],
  ["one by one", (all: string[]) => all],
  ["in pieces that split them", (all: string[]) => all.join("").match(/[\s\S]{1,7}/g) ?? []],
] as const)(
  "one connection has one answer in the making, in the order of its requests, when they come %s",
  async ([, split], context) => {
    const { begun, connect, begin } = await heldServer(context);
    const socket = connect();
    const answers = text(socket).catch(() => "");
    const all = [get("/0"), post("/1", "{}"), get("/2"), post("/3", "x".repeat(30_000)), get("/4", CLOSE)];
    for (const bytes of split(all)) socket.write(bytes);
    for (let n = 0; n < all.length; n++) {
      const { path, response } = await begin(n + 1);
      expect([path, begun.length]).toEqual([`/${n}`, n + 1]);
      response.end(`answer ${n};`);
    }
    expect((await answers).match(/answer \d;/g)).toEqual(all.map((_, n) => `answer ${n};`));
  },
);

test("what a client sends while it waits is not read: pipelined requests stay with the client", async (context) => {
  const { connect, begin } = await heldServer(context);
  const socket = connect();
  socket.write(get("/flood").repeat(200_000));
  const { response } = await begin(1);
  const served = response.req.socket;
  // Each turn of another connection is one of the event loop, in which the first could be read.
  const other = connect();
  for (let n = 2; n < 100; n++) {
    const answered = once(other, "data");
    other.write(get("/other"));
    (await begin(n)).response.end();
    await answered;
  }
  expect(served.bytesRead).toBeLessThan(200_000);
  response.end();
  other.destroy();
  socket.destroy();
});

test("requests that wait are dropped when their client disconnects", async (context) => {
  const { begun, server, connect, begin } = await heldServer(context);
  const socket = connect();
  socket.write(get("/a") + get("/b") + get("/c"));
  const { response } = await begin(1);
  const closed = once(response, "close");
  socket.resetAndDestroy();
  // A connection that is not read notices the disconnection when it is written to.
  const write = () => void response.write("x", () => response.destroyed || setImmediate(write));
  write();
  await closed;
  const other = connect();
  other.write(get("/other", CLOSE));
  (await begin(2)).response.end();
  await text(other);
  expect(begun.map(({ path }) => path)).toEqual(["/a", "/other"]);
  expect(server.listening).toBe(true);
});

test("a server that stops ends each connection after the answer that is in the making", async (context) => {
  const { begun, server, connect, begin } = await heldServer(context);
  const socket = connect();
  const answers = text(socket).catch(() => "");
  socket.write(get("/a") + get("/b") + get("/c") + get("/d"));
  (await begin(1)).response.end("a;");
  const { response } = await begin(2);
  const stopped = once(server, "close");
  server.close();
  response.end("b;");
  (await begin(3)).response.end("c;");
  expect(await answers).toMatch(/a;[\s\S]*b;[\s\S]*Connection: close[\s\S]*c;$/i);
  await stopped;
  expect(begun.map(({ path }) => path)).toEqual(["/a", "/b", "/c"]);
});

test("a request that breaks the protocol is refused after those before it, also when they had to wait", async (context) => {
  const { connect, begin } = await heldServer(context);
  for (const [round, broken] of [
    "{}\r\n\r\n",
    get("/x", "Transfer-Encoding: gzip"),
    "GET / HTTP/3.0\r\n\r\n",
  ].entries()) {
    const socket = connect();
    const answers = text(socket).catch(() => "");
    socket.write(get("/a") + get("/b") + broken + get("/c"));
    (await begin(round * 2 + 1)).response.end("a;");
    (await begin(round * 2 + 2)).response.end("b;");
    expect((await answers).match(/HTTP\/1\.1 \d+|[ab];/g)).toEqual([
      ...["HTTP/1.1 200", "a;", "HTTP/1.1 200", "b;", "HTTP/1.1 400"],
    ]);
  }
});
