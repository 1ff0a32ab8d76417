import { promises as dns } from "node:dns";
import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { env } from "@/lib/env";
import { isAllowedAddress } from "@/lib/public-address";

/**
 * The only place that reaches out to a name that a stranger chose. Every name is resolved once, all of its addresses are
 * checked, and only these are connected to: a second, different answer of their name server is never asked for.
 */

/** One DNS server is asked twice, for so long each time; the caller's deadline ends it earlier. */
const DNS_TRY_MS = 2_000;
const DNS_TRIES = 2;
const CONNECT_TRY_MS = 2_000;
const MOST_TXT_RECORDS = 50;
const MOST_TXT_BYTES = 8 * 1024;
const MOST_HEADER_BYTES = 16 * 1024;
const PORTS = ["", "80", "443"];
const REDIRECTS = [301, 302, 303, 307, 308];
/** What a name server answers when there is nothing; every other failure may be over in a minute. */
const NO_SUCH_NAME = ["ENOTFOUND", "ENODATA", "EBADNAME"];

/**
 * The outside could not be read. Callers learn whether to try again later and nothing else: an address that we refuse
 * to go to, one where nobody answers and one with a bad certificate look alike.
 */
export class Unreachable extends Error {
  constructor(readonly temporary: boolean) {
    super(temporary ? "could not be read just now" : "cannot be read");
  }
}

/** What tests pass to stand in for the Internet. Nothing else does: no configuration leads here. */
export interface Internet {
  dnsServers?: readonly string[];
  privateRanges?: readonly string[];
  /** The port behind every address, whatever the URL says. */
  port?: number;
  /** The only certificate authority (PEM). */
  ca?: string;
}

export interface PageLimits {
  /** Of the body, after which reading stops. */
  limitBytes: number;
  /** For everything together: names, connections, TLS, headers, body, and all redirects. */
  deadlineMs: number;
  /** How many redirects are followed; the answer after the last one is given as it is. None by default. */
  redirects?: number;
}

export interface Page {
  status: number;
  /** Where it was found in the end. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Whether `body` is all of it. */
  complete: boolean;
}

/**
 * The TXT records of a name, the chunks of each joined without a separator (RFC 7208 section 3.3): the first 50 of them
 * and of these the first 8 KiB.
 *
 * @throws Unreachable temporary unless the name server says that there is nothing.
 */
export async function readTxt(
  name: string,
  limits: { deadlineMs: number },
  internet: Internet = {},
): Promise<string[]> {
  const records = await asked(internet, AbortSignal.timeout(limits.deadlineMs), (resolver) =>
    resolver.resolveTxt(name),
  );
  const kept: string[] = [];
  let bytes = 0;
  for (const record of records.slice(0, MOST_TXT_RECORDS)) {
    const text = record.join("");
    bytes += Buffer.byteLength(text);
    if (bytes > MOST_TXT_BYTES) break;
    kept.push(text);
  }
  return kept;
}

/**
 * What a public http(s) address answers to a GET without cookies, on the ports 80 and 443 only, with a certificate that
 * is valid for the name. A compressed answer is refused; each redirect is checked like the first address.
 *
 * @throws Unreachable temporary when time ran out or a name server failed.
 */
export async function readPage(url: string, limits: PageLimits, internet: Internet = {}): Promise<Page> {
  const signal = AbortSignal.timeout(limits.deadlineMs);
  try {
    let hop = new URL(url);
    for (let left = limits.redirects ?? 0; ; left--) {
      const target = allowedUrl(hop);
      const addresses = await checkedAddresses(target.hostname, signal, internet);
      const page = await get(target, addresses, left > 0, limits.limitBytes, signal, internet);
      if (!("location" in page)) return page;
      hop = new URL(page.location, target);
    }
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    throw new Unreachable(signal.aborted);
  }
}

/**
 * The parsed host counts, not its spelling: `0x7f.1`, `2130706433` and full-width digits have all become `127.0.0.1` by
 * now. Addresses are refused altogether: nobody proves one, and Node connects to them without a lookup of ours.
 */
function allowedUrl(url: URL): URL {
  const plain = ["http:", "https:"].includes(url.protocol) && PORTS.includes(url.port);
  const isAddress = url.hostname.startsWith("[") || isIP(url.hostname) !== 0;
  if (!plain || isAddress || url.username !== "" || url.password !== "") throw new Unreachable(false);
  return url;
}

interface Address {
  address: string;
  family: 4 | 6;
}

/** @throws Unreachable when the name has no address, or when any one of them is not for strangers. */
async function checkedAddresses(host: string, signal: AbortSignal, internet: Internet): Promise<Address[]> {
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
async function asked<Answer>(
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

/** One GET to one of the given addresses, over a connection of its own. */
async function get(
  url: URL,
  addresses: Address[],
  follow: boolean,
  limitBytes: number,
  signal: AbortSignal,
  internet: Internet,
): Promise<Page | { location: string }> {
  const secure = url.protocol === "https:";
  const connection = {
    lookup: lookupOf(addresses),
    autoSelectFamilyAttemptTimeout: CONNECT_TRY_MS,
    // Said out loud, because a variable of Node's could switch it off for the whole process.
    rejectUnauthorized: true,
    ...(internet.ca ? { ca: internet.ca } : {}),
  };
  const agent = secure ? new https.Agent(connection) : new http.Agent(connection);
  const request = (secure ? https : http).request(url, {
    agent,
    signal,
    maxHeaderSize: MOST_HEADER_BYTES,
    headers: { "user-agent": `Footfall (+${env().BASE_URL})`, accept: "*/*", "accept-encoding": "identity" },
    ...(internet.port ? { port: internet.port } : {}),
  });
  try {
    const response = await responseTo(request, signal);
    const { statusCode: status = 0, headers } = response;
    if (follow && REDIRECTS.includes(status) && headers.location) return { location: headers.location };
    if (isEncoded(headers)) throw new Unreachable(false);
    return { status, url: url.href, headers, ...(await readBody(response, limitBytes)) };
  } finally {
    request.destroy();
  }
}

/**
 * Node goes silent when a server offers an upgrade that nobody listens for, deadline and all: so somebody listens, and
 * the deadline ends the wait by itself too.
 */
function responseTo(request: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Unreachable(true)), { once: true });
    request.once("response", resolve).on("error", reject);
    request.once("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new Unreachable(false));
    });
    request.end();
  });
}

/** Answers Node's own question for the name with the addresses that were checked, and asks nobody. */
const lookupOf =
  (addresses: Address[]): LookupFunction =>
  (_host, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, addresses);
    else done(null, first?.address ?? "", first?.family);
  };

const isEncoded = (headers: IncomingHttpHeaders): boolean =>
  !/^(identity)?$/i.test(headers["content-encoding"] ?? "") ||
  !/^(chunked)?$/i.test(headers["transfer-encoding"] ?? "");

async function readBody(response: IncomingMessage, limitBytes: number): Promise<{ body: Buffer; complete: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limitBytes) return { body: Buffer.concat(chunks).subarray(0, limitBytes), complete: false };
  }
  return { body: Buffer.concat(chunks), complete: true };
}
