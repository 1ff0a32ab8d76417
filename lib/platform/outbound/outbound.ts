import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { env } from "@/lib/platform/env";
import {
  type Certificate,
  certificateOf,
  firstToExpire,
  isEncoded,
  readAnswerBody,
} from "@/lib/platform/outbound/answer";
import {
  type ConnectionFault,
  checkedAddresses,
  type Internet,
  lookupOf,
  queryDns,
  Unreachable,
} from "@/lib/platform/outbound/names";

export { type ConnectionFault, type Internet, Unreachable } from "@/lib/platform/outbound/names";

/**
 * The only module that connects to untrusted host names. Each name is resolved once, all of its addresses are checked,
 * and only these are connected to, so that DNS rebinding between check and connection is impossible.
 */

const CONNECT_TRY_MS = 2_000;
const MAX_TXT_RECORDS = 50;
const MAX_TXT_BYTES = 8 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const PORTS = ["", "80", "443"];
const REDIRECTS = [301, 302, 303, 307, 308];

export interface PageLimits {
  /** The maximum length of the body; the rest is not read. With 0 no body is read, and it may be compressed. */
  limitBytes: number;
  /** Covers everything: DNS, connections, TLS, headers, body, and all redirects. */
  deadlineMs: number;
  /** The maximum number of redirects to follow, 0 by default; a further redirect is returned as the page. */
  redirects?: number;
}

export interface Page {
  status: number;
  /** The URL after all redirects. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Whether `body` is the whole body. */
  complete: boolean;
  /** The certificate of all hops that expires first; null without TLS. */
  certificate: Certificate | null;
}

/**
 * Returns the TXT records of a name, with the chunks of each joined (RFC 7208 section 3.3): at most 50 records and 8
 * KiB.
 *
 * @throws Unreachable, temporary unless the name has no records.
 */
export async function readTxt(
  name: string,
  limits: { deadlineMs: number },
  internet: Internet = {},
): Promise<string[]> {
  const records = await queryDns(internet, AbortSignal.timeout(limits.deadlineMs), (resolver) =>
    resolver.resolveTxt(name),
  );
  const kept: string[] = [];
  let bytes = 0;
  for (const record of records.slice(0, MAX_TXT_RECORDS)) {
    const text = record.join("");
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_TXT_BYTES) break;
    kept.push(text);
  }
  return kept;
}

/**
 * Sends a GET without cookies to a public http(s) URL on port 80 or 443, and returns the page. The certificate must be
 * valid for the name. Compressed responses are refused; each redirect is checked like the first URL.
 *
 * @throws Unreachable, temporary after the deadline and when a name server failed.
 */
export async function readPage(url: string, limits: PageLimits, internet: Internet = {}): Promise<Page> {
  const signal = AbortSignal.timeout(limits.deadlineMs);
  let hop = allowedUrl(url);
  let certificate: Certificate | null = null;
  for (let left = limits.redirects ?? 0; ; left--) {
    const answer = await exchange(hop, {}, signal, internet, async (response): Promise<Redirect | Received> => {
      const { statusCode: status = 0, headers } = response;
      certificate = firstToExpire(certificate, certificateOf(response));
      const { location } = headers;
      if (left > 0 && location && REDIRECTS.includes(status)) return { location };
      if (limits.limitBytes === 0) return { status, headers, body: Buffer.alloc(0), complete: false };
      if (isEncoded(headers)) throw new Unreachable(false);
      return { status, headers, ...(await readAnswerBody(response, limits.limitBytes)) };
    });
    if (!("location" in answer)) return { ...answer, url: hop.href, certificate };
    hop = allowedUrl(answer.location, hop);
  }
}

/**
 * Posts JSON to a public https URL. Redirects are not followed, because the body is for this URL only. The response
 * body is not read.
 *
 * @param headers additional headers.
 * @returns the status of the response.
 * @throws Unreachable as `readPage` does.
 */
export async function postJson(
  url: string,
  { body, headers, deadlineMs }: { body: string; headers: Record<string, string>; deadlineMs: number },
  internet: Internet = {},
): Promise<number> {
  const target = allowedUrl(url);
  if (target.protocol !== "https:") throw new Unreachable(false);
  const request = {
    method: "POST",
    body,
    headers: { ...headers, "content-type": "application/json", "content-length": `${Buffer.byteLength(body)}` },
  };
  const signal = AbortSignal.timeout(deadlineMs);
  return exchange(target, request, signal, internet, async ({ statusCode = 0 }) => statusCode);
}

export interface ApiCall {
  /** A POST with this body; a GET without. */
  post?: { type: "application/json" | "application/x-www-form-urlencoded"; body: string };
  /** The bearer token. */
  token?: string;
  limitBytes: number;
  deadlineMs: number;
}

/**
 * Calls an API over https and returns its response. Redirects are not followed, because the token is for this URL only.
 *
 * @throws Unreachable as `readPage` does.
 */
export async function callApi(url: string, { post, token, ...limits }: ApiCall, internet: Internet = {}) {
  const target = isStandIn(url, internet) ? new URL(url) : allowedUrl(url);
  if (target.protocol !== "https:" && !isStandIn(url, internet)) throw new Unreachable(false);
  const headers = {
    accept: "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(post && { "content-type": post.type, "content-length": `${Buffer.byteLength(post.body)}` }),
  };
  const request = { headers, ...(post && { method: "POST", body: post.body }) };
  return exchange(target, request, AbortSignal.timeout(limits.deadlineMs), internet, async (response) => {
    if (isEncoded(response.headers)) throw new Unreachable(false);
    const read = await readAnswerBody(response, limits.limitBytes);
    return { status: response.statusCode ?? 0, headers: response.headers, ...read };
  });
}

const isStandIn = (url: string | URL, { standIn }: Internet): boolean =>
  standIn !== undefined && new URL(url).origin === standIn;

/**
 * Parses a URL that may be requested. @throws Unreachable for other schemes, ports, credentials, and IP addresses in
 * any spelling (`0x7f.1` is parsed as `127.0.0.1`): Node connects to addresses without the lookup that checks them.
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
type Received = Omit<Page, "url" | "certificate">;

interface Outgoing {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends one request to a checked address of the host, over a new connection. @param read reads the response. */
async function exchange<Result>(
  url: URL,
  { method = "GET", headers = {}, body }: Outgoing,
  signal: AbortSignal,
  internet: Internet,
  read: (response: IncomingMessage) => Promise<Result>,
): Promise<Result> {
  const connection = {
    ...(!isStandIn(url, internet) && { lookup: lookupOf(await checkedAddresses(url.hostname, signal, internet)) }),
    autoSelectFamilyAttemptTimeout: CONNECT_TRY_MS,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED could turn it off for the whole process.
    rejectUnauthorized: true,
    ...(internet.ca ? { ca: internet.ca } : {}),
  };
  const secure = url.protocol === "https:";
  const request = (secure ? https : http).request(url, {
    method,
    agent: secure ? new https.Agent(connection) : new http.Agent(connection),
    signal,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: {
      "user-agent": `Footfall (+${env().BASE_URL})`,
      accept: "*/*",
      "accept-encoding": "identity",
      ...headers,
    },
    ...(internet.port ? { port: internet.port } : {}),
  });
  try {
    return await read(await responseTo(request, body, signal));
  } catch (error) {
    const temporary = error instanceof Unreachable ? error.temporary : signal.aborted;
    throw new Unreachable(temporary, signal.aborted ? "silent" : connectionFaultOf(error));
  } finally {
    request.destroy();
  }
}

function connectionFaultOf(error: unknown): ConnectionFault {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "ECONNREFUSED") return "refused";
  if (code === "CERT_HAS_EXPIRED") return "certificate_expired";
  return /CERT|SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)/.test(code) ? "certificate_unfit" : "broken";
}

/**
 * Sends the request and resolves with its response. Node never settles when a server offers an upgrade without a
 * listener, even after the deadline; hence the listener for `upgrade` and the separate one for `abort`.
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
