import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import net from "node:net";
import { test as concurrent, expect } from "vitest";
import { rowsOf } from "@/lib/testing/rows";
import { serverForTests } from "@/lib/testing/server-for-tests";
import { sampled } from "@/lib/testing/tier";
import { makeSite, type TestSite } from "@/lib/testing/world";

/** Request framing: raw sockets against the built server. Each request must get exactly one response, its own. */
const test = concurrent.sequential;

const { started } = serverForTests();

interface Answer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

const UNTIL_CLOSE = -1;
/** Only a connection that the server forgets stays open for so long. */
const IDLE_MS = 150_000;

/**
 * Parses the complete responses at the start of `text`. @param methods of the requests @returns responses and the rest
 */
function readAnswers(text: string, methods: readonly string[], isClosed: boolean) {
  const answers: Answer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(rest) ?? [];
    if (end === -1 || status === undefined) return { answers, rest };
    const lines = rest.slice(0, end).split("\r\n").slice(1);
    const headers = new Map(lines.map((line) => line.toLowerCase().split(": ", 2) as [string, string]));
    const after = rest.slice(end + 4);
    const size = sizeOf(after, Number(status), headers, methods[answers.length]);
    if (size === null || (size === UNTIL_CLOSE && !isClosed)) return { answers, rest };
    const length = size === UNTIL_CLOSE ? after.length : size;
    if (after.length < length) return { answers, rest };
    if (!status.startsWith("1")) answers.push({ status: Number(status), headers, body: after.slice(0, length) });
    rest = after.slice(length);
  }
}

/** Length of a response body in characters; null while chunks are missing. */
function sizeOf(after: string, status: number, headers: Map<string, string>, method = ""): number | null {
  if (status < 200 || status === 204 || status === 304 || method === "HEAD") return 0;
  const length = headers.get("content-length");
  if (length !== undefined) return Number(length);
  if (headers.get("transfer-encoding") !== "chunked") return UNTIL_CLOSE;
  for (let offset = 0; ; ) {
    const line = after.indexOf("\r\n", offset);
    if (line === -1) return null;
    const size = Number.parseInt(after.slice(offset, line), 16);
    offset = line + 2 + size + 2;
    if (after.length < offset) return null;
    if (size === 0) return offset;
  }
}

interface Exchange {
  port: number;
  bytes: string;
  methods: readonly string[];
  /** Whether the client half-closes the connection after these bytes. */
  half?: boolean;
  /** Sent after the first response, if the connection is still open. */
  next?: string;
}

/** Sends bytes and reads all responses until the server closes the connection. @returns responses or a problem */
async function converse({ port, bytes, methods, half = false, next = "" }: Exchange): Promise<Answer[] | string> {
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
  // The server may reset a connection that still sends data after the response.
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  let received = "";
  let pendingNext = next;
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
    if (pendingNext === "" || readAnswers(received, methods, false).answers.length === 0) return;
    socket.write(pendingNext);
    pendingNext = "";
  });
  socket.setTimeout(IDLE_MS, () => socket.destroy(new Error("idle")));
  if (half) socket.end(bytes);
  else socket.write(bytes);
  await closed;
  if (socket.errored?.message === "idle") return `stayed open after: ${received.slice(0, 200)}`;
  const { answers, rest } = readAnswers(received, methods, true);
  return rest === "" ? answers : `incomplete: ${received.slice(0, 2000)}`;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "BREW"];
/** Header counts around our limit of 100, above Node's default of 1,000, and above 16 KiB of headers. */
const COUNTS = [8, 99, 100, 101, 1_005, 9_000];
const TARGETS = [
  "/api/nosuch",
  "/api/health",
  "/api/event",
  "/api/v1/events",
  "/api/v1/management/actions/sites.list",
  "/login",
];

interface Framing {
  /** Headers that declare the length of the body. */
  headers: (body: string) => string[];
  /** The body as it is sent. */
  send: (body: string) => string;
  /** Whether the framing headers come after all other headers. */
  last?: true;
  /** `whole`: valid. `refused`: invalid. `broken`: the body is incomplete. `short`: extra bytes follow the body. */
  is: "whole" | "refused" | "broken" | "short";
}

const length = (body: string) => `Content-Length: ${body.length}`;
const plain = (body: string) => body;
const chunks = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const CHUNKED = "Transfer-Encoding: chunked";
const FRAMINGS: Record<string, Framing> = {
  none: { headers: () => [], send: () => "", is: "whole" },
  "a length": { headers: (body) => [length(body)], send: plain, is: "whole" },
  "a length after the limit": { headers: (body) => [length(body)], send: plain, last: true, is: "whole" },
  "a length that is too small": { headers: () => ["Content-Length: 4"], send: plain, is: "short" },
  "a length that is too large": { headers: () => ["Content-Length: 100000"], send: plain, is: "broken" },
  chunked: { headers: () => [CHUNKED], send: chunks, is: "whole" },
  "chunked after the limit": { headers: () => [CHUNKED], send: chunks, last: true, is: "whole" },
  "chunks that end early": { headers: () => [CHUNKED], send: (body) => chunks(body).slice(0, -5), is: "broken" },
  "a bad chunk size": { headers: () => [CHUNKED], send: (body) => `zz\r\n${body}\r\n0\r\n\r\n`, is: "broken" },
  "a length and chunked": { headers: (body) => [length(body), CHUNKED], send: chunks, is: "refused" },
  "chunked and a length": { headers: (body) => [CHUNKED, length(body)], send: plain, last: true, is: "refused" },
  "two lengths": { headers: (body) => [length(body), length(body)], send: plain, is: "refused" },
  "two different lengths": { headers: (body) => [length(body), "Content-Length: 4"], send: plain, is: "refused" },
  "a list of lengths": { headers: (body) => [`${length(body)}, ${body.length}`], send: plain, is: "refused" },
  "chunked twice": { headers: () => [CHUNKED, CHUNKED], send: chunks, is: "refused" },
  identity: { headers: () => ["Transfer-Encoding: identity"], send: plain, is: "refused" },
  xchunked: { headers: () => ["Transfer-Encoding: xchunked"], send: chunks, is: "refused" },
  "gzip, chunked": { headers: () => ["Transfer-Encoding: gzip, chunked"], send: chunks, is: "refused" },
  "a folded length": { headers: (body) => [`Content-Length:\r\n ${body.length}`], send: plain, is: "refused" },
  "a folded coding": { headers: () => ["Transfer-Encoding:\r\n chunked"], send: chunks, is: "refused" },
  "a space before the colon": { headers: (body) => [`Content-Length : ${body.length}`], send: plain, is: "refused" },
};

const SENDINGS = ["alone", "with a request behind it", "with a request as its body"] as const;

interface Case {
  id: string;
  method: string;
  count: number;
  framing: string;
  sending: (typeof SENDINGS)[number];
  target: string;
}

const CASES: Case[] = METHODS.flatMap((method) =>
  COUNTS.flatMap((count) =>
    Object.keys(FRAMINGS).flatMap((framing) => SENDINGS.map((sending) => ({ method, count, framing, sending }))),
  ),
).map((one, index) => ({ ...one, id: `case-${index}`, target: TARGETS[index % TARGETS.length] as string }));

const requestOf = (method: string, target: string, id: string, headers: readonly string[], body = "") =>
  `${[`${method} ${target} HTTP/1.1`, "Host: localhost", `X-Request-ID: ${id}`, ...headers].join("\r\n")}\r\n\r\n${body}`;

/** A complete request that would store an event if the server parsed it. */
const smuggled = (site: TestSite) => {
  const event = JSON.stringify({ domain: site.host, name: "Smuggled" });
  return requestOf("POST", "/api/event", "smuggled", ["Content-Type: application/json", length(event)], event);
};

/** Runs a case. @returns the problem with the responses, or null */
async function faultOf(one: Case, port: number, inner: string): Promise<string | null> {
  const { id, method, count, target } = one;
  const framing = FRAMINGS[one.framing] as Framing;
  const content = one.sending === "with a request as its body" ? inner : '{"n":1}';
  const own = ["Content-Type: application/json"];
  const announced = framing.headers(content);
  const filler = Array.from({ length: count - 2 - own.length - announced.length }, () => "a: b");
  const headers = framing.last ? [...own, ...filler, ...announced] : [...own, ...announced, ...filler];
  const bytes = requestOf(method, target, id, headers, framing.send(content));
  const next = requestOf("GET", "/api/nosuch", `${id}-next`, ["Connection: close"]);
  const isPipelined = one.sending === "with a request behind it";
  const answers = await converse({
    port,
    bytes: isPipelined ? bytes + next : bytes,
    methods: [method, "GET"],
    half: framing.is === "broken",
    next: isPipelined || framing.is === "broken" ? "" : next,
  });
  if (typeof answers === "string") return answers;
  return faultIn(answers, one, expectedOf(one, framing));
}

const expectedOf = ({ method, count }: Case, framing: Framing): Framing["is"] =>
  count > 100 || ["TRACE", "PROPFIND", "BREW"].includes(method) ? "refused" : framing.is;

function faultIn(answers: Answer[], { id, count, target }: Case, expected: Framing["is"]): string | null {
  const [first, second, ...more] = answers;
  const shown = answers.map(({ status, headers }) => `${status} ${headers.get("x-request-id")}`).join(", ");
  if (!first || more.length > 0) return `${answers.length} answers: ${shown}`;
  const requestId = first.headers.get("x-request-id");
  if (requestId !== undefined && requestId !== id) return `another's answer: ${shown}`;
  if (!isOwnPage(first)) return "a page with another page's nonce";
  const closes = first.headers.get("connection") === "close";
  if (expected === "refused") {
    if (first.status !== 400 && first.status !== 431) return `not refused: ${shown}`;
    if (count === 101 && requestId !== undefined && first.status !== 431) return `not refused by 431: ${shown}`;
    return closes && !second ? null : `continues after a refusal: ${shown}`;
  }
  if (expected === "broken") return second ? `continues after a broken body: ${shown}` : null;
  // On a busy machine a part may answer late, and the server says so.
  const isLate = target === "/api/health" && first.status === 503;
  if (first.status === 431 || (first.status >= 500 && !isLate)) return `refused: ${shown}`;
  if (requestId === undefined && !UNMARKED.includes(target) && first.status !== 204)
    return `an answer without an id: ${shown}`;
  if (closes) return second ? `continues after its end: ${shown}` : null;
  if (expected === "short") return second?.status === 400 && !second.headers.has("x-request-id") ? null : shown;
  return second?.status === 404 && second.headers.get("x-request-id") === `${id}-next` ? null : `out of step: ${shown}`;
}

/** Paths whose responses have no request id. */
const UNMARKED = ["/api/health", "/login"];

/** Whether the nonces of a page match its policy header, which are written by different parts of the server. */
function isOwnPage({ headers, body }: Answer): boolean {
  const nonces = new Set(
    [...body.matchAll(/<script\b[^>]*\bnonce="([^"]+)"/g)].map(([, nonce]) => nonce?.toLowerCase()),
  );
  const policy = headers.get("content-security-policy") ?? "";
  return [...nonces].every((nonce) => policy.includes(`'nonce-${nonce}'`));
}

const CONCURRENCY = 12;
const MAX_FAULTS = 20;

/** Sends control requests on separate connections until `stop` is aborted. @returns responses to a different request */
async function controls(port: number, stop: AbortSignal): Promise<string[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
  const mismatches: string[] = [];
  const sendControl = async (id: string) => {
    const request = http.get({ agent, port, host: "127.0.0.1", path: "/api/nosuch", headers: { "x-request-id": id } });
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    let body = "";
    for await (const chunk of answer) body += chunk;
    const requestId = answer.headers["x-request-id"];
    if (answer.statusCode !== 404 || requestId !== id || JSON.parse(body).request_id !== id)
      mismatches.push(`${id}: ${requestId}`);
  };
  const loop = async (name: string) => {
    for (let n = 0; !stop.aborted; n++) await sendControl(`control-${name}-${n}`);
  };
  await Promise.all(["a", "b"].map(loop));
  agent.destroy();
  return mismatches;
}

/** Shares no factor with the numbers of methods, header counts, framings and orders, so a part has them all. */
const STEP = 11;

test.each(METHODS)(
  "requests with the method %s get one answer each, their own, whatever their framing",
  async (method) => {
    const [{ port, faults }, site] = await Promise.all([started(), makeSite()]);
    const inner = smuggled(site);
    const done = new AbortController();
    const mismatches = controls(port, done.signal);
    const wrong: string[] = [];
    const waiting = sampled(CASES, STEP).filter((one) => one.method === method);
    expect(waiting.length).toBeGreaterThan(30);
    const worker = async () => {
      for (let one = waiting.pop(); one && wrong.length < MAX_FAULTS; one = waiting.pop()) {
        const fault = await faultOf(one, port, inner);
        if (fault)
          wrong.push(`${one.method} ${one.target}, ${one.count} headers, ${one.framing}, ${one.sending}: ${fault}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    done.abort();
    expect(wrong).toEqual([]);
    expect(await mismatches).toEqual([]);
    expect(await storedOf(site)).toBe(0);
    expect(faults()).toEqual([]);
  },
);

const storedOf = async (site: TestSite): Promise<number> => {
  const rows = await rowsOf<object[]>`SELECT 1 FROM facts.event WHERE site_id = ${site.id}`;
  return rows.length;
};

/** Returns "status request-id" of all responses. */
async function statuses(bytes: string, methods: readonly string[] = []): Promise<string[]> {
  const { port } = await started();
  const answers = await converse({ port, bytes, methods });
  if (typeof answers === "string") return [answers];
  return answers.map(({ status, headers }) => [status, headers.get("x-request-id") ?? ""].join(" ").trim());
}

const nosuch = (id: string, ...headers: string[]) => requestOf("GET", "/api/nosuch", id, headers);

test("a malformed request is answered after the requests before it, and closes the connection", async () => {
  expect(await statuses(`${nosuch("a")}${nosuch("b")}{}`)).toEqual(["404 a", "404 b", "400"]);
  const broken = requestOf("POST", "/api/event", "c", [CHUNKED], "zz\r\n");
  expect(await statuses(nosuch("a") + broken)).toEqual(["404 a", "400"]);
  expect(await statuses(nosuch("a") + requestOf("CONNECT", "example.com:443", "c", []) + nosuch("d"))).toEqual([
    "404 a",
    "405",
  ]);
});

test("a request whose body fails after its response gets no second response", async () => {
  const early = requestOf("OPTIONS", "/api/event", "a", [CHUNKED], "2\r\n{}\r\n");
  expect(await statuses(`${early}zz\r\n`)).toEqual(["204"]);
});

test("a request that closes the connection gets its own response, and later bytes are ignored", async () => {
  expect(await statuses(`${nosuch("a", "Connection: close")}${nosuch("b")}`)).toEqual(["404 a"]);
  expect(await statuses(`${nosuch("a", "Connection: close")}{}`)).toEqual(["404 a"]);
});

test("nothing is done for what follows a refused request", async () => {
  const site = await makeSite();
  const many = Array.from({ length: 100 }, () => "a: b");
  expect(await statuses(nosuch("a", ...many) + smuggled(site))).toEqual(["431 a"]);
  expect(await statuses(nosuch("a", "Upgrade: websocket", "Connection: upgrade") + smuggled(site))).toEqual(["404 a"]);
  expect(await storedOf(site)).toBe(0);
});

test("Expect: 100-continue is confirmed only for requests that are accepted; other expectations are refused", async () => {
  const { port } = await started();
  const body = '{"x":1}';
  const expecting = (...headers: string[]) =>
    requestOf("POST", "/api/event", "a", ["Content-Type: application/json", length(body), ...headers], body);
  const close = "Connection: close";
  expect(await statuses(expecting("Expect: 100-continue", close))).toEqual(["422 a"]);
  expect(await statuses(expecting("Expect: 200-ok"))).toEqual(["400 a"]);
  const socket = net.connect(port, "127.0.0.1");
  const closed = once(socket, "close");
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  socket.write(expecting("Expect: 100-continue", ...Array.from({ length: 100 }, () => "a: b")));
  await closed;
  expect(received).toMatch(/^HTTP\/1\.1 431 /);
});

test("two Host headers, and HTTP versions other than 1.0 and 1.1, are refused", async () => {
  expect(await statuses(nosuch("a", "Host: evil.example"))).toEqual(["400 a"]);
  expect(await statuses("GET /api/nosuch\r\n\r\n")).toHaveLength(1);
  expect(await statuses("GET /api/nosuch HTTP/2.0\r\nHost: localhost\r\nX-Request-ID: a\r\n\r\n")).toEqual(["400 a"]);
  expect(await statuses(nosuch("a", CHUNKED, close).replace("1.1", "1.0"))).toEqual(["400 a"]);
});

const close = "Connection: close";

test("a refusal uses the error format of the path that was called", async () => {
  const { port } = await started();
  const many = Array.from({ length: 100 }, () => "a: b");
  const refused = async (target: string) => {
    const answers = await converse({ port, bytes: requestOf("POST", target, "a", many), methods: ["POST"] });
    return (answers as Answer[])[0]?.body ?? "";
  };
  expect(JSON.parse(await refused("/api/v1/events"))).toMatchObject({ error: { code: "headers_too_large" } });
  expect(JSON.parse(await refused("/oauth/token"))).toMatchObject({ error: "invalid_request" });
  expect(await refused("/login")).toBe("The request has more than 100 headers; send fewer.\n");
});
