import { afterAll, beforeAll } from "vitest";
import { env } from "@/lib/platform/env";
import { type DnsServer, startDns } from "@/lib/testing/dns";

/**
 * Starts a name server for the tests of a file and sets `DNS_SERVERS` to it. Call it at the top of the file; the server
 * runs before the first test. Each test must use its own names.
 */
export function dnsForTests(): Pick<DnsServer, "set" | "queryCount"> {
  const started: { dns?: DnsServer } = {};
  const dns = (): DnsServer => {
    if (!started.dns) throw new Error("The name server starts before the first test; do not use it earlier");
    return started.dns;
  };
  beforeAll(async () => {
    started.dns = await startDns();
    env().DNS_SERVERS = [started.dns.address];
  });
  afterAll(() => started.dns?.stop());
  return { set: (...given) => dns().set(...given), queryCount: (...given) => dns().queryCount(...given) };
}

/**
 * Starts a name server for code that gets its name servers as an argument. Call it at the top of the file; the server
 * runs before the first test. Functions added to `stops` run after the last test.
 */
export function serversForTests(): { dns: () => DnsServer; stops: (() => Promise<void>)[] } {
  const started: { dns?: DnsServer } = {};
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    started.dns = await startDns();
    stops.push(started.dns.stop);
  });
  afterAll(() => Promise.all(stops.map((stop) => stop())));
  return { dns: () => started.dns as DnsServer, stops };
}
