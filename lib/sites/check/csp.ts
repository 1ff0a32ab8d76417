import type { Html } from "@/lib/platform/outbound/html";

/** Checks whether a page's Content Security Policy blocks the tracker (CSP Level 3). */

type Directives = Map<string, string[]>;

/** Returns all policies of a page, from its header and its meta tags. Each one applies separately. */
export function policiesOf(header: string | undefined, html: Html): Directives[] {
  const metaPolicies = html.tags
    .filter((tag) => tag.name === "meta" && /^content-security-policy$/i.test(tag.attributes.get("http-equiv") ?? ""))
    .map((tag) => tag.attributes.get("content") ?? "");
  return [...(header ?? "").split(","), ...metaPolicies].map(readPolicy).filter((policy) => policy.size > 0);
}

function readPolicy(text: string): Directives {
  const directives: Directives = new Map();
  for (const part of text.split(";")) {
    const [name, ...sources] = part.trim().split(/\s+/);
    // Only the first directive of each name counts.
    if (name && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  return directives;
}

const FALLBACKS = {
  script: ["script-src-elem", "script-src", "default-src"],
  connect: ["connect-src", "default-src"],
} as const;

/**
 * Returns the directive that blocks a URL, such as `script-src 'self'`; null if none does.
 *
 * @param nonce the nonce of the script tag
 */
export function blockingDirective(
  policies: Directives[],
  kind: keyof typeof FALLBACKS,
  address: URL,
  page: URL,
  nonce?: string,
): string | null {
  for (const policy of policies) {
    const name = FALLBACKS[kind].find((one) => policy.has(one));
    const sources = name && policy.get(name);
    if (sources && !allows(sources, kind, address, page, nonce)) return [name, ...sources].join(" ");
  }
  return null;
}

function allows(sources: string[], kind: string, address: URL, page: URL, nonce: string | undefined): boolean {
  if (kind === "script" && nonce && sources.includes(`'nonce-${nonce}'`)) return true;
  // With strict-dynamic, only scripts with a nonce, or loaded by one of those, run.
  if (kind === "script" && sources.some((source) => /^'strict-dynamic'$/i.test(source))) return false;
  return sources.some((source) => matches(source, address, page));
}

const SOURCE = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[^/:*]+)(?::(\d+|\*))?(\/.*)?$/i;

function matches(source: string, address: URL, page: URL): boolean {
  if (source === "*") return true;
  if (/^'self'$/i.test(source)) return address.origin === page.origin;
  if (source.startsWith("'")) return false;
  const scheme = /^([a-z][a-z0-9+.-]*):$/i.exec(source)?.[1];
  if (scheme) return fitsScheme(scheme, address);
  const parts = SOURCE.exec(source);
  if (!parts) return false;
  const [, given, host = "", port, path] = parts;
  return (
    fitsScheme(given ?? page.protocol.slice(0, -1), address) &&
    fitsHost(host.toLowerCase(), address.hostname) &&
    fitsPort(port, address) &&
    fitsPath(path, address.pathname)
  );
}

/** Allowing http also allows https. */
const fitsScheme = (scheme: string, { protocol }: URL): boolean =>
  protocol === `${scheme.toLowerCase()}:` || (scheme.toLowerCase() === "http" && protocol === "https:");

const fitsHost = (pattern: string, host: string): boolean =>
  pattern === "*" || (pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern);

const DEFAULT_PORTS: Record<string, string> = { "http:": "80", "https:": "443" };

function fitsPort(port: string | undefined, { port: actual, protocol }: URL): boolean {
  if (port === "*") return true;
  const own = actual || DEFAULT_PORTS[protocol];
  return port === undefined ? actual === "" : port === own || (port === "80" && own === "443");
}

const fitsPath = (path: string | undefined, actual: string): boolean =>
  path === undefined || (path.endsWith("/") ? actual.startsWith(path) : actual === path);
