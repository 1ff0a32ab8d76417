import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { findProof, proofPlaces } from "@/lib/platform/outbound/domain-proof";
import { dnsForTests, serversForTests } from "@/lib/testing/internet";

const dns = dnsForTests();
const { hosted } = serversForTests();
const VALUE = "footfall-verify=abc";
const NO_MATCH = { found: false, reason: "dns_no_match", temporary: false };

/** A new domain, and a function that looks for its DNS proof. */
function dnsProof() {
  const domain = `${randomUUID()}.example`;
  const { dns_name } = proofPlaces(domain, "token");
  return { dns_name, look: () => findProof({ domain, method: "dns", value: VALUE, token: "token" }) };
}

test("a DNS proof is found among other records, in chunks, behind a CNAME and in an answer that needs TCP", async () => {
  const { dns_name, look } = dnsProof();
  dns.set(dns_name, { TXT: ["v=spf1 -all", ` ${VALUE} `] });
  expect(await look()).toEqual({ found: true });
  dns.set(dns_name, { TXT: [["footfall-", "verify=", "abc"]] });
  expect(await look()).toEqual({ found: true });
  dns.set(`to.${dns_name}`, { TXT: [VALUE] });
  dns.set(dns_name, { CNAME: `to.${dns_name}` });
  expect(await look()).toEqual({ found: true });
  dns.set(dns_name, { TXT: ["x".repeat(200), VALUE], truncated: true });
  expect(await look()).toEqual({ found: true });
});

test("a DNS proof must be the whole record", async () => {
  const { dns_name, look } = dnsProof();
  for (const other of [`${VALUE}x`, `x${VALUE}`, VALUE.toUpperCase(), "", `"${VALUE}"`]) {
    dns.set(dns_name, { TXT: [other] });
    expect(await look(), other).toEqual({ ...NO_MATCH, instead: [other] });
  }
});

test("a name without records is a final failure, a failing name server a temporary one", async () => {
  const { dns_name, look } = dnsProof();
  expect(await look()).toEqual(NO_MATCH);
  dns.set(dns_name, { A: ["192.0.2.1"] });
  expect(await look()).toEqual(NO_MATCH);
  for (const failing of ["servfail", "refused"] as const) {
    dns.set(dns_name, failing);
    expect(await look(), failing).toEqual({ ...NO_MATCH, temporary: true });
  }
});

/** An HTTPS site with this listener, and a function that looks for its proof. */
async function httpsProof(answer: RequestListener, certificate?: string) {
  const { host: domain, server, guarded } = await hosted(answer, { certificate });
  const look = (more: object = { privateRanges: ["127.0.0.1"] }) =>
    findProof({ domain, method: "https", value: VALUE, token: "token" }, { ...guarded, ...more });
  return { server, look };
}

const MISMATCH = { found: false, reason: "https_mismatch", temporary: false };
const UNREACHABLE = { found: false, reason: "https_unreachable", temporary: false };

test("an HTTPS proof is the whole body at its URL, except for one trailing newline", async () => {
  const bodies = [
    VALUE,
    `${VALUE}\n`,
    `${VALUE}\r\n`,
    `${VALUE}\n\n`,
    ` ${VALUE}`,
    `${VALUE}x`,
    VALUE.toUpperCase(),
    "",
  ];
  const { server, look } = await httpsProof((_, response) => response.end(bodies.shift()));
  for (let good = 0; good < 3; good++) expect(await look()).toEqual({ found: true });
  while (bodies.length > 0) expect(await look()).toEqual(MISMATCH);
  expect(new Set(server.requestedPaths)).toEqual(new Set(["/.well-known/footfall-challenge/token"]));
});

test("an HTTPS proof counts with status 200 only, without redirects, and of at most 1024 bytes", async () => {
  const answers: RequestListener[] = [
    (_, response) => response.writeHead(404).end(VALUE),
    (_, response) => response.writeHead(203).end(VALUE),
    (_, response) => response.writeHead(206).end(VALUE),
    (request, response) =>
      request.url === "/there" ? response.end(VALUE) : response.writeHead(302, { location: "/there" }).end(VALUE),
    (_, response) => response.end(VALUE.padEnd(1025, "\n")),
  ];
  for (const answer of answers) {
    const { look } = await httpsProof(answer);
    expect(await look(), `${answer}`).toEqual(MISMATCH);
  }
});

test("a refused address, a closed port and an invalid certificate give the same result", async () => {
  const { server, look } = await httpsProof((_, response) => response.end(VALUE));
  expect(await look({})).toEqual(UNREACHABLE);
  expect(server.connections()).toBe(0);
  expect(await look({ privateRanges: ["127.0.0.1"], port: 1 })).toEqual(UNREACHABLE);
  for (const certificate of ["other-name", "expired", "self-signed"]) {
    const { look } = await httpsProof((_, response) => response.end(VALUE), certificate);
    expect(await look(), certificate).toEqual(UNREACHABLE);
  }
});
