import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { requestFault } from "@/lib/platform/http/request-fault";

/** Returns the code of the refusal of a request with these headers; null when it may be answered. */
function faultOf(sent: [name: string, value: string][], more: Partial<IncomingMessage> = {}): string | null {
  const rawHeaders = [["Host", "stats.example.com"], ...sent].flat();
  const headers = Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), value]));
  const request = { method: "POST", url: "/api/event", httpVersion: "1.1", rawHeaders, headers, ...more };
  return requestFault(request as IncomingMessage)?.code ?? null;
}

test("a request whose length, host or target can be read in two ways is malformed", () => {
  const ambiguous: Parameters<typeof faultOf>[] = [
    [[["Host", "other.example"]]],
    [
      [
        ["Content-Length", "5"],
        ["content-length", "6"],
      ],
    ],
    [
      [
        ["Content-Length", "5"],
        ["Transfer-Encoding", "chunked"],
      ],
    ],
    [[["Transfer-Encoding", "gzip, chunked"]]],
    [[["Transfer-Encoding", "chunked"]], { httpVersion: "1.0" }],
    [[], { httpVersion: "2.0" }],
    [[], { url: "http://other.example/" }],
    [[], { url: "//other.example/" }],
    [[], { url: "/%" }],
  ];
  for (const [headers, more] of ambiguous)
    expect(faultOf(headers, more), JSON.stringify([headers, more])).toBe("malformed_request");
});

test("a request with one length and one host is answered, and one with more than 100 headers is not", () => {
  const many = (count: number) => Array.from({ length: count }, (_, n): [string, string] => [`x-${n}`, "1"]);
  expect(faultOf([["Content-Length", "5"]])).toBeNull();
  expect(faultOf([["Transfer-Encoding", "Chunked"]])).toBeNull();
  expect([faultOf(many(99)), faultOf(many(100))]).toEqual([null, "headers_too_large"]);
});
