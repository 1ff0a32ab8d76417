import { expect, test } from "vitest";
import { type Inspected, inspect } from "@/lib/sites/check/inspect";
import { sampled } from "@/lib/testing/tier";

/** Findings in the HTML of a page. */

const MAPPED = "94db1cb1-74f4-4a40-ad6c-962362670409";
const SITE: Inspected = {
  domains: ["example.com", "example.org"],
  websiteIds: [MAPPED],
  baseUrl: "https://stats.example.net",
};
const SNIPPET = '<script defer src="https://stats.example.net/script.js" data-domain="example.com"></script>';

function inspectHtml(
  html: string,
  page: { url?: string; status?: number; headers?: Record<string, string>; complete?: boolean } = {},
) {
  const { url = "https://example.com/?footfall_test=x", status = 200, headers = {}, complete = true } = page;
  const { findings, surroundings, hopeless } = inspect(
    { status, url, headers, body: Buffer.from(html), complete, certificate: null },
    SITE,
  );
  return { codes: findings.map(({ code }) => code), findings, surroundings, hopeless };
}
const head = (inside: string) => `<!doctype html><html><head><title>A</title>${inside}</head><body><p>Hi</body></html>`;
const tag = (attributes: string) => `<script defer ${attributes}></script>`;
const OURS = 'src="https://stats.example.net/script.js"';

test("a page with the correct snippet has snippet_found as its only finding", () => {
  for (const snippet of [
    SNIPPET,
    SNIPPET.replace("script.js", "script.full.js"),
    SNIPPET.replace("example.com", "www.Example.ORG"),
  ]) {
    expect(inspectHtml(head(snippet))).toMatchObject({ codes: ["snippet_found"], hopeless: false });
  }
});

const FAULTY: [what: string, html: string, codes: string[], hopeless: boolean][] = [
  ["no snippet and no other script", head(""), ["snippet_missing"], true],
  ["no snippet, but a program that may load it", head('<script src="/app.js"></script>'), ["snippet_missing"], false],
  ["the snippet twice", head(SNIPPET + SNIPPET), ["snippet_found", "snippet_doubled"], false],
  ["another domain", head(tag(`${OURS} data-domain="other.example"`)), ["wrong_domain"], true],
  ["no domain", head(tag(OURS)), ["domain_missing"], true],
  [
    "the script of another service",
    head(tag('src="https://plausible.io/js/script.js" data-domain="example.com"')),
    ["wrong_address"],
    false,
  ],
  ["the snippet in a comment", head(`<!-- ${SNIPPET} -->`), ["snippet_inert"], true],
  ["the snippet in a noscript", head(`<noscript>${SNIPPET}</noscript>`), ["snippet_inert"], true],
  ["the snippet in a template", head(`<template>${SNIPPET}</template>`), ["snippet_inert"], true],
  [
    "the snippet as a text of another script",
    head(`<script>var x = '${SNIPPET.replace("</script>", "")}'</script>`),
    ["snippet_in_program"],
    false,
  ],
  [
    "a preload by Next.js",
    head('<link rel="preload" href="https://stats.example.net/script.js" as="script">'),
    ["snippet_in_program"],
    false,
  ],
  ["a module", head(tag(`${OURS} type="module" data-domain="example.com"`)), ["snippet_is_module"], true],
  [
    "a consent plugin's type",
    head(tag(`${OURS} type="text/plain" data-domain="example.com"`)),
    ["snippet_held"],
    false,
  ],
  ["an optimiser's attribute", head(tag(`data-rocket-${OURS} data-domain="example.com"`)), ["snippet_held"], false],
  [
    "a proxy of the site's own",
    head(tag('src="/js/script.js" data-api="/api/event" data-domain="example.com"')),
    ["snippet_proxied"],
    false,
  ],
  ["pageviews by hand", head(tag(`${OURS} data-domain="example.com" data-manual`)), ["manual"], false],
  [
    "a call before the script",
    head(`<script>footfall("Signup")</script>${SNIPPET}`),
    ["snippet_found", "called_early"],
    false,
  ],
  [
    "a call that is kept",
    head(
      `<script>window.footfall = window.footfall || function () { (footfall.q = footfall.q || []).push(arguments) };\nfootfall("Signup")</script>${SNIPPET}`,
    ),
    ["snippet_found"],
    false,
  ],
  [
    "a consent manager",
    head(`<script src="https://cdn.cookielaw.org/scripttemplates/otSDKStub.js"></script>${SNIPPET}`),
    ["snippet_found", "consent_needed"],
    false,
  ],
  [
    "Tag Manager alone",
    head("<script>j.src='https://www.googletagmanager.com/gtm.js?id='+i;})(window,'GTM-AB12CD')</script>"),
    ["snippet_missing", "tag_manager"],
    false,
  ],
  [
    "a policy in a meta tag",
    head(`<meta http-equiv="Content-Security-Policy" content="script-src 'self'">${SNIPPET}`),
    ["csp_script"],
    true,
  ],
];

test.each(FAULTY)("%s is reported by its code", (_, html, codes, hopeless) => {
  expect(inspectHtml(html)).toMatchObject({ codes, hopeless });
});

const HOST = "https://stats.example.net";
const umami = (attributes: string) => tag(`src="${HOST}/script.js" ${attributes}`);
const plausible = (name: string, attributes = 'data-domain="example.com"') =>
  tag(`src="${HOST}/js/${name}" ${attributes}`);
const init = (options: string) => `<script>plausible.init(${options})</script>`;
const KEY = `ffk_${"k".repeat(43)}`;

const FOREIGN: [what: string, html: string, codes: string[]][] = [
  ["Plausible's tag", plausible("script.hash.outbound-links.js"), ["plausible_found"]],
  [
    "Plausible's tag of several domains",
    plausible("script.js", 'data-domain="a.org,example.org"'),
    ["plausible_found"],
  ],
  ["Plausible's tag without a domain", plausible("script.js", ""), ["plausible_found"]],
  ["Plausible's tag of another site", plausible("plausible.js", 'data-domain="other.org"'), ["wrong_domain"]],
  ["Plausible's tag without pageviews", plausible("script.manual.js"), ["manual"]],
  ["Plausible's tag that loads from Plausible", tag('src="https://plausible.io/js/pa-Ab1.js"'), ["wrong_address"]],
  ["Plausible's script with options", plausible("pa-Ab1.js", "") + init("{outboundLinks: true}"), ["plausible_found"]],
  [
    "Plausible's script with options for another site",
    plausible("pa-Ab1.js", "") + init('{domain: "other.org"}'),
    ["wrong_domain"],
  ],
  [
    "Plausible's script whose options send to Plausible",
    plausible("pa-Ab1.js", "") + init('{endpoint: "https://plausible.io/api/event"}'),
    ["events_elsewhere"],
  ],
  ["Plausible's script that nothing starts", plausible("pa-Ab1.js", ""), ["not_started"]],
  ["Umami's tag with a mapped id", umami(`data-website-id="${MAPPED.toUpperCase()}"`), ["umami_found"]],
  ["Umami's tag with a domain", umami('data-website-id="www.example.org"'), ["umami_found"]],
  ["Umami's tag with an unknown id", umami('data-website-id="1b9d6bcd"'), ["website_unmapped"]],
  ["Umami's tag without an id", umami('data-website-id=""'), ["domain_missing"]],
  [
    "Umami's tag that sends elsewhere",
    umami(`data-website-id="${MAPPED}" data-host-url="https://cloud.umami.is"`),
    ["events_elsewhere"],
  ],
  [
    "Umami's tag for other pages, without pageviews",
    umami(`data-website-id="${MAPPED}" data-domains="a.org, b.org" data-auto-track="false"`),
    ["domains_exclude", "manual"],
  ],
  [
    "Umami's tag that loads from Umami",
    tag(`src="https://cloud.umami.is/script.js" data-website-id="${MAPPED}"`),
    ["wrong_address"],
  ],
  ["Umami's tag by a proxy", tag(`src="/stats/script.js" data-website-id="${MAPPED}"`), ["snippet_proxied"]],
  ["Umami's tag beside ours", umami(`data-website-id="${MAPPED}"`) + SNIPPET, ["umami_found", "snippet_doubled"]],
  ["our tag that sends elsewhere", tag(`${OURS} data-domain="example.com" data-api="//a.org/e"`), ["events_elsewhere"]],
  [
    "Segment's snippet",
    '<script>analytics.load("abc"); analytics.page()</script>',
    ["snippet_missing", "segment_in_page"],
  ],
  [
    "Segment's snippet with an ingest key",
    `${SNIPPET}<script>analytics.load("${KEY}", {integrations: {}})</script>`,
    ["snippet_found", "segment_in_page", "key_in_page"],
  ],
];

test.each(FOREIGN)("%s is recognised on a page, and what is wrong with it named", (_, html, codes) => {
  const { findings, codes: found } = inspectHtml(head(html));
  expect(found).toEqual(codes);
  expect(JSON.stringify(findings)).not.toContain(KEY);
});

test("a tag of another product that loads from its own server is mended by its host alone", () => {
  const fixOf = (src: string) => inspectHtml(head(tag(`src="${src}" data-website-id="x"`))).findings[0]?.fix;
  expect(fixOf("https://cloud.umami.is/script.js")).toContain(`src to ${HOST}/script.js`);
  const { findings } = inspectHtml(head(tag('src="https://plausible.io/js/script.hash.js" data-domain="example.com"')));
  expect(findings[0]?.fix).toContain(`src to ${HOST}/js/script.hash.js`);
});

test("responses that cannot be a page of the site are reported without parsing them", () => {
  expect(inspectHtml("", { url: "https://parked.example/" })).toMatchObject({ codes: ["left_domain"], hopeless: true });
  expect(inspectHtml("", { status: 404 })).toMatchObject({ codes: ["page_error"], hopeless: true });
  expect(inspectHtml("", { status: 403 })).toMatchObject({ codes: ["page_refused"], hopeless: false });
  expect(inspectHtml("{}", { headers: { "content-type": "application/json" } })).toMatchObject({
    codes: ["not_html"],
    hopeless: true,
  });
  expect(inspectHtml(head(SNIPPET), { url: "http://example.com/", complete: false }).codes).toEqual([
    "snippet_found",
    "no_https",
    "page_truncated",
  ]);
});

test("the fix is specific to the framework of the page", () => {
  const pages: [mark: string, framework: string, words: string][] = [
    ['<meta name="generator" content="WordPress 6.8">', "wordpress", "functions.php"],
    ['<link href="https://cdn.shopify.com/s/files/x.css">', "shopify", "theme.liquid"],
    ['<script src="/_next/static/chunks/main.js"></script>', "nextjs", "app/layout.tsx"],
    ['<script src="/_nuxt/entry.js"></script>', "vue", "index.html"],
    ['<script src="/livewire/livewire.min.js"></script>', "laravel", "app.blade.php"],
  ];
  for (const [mark, framework, words] of pages) {
    const { findings, surroundings } = inspectHtml(head(mark));
    expect([surroundings.framework, findings[0]?.code]).toEqual([framework, "snippet_missing"]);
    expect(findings[0]?.fix).toContain(words);
  }
});

/** A policy, and the findings about what it blocks. */
const POLICIES: [policy: string, codes: string[]][] = [
  ["default-src 'self'", ["csp_script", "csp_connect"]],
  ["default-src 'none'; script-src https://stats.example.net; connect-src stats.example.net", []],
  ["script-src 'self' *.example.net; connect-src *", []],
  ["script-src https:; connect-src 'self'", ["csp_connect"]],
  ["script-src-elem 'self'; script-src *", ["csp_script"]],
  ["script-src https://stats.example.net/js/", ["csp_script"]],
  ["script-src https://stats.example.net:8443", ["csp_script"]],
  ["script-src http://stats.example.net", []],
  ["script-src 'nonce-abc' 'strict-dynamic' https:", []],
  ["script-src 'nonce-xyz' 'strict-dynamic' https:", ["csp_script"]],
  ["script-src *, script-src 'self'", ["csp_script"]],
  ["img-src 'self'; script-src", ["csp_script"]],
];

test.each(POLICIES)("the policy %s blocks what CSP says", (policy, codes) => {
  const html = head(SNIPPET.replace("<script ", '<script nonce="abc" '));
  const found = inspectHtml(html, { headers: { "content-security-policy": policy } }).codes;
  expect(found.filter((code) => code.startsWith("csp"))).toEqual(codes);
});

test("hostile pages are inspected in linear time", () => {
  const hostile = [
    `<a ${Array.from({ length: 150_000 }, (_, index) => `a${index.toString(36)}`).join(" ")}>`,
    "<div>".repeat(200_000),
    "<template>".repeat(100_000),
    "<!--".repeat(250_000),
    `<script>${"<!--<script>".repeat(80_000)}`,
    "&".repeat(1_000_000),
    `<script>${"\n".repeat(200_000)}</script>`,
    `<script>${"plausible.init(".repeat(60_000)}${'domain:"'.repeat(20_000)}</script>`,
    `${plausible("pa-a.js", "").repeat(3_000)}<script>${"plausible.init(domain:'".repeat(30_000)}</script>`,
    `<base href="/${"a".repeat(500_000)}">${"<script a=b></script>".repeat(20_000)}`,
    `<meta http-equiv="content-security-policy" content="script-src ${"a.b ".repeat(100_000)}">${SNIPPET.repeat(5_000)}`,
  ];
  // In quadratic time each would take many minutes, beyond the limit of a test.
  for (const html of sampled(hostile, 2)) inspectHtml(html + SNIPPET);
});
