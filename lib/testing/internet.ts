import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { env } from "@/lib/platform/env";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { type DnsServer, startDns } from "@/lib/testing/dns";
import { type HttpsServer, startHttps, testAuthority } from "@/lib/testing/https";

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

/** A web server on loopback, its name, and the network settings to reach it. */
export interface HostedServer {
  host: string;
  server: HttpsServer;
  /** Allows loopback by `privateRanges`, like OUTBOUND_PRIVATE_CIDRS does in production. */
  internet: Internet & { dnsServers: string[] };
  /** The same without `privateRanges`. */
  guarded: Internet & { dnsServers: string[] };
}

/**
 * Starts a name server for code that gets its name servers as an argument. Call it at the top of the file; the server
 * runs before the first test. Functions added to `stops` run after the last test.
 */
export function serversForTests() {
  const started: { dns?: DnsServer } = {};
  const stops: (() => Promise<void>)[] = [];
  const dns = () => started.dns as DnsServer;
  beforeAll(async () => {
    started.dns = await startDns();
    stops.push(started.dns.stop);
  });
  afterAll(() => Promise.all(stops.map((stop) => stop())));

  /** Starts a web server, by default with a valid certificate and a name of its own. */
  async function hosted(
    answer: RequestListener,
    { certificate, host = `${randomUUID()}.proof.example` }: { certificate?: string; host?: string } = {},
  ): Promise<HostedServer> {
    const server = await startHttps(answer, { certificate });
    stops.push(server.stop);
    dns().set(host, { A: ["127.0.0.1"] });
    const guarded = { dnsServers: [dns().address], ca: testAuthority(), port: server.port };
    return { host, server, guarded, internet: { ...guarded, privateRanges: ["127.0.0.1"] } };
  }
  return { dns, stops, hosted };
}
