import { belongsTo } from "@/lib/platform/domain-names";
import { type Html, readHtml } from "@/lib/platform/outbound/html";
import type { Page } from "@/lib/platform/outbound/outbound";
import { forbidding, policiesOf } from "@/lib/sites/check/csp";
import { type Finding, type FindingCode, finding } from "@/lib/sites/check/findings";
import { type Surroundings, surroundingsOf } from "@/lib/sites/check/surroundings";
import { type Installation, installationFor } from "@/lib/sites/installation";
import { addressIn, READ_TAGS, type Snippet, snippetsIn } from "@/lib/sites/snippet";

/** The site whose page it is: its domains with the primary one first, and the address of this service. */
export interface Inspected {
  domains: readonly string[];
  baseUrl: string;
}

export interface Inspection {
  findings: Finding[];
  surroundings: Surroundings;
  /** No event can come from this page, whoever opens it. */
  hopeless: boolean;
}

/** What is being looked at, as every look at it needs it. */
interface Look extends Inspected {
  page: Page;
  url: URL;
  html: Html;
  surroundings: Surroundings;
  guide: Installation;
}

const NOTHING: Surroundings = { framework: null, containers: [], consent: null, hasScripts: false };
/** Each is held against the whole policy of the page: of a page with more, made by nobody honest, the first tell enough. */
const MOST_JUDGED = 20;
/** How servers turn programs away that they take for robots. */
const TURNED_AWAY = [401, 403, 429, 503];

/** Looks at a page that was read for whatever keeps its visits from being counted. */
export function inspect(page: Page, site: Inspected): Inspection {
  const url = new URL(page.url);
  const early = beforeReading(page, url, site);
  if (early) return { findings: [early], surroundings: NOTHING, hopeless: early.severity === "error" };
  const html = readHtml(page.body.toString("utf8"), READ_TAGS);
  const surroundings = surroundingsOf(html, `${page.headers["set-cookie"] ?? ""}`);
  const guide = installationFor(surroundings.framework ?? "html", site.baseUrl, site.domains[0] ?? "");
  const look: Look = { ...site, page, url, html, surroundings, guide };
  const { findings, hopeless } = aboutSnippet(look);
  return { findings: [...findings, ...aboutPage(look)], surroundings, hopeless };
}

function beforeReading(page: Page, url: URL, { domains }: Inspected): Finding | null {
  const answer = `${url.href} answers ${page.status}`;
  if (!belongsTo(url.hostname, domains)) {
    const fix = `Add ${url.hostname} with sites.domains.add if it is the same site, or let the page stay on ${domains[0]}.`;
    return finding("left_domain", url.href, fix);
  }
  if (TURNED_AWAY.includes(page.status)) {
    return finding("page_refused", answer, "Open the page yourself by the test’s address, or let this server through.");
  }
  if (page.status !== 200) return finding("page_error", answer, "Put the page there, and test again.");
  const type = page.headers["content-type"] ?? "text/html";
  return /html/i.test(type) ? null : finding("not_html", `Content-Type: ${type}`, "Answer with text/html.");
}

function aboutPage({ page, url, html, surroundings: { consent, containers } }: Look): Finding[] {
  const found: Finding[] = [];
  if (url.protocol === "http:") {
    found.push(finding("no_https", url.href, "Serve the site over https; browsers warn their visitors otherwise."));
  }
  if (!page.complete) found.push(finding("page_truncated", `${page.body.length} bytes were read`));
  if (containers.length > 0) found.push(finding("tag_manager", containers.filter(Boolean).join(", ") || null));
  if (consent) {
    const fix = `Footfall stores nothing on a visitor’s device: list it in ${consent} among what is necessary, if your rules allow it.`;
    found.push(finding("consent_needed", consent, fix));
  }
  const early = html.tags.find(({ name, text }) => name === "script" && callsEarly(text));
  if (early) {
    const fix =
      "Before the first call write: window.footfall = window.footfall || function () { (footfall.q = footfall.q || []).push(arguments) }";
    found.push(finding("called_early", /.{0,40}\bfootfall\s*\(.{0,60}/.exec(early.text)?.[0] ?? null, fix));
  }
  return found;
}

/** A call that is made while the page is read, without the line that keeps calls until the script is there. */
const callsEarly = (text: string): boolean =>
  /^[ \t]*(window\.)?footfall[ \t]*\(/m.test(text) &&
  !/footfall\.q\b|footfall\s*=|addEventListener|=>|function/.test(text);

function aboutSnippet(look: Look): { findings: Finding[]; hopeless: boolean } {
  const all = snippetsIn(look.html, look.page.url, look.baseUrl, look.domains);
  const live = all.filter(({ tag, from }) => !tag.inert && from !== "foreign").slice(0, MOST_JUDGED);
  const judged = live.map((snippet) => ({ snippet, faults: faultsOf(snippet, look) }));
  const good = judged.filter(({ faults }) => !faults.some(({ severity }) => severity === "error"));
  const [best] = [...good, ...judged];
  if (!best) return missing(all, look);
  const findings =
    good.length > 0 && best.faults.length === 0 ? [finding("snippet_found", asWritten(best.snippet))] : [];
  findings.push(...best.faults);
  if (live.length > 1) {
    findings.push(
      finding("snippet_doubled", live.map(asWritten).join("\n"), "Leave one of them, and take the others out."),
    );
  }
  return { findings, hopeless: good.length === 0 };
}

/** What stands in for a tag: something that may still load the script, or the reason why nothing will. */
function missing(all: Snippet[], look: Look): { findings: Finding[]; hopeless: boolean } {
  const { html, surroundings, guide, baseUrl } = look;
  const script = `${baseUrl}/script`;
  const foreign = all.find(({ from }) => from === "foreign");
  const inert = all.find(({ tag }) => tag.inert)?.tag.attributes.get("src") ?? inertText(html, script);
  const named = html.tags.find(
    ({ name, text, attributes, inert: off }) =>
      !off && ((name === "script" && text.includes(script)) || attributes.get("href")?.startsWith(script)),
  );
  const hopeless = !named && !surroundings.hasScripts && surroundings.containers.length === 0;
  if (named) return { findings: [finding("snippet_in_program", `<${named.name}> names ${script}`)], hopeless: false };
  if (inert) return { findings: [finding("snippet_inert", inert, put(guide))], hopeless };
  if (foreign) {
    const fix = `Use ${guide.snippet}`;
    return { findings: [finding("wrong_address", asWritten(foreign), fix)], hopeless };
  }
  return { findings: [finding("snippet_missing", null, put(guide))], hopeless };
}

/** The snippet in a comment or in a noscript. */
function inertText({ comments, tags }: Html, script: string): string | undefined {
  const noscripts = tags.filter(({ name }) => name === "noscript").map(({ text }) => text);
  return [...comments, ...noscripts].find((text) => text.includes(script))?.trim();
}

const put = ({ steps, snippet, code }: Installation): string =>
  [...steps.slice(0, -1), `${code[0]?.file ?? "The page"}: ${snippet}`].join(" ");

const asWritten = ({ tag }: Snippet): string =>
  `<script${[...tag.attributes].map(([name, value]) => ` ${name}${value === "" ? "" : `="${value}"`}`).join("")}>`;

function faultsOf(snippet: Snippet, look: Look): Finding[] {
  const { tag, source, domain, from, held } = snippet;
  const { domains, url, guide } = look;
  const written = asWritten(snippet);
  const type = tag.attributes.get("type") ?? "";
  const of = (code: FindingCode, fix: string, evidence = written) => finding(code, evidence, fix);
  const faults: Finding[] = [];
  if (domain === null || domain === "") faults.push(of("domain_missing", `Use ${guide.snippet}`));
  else if (!domains.includes(bare(domain)))
    faults.push(of("wrong_domain", `Use ${guide.snippet}`, `data-domain="${domain}"`));
  if (/^module$/i.test(type)) faults.push(of("snippet_is_module", 'Take type="module" out of the tag.'));
  else if (held || !/^(text|application)?\/?(java|ecma)?script$|^$/i.test(type)) {
    faults.push(of("snippet_held", "Except script.js from what the optimising or consent plugin holds back."));
  }
  if (mixed(source, url))
    faults.push(of("mixed_content", "Give this service an https address as its BASE_URL, and use that."));
  faults.push(...policyFaults(snippet, look));
  if (from === "proxied") faults.push(finding("snippet_proxied", source.href));
  if (tag.attributes.has("data-manual"))
    faults.push(of("manual", 'Take data-manual out, or call footfall("pageview").'));
  return faults;
}

const bare = (domain: string): string =>
  domain
    .trim()
    .toLowerCase()
    .replace(/^www\./, "")
    .replace(/\.$/, "");

/** What a browser takes for its own machine it loads into any page. */
const mixed = (source: URL, page: URL): boolean =>
  page.protocol === "https:" && source.protocol === "http:" && !/^(localhost|127\.|\[::1\])/.test(source.hostname);

function policyFaults({ tag, source }: Snippet, { page, html, url }: Look): Finding[] {
  const policies = policiesOf(headerOf(page), html);
  const nonce = tag.attributes.get("nonce");
  const own = tag.attributes.get("data-api");
  const api = (own && addressIn(own, url.href)) || new URL("api/event", source);
  const script = forbidding(policies, "script", source, url, nonce);
  const connect = forbidding(policies, "connect", api, url);
  const allow = (directive: string, { origin }: URL) => `Allow ${origin} in ${directive} of the policy.`;
  return [
    ...(script ? [finding("csp_script", script, allow("script-src", source))] : []),
    ...(connect ? [finding("csp_connect", connect, allow("connect-src", api))] : []),
  ];
}

const headerOf = ({ headers }: Page): string | undefined => {
  const value = headers["content-security-policy"];
  return Array.isArray(value) ? value.join(",") : value;
};
