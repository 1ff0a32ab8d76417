import type { Env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { isLoopbackName } from "@/lib/platform/http/address";

type Hosts = Pick<Env, "BASE_URL" | "ALLOWED_HOSTS">;

type HostTest = (header: string | null | undefined) => boolean;

/** Caches the test of each configuration, because every request needs it. */
const tests = new WeakMap<Hosts, HostTest>();

/** Returns a test for `Host` headers: true for the host of BASE_URL, for ALLOWED_HOSTS and for loopback names. */
export function ownHosts(hosts: Hosts): HostTest {
  const known = tests.get(hosts);
  if (known) return known;
  const test = hostTest(hosts);
  tests.set(hosts, test);
  return test;
}

function hostTest({ BASE_URL, ALLOWED_HOSTS }: Hosts): HostTest {
  const allowed = new Set([new URL(BASE_URL).hostname, ...ALLOWED_HOSTS]);
  return (header) => {
    const host = hostname(header ?? "");
    return host !== null && (allowed.has(host) || isLoopbackName(host));
  };
}

/** Addresses and names that only a private network knows, which a reverse proxy may send in place of the public host. */
const PRIVATE_NAME = /^[^.]+$|^[\d.]+$|\.(?:arpa|corp|home|internal|intranet|lan|local|localhost|private)$/;

/**
 * Whether a `Host` header that passed `ownHosts` is a public name of ALLOWED_HOSTS: a domain for sharing, which serves no pages
 * of people with an account.
 */
export function isSharingHost(header: string | null | undefined, { BASE_URL, ALLOWED_HOSTS }: Hosts): boolean {
  const host = hostname(header ?? "");
  if (host === null || host === new URL(BASE_URL).hostname || isLoopbackName(host)) return false;
  return ALLOWED_HOSTS.includes(host) && !PRIVATE_NAME.test(host);
}

/** Returns the refusal of a page that ALLOWED_HOSTS do not serve. */
export const onlySharing = (baseUrl: string): Refusal =>
  new Refusal(
    "misdirected_request",
    `This host serves shared dashboards, the docs and the start page only. Open this page at ${baseUrl}.`,
  );

/**
 * Whether a request comes from a page of this server: its `Origin` is BASE_URL, or the host under which the request was sent.
 *
 * @param host the `Host` header, which passed `ownHosts`
 */
export const isOwnOrigin = (origin: string, host: string | null | undefined, baseUrl: string): boolean =>
  origin === new URL(baseUrl).origin || (URL.canParse(origin) && new URL(origin).host === host);

/** Returns the refusal of a request for a foreign host (RFC 9110 section 15.5.20). */
export const misdirected = (baseUrl: string): Refusal =>
  new Refusal(
    "misdirected_request",
    `This server does not answer under the host of this request. Open ${baseUrl}, or add the host to ALLOWED_HOSTS.`,
  );

/** Returns the refusal of a request that a page of another site has sent. */
export const crossSite = (baseUrl: string): Refusal =>
  new Refusal(
    "cross_site",
    `This request did not come from a page of this server; open ${baseUrl} and try again there.`,
  );

/** Returns the normalised host name of a `Host` header, without the port; null when the header is malformed. */
function hostname(header: string): string | null {
  if (!/^(\[[\da-f:.]+\]|[^\s/?#@\\:[\]]+)(:\d{1,5})?$/i.test(header)) return null;
  return URL.canParse(`http://${header}`) ? new URL(`http://${header}`).hostname : null;
}
