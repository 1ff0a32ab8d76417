import { belongsTo } from "@/lib/platform/domain-names";
import { legibleHost } from "@/lib/platform/legible-host";
import { type Html, readHtml } from "@/lib/platform/outbound/html";
import type { Page } from "@/lib/platform/outbound/outbound";
import { blockingDirective, policiesOf } from "@/lib/sites/check/csp";
import { type Finding, type FindingCode, finding } from "@/lib/sites/check/findings";
import { type Surroundings, surroundingsOf } from "@/lib/sites/check/surroundings";
import { apiOf, programFindings, tagFaults } from "@/lib/sites/check/tags";
import { type Installation, installationFor } from "@/lib/sites/installation";
import { READ_TAGS, type Snippet, snippetsIn } from "@/lib/sites/snippet";

/** The site under test: its domains, primary first, and the base URL of this service. */
export interface Inspected {
  domains: readonly string[];
  /** Website ids of another product that are mapped to the site. */
  websiteIds: readonly string[];
  baseUrl: string;
}

export interface Inspection {
  findings: Finding[];
  surroundings: Surroundings;
  /** This page cannot send an event in any browser. */
  hopeless: boolean;
}

/** The parsed page and its context. */
interface Context extends Inspected {
  page: Page;
  url: URL;
  html: Html;
  surroundings: Surroundings;
  guide: Installation;
}

const NOTHING: Surroundings = { framework: null, containers: [], consent: null, hasScripts: false };
/** Each snippet is checked against the whole policy of the page, so hostile pages with more are checked only partly. */
const MAX_SNIPPETS = 20;
/** Statuses with which servers block bots. */
const BLOCKED_STATUSES = [401, 403, 429, 503];

/** Inspects a downloaded page for anything that prevents its visits from being counted. */
export function inspect(page: Page, site: Inspected): Inspection {
  const url = new URL(page.url);
  const early = checkResponse(page, url, site);
  if (early) return { findings: [early], surroundings: NOTHING, hopeless: early.severity === "error" };
  const html = readHtml(page.body.toString("utf8"), READ_TAGS);
  const surroundings = surroundingsOf(html, `${page.headers["set-cookie"] ?? ""}`);
  const domain = site.domains[0] ?? "";
  const guide = installationFor(surroundings.framework ?? "html", {
    baseUrl: site.baseUrl,
    domain,
    name: legibleHost(domain),
  });
  const context: Context = { ...site, page, url, html, surroundings, guide };
  const { findings, hopeless } = checkSnippet(context);
  return { findings: [...findings, ...programFindings(html), ...checkPage(context)], surroundings, hopeless };
}

function checkResponse(page: Page, url: URL, { domains }: Inspected): Finding | null {
  const answer = `${url.href} responds with ${page.status}`;
  if (!belongsTo(url.hostname, domains)) {
    const fix = `Add ${url.hostname} to the domains of the site if it is the same site, or serve the page on ${domains[0]} without a redirect.`;
    return finding("left_domain", url.href, fix);
  }
  if (BLOCKED_STATUSES.includes(page.status)) {
    return finding(
      "page_refused",
      answer,
      "Open the URL of the test in your own browser, or allow requests from this server.",
    );
  }
  if (page.status !== 200) return finding("page_error", answer, "Publish the page at this URL, then test again.");
  const type = page.headers["content-type"] ?? "text/html";
  return /html/i.test(type)
    ? null
    : finding("not_html", `Content-Type: ${type}`, "Serve the page with Content-Type: text/html.");
}

function checkPage({ page, url, html, surroundings: { consent, containers } }: Context): Finding[] {
  const found: Finding[] = [];
  if (url.protocol === "http:") {
    found.push(finding("no_https", url.href, "Serve the site over https. Browsers show a warning otherwise."));
  }
  if (!page.complete) found.push(finding("page_truncated", `${page.body.length} bytes were read`));
  if (containers.length > 0) found.push(finding("tag_manager", containers.filter(Boolean).join(", ") || null));
  if (consent) {
    const fix = `Footfall stores nothing on the visitor’s device. If your legal requirements allow it, classify it as strictly necessary in ${consent}.`;
    found.push(finding("consent_needed", consent, fix));
  }
  const early = html.tags.find(({ name, text }) => name === "script" && callsEarly(text));
  if (early) {
    const fix =
      "Add this before the first call: window.footfall = window.footfall || function () { (footfall.q = footfall.q || []).push(arguments) }";
    found.push(finding("called_early", /.{0,40}\bfootfall\s*\(.{0,60}/.exec(early.text)?.[0] ?? null, fix));
  }
  return found;
}

/** Returns whether a script calls `footfall()` during page load without the stub that queues calls. */
const callsEarly = (text: string): boolean =>
  /^[ \t]*(window\.)?footfall[ \t]*\(/m.test(text) &&
  !/footfall\.q\b|footfall\s*=|addEventListener|=>|function/.test(text);

function checkSnippet(context: Context): { findings: Finding[]; hopeless: boolean } {
  const all = snippetsIn(context.html, context.page.url, context.baseUrl, context.domains);
  const live = all.filter(({ tag, from }) => !tag.inert && from !== "foreign").slice(0, MAX_SNIPPETS);
  const checked = live.map((snippet) => ({ snippet, faults: faultsOf(snippet, context) }));
  const good = checked.filter(({ faults }) => !faults.some(({ severity }) => severity === "error"));
  const [best] = [...good, ...checked];
  if (!best) return missingSnippet(all, context);
  const findings =
    good.length > 0 && best.faults.length === 0 ? [finding(FOUND[best.snippet.product], asWritten(best.snippet))] : [];
  findings.push(...best.faults);
  if (live.length > 1) {
    findings.push(
      finding("snippet_doubled", live.map(asWritten).join("\n"), "Keep one of them and remove the others."),
    );
  }
  return { findings, hopeless: good.length === 0 };
}

const FOUND = { footfall: "snippet_found", plausible: "plausible_found", umami: "umami_found" } as const;

/** Explains a missing tag: something else that may load the script, or why nothing does. */
function missingSnippet(all: Snippet[], context: Context): { findings: Finding[]; hopeless: boolean } {
  const { html, surroundings, guide, baseUrl } = context;
  const script = `${baseUrl}/script`;
  const foreign = all.find(({ from }) => from === "foreign");
  const inert = all.find(({ tag }) => tag.inert)?.tag.attributes.get("src") ?? inertText(html, script);
  const named = html.tags.find(
    ({ name, text, attributes, inert: off }) =>
      !off && ((name === "script" && text.includes(script)) || attributes.get("href")?.startsWith(script)),
  );
  const hopeless = !named && !surroundings.hasScripts && surroundings.containers.length === 0;
  if (named)
    return { findings: [finding("snippet_in_program", `<${named.name}> mentions ${script}`)], hopeless: false };
  if (inert) return { findings: [finding("snippet_inert", inert, instructions(guide))], hopeless };
  if (foreign) {
    return { findings: [finding("wrong_address", asWritten(foreign), addressFix(foreign, context))], hopeless };
  }
  return { findings: [finding("snippet_missing", null, instructions(guide))], hopeless };
}

/** Other products' tags stay as they are, but for their host. */
function addressFix({ product, source }: Snippet, { baseUrl, guide }: Context): string {
  if (product === "umami") return `Change its src to ${baseUrl}/script.js, and keep the rest.`;
  const name = source.pathname.slice(source.pathname.lastIndexOf("/"));
  return product === "plausible"
    ? `Change its src to ${baseUrl}/js${name}, and keep the rest.`
    : `Use ${guide.snippet}`;
}

/** Returns the snippet in a comment or a noscript tag. */
function inertText({ comments, tags }: Html, script: string): string | undefined {
  const noscripts = tags.filter(({ name }) => name === "noscript").map(({ text }) => text);
  return [...comments, ...noscripts].find((text) => text.includes(script))?.trim();
}

const instructions = ({ steps, snippet, code }: Installation): string =>
  [...steps.slice(0, -1), `${code[0]?.file ?? "The page"}: ${snippet}`].join(" ");

const asWritten = ({ tag }: Snippet): string =>
  `<script${[...tag.attributes].map(([name, value]) => ` ${name}${value === "" ? "" : `="${value}"`}`).join("")}>`;

function faultsOf(snippet: Snippet, context: Context): Finding[] {
  const { tag, source, from, held } = snippet;
  const { url, guide } = context;
  const written = asWritten(snippet);
  const type = tag.attributes.get("type") ?? "";
  const of = (code: FindingCode, fix: string) => finding(code, written, fix);
  const faults = tagFaults(snippet, written, { ...context, snippet: guide.snippet });
  if (/^module$/i.test(type)) faults.push(of("snippet_is_module", 'Remove type="module" from the tag.'));
  else if (held || !/^(text|application)?\/?(java|ecma)?script$|^$/i.test(type)) {
    faults.push(of("snippet_held", "Exclude script.js from the optimisation or consent plugin."));
  }
  if (mixed(source, url))
    faults.push(of("mixed_content", "Set BASE_URL of this service to an https URL, then use the new snippet."));
  faults.push(...policyFaults(snippet, context));
  if (from === "proxied") faults.push(finding("snippet_proxied", source.href));
  return faults;
}

/** Mixed content. Browsers allow http URLs of localhost on https pages. */
const mixed = (source: URL, page: URL): boolean =>
  page.protocol === "https:" && source.protocol === "http:" && !/^(localhost|127\.|\[::1\])/.test(source.hostname);

function policyFaults(snippet: Snippet, { page, html, url }: Context): Finding[] {
  const { tag, source } = snippet;
  const policies = policiesOf(headerOf(page), html);
  const nonce = tag.attributes.get("nonce");
  const api = apiOf(snippet, { html, url });
  const script = blockingDirective(policies, "script", source, url, nonce);
  const connect = blockingDirective(policies, "connect", api, url);
  const allow = (directive: string, { origin }: URL) =>
    `Allow ${origin} in ${directive} of the Content-Security-Policy.`;
  return [
    ...(script ? [finding("csp_script", script, allow("script-src", source))] : []),
    ...(connect ? [finding("csp_connect", connect, allow("connect-src", api))] : []),
  ];
}

const headerOf = ({ headers }: Page): string | undefined => {
  const value = headers["content-security-policy"];
  return Array.isArray(value) ? value.join(",") : value;
};
