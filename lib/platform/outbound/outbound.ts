import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { env } from "@/lib/platform/env";
import { type Certificate, certificateOf, firstToEnd, isEncoded, readBody } from "@/lib/platform/outbound/answer";
import { asked, checkedAddresses, type Internet, lookupOf, Unreachable, type Why } from "@/lib/platform/outbound/names";

export { type Internet, Unreachable, type Why } from "@/lib/platform/outbound/names";

/**
 * The only place that reaches out to a name that a stranger chose. Every name is resolved once, all of its addresses are
 * checked, and only these are connected to: a second, different answer of their name server is never asked for.
 */

const CONNECT_TRY_MS = 2_000;
const MOST_TXT_RECORDS = 50;
const MOST_TXT_BYTES = 8 * 1024;
const MOST_HEADER_BYTES = 16 * 1024;
const PORTS = ["", "80", "443"];
const REDIRECTS = [301, 302, 303, 307, 308];

export interface PageLimits {
  /** Of the body, after which reading stops. With 0 none is read, and it may be compressed. */
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
  /** Of those that were seen on the way, the one that ends first; null without TLS. */
  certificate: Certificate | null;
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
  let hop = allowedUrl(url);
  let certificate: Certificate | null = null;
  for (let left = limits.redirects ?? 0; ; left--) {
    const answer = await exchange(hop, {}, signal, internet, async (response): Promise<Redirect | Answered> => {
      const { statusCode: status = 0, headers } = response;
      certificate = firstToEnd(certificate, certificateOf(response));
      const { location } = headers;
      if (left > 0 && location && REDIRECTS.includes(status)) return { location };
      if (limits.limitBytes === 0) return { status, headers, body: Buffer.alloc(0), complete: false };
      if (isEncoded(headers)) throw new Unreachable(false);
      return { status, headers, ...(await readBody(response, limits.limitBytes)) };
    });
    if (!("location" in answer)) return { ...answer, url: hop.href, certificate };
    hop = allowedUrl(answer.location, hop);
  }
}

/**
 * Posts JSON to a public https address. No redirect is followed: what is sent is for this address. The answer is not read.
 *
 * @param headers beside those of every request.
 * @returns the status of the answer.
 * @throws Unreachable as `readPage` does.
 */
export async function postJson(
  url: string,
  { body, headers, deadlineMs }: { body: string; headers: Record<string, string>; deadlineMs: number },
  internet: Internet = {},
): Promise<number> {
  const target = allowedUrl(url);
  if (target.protocol !== "https:") throw new Unreachable(false);
  const sent = {
    method: "POST",
    body,
    headers: { ...headers, "content-type": "application/json", "content-length": `${Buffer.byteLength(body)}` },
  };
  const signal = AbortSignal.timeout(deadlineMs);
  return exchange(target, sent, signal, internet, async ({ statusCode = 0 }) => statusCode);
}

/**
 * The parsed host counts, not its spelling: `0x7f.1`, `2130706433` and full-width digits have all become `127.0.0.1` by
 * now. Addresses are refused altogether: nobody proves one, and Node connects to them without a lookup of ours.
 */
export function allowedUrl(text: string, from?: URL): URL {
  if (!URL.canParse(text, from)) throw new Unreachable(false);
  const url = new URL(text, from);
  const plain = ["http:", "https:"].includes(url.protocol) && PORTS.includes(url.port);
  const isAddress = url.hostname.startsWith("[") || isIP(url.hostname) !== 0;
  if (!plain || isAddress || url.username !== "" || url.password !== "") throw new Unreachable(false);
  return url;
}

interface Redirect {
  location: string;
}
type Answered = Omit<Page, "url" | "certificate">;

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** One request to one of a name's checked addresses, over a connection of its own. @param take what is wanted of the answer. */
async function exchange<Taken>(
  url: URL,
  { method = "GET", headers = {}, body }: Sent,
  signal: AbortSignal,
  internet: Internet,
  take: (response: IncomingMessage) => Promise<Taken>,
): Promise<Taken> {
  const connection = {
    lookup: lookupOf(await checkedAddresses(url.hostname, signal, internet)),
    autoSelectFamilyAttemptTimeout: CONNECT_TRY_MS,
    // Said out loud, because a variable of Node's could switch it off for the whole process.
    rejectUnauthorized: true,
    ...(internet.ca ? { ca: internet.ca } : {}),
  };
  const secure = url.protocol === "https:";
  const request = (secure ? https : http).request(url, {
    method,
    agent: secure ? new https.Agent(connection) : new http.Agent(connection),
    signal,
    maxHeaderSize: MOST_HEADER_BYTES,
    headers: {
      "user-agent": `Footfall (+${env().BASE_URL})`,
      accept: "*/*",
      "accept-encoding": "identity",
      ...headers,
    },
    ...(internet.port ? { port: internet.port } : {}),
  });
  try {
    return await take(await responseTo(request, body, signal));
  } catch (error) {
    const temporary = error instanceof Unreachable ? error.temporary : signal.aborted;
    throw new Unreachable(temporary, signal.aborted ? "silent" : whyOf(error));
  } finally {
    request.destroy();
  }
}

function whyOf(error: unknown): Why {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "ECONNREFUSED") return "refused";
  if (code === "CERT_HAS_EXPIRED") return "certificate_expired";
  return /CERT|SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)/.test(code) ? "certificate_unfit" : "broken";
}

/**
 * Node goes silent when a server offers an upgrade that nobody listens for, deadline and all: so somebody listens, and
 * the deadline ends the wait by itself too.
 */
function responseTo(request: ClientRequest, body: string | undefined, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Unreachable(true)), { once: true });
    request.once("response", resolve).on("error", reject);
    request.once("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new Unreachable(false));
    });
    request.end(body);
  });
}
