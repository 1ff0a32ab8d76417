import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientAddress, isFromThisMachine } from "@/lib/platform/http/address";
import { addressRanges } from "@/lib/platform/networks";

const request = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  }) as IncomingMessage;
const trusted = addressRanges(["10.0.0.0/8", "::1", "fd00::/8", "192.0.2.9"]);

test.each([
  ["203.0.113.5", undefined, "203.0.113.5"],
  ["::ffff:203.0.113.5", undefined, "203.0.113.5"],
  ["2001:db8:0:0::5", undefined, "2001:db8::5"],
  ["203.0.113.5", "198.51.100.1", "203.0.113.5"], // not a trusted proxy: the header is ignored
  ["10.1.1.1", "198.51.100.1", "198.51.100.1"],
  ["::ffff:10.1.1.1", "198.51.100.1", "198.51.100.1"],
  ["10.1.1.1", "6.6.6.6, 198.51.100.1, 10.2.2.2", "198.51.100.1"], // the nearest address that is not a proxy, not the first
  ["::1", "fd00::5, 2001:db8::7, fd12::1", "2001:db8::7"],
  ["192.0.2.9", "::ffff:198.51.100.1", "198.51.100.1"],
  ["10.1.1.1", "10.2.2.2", "10.1.1.1"],
  ["10.1.1.1", undefined, null],
  ["10.1.1.1", "unknown", null],
  ["10.1.1.1", "198.51.100.1:4711", "198.51.100.1"],
  ["10.1.1.1", "[2001:db8::7]:4711, , 10.2.2.2:80", "2001:db8::7"],
  ["fd00::1%eth0", "198.51.100.1, fd00::2%eth0,", "198.51.100.1"],
  ["10.1.1.1", "198.51.100.1:port", null],
  [undefined, "198.51.100.1", null],
])("from %s with X-Forwarded-For %s the caller is %s", (peer, forwarded, expected) => {
  expect(clientAddress(request(peer, forwarded), trusted)).toBe(expected);
});

test("overlapping ranges, and a range with host bits, contain the addresses of each range", () => {
  const within = addressRanges([
    "10.1.2.3/8",
    "10.5.0.0/16",
    "192.0.2.0/25",
    "192.0.2.128/25",
    "2001:db8::/32",
    "2001:db8:5::/48",
  ]);
  const addresses = [
    "10.0.0.0",
    "10.255.255.255",
    "11.0.0.0",
    "9.255.255.255",
    "192.0.2.200",
    "192.0.3.0",
    "2001:db8:ffff::1",
    "2001:db9::",
  ];
  expect(addresses.map(within)).toEqual([true, true, false, false, true, false, true, false]);
});

test.each([
  ["a browser here", "127.0.0.1", { host: "localhost:3000" }, true],
  ["a browser here over IPv6", "::1", { host: "[::1]:3000" }, true],
  ["a mapped loopback address", "::ffff:127.0.0.1", { host: "127.0.0.1:3000" }, true],
  ["another machine", "203.0.113.5", { host: "localhost:3000" }, false],
  ["a container's bridge", "172.17.0.1", { host: "localhost:3000" }, false],
  ["a proxy here", "127.0.0.1", { host: "localhost:3000", "x-forwarded-for": "203.0.113.5" }, false],
  ["a proxy here that lies", "127.0.0.1", { host: "localhost:3000", "x-forwarded-for": "127.0.0.1" }, false],
  ["a proxy by RFC 7239", "127.0.0.1", { host: "localhost:3000", forwarded: "for=203.0.113.5" }, false],
  ["a proxy with X-Real-IP", "127.0.0.1", { host: "localhost:3000", "x-real-ip": "203.0.113.5" }, false],
  ["a proxy with Via", "127.0.0.1", { host: "localhost:3000", via: "1.1 varnish" }, false],
  ["a name that was rebound to this machine", "127.0.0.1", { host: "evil.example:3000" }, false],
  ["no Host at all", "127.0.0.1", {}, false],
  ["a closed connection", undefined, { host: "localhost:3000" }, false],
])("a request by %s is local only without a proxy and with a loopback host", (_, peer, headers, expected) => {
  const made = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
  expect(isFromThisMachine(made, new URL("http://localhost:3000"))).toBe(expected);
  expect(isFromThisMachine(made, new URL("https://stats.example.com"))).toBe(false);
});
