import { once } from "node:events";
import net from "node:net";
import { gzipSync } from "node:zlib";
import { test as concurrent, expect } from "vitest";
import { keyOf } from "@/lib/testing/measuring";
import { rowsOf } from "@/lib/testing/rows";
import { serverForTests } from "@/lib/testing/server-for-tests";
import { CHROME, makeSite } from "@/lib/testing/world";

/** Malformed HTTP at both ingest endpoints: raw sockets against the built server. Sequential. */
const test = concurrent.sequential;

// None of these requests may affect the next test.
const { started } = serverForTests();

/** Both ingest endpoints of a new site, with a valid request for each. */
async function entryPoints() {
  const [{ port, faults }, site] = await Promise.all([started(), makeSite()]);
  const { key } = await keyOf(site);
  const common = ["Host: localhost", "Content-Type: application/json"];
  const bearer = `Authorization: Bearer ${key}`;
  const each = [
    {
      head: ["POST /api/event HTTP/1.1", ...common],
      body: JSON.stringify({ domain: site.host, name: "Raw" }),
      limit: 64 * 1024,
      accepted: 202,
    },
    {
      head: ["POST /api/v1/events HTTP/1.1", ...common, bearer],
      body: JSON.stringify({ events: [{ type: "event", name: "Raw" }] }),
      limit: 1024 * 1024,
      accepted: 200,
    },
  ];
  const stored = async () => {
    const rows = await rowsOf<object[]>`SELECT 1 FROM facts.event WHERE site_id = ${site.id}`;
    return rows.length;
  };
  return { port, faults, each, stored };
}

const message = (head: string[], more: string[], body: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${[...head, ...more].join("\r\n")}\r\n\r\n`), Buffer.from(body)]);
const plain = (head: string[], body: string, ...more: string[]) =>
  message(head, [`Content-Length: ${Buffer.byteLength(body)}`, ...more], body);
const CLOSE = "Connection: close";

/** Sends bytes and waits until the server closes the connection. @returns the statuses of all responses */
async function statuses(port: number, bytes: Buffer, end = false): Promise<number[]> {
  const socket = net.connect(port, "127.0.0.1");
  const closed = once(socket, "close");
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  // The server may reset a connection that still sends data after the response.
  socket.on("error", () => {});
  if (end) socket.end(bytes);
  else socket.write(bytes);
  await closed;
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

test("case 11: a body longer than its Content-Length is cut there, and the rest is not a second event", async () => {
  const { port, each, stored } = await entryPoints();
  for (const { head, body } of each) {
    const short = message(head, ["Content-Length: 12"], body);
    expect(new Set(await statuses(port, short))).toEqual(new Set([400]));
    // A request behind a complete body is a separate request without extra rights.
    const hidden = plain(["POST /api/v1/events HTTP/1.1", "Host: localhost"], body, CLOSE);
    expect(await statuses(port, Buffer.concat([message(head, ["Content-Length: 2"], "{}"), hidden]))).toEqual([
      422, 401,
    ]);
  }
  expect(await stored()).toBe(0);
});

test("case 11: a body shorter than its Content-Length stores nothing and is not a 500", async () => {
  const { port, each, stored, faults } = await entryPoints();
  for (const { head, body } of each) {
    const long = message(head, [`Content-Length: ${body.length + 1}`], body);
    const received = await statuses(port, long, true);
    expect(received).toEqual([400]);
  }
  expect(await stored()).toBe(0);
  expect(faults()).toEqual([]);
});

test("case 11: a body beyond the limit answers 413 and closes the connection, with a length, endless chunks or tiny chunks", async () => {
  const { port, each, stored } = await entryPoints();
  for (const { head, limit } of each) {
    expect(await statuses(port, message(head, ["Content-Length: 99999999999"], "{"))).toEqual([413]);
    const chunked = ["Transfer-Encoding: chunked"];
    const large = `${(limit + 1).toString(16)}\r\n${"x".repeat(limit + 1)}`;
    expect(await statuses(port, message(head, chunked, large))).toEqual([413]);
    // Of 16 bytes: a million chunks of one byte take longer than a request may take on a slow machine.
    const tiny = `10\r\n${"x".repeat(16)}\r\n`;
    expect(await statuses(port, message(head, chunked, tiny.repeat(limit / 16 + 1)))).toEqual([413]);
  }
  expect(await stored()).toBe(0);
});

test("case 11: two lengths, a length with chunked encoding, and a malformed length answer 400", async () => {
  const { port, each, stored } = await entryPoints();
  for (const { head, body } of each) {
    const length = `Content-Length: ${body.length}`;
    for (const more of [
      [length, "Content-Length: 3"],
      [length, "Transfer-Encoding: chunked"],
      ["Content-Length: -1"],
      ["Content-Length: +5"],
      ["Content-Length: 0x10"],
      ["Transfer-Encoding: chunked, identity"],
    ]) {
      expect(await statuses(port, message(head, [...more, CLOSE], body)), more.join()).toEqual([400]);
    }
    expect(await statuses(port, message(head, ["Transfer-Encoding: chunked", CLOSE], "zz\r\n{}\r\n"))).toEqual([400]);
  }
  expect(await stored()).toBe(0);
});

test("case 12: a gzip bomb is not decompressed: with Content-Encoding it answers 415, without it is invalid JSON", async () => {
  const { port, each, stored } = await entryPoints();
  const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024, "x"));
  expect(bomb.length).toBeLessThan(64 * 1024);
  for (const { head, body } of each) {
    const length = `Content-Length: ${bomb.length}`;
    expect(await statuses(port, message(head, [length, "Content-Encoding: gzip", CLOSE], bomb))).toEqual([415]);
    expect(await statuses(port, message(head, [length, CLOSE], bomb))).toEqual([400]);
    // Node passes on all transfer codings except the last one: the server refuses them.
    const packed = gzipSync(body);
    const chunk = Buffer.concat([
      Buffer.from(`${packed.length.toString(16)}\r\n`),
      packed,
      Buffer.from("\r\n0\r\n\r\n"),
    ]);
    const coded = ["Transfer-Encoding: gzip, chunked", CLOSE];
    expect(await statuses(port, message(head, coded, chunk))).toEqual([400]);
    expect(await statuses(port, message(head, coded, "2\r\n{}\r\n0\r\n\r\n"))).toEqual([400]);
  }
  expect(await stored()).toBe(0);
});

test("more than 100 headers, or more than 16 KiB of headers, answer 431; 100 headers are accepted", async () => {
  const { port, each, stored } = await entryPoints();
  for (const { head, body, accepted } of each) {
    // Subtracts the existing headers without the request line, and the two headers that are added.
    const room = 100 - (head.length - 1) - 2;
    expect(await statuses(port, plain(head, body, `X-Large: ${"x".repeat(20_000)}`, CLOSE))).toEqual([431]);
    const many = Array.from({ length: 5_000 }, (_, i) => `X-${i}: 1`);
    expect(await statuses(port, plain(head, body, ...many, CLOSE))).toEqual([431]);
    expect(await statuses(port, plain(head, body, ...many.slice(0, 1_000), CLOSE))).toEqual([431]);
    expect(await statuses(port, plain(head, body, ...many.slice(0, room + 1), CLOSE))).toEqual([431]);
    expect(await statuses(port, plain(head, body, ...many.slice(0, room), CLOSE))).toEqual([accepted]);
  }
  expect(await stored()).toBe(2);
});

test("pipelined requests on one connection are answered in order", async () => {
  const { port, each, stored } = await entryPoints();
  const [first, second] = each.map(({ head, body }) => plain(head, body)) as [Buffer, Buffer];
  const broken = each.map(({ head }) => plain(head, "{"));
  const last = each.map(({ head, body }) => plain(head, body, CLOSE))[0] as Buffer;
  const all = Buffer.concat([first, ...broken, second, first, last]);
  expect(await statuses(port, all)).toEqual([202, 400, 400, 200, 202, 202]);
  expect(await stored()).toBe(4);
});

test("incomplete bodies do not block other requests, and are accepted once they are complete", async () => {
  const { port, each, stored } = await entryPoints();
  const slow = Array.from({ length: 100 }, (_, i) => {
    const { head, body, accepted } = each[i % 2] as (typeof each)[number];
    const bytes = plain(head, body, CLOSE);
    const socket = net.connect(port, "127.0.0.1");
    socket.write(bytes.subarray(0, -5));
    return { socket, rest: bytes.subarray(-5), accepted };
  });
  await Promise.all(slow.map(({ socket }) => once(socket, "connect")));
  for (const { head, body, accepted } of each)
    expect(await statuses(port, plain(head, body, CLOSE))).toEqual([accepted]);
  expect(await stored()).toBe(2);
  for (const { socket, rest, accepted } of slow) {
    const answer = once(socket, "data");
    socket.write(rest);
    expect(`${(await answer)[0]}`).toContain(`HTTP/1.1 ${accepted} `);
    socket.destroy();
  }
  expect(await stored()).toBe(102);
});

test("the signature of an agent reaches the worker, and without its keys the agent is claimed", async () => {
  const [{ port }, site] = await Promise.all([started(), makeSite()]);
  const response = await fetch(`http://localhost:${port}/api/event`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "accept-language": "en",
      origin: `https://${site.host}`,
      "user-agent": CHROME,
      "signature-agent": '"https://chatgpt.com"',
      "signature-input": `sig1=("@authority" "signature-agent");created=1;expires=2;keyid="x";tag="web-bot-auth"`,
      signature: `sig1=:${Buffer.alloc(64).toString("base64")}:`,
    },
    body: JSON.stringify({ domain: site.host, name: "pageview", url: `https://${site.host}/` }),
  });
  expect([response.status, await response.json()]).toEqual([202, expect.objectContaining({ class: "ai" })]);
  expect(await rowsOf`SELECT operator, verified FROM facts.verdict WHERE site_id = ${site.id}`).toEqual([
    { operator: "OpenAI", verified: "claimed" },
  ]);
});
