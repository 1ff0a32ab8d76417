import { createHmac } from "node:crypto";
import { findProof, proofPlaces } from "@/lib/platform/outbound/domain-proof";
import { readHtml } from "@/lib/platform/outbound/html";
import { type Internet, type Page, readPage, Unreachable } from "@/lib/platform/outbound/outbound";
import { derivedKeys } from "@/lib/platform/secrets";
import { clip } from "@/lib/platform/text";
import { READ_TAGS, snippetsIn } from "@/lib/sites/snippet";

/**
 * How a site shows that a domain is under the control of its people: a value of its own, published where only whoever
 * runs the domain can write. The snippet alone names a domain and nobody's account, so it shows that the site is
 * installed and proves nothing: whoever else claims the domain could point to the same line.
 */

export const META_NAME = "footfall-verification";
const DEADLINE_MS = 10_000;
const FILE_BYTES = 1024;
const PAGE_BYTES = 512 * 1024;
const MOST_HOPS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** What the site publishes, in any one of three places. */
export interface Publication {
  value: string;
  dns_name: string;
  file_url: string;
  meta_tag: string;
}

/** The values of a site: the one to publish, then those that older keys of this server made, which count on. */
const valuesOf = (siteId: number): string[] =>
  derivedKeys("site verification").map(
    (key) => `footfall-verify=${createHmac("sha256", key).update(`site:${siteId}`).digest("base64url")}`,
  );

const fileUrl = (domain: string): string => `https://${domain}/.well-known/footfall-verification.txt`;

/** The value of a site is the same for ever, and of no use to anybody else. */
export function publicationOf(siteId: number, domain: string): Publication {
  const value = valuesOf(siteId)[0] ?? "";
  return {
    value,
    dns_name: proofPlaces(domain, "").dns_name,
    file_url: fileUrl(domain),
    meta_tag: `<meta name="${META_NAME}" content="${value}">`,
  };
}

export const METHODS = ["dns", "file", "meta", "snippet"] as const;
export type Method = (typeof METHODS)[number];

/** `missing`: nothing there. `different`: something else there. `elsewhere`: it leads to another domain. `later`: ask again. */
export const OUTCOMES = ["found", "missing", "different", "unreachable", "elsewhere", "later"] as const;
type Outcome = (typeof OUTCOMES)[number];

/** One look for one thing in one place. */
export interface Attempt {
  method: Method;
  looked_at: string;
  outcome: Outcome;
  /** What is there, in a sentence; strangers may have written what it quotes. */
  seen: string;
  /** What to do; null when it was found. */
  todo: string | null;
}

/** Whether one of the looks was for a proof, and found it. */
export const proves = ({ method, outcome }: Attempt): boolean => method !== "snippet" && outcome === "found";

/** Looks for the proof of a domain in all its places at once. Nothing that happens outside throws. */
export async function lookForProof(
  siteId: number,
  domain: string,
  baseUrl: string,
  internet?: Internet,
): Promise<Attempt[]> {
  const values = valuesOf(siteId);
  const [dns, file, page] = await Promise.all([
    lookAtRecords(domain, values, internet),
    lookAtFile(domain, values, internet),
    lookAtPage(domain, values, baseUrl, internet),
  ]);
  return [dns, file, ...page];
}

const FOUND = { outcome: "found", todo: null } as const;

async function lookAtRecords(domain: string, values: string[], internet?: Internet): Promise<Attempt> {
  const { dns_name } = proofPlaces(domain, "");
  const base = { method: "dns", looked_at: dns_name } as const;
  const todo = `Publish the value as a TXT record of ${dns_name}; a new one can take a while to be seen.`;
  for (const value of values) {
    const finding = await findProof({ domain, method: "dns", value, token: "" }, internet);
    if (finding.found) return { ...base, ...FOUND, seen: "A TXT record is the site's value." };
    if (finding.temporary) return { ...base, outcome: "later", seen: "The name servers did not answer.", todo: LATER };
    if (finding.instead?.length) {
      return { ...base, outcome: "different", seen: `TXT records: ${finding.instead.join(" | ")}`, todo };
    }
  }
  return { ...base, outcome: "missing", seen: "There is no TXT record of that name.", todo };
}

const LATER = "Verify again in a minute.";

/** The domain's own web server sends its visitors to somebody else's. */
class Elsewhere extends Error {
  constructor(readonly url: string) {
    super("leads elsewhere");
  }
}

/**
 * What a domain answers over https. Redirects are followed while they stay on it or on its www. name, to which its own
 * server sends: anywhere else somebody else might answer for it.
 *
 * @throws Unreachable, Elsewhere
 */
async function readOwn(domain: string, address: string, limitBytes: number, internet?: Internet): Promise<Page> {
  const until = Date.now() + DEADLINE_MS;
  let url = address;
  for (let hops = 0; ; hops++) {
    const page = await readPage(url, { limitBytes, deadlineMs: Math.max(1, until - Date.now()) }, internet);
    const { location } = page.headers;
    if (!location || !REDIRECTS.includes(page.status) || hops === MOST_HOPS) return page;
    const next = URL.canParse(location, url) ? new URL(location, url) : null;
    const own = next?.protocol === "https:" && [domain, `www.${domain}`].includes(next.hostname);
    if (!own) throw new Elsewhere(clip(location, 200));
    url = next.href;
  }
}

/** Why a page of the domain could not be looked at. @throws whatever is no answer of the outside. */
function unread(error: unknown, what: string): Pick<Attempt, "outcome" | "seen" | "todo"> {
  if (error instanceof Elsewhere) {
    const todo = `Answer ${what} on the domain itself or its www. name, over https.`;
    return { outcome: "elsewhere", seen: `It leads to ${error.url}`, todo };
  }
  if (!(error instanceof Unreachable)) throw error;
  if (error.temporary) return { outcome: "later", seen: "It did not answer in time.", todo: LATER };
  const todo = "Answer there over https with a valid certificate, or prove the domain by DNS.";
  return { outcome: "unreachable", seen: "It cannot be read over https.", todo };
}

async function lookAtFile(domain: string, values: string[], internet?: Internet): Promise<Attempt> {
  const base = { method: "file", looked_at: fileUrl(domain) } as const;
  const todo = "Put a file there that holds the value and nothing else.";
  try {
    const { status, body, complete } = await readOwn(domain, base.looked_at, FILE_BYTES, internet);
    const text = body.toString().trim();
    if (status === 200 && complete && values.includes(text)) {
      return { ...base, ...FOUND, seen: "The file holds the site's value." };
    }
    if (status !== 200) return { ...base, outcome: "missing", seen: `It answers ${status}.`, todo };
    return { ...base, outcome: "different", seen: `It says: ${clip(text, 120)}`, todo };
  } catch (error) {
    return { ...base, ...unread(error, "the file") };
  }
}

/** The meta tag and the snippet, which stand on the same page. */
async function lookAtPage(domain: string, values: string[], baseUrl: string, internet?: Internet): Promise<Attempt[]> {
  const looked_at = `https://${domain}/`;
  const both = [{ method: "meta", looked_at } as const, { method: "snippet", looked_at } as const];
  try {
    const page = await readOwn(domain, looked_at, PAGE_BYTES, internet);
    if (page.status !== 200) {
      const seen = `The page answers ${page.status}.`;
      return both.map((base) => ({ ...base, outcome: "missing", seen, todo: "Put the page there." }));
    }
    const html = readHtml(page.body.toString("utf8"), READ_TAGS);
    const tags = html.tags.filter(
      ({ name, inHead, inert, attributes }) =>
        name === "meta" && inHead && !inert && attributes.get("name")?.toLowerCase() === META_NAME,
    );
    const contents = tags.map(({ attributes }) => attributes.get("content")?.trim() ?? "");
    const snippet = snippetsIn(html, page.url, baseUrl, [domain]).find(
      ({ tag, from, domain: named }) => from === "ours" && !tag.inert && named === domain,
    );
    return [metaAttempt(contents, values, looked_at), snippetAttempt(snippet !== undefined, looked_at)];
  } catch (error) {
    return both.map((base) => ({ ...base, ...unread(error, "the page") }));
  }
}

function metaAttempt(contents: string[], values: string[], looked_at: string): Attempt {
  const base = { method: "meta", looked_at } as const;
  if (contents.some((content) => values.includes(content))) {
    return { ...base, ...FOUND, seen: "The tag holds the site's value." };
  }
  const todo = "Put the meta tag into the <head> of the home page.";
  if (contents.length === 0) return { ...base, outcome: "missing", seen: "There is no such tag in its head.", todo };
  return { ...base, outcome: "different", seen: `The tag says: ${clip(contents.join(" | "), 120)}`, todo };
}

function snippetAttempt(found: boolean, looked_at: string): Attempt {
  const base = { method: "snippet", looked_at } as const;
  if (found) return { ...base, ...FOUND, seen: "The page carries the snippet with this domain." };
  const todo = "Install the snippet as sites.installation tells, and test it with sites.installation.tests.start.";
  return { ...base, outcome: "missing", seen: "The page does not carry the snippet with this domain.", todo };
}
