import type { Html } from "@/lib/platform/outbound/html";

/** What a page's Content-Security-Policy keeps from being loaded, as far as the tracker needs it (CSP level 3). */

type Directives = Map<string, string[]>;

/** The policies that hold for a page: those of its header, each by itself, and those of its meta tags. */
export function policiesOf(header: string | undefined, html: Html): Directives[] {
  const inTags = html.tags
    .filter((tag) => tag.name === "meta" && /^content-security-policy$/i.test(tag.attributes.get("http-equiv") ?? ""))
    .map((tag) => tag.attributes.get("content") ?? "");
  return [...(header ?? "").split(","), ...inTags].map(readPolicy).filter((policy) => policy.size > 0);
}

function readPolicy(text: string): Directives {
  const directives: Directives = new Map();
  for (const part of text.split(";")) {
    const [name, ...sources] = part.trim().split(/\s+/);
    // The first of a name counts.
    if (name && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  return directives;
}

const FALLBACKS = {
  script: ["script-src-elem", "script-src", "default-src"],
  connect: ["connect-src", "default-src"],
} as const;

/**
 * The directive that forbids an address, such as `script-src 'self'`; null when none does.
 *
 * @param nonce of the tag that loads it.
 */
export function forbidding(
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
  // With it, only what bears a nonce, or was loaded by what does, is run.
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

/** What is allowed in plain is allowed in secret too. */
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
