import { createHmac } from "node:crypto";
import { findProof, proofPlaces } from "@/lib/platform/outbound/domain-proof";
import { readHtml } from "@/lib/platform/outbound/html";
import { type Internet, type Page, readPage, Unreachable } from "@/lib/platform/outbound/outbound";
import { derivedKeys } from "@/lib/platform/secrets";
import { clip } from "@/lib/platform/text";
import { READ_TAGS, snippetsIn } from "@/lib/sites/snippet";
import { t } from "@/lib/texts/translate";

/**
 * Domain verification: a site proves control of a domain by publishing its own value where only the operator of the
 * domain can write. The snippet shows that the site is installed but proves nothing, because it names no account: any
 * other claimant could refer to the same tag.
 */

const META_NAME = "footfall-verification";
const DEADLINE_MS = 10_000;
const FILE_BYTES = 1024;
const PAGE_BYTES = 512 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** The value to publish, in any one of three places. */
export interface Publication {
  value: string;
  dns_name: string;
  file_url: string;
  meta_tag: string;
}

/** Returns the accepted values of a site: the one to publish, then those derived from older server keys. */
const valuesOf = (siteId: number): string[] =>
  derivedKeys("site verification").map(
    (key) => `footfall-verify=${createHmac("sha256", key).update(`site:${siteId}`).digest("base64url")}`,
  );

const fileUrl = (domain: string): string => `https://${domain}/.well-known/footfall-verification.txt`;

/** Returns where to publish which value. The value of a site never changes and is useless for other sites. */
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
type Method = (typeof METHODS)[number];

/**
 * `missing`: nothing found. `different`: another value. `elsewhere`: redirects to another domain. `later`: try again.
 */
export const CHECK_OUTCOMES = ["found", "missing", "different", "unreachable", "elsewhere", "later"] as const;
type Outcome = (typeof CHECK_OUTCOMES)[number];

/** The result of checking one place. */
export interface Attempt {
  method: Method;
  looked_at: string;
  outcome: Outcome;
  /** What was found, as a sentence in the reader's language; may quote untrusted text. */
  seen: string;
  /** What to do; null if the proof was found. */
  todo: string | null;
}

/** Returns whether an attempt found a proof. */
export const proves = ({ method, outcome }: Attempt): boolean => method !== "snippet" && outcome === "found";

/** Checks all places for the proof of a domain, in parallel. Network errors become attempts and do not throw. */
export async function checkProofs(
  siteId: number,
  domain: string,
  baseUrl: string,
  internet?: Internet,
): Promise<Attempt[]> {
  const values = valuesOf(siteId);
  const [dns, file, page] = await Promise.all([
    checkRecords(domain, values, internet),
    checkFile(domain, values, internet),
    checkPage(domain, values, baseUrl, internet),
  ]);
  return [dns, file, ...page];
}

const FOUND = { outcome: "found", todo: null } as const;

async function checkRecords(domain: string, values: string[], internet?: Internet): Promise<Attempt> {
  const { dns_name } = proofPlaces(domain, "");
  const base = { method: "dns", looked_at: dns_name } as const;
  const todo = t("Publish the value as a TXT record of {name}. New records can take a while to become visible.", {
    name: dns_name,
  });
  let other: Attempt = { ...base, outcome: "missing", seen: t("There is no TXT record with this name."), todo };
  for (const value of values) {
    const finding = await findProof({ domain, method: "dns", value, token: "" }, internet);
    if (finding.found) return { ...base, ...FOUND, seen: t("A TXT record contains the site's value.") };
    if (finding.temporary)
      return { ...base, outcome: "later", seen: t("The name servers did not respond."), todo: later() };
    if (finding.instead?.length) {
      other = {
        ...base,
        outcome: "different",
        seen: t("TXT records: {records}", { records: finding.instead.join(" | ") }),
        todo,
      };
    }
  }
  return other;
}

const later = () => t("Verify again in a minute.");

/** The web server of the domain redirects to another domain. */
class RedirectsElsewhere extends Error {
  constructor(readonly url: string) {
    super("redirects to another domain");
  }
}

/**
 * Reads a URL of a domain over https. Follows redirects only to the domain itself or its www. name, because any other
 * host may be controlled by someone else.
 *
 * @throws Unreachable, RedirectsElsewhere
 */
async function readOnDomain(domain: string, address: string, limitBytes: number, internet?: Internet): Promise<Page> {
  const until = Date.now() + DEADLINE_MS;
  let url = address;
  for (let hops = 0; ; hops++) {
    const page = await readPage(url, { limitBytes, deadlineMs: Math.max(1, until - Date.now()) }, internet);
    const { location } = page.headers;
    if (!location || !REDIRECTS.includes(page.status) || hops === MAX_REDIRECTS) return page;
    const next = URL.canParse(location, url) ? new URL(location, url) : null;
    const own = next?.protocol === "https:" && [domain, `www.${domain}`].includes(next.hostname);
    if (!own) throw new RedirectsElsewhere(clip(location, 200));
    url = next.href;
  }
}

/** Converts a network error to an attempt. @throws any other error */
function failedAttempt(error: unknown, what: "file" | "page"): Pick<Attempt, "outcome" | "seen" | "todo"> {
  if (error instanceof RedirectsElsewhere) {
    const todo = t(
      "{what, select, file {Serve the file} other {Serve the page}} on the domain itself or its www. name, over https.",
      { what },
    );
    return { outcome: "elsewhere", seen: t("It redirects to {url}", { url: error.url }), todo };
  }
  if (!(error instanceof Unreachable)) throw error;
  if (error.temporary) return { outcome: "later", seen: t("It did not respond in time."), todo: later() };
  const todo = t("Serve it over https with a valid certificate, or verify the domain by DNS.");
  return { outcome: "unreachable", seen: t("It cannot be read over https."), todo };
}

async function checkFile(domain: string, values: string[], internet?: Internet): Promise<Attempt> {
  const base = { method: "file", looked_at: fileUrl(domain) } as const;
  const todo = t("Publish a file at this URL that contains only the value.");
  try {
    const { status, body, complete } = await readOnDomain(domain, base.looked_at, FILE_BYTES, internet);
    const text = body.toString().trim();
    if (status === 200 && complete && values.includes(text)) {
      return { ...base, ...FOUND, seen: t("The file contains the site's value.") };
    }
    if (status !== 200) return { ...base, outcome: "missing", seen: responseOf(status), todo };
    return { ...base, outcome: "different", seen: t("The file contains: {text}", { text: clip(text, 120) }), todo };
  } catch (error) {
    return { ...base, ...failedAttempt(error, "file") };
  }
}

const responseOf = (status: number) => t("The response is {status}.", { status: `${status}` });

/** Checks the home page for the meta tag and the snippet. */
async function checkPage(domain: string, values: string[], baseUrl: string, internet?: Internet): Promise<Attempt[]> {
  const looked_at = `https://${domain}/`;
  const both = [{ method: "meta", looked_at } as const, { method: "snippet", looked_at } as const];
  try {
    const page = await readOnDomain(domain, looked_at, PAGE_BYTES, internet);
    if (page.status !== 200) {
      const seen = responseOf(page.status);
      return both.map((base) => ({ ...base, outcome: "missing", seen, todo: t("Publish a page at this URL.") }));
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
    return both.map((base) => ({ ...base, ...failedAttempt(error, "page") }));
  }
}

function metaAttempt(contents: string[], values: string[], looked_at: string): Attempt {
  const base = { method: "meta", looked_at } as const;
  if (contents.some((content) => values.includes(content))) {
    return { ...base, ...FOUND, seen: t("The tag contains the site's value.") };
  }
  const todo = t("Add the meta tag to the <head> of the home page.");
  if (contents.length === 0) return { ...base, outcome: "missing", seen: t("The <head> has no such tag."), todo };
  return {
    ...base,
    outcome: "different",
    seen: t("The tag contains: {text}", { text: clip(contents.join(" | "), 120) }),
    todo,
  };
}

function snippetAttempt(found: boolean, looked_at: string): Attempt {
  const base = { method: "snippet", looked_at } as const;
  if (found) return { ...base, ...FOUND, seen: t("The page contains the snippet with this domain.") };
  const todo = t("Install the snippet in the page, then test the installation.");
  return { ...base, outcome: "missing", seen: t("The page does not contain the snippet with this domain."), todo };
}
