import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener, type ServerResponse } from "node:http";
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { env, readEnv } from "@/lib/platform/env";
import { isAllowedAddress } from "@/lib/platform/outbound/names";
import {
  callApi,
  type Internet,
  type PageLimits,
  readPage,
  readTxt,
  Unreachable,
} from "@/lib/platform/outbound/outbound";
import { startHttps, testAuthority } from "@/lib/testing/https";
import { serversForTests } from "@/lib/testing/internet";
import { PATIENT_MS } from "@/lib/testing/patience";

/** Tests `readPage` and `readTxt` against real servers on loopback with hostile names and hosts. */

const LIMITS: PageLimits = { limitBytes: 1024, deadlineMs: PATIENT_MS };

const { dns, stops, hosted } = serversForTests();

/** A host that resolves to the given addresses, and the network settings for it. */
function named(addresses: { A?: string[]; AAAA?: string[] }, port?: number): { host: string; internet: Internet } {
  const host = `${randomUUID()}.proof.example`;
  dns().set(host, addresses);
  return { host, internet: { dnsServers: [dns().address], ca: testAuthority(), ...(port ? { port } : {}) } };
}

/** A site with this listener. */
async function site(answer: RequestListener, certificate?: string) {
  const { host, server, internet: world } = await hosted(answer, { certificate });
  const read = (path = "/", limits: Partial<PageLimits> = {}) =>
    readPage(`https://${host}${path}`, { ...LIMITS, ...limits }, world);
  return { host, server, world, read };
}

/** How a read fails; "read" when it succeeds. */
const failure = (reading: Promise<unknown>): Promise<"temporary" | "final" | "read"> =>
  reading.then(
    () => "read",
    (error) => {
      if (!(error instanceof Unreachable)) throw error;
      return error.temporary ? "temporary" : "final";
    },
  );

const PRIVATE = [
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.1",
  "192.0.2.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
];
const PRIVATE_6 = [
  "::1",
  "::",
  "fd00::1",
  "fd00:ec2::254",
  "fc00::1",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "::ffff:127.0.0.1",
  "::ffff:10.0.0.1",
  "::ffff:8.8.8.8",
  "::127.0.0.1",
  "::7f00:1",
  "::a9fe:a9fe",
  "4000::1",
  "1fff::1",
  "e000::1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::7f00:1",
  "2002:7f00:1::",
  "2001::1",
  "2001:db8::1",
];

test("a name that resolves to a non-public address is never connected to", async () => {
  const listener = await startHttps((_, response) => response.end("here"));
  stops.push(listener.stop);
  const answers = [
    ...PRIVATE.map((address) => ({ A: [address] })),
    ...PRIVATE_6.map((address) => ({ AAAA: [address] })),
    { A: ["198.41.0.4", "127.0.0.1"] },
    { A: ["198.41.0.4"], AAAA: ["::1"] },
  ];
  for (const answer of answers) {
    const { host, internet } = named(answer, listener.port);
    expect(await failure(readPage(`https://${host}/`, LIMITS, internet)), JSON.stringify(answer)).toBe("final");
    expect(await failure(readPage(`http://${host}/`, LIMITS, internet)), JSON.stringify(answer)).toBe("final");
  }
  expect(listener.connections()).toBe(0);
});

test("an IP address in the URL is refused in every spelling, public or private, without a connection", async () => {
  const listener = await startHttps((_, response) => response.end("here"));
  stops.push(listener.stop);
  const { internet } = named({}, listener.port);
  const spellings = [
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "0177.0.0.01",
    "127.0.0.1.",
    "１２７.０.０.１",
    "127。0。0。1",
    "①②⑦.⓪.⓪.①",
    "%31%32%37.0.0.1",
    "0",
    "8.8.8.8",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[2606:4700::1]",
  ];
  for (const host of spellings) {
    // Even when the operator allows every range.
    const open = { ...internet, privateRanges: ["0.0.0.0/0", "::/0"] };
    expect(await failure(readPage(`https://${host}/`, LIMITS, open)), host).toBe("final");
  }
  expect(listener.connections()).toBe(0);
});

test("only http and https on their standard ports and without credentials are allowed", async () => {
  const { host, internet } = named({ A: ["198.41.0.4"] });
  for (const url of [
    `https://${host}:8443/`,
    `http://${host}:22/`,
    `ftp://${host}/`,
    "file:///etc/passwd",
    "data:,x",
    `https://user:word@${host}/`,
    "https://",
    "not a url",
  ]) {
    expect(await failure(readPage(url, LIMITS, internet)), url).toBe("final");
  }
  expect(dns().queryCount(host, "A")).toBe(0);
});

test("a name whose answer changes on the second lookup is connected to at the checked address only", async () => {
  const trap = await startHttps((_, response) => response.end("inner"));
  const checked = await startHttps((_, response) => response.end("checked"), { host: "127.0.0.2", port: trap.port });
  stops.push(trap.stop, checked.stop);
  const { host, internet } = named({}, trap.port);
  dns().set(host, { A: ["127.0.0.2"] }, { A: ["127.0.0.1"] });
  const world = { ...internet, privateRanges: ["127.0.0.2/32"] };
  const { body } = await readPage(`https://${host}/`, LIMITS, world);
  expect(body.toString()).toBe("checked");
  expect([dns().queryCount(host, "A"), trap.connections(), checked.connections()]).toEqual([1, 0, 1]);
  // The next read resolves the name again, and refuses the new address.
  expect(await failure(readPage(`https://${host}/`, LIMITS, world))).toBe("final");
  expect(trap.connections()).toBe(0);
});

test("a request sends the name as Host, no cookies, and asks for no compression", async () => {
  const seen: (string | undefined)[] = [];
  const { read, host } = await site((request, response) => {
    const { host: requested, cookie, authorization } = request.headers;
    seen.push(requested?.split(":")[0], cookie, authorization, request.headers["user-agent"]);
    seen.push(request.headers["accept-encoding"], request.headers.connection, request.method);
    response.setHeader("set-cookie", "id=1").end("hello");
  });
  expect(await read("/a?b")).toMatchObject({ status: 200, url: `https://${host}/a?b`, complete: true });
  expect((await read()).body.toString()).toBe("hello");
  const each = [host, undefined, undefined, `Footfall (+${env().BASE_URL})`, "identity", "close", "GET"];
  expect(seen).toEqual([...each, ...each]);
});

test("a redirect is returned as the page unless the caller allows redirects", async () => {
  const { read, server } = await site((_, response) => response.writeHead(302, { location: "/next" }).end());
  expect(await read("/")).toMatchObject({ status: 302 });
  expect(server.requestedPaths).toEqual(["/"]);
});

test("redirects are followed up to the given number, and the next redirect is returned as the page", async () => {
  const { read, host, server } = await site((request, response) => {
    const at = Number(request.url?.slice(1));
    if (at === 5) response.end("there");
    else response.writeHead(302, { location: `/${at + 1}` }).end();
  });
  expect(await read("/0", { redirects: 5 })).toMatchObject({ status: 200, url: `https://${host}/5` });
  expect(await read("/0", { redirects: 4 })).toMatchObject({ status: 302, url: `https://${host}/4` });
  expect(server.requestedPaths).toHaveLength(11);
});

test("plain http is allowed, and so is a redirect from it to https", async () => {
  const { host, server } = await site((_, response) => response.end("safe"));
  const plain = createHttpServer((request, response) => {
    if (request.url === "/") response.end("plain");
    else response.writeHead(301, { location: `https://${host}/` }).end();
  }).listen(server.port, "127.0.0.2");
  await once(plain, "listening");
  stops.push(async () => void plain.close());
  const { host: old, internet } = named({ A: ["127.0.0.2"] }, server.port);
  const read = (path: string) =>
    readPage(`http://${old}${path}`, { ...LIMITS, redirects: 1 }, { ...internet, privateRanges: ["127.0.0.0/8"] });
  expect((await read("/")).body.toString()).toBe("plain");
  expect(await read("/moved")).toMatchObject({ url: `https://${host}/`, body: Buffer.from("safe") });
});

test("a redirect to a metadata address, a private name, another port or another scheme is not followed", async () => {
  const listener = await startHttps((_, response) => response.end("inner"));
  stops.push(listener.stop);
  const { host: inner } = named({ A: ["127.0.0.3"] });
  const { host: cloud } = named({ A: ["169.254.169.254"] });
  const targets = [
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "//2852039166/",
    `https://${inner}/`,
    `http://${cloud}/`,
    `https://127.0.0.1:${listener.port}/`,
    `https://${inner}:${listener.port}/`,
    "file:///etc/passwd",
    "http://",
  ];
  const { read } = await site((request, response) => {
    response.writeHead(302, { location: targets[Number(request.url?.slice(1))] ?? "/" }).end();
  });
  for (const [at, target] of targets.entries()) {
    expect(await failure(read(`/${at}`, { redirects: 5 })), target).toBe("final");
  }
  expect(listener.connections()).toBe(0);
});

test("an endless body is read up to its limit only", async () => {
  const block = Buffer.alloc(64 * 1024, "x");
  const written: number[] = [];
  const pour = (response: ServerResponse) => {
    while (!response.destroyed && response.write(block));
    if (!response.destroyed) response.once("drain", () => pour(response));
  };
  const { read } = await site((request, response) => {
    response.once("close", () => written.push(request.socket.bytesWritten));
    pour(response);
  });
  for (let reading = 0; reading < 10; reading++) {
    const { body, complete } = await read("/", { limitBytes: 1024 });
    expect([body.length, complete]).toEqual([1024, false]);
  }
  // Both ends are in this process: bytes that were written and not read are in small buffers of the system.
  expect(written.filter((bytes) => bytes > 16 * 1024 * 1024)).toEqual([]);
});

test("a response of one byte at a time is aborted at the deadline, in the headers and in the body", async () => {
  const drip = (response: ServerResponse) => {
    const timer = setInterval(() => response.write("x"), 20);
    response.once("close", () => clearInterval(timer));
  };
  const { read } = await site((request, response) => {
    if (request.url === "/body") drip(response.writeHead(200));
    else if (request.url === "/headers") request.socket.write("HTTP/1.1 200 OK\r\nx: ");
  });
  expect(await failure(read("/body", { deadlineMs: 300 }))).toBe("temporary");
  expect(await failure(read("/headers", { deadlineMs: 300 }))).toBe("temporary");
});

test("the deadline covers the name server, the connection and the handshake too", async () => {
  const mute = createServer(() => {}).listen(0, "127.0.0.1");
  stops.push(async () => void mute.close());
  const { port } = await new Promise<{ port: number }>((resolve) =>
    mute.once("listening", () => resolve(mute.address() as { port: number })),
  );
  const { host, internet } = named({ A: ["127.0.0.1"] }, port);
  const world = { ...internet, privateRanges: ["127.0.0.1"] };
  expect(await failure(readPage(`https://${host}/`, { ...LIMITS, deadlineMs: 300 }, world))).toBe("temporary");
  dns().set(host, "silent");
  expect(await failure(readPage(`https://${host}/`, { ...LIMITS, deadlineMs: 300 }, world))).toBe("temporary");
  expect(await failure(readTxt(host, { deadlineMs: 300 }, world))).toBe("temporary");
});

test("ten megabytes of headers are refused", async () => {
  const { read } = await site((request) => {
    const line = `x: ${"y".repeat(8_000)}\r\n`;
    request.socket.write("HTTP/1.1 200 OK\r\n");
    for (let sent = 0; sent < 10_000_000; sent += line.length) request.socket.write(line);
    request.socket.end("\r\n");
  });
  expect(await failure(read())).toBe("final");
});

test("a compressed response, such as a gzip bomb, is refused without reading it", async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000));
  const { read } = await site((request, response) => {
    response.setHeader("content-encoding", request.url?.slice(1) ?? "").end(bomb);
  });
  for (const encoding of ["gzip", "br", "deflate", "identity,gzip"]) {
    expect(await failure(read(`/${encoding}`, { limitBytes: 1_000_000 })), encoding).toBe("final");
  }
});

test("certificates for another name, expired and self-signed ones are refused before the request is sent", async () => {
  for (const certificate of ["other-name", "expired", "self-signed"]) {
    const { read, server } = await site((_, response) => response.end("secret"), certificate);
    expect(await failure(read()), certificate).toBe("final");
    expect(server.requestedPaths, certificate).toEqual([]);
    expect(server.connections(), certificate).toBe(1);
  }
});

test("production trusts only the certificate authorities of the machine, not the one of the tests", async () => {
  const { host, server, world } = await site((_, response) => response.end("secret"));
  const { ca: _, ...others } = world;
  expect(await failure(readPage(`https://${host}/`, LIMITS, others))).toBe("final");
  expect(server.requestedPaths).toEqual([]);
});

test("a server that hangs up, sends another protocol or upgrades is unreachable", async () => {
  const { read } = await site((request) => {
    const said = {
      "/nonsense": "SSH-2.0-x\r\n",
      "/upgrade": "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
    };
    request.socket.end(said[request.url as keyof typeof said] ?? "");
  });
  for (const path of ["/", "/nonsense", "/upgrade"]) expect(await failure(read(path)), path).toBe("final");
  const { host, internet } = named({ A: ["127.0.0.1"] }, 1);
  const world = { ...internet, privateRanges: ["127.0.0.1"] };
  expect(await failure(readPage(`https://${host}/`, LIMITS, world))).toBe("final");
});

test("a failing name server is temporary, a name that does not exist is final", async () => {
  const { host, internet } = named({});
  const readings = () => [readPage(`https://${host}/`, LIMITS, internet), readTxt(host, LIMITS, internet)];
  for (const behaviour of ["servfail", "refused"] as const) {
    dns().set(host, behaviour);
    for (const reading of readings()) expect(await failure(reading), behaviour).toBe("temporary");
  }
  dns().set(host, {});
  for (const reading of readings()) expect(await failure(reading), "no records").toBe("final");
  expect(await failure(readTxt(`no.${host}`, LIMITS, internet))).toBe("final");
  expect(await failure(readTxt(`${"x".repeat(64)}.example`, LIMITS, internet))).toBe("final");
});

test("at most 50 TXT records and 8 KiB of them are read", async () => {
  const { host, internet } = named({});
  const texts = async () => (await readTxt(host, LIMITS, internet)).length;
  dns().set(host, { TXT: Array.from({ length: 60 }, (_, index) => `record ${index}`) });
  expect(await texts()).toBe(50);
  dns().set(host, { TXT: Array.from({ length: 40 }, () => "x".repeat(250)) });
  expect(await texts()).toBe(32);
});

test("a private range that the operator allows is reachable, and no other private address", () => {
  const { OUTBOUND_PRIVATE_CIDRS: ranges } = readEnv({ OUTBOUND_PRIVATE_CIDRS: "10.1.0.0/16, fd12::/16, 192.168.7.7" });
  const allowed = (address: string) => isAllowedAddress(address, ranges);
  expect(["10.1.2.3", "fd12:1::1", "192.168.7.7", "198.41.0.4", "2606:4700::1"].filter((one) => !allowed(one))).toEqual(
    [],
  );
  const others = ["10.2.0.1", "fd13::1", "192.168.7.8", "::ffff:10.1.2.3", "168.63.129.16", "0xa010203", "10.1", ""];
  expect(others.filter(allowed)).toEqual([]);
});

test("an API is called over https with its token, and neither over http nor at an address that is not public", async () => {
  const asked: (string | undefined)[] = [];
  const { host, world } = await site((request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(302, { location: "https://elsewhere.example/" }).end("moved");
  });
  const call = { token: "secret", ...LIMITS };
  const { status, body, complete } = await callApi(`https://${host}/`, call, world);
  expect([status, `${body}`, complete, asked]).toEqual([302, "moved", true, ["Bearer secret"]]);
  const long = await callApi(`https://${host}/`, { ...call, limitBytes: 3 }, world);
  expect([`${long.body}`, long.complete]).toEqual(["mov", false]);
  const { privateRanges: _, ...open } = world;
  for (const [url, internet] of [
    [`http://${host}/`, world],
    [`https://${host}/`, open],
    ["http://127.0.0.1:4000/", { standIn: "http://127.0.0.1:4001" }],
    ["https://127.0.0.1/", {}],
  ] as const)
    expect(await failure(callApi(url, call, internet)), url).toBe("final");
});
