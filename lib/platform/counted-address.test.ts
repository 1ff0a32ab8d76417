import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { signIn, TooManyTries } from "@/lib/auth/sign-in";
import { limitRate } from "@/lib/ingest/site/limits";
import { countedAddress } from "@/lib/platform/counted-address";
import { newPerson } from "@/lib/testing/owners";

test.each([
  ["203.0.113.5", "203.0.113.5"],
  ["::ffff:203.0.113.5", "203.0.113.5"],
  ["::ffff:cb00:7105", "203.0.113.5"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:2:ffff::", "2001:db8:1:2::/64"],
  ["2001:db8::6", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["unknown", "unknown"],
  ["12:34", "12:34"],
])("%s is counted as %s", (address, counted) => {
  expect(countedAddress(address)).toBe(counted);
  expect(countedAddress(address)).toBe(counted);
});

test("changing the address within one /64 does not evade the limit of wrong passwords", async () => {
  const now = new Date();
  const network = `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}`;
  // Accounts of tests have a cheap hash; to refuse an unknown one takes as long as on a server.
  const fromHost = async (host: number) => {
    const { email } = await newPerson(now);
    return signIn({ email, password: "wrong", address: `${network}::${host.toString(16)}` }, now);
  };
  for (let host = 1; host <= 50; host++) expect(await fromHost(host)).toBeNull();
  await expect(fromHost(51)).rejects.toThrow(TooManyTries);
});

test("changing the address within one /64 does not evade the rate limit of events", () => {
  const now = new Date();
  const siteId = -Math.floor(Math.random() * 1e9);
  const send = (host: number) => limitRate(siteId, `2001:db8:1:2::${host.toString(16)}`, now);
  for (let host = 1; host <= 1_000; host++) send(host);
  expect(() => send(1_001)).toThrow("Too many events from this address");
});
