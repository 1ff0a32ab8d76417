import { promises as dns } from "node:dns";
import type { LookupFunction } from "node:net";
import { env } from "@/lib/platform/env";
import { isAllowedAddress } from "@/lib/platform/outbound/public-address";

/** Where names lead that strangers chose: asked once, and only to addresses that anyone may go to. */

/** One DNS server is asked twice, for so long each time; the caller's deadline ends it earlier. */
const DNS_TRY_MS = 2_000;
const DNS_TRIES = 2;
/** What a name server answers when there is nothing; every other failure may be over in a minute. */
const NO_SUCH_NAME = ["ENOTFOUND", "ENODATA", "EBADNAME"];

/**
 * The outside could not be read. Callers learn whether to try again later and nothing else: an address that we refuse
 * to go to, one where nobody answers and one with a bad certificate look alike.
 */
export class Unreachable extends Error {
  /**
   * @param why of a public address that was connected to, which its owner may be told and nobody else; null for all that
   *   comes before that, names and their addresses.
   */
  constructor(
    readonly temporary: boolean,
    readonly why: Why | null = null,
  ) {
    super(temporary ? "could not be read just now" : "cannot be read");
  }
}

/** Nobody takes the connection; no answer in time; a certificate that is over, or not one for this name; anything else. */
export type Why = "refused" | "silent" | "certificate_expired" | "certificate_unfit" | "broken";

/** What tests pass to stand in for the Internet. Nothing else does: no configuration leads here. */
export interface Internet {
  dnsServers?: readonly string[];
  privateRanges?: readonly string[];
  /** The port behind every address, whatever the URL says. */
  port?: number;
  /** The only certificate authority (PEM). */
  ca?: string;
}

export interface Address {
  address: string;
  family: 4 | 6;
}

/** @throws Unreachable when the name has no address, or when any one of them is not for strangers. */
export async function checkedAddresses(host: string, signal: AbortSignal, internet: Internet): Promise<Address[]> {
  const [four, six] = await Promise.allSettled([
    asked(internet, signal, (resolver) => resolver.resolve4(host)),
    asked(internet, signal, (resolver) => resolver.resolve6(host)),
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

/** One question to the name servers, given up when the time is over. */
export async function asked<Answer>(
  internet: Internet,
  signal: AbortSignal,
  ask: (resolver: dns.Resolver) => Promise<Answer>,
): Promise<Answer> {
  const resolver = new dns.Resolver({ timeout: DNS_TRY_MS, tries: DNS_TRIES });
  const servers = internet.dnsServers ?? env().DNS_SERVERS;
  if (servers?.length) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel);
  try {
    if (signal.aborted) throw new Unreachable(true);
    return await ask(resolver);
  } catch (error) {
    throw new Unreachable(!NO_SUCH_NAME.includes((error as NodeJS.ErrnoException).code ?? ""));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Answers Node's own question for the name with the addresses that were checked, and asks nobody. */
export const lookupOf =
  (addresses: Address[]): LookupFunction =>
  (_host, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, addresses);
    else done(null, first?.address ?? "", first?.family);
  };
