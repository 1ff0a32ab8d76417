import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readCombinedLine, type Text } from "@/lib/logs/combined";
import { readLines } from "@/lib/logs/lines";
import { readLogLine } from "@/lib/logs/log-line";

const TIME = "[04/Mar/2025:11:58:03 +0000]";

test("a line is parsed with a leading host, trailing fields and escaped quotes", () => {
  const text = String.raw`example.com:443 2001:db8::1 - al [x] "y" ${TIME} "GET /a?b=1 HTTP/2.0" 200 12 "https://a.example/\"q\"" "Bot \x22x\x22/1.0" 0.003`;
  expect(readLogLine(text)).toEqual({
    address: "2001:db8::1",
    host: "example.com",
    at: new Date("2025-03-04T11:58:03Z"),
    method: "GET",
    target: "/a?b=1",
    status: 200,
    referrer: 'https://a.example/"q"',
    userAgent: 'Bot "x"/1.0',
  });
  expect(readLogLine(`198.51.100.4 - - ${TIME} "\\x16\\x03" 400 0 "-" "-"`)).toBeNull();
  expect(readLogLine(`198.51.100.4 - - ${TIME} "GET / HTTP/1.1" 200 0 "-" "cut o`)).toBeNull();
});

test("escaped bytes are decoded as UTF-8", () => {
  const text = String.raw`198.51.100.4 - - ${TIME} "GET /caf\xC3\xA9 HTTP/1.1" 200 1 "-" "B\xe2\x82\xac \xff\n\\x41"`;
  expect(readLogLine(text)).toMatchObject({ target: "/café", userAgent: "B€ \ufffd\n\\x41" });
});

test("a line of Caddy's log is parsed", () => {
  const headers = { "User-Agent": ["Bot/1.0"], Referer: ["https://a.example/"] };
  const request = {
    remote_ip: "192.0.2.1",
    client_ip: "198.51.100.4",
    host: "example.com:8443",
    method: "GET",
    uri: "/a",
  };
  const line = { ts: 1741089483.25, status: 200, request: { ...request, headers } };
  expect(readLogLine(JSON.stringify(line))).toEqual({
    address: "198.51.100.4",
    host: "example.com",
    at: new Date("2025-03-04T11:58:03.250Z"),
    method: "GET",
    target: "/a",
    status: 200,
    referrer: "https://a.example/",
    userAgent: "Bot/1.0",
  });
  for (const text of ["{", "{}", '{"ts":"x"}', JSON.stringify({ ...line, ts: 1e300 })])
    expect(readLogLine(text)).toBeNull();
});

/** A line that counts the characters the parser reads. */
function counting(line: string): Text & { steps: number } {
  return {
    steps: 0,
    length: line.length,
    indexOf(what: string, from = 0) {
      const at = line.indexOf(what, from);
      this.steps += (at < 0 ? line.length : at) - from + 1;
      return at;
    },
    slice(from = 0, to = line.length) {
      this.steps += Math.max(0, Math.min(to, line.length) - from);
      return line.slice(from, to);
    },
    charCodeAt(at) {
      this.steps++;
      return line.charCodeAt(at);
    },
  };
}

test("parsing is linear in the length of the line, for any input", () => {
  const piece = fc.constantFrom(
    '"',
    "\\",
    "[",
    "]",
    " ",
    "a:1 ",
    "[a] ",
    `${TIME} "`,
    `1.1.1.1 - - ${TIME} "GET / `,
    '" 200 1 "',
    "x",
  );
  const parts = fc.array(fc.tuple(piece, fc.integer({ min: 1, max: 400 })), { maxLength: 12 });
  fc.assert(
    fc.property(parts, (chosen) => {
      const line = chosen.map(([text, times]) => text.repeat(times)).join("");
      const text = counting(line);
      readCombinedLine(text);
      expect(text.steps).toBeLessThanOrEqual(40 * line.length + 100);
    }),
  );
});

test("any request, referrer and user agent that a server escapes is decoded", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "é", '"', "\\", " ", "[", "€", "\u{1f600}"), minLength: 1 });
  const escaped = (text: string) =>
    [...Buffer.from(text)]
      .map((byte) =>
        byte < 32 || byte > 126 || byte === 34 || byte === 92
          ? `\\x${byte.toString(16).padStart(2, "0")}`
          : String.fromCharCode(byte),
      )
      .join("");
  fc.assert(
    fc.property(word, word, (referrer, userAgent) => {
      const line = `198.51.100.4 - - ${TIME} "GET / HTTP/1.1" 200 1 "${escaped(referrer)}" "${escaped(userAgent)}"`;
      expect(readLogLine(line)).toMatchObject({ referrer, userAgent });
    }),
  );
});

const read = async (...chunks: (string | Buffer)[]) => {
  const lines = [];
  for await (const line of readLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))) lines.push(line);
  return lines;
};
const texts = async (...chunks: (string | Buffer)[]) => (await read(...chunks)).map(({ text }) => text);

test("a log is split into lines, in chunks of any size, compressed or not", async () => {
  const bytes = Buffer.from("é\u2028a\r\n\nb\n");
  const each = [...bytes].map((byte) => Buffer.of(byte));
  expect(await texts(bytes)).toEqual(["é\u2028a", "", "b"]);
  expect(await texts(...each)).toEqual(["é\u2028a", "", "b"]);
  expect(await texts(gzipSync("a\n"), gzipSync("b\n"))).toEqual(["a", "b"]);
  expect(await texts()).toEqual([]);
  expect(await read("a\nb")).toEqual([
    { text: "a", ended: true, end: 2 },
    { text: "b", ended: false, end: 3 },
  ]);
});

test("a truncated gzip log throws, and a line without end is not buffered", async () => {
  await expect(texts(gzipSync("a\n".repeat(1000)).subarray(0, -9))).rejects.toThrow(/unexpected end of file/);
  const long = Array.from({ length: 300 }, () => "x".repeat(1000));
  expect((await read(...long, "\nb\n")).map(({ text }) => text.length)).toEqual([64 * 1024, 1]);
});
