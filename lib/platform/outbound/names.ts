import { promises as dns } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { env } from "@/lib/platform/env";
import { Fault } from "@/lib/platform/errors";

/** Resolves untrusted host names, once each, and allows public addresses only. */

/** Timeout of one attempt; the deadline of the caller may end it earlier. */
const DNS_TRY_MS = 2_000;
const DNS_TRIES = 2;
/** Errors of names without records; every other error is temporary. */
const NO_SUCH_NAME = ["ENOTFOUND", "ENODATA", "EBADNAME"];

/**
 * A host could not be read. Callers only learn whether to try again later: a refused address, a host that does not
 * answer and an invalid certificate look the same.
 */
export class Unreachable extends Fault {
  /**
   * @param why the connection to a public address failed; show it to the owner of the site only. Null when the failure
   *   came earlier, while resolving the name or checking its addresses.
   */
  constructor(
    readonly temporary: boolean,
    readonly why: ConnectionFault | null = null,
  ) {
    super(temporary ? "temporarily unreachable" : "unreachable");
  }
}

/** Connection refused; timeout; expired certificate; certificate invalid for this name; any other error. */
export type ConnectionFault = "refused" | "silent" | "certificate_expired" | "certificate_unfit" | "broken";

/** Network settings for tests. Production code never passes them. */
export interface Internet {
  dnsServers?: readonly string[];
  privateRanges?: readonly string[];
  /** Connects to this port instead of the port of the URL. */
  port?: number;
  /** The only certificate authority (PEM). */
  ca?: string;
  /** The origin of a server on this machine, to which requests may go although its address is not public. */
  standIn?: string | undefined;
}

interface Address {
  address: string;
  family: 4 | 6;
}

/** Resolves a host. @throws Unreachable when it has no address, or when any of its addresses is not public. */
export async function checkedAddresses(host: string, signal: AbortSignal, internet: Internet): Promise<Address[]> {
  const [four, six] = await Promise.allSettled([
    queryDns(internet, signal, (resolver) => resolver.resolve4(host)),
    queryDns(internet, signal, (resolver) => resolver.resolve6(host)),
  ]);
  const found: Address[] = [
    ...(four.status === "fulfilled" ? four.value : []).map((address) => ({ address, family: 4 }) as const),
    ...(six.status === "fulfilled" ? six.value : []).map((address) => ({ address, family: 6 }) as const),
  ];
  if (found.length === 0) {
    const failures = [four, six].flatMap((half) => (half.status === "rejected" ? [half.reason] : []));
    throw failures.find(({ temporary }) => temporary) ?? new Unreachable(false);
  }
  const ranges = internet.privateRanges ?? env().OUTBOUND_PRIVATE_CIDRS;
  if (!found.every(({ address }) => isAllowedAddress(address, ranges))) throw new Unreachable(false);
  return found;
}

/** Runs one DNS query, which the signal cancels. @throws Unreachable */
export async function queryDns<Answer>(
  internet: Internet,
  signal: AbortSignal,
  query: (resolver: dns.Resolver) => Promise<Answer>,
): Promise<Answer> {
  const resolver = new dns.Resolver({ timeout: DNS_TRY_MS, tries: DNS_TRIES });
  const servers = internet.dnsServers ?? env().DNS_SERVERS;
  if (servers?.length) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel);
  try {
    if (signal.aborted) throw new Unreachable(true);
    return await query(resolver);
  } catch (error) {
    throw new Unreachable(!NO_SUCH_NAME.includes((error as NodeJS.ErrnoException).code ?? ""));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Returns a `lookup` function for Node that returns the checked addresses without a DNS query. */
export const lookupOf =
  (addresses: Address[]): LookupFunction =>
  (_host, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, addresses);
    else done(null, first?.address ?? "", first?.family);
  };

/** Azure WireServer: ipaddr.js classifies it as public, but machines on Azure read secrets from it. */
const FORBIDDEN = ["168.63.129.16"];

/** The allocated part of IPv6; ipaddr.js classifies reserved ranges outside of it as unicast (RFC 4291 section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
const isAllocated = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.kind() === "ipv4" || address.match(GLOBAL_IPV6);

/**
 * Returns whether an untrusted name may resolve to this address: public unicast, or within a range (CIDR or single
 * address) that the operator allows. IPv6 forms that embed an IPv4 address (mapped, NAT64, 6to4) are always refused.
 */
export function isAllowedAddress(text: string, privateRanges: readonly string[]): boolean {
  // ipaddr.js also parses `0x7f.1`; resolvers always return the standard notation.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (privateRanges.some((range) => contains(range, address))) return true;
  return address.range() === "unicast" && isAllocated(address) && !FORBIDDEN.includes(address.toString());
}

function contains(range: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [network, bits] = range.includes("/")
    ? ipaddr.parseCIDR(range)
    : ([ipaddr.parse(range), Number.POSITIVE_INFINITY] as const);
  if (network.kind() !== address.kind()) return false;
  return address.match(network, Math.min(bits, network.kind() === "ipv4" ? 32 : 128));
}
