import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { findProof, proofPlaces } from "@/lib/identity/proof";
import { dnsForTests } from "@/lib/testing/internet";

const dns = dnsForTests();
const VALUE = "footfall-verify=abc";

/** A domain of the test's own, and what looking for its DNS proof finds. */
function sought() {
  const domain = `${randomUUID()}.example`;
  const { dns_name } = proofPlaces(domain, "token");
  return { dns_name, look: () => findProof({ domain, method: "dns", value: VALUE, token: "token" }) };
}

test("a DNS proof is found among other records, in chunks, behind an alias and in an answer that needs TCP", async () => {
  const { dns_name, look } = sought();
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
  const { dns_name, look } = sought();
  for (const other of [`${VALUE}x`, `x${VALUE}`, VALUE.toUpperCase(), "", `"${VALUE}"`]) {
    dns.set(dns_name, { TXT: [other] });
    expect(await look(), other).toEqual({ found: false, reason: "dns_no_match", temporary: false });
  }
});

test("a name without records is a plain no, a name server that fails is a temporary one", async () => {
  const { dns_name, look } = sought();
  expect(await look()).toEqual({ found: false, reason: "dns_no_match", temporary: false });
  dns.set(dns_name, { A: ["192.0.2.1"] });
  expect(await look()).toEqual({ found: false, reason: "dns_no_match", temporary: false });
  for (const failing of ["servfail", "refused"] as const) {
    dns.set(dns_name, failing);
    expect(await look(), failing).toEqual({ found: false, reason: "dns_no_match", temporary: true });
  }
});
