import { afterAll, beforeAll } from "vitest";
import { env } from "@/lib/platform/env";
import { type DnsServer, startDns } from "@/lib/testing/dns";

/**
 * Gives the tests of a file a name server that all of its code asks, as if `DNS_SERVERS` named it. Call it at the top of
 * the file; the server is there once a test runs. Each test sets names of its own.
 */
export function dnsForTests(): Pick<DnsServer, "set" | "asked"> {
  const started: { dns?: DnsServer } = {};
  const dns = (): DnsServer => {
    if (!started.dns) throw new Error("The name server starts before the first test, not earlier");
    return started.dns;
  };
  beforeAll(async () => {
    started.dns = await startDns();
    env().DNS_SERVERS = [started.dns.address];
  });
  afterAll(() => started.dns?.stop());
  return { set: (...given) => dns().set(...given), asked: (...given) => dns().asked(...given) };
}

/**
 * Gives the tests of a file a name server for code that is told which one to ask, and a list of what to stop after the last
 * of them. Call it at the top of the file; the server is there once a test runs.
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
