import { expect, test } from "vitest";
import { evidenceInWords, fixInWords } from "@/lib/sites/check/finding-words";
import type { Finding } from "@/lib/sites/check/findings";
import { inspect } from "@/lib/sites/check/inspect";
import { findingsOfVisit } from "@/lib/sites/check/visit";
import { FRAMEWORKS, type Framework, guideInWords, installationFor } from "@/lib/sites/installation";
import { inLanguage } from "@/lib/texts/in-language";

/** What people read of an installation, in German. */

const OURS = 'src="https://stats.example.net/script.js"';
const tag = (attributes: string) => `<script defer ${attributes}></script>`;
const snippet = tag(`${OURS} data-domain="example.com"`);

function findingsIn(html: string, { url = "https://example.com/", status = 200, headers = {} } = {}): Finding[] {
  const body = Buffer.from(`<!doctype html><head>${html}</head><p>Hi`);
  const page = { status, url, headers, body, complete: false, certificate: null };
  const site = { domains: ["example.com"], websiteIds: [], baseUrl: "https://stats.example.net" };
  return inspect(page, site).findings;
}

const NOTHING = { refusal: null, script: null, event: null, stopped: null };
const ALL: Finding[] = [
  ...findingsIn("", { url: "https://other.example/" }),
  ...[403, 404].flatMap((status) => findingsIn("", { status })),
  ...findingsIn("", { headers: { "content-type": "application/json" } }),
  ...findingsIn(snippet + snippet, { url: "http://example.com/" }),
  ...[
    "",
    '<script src="/wp-includes/js/a.js"></script><link href="/wp-content/a.css">',
    '<script src="/_next/static/a.js"></script>',
    `<!-- ${snippet} -->`,
    '<script>load("https://stats.example.net/script.js")</script>',
    '<script src="https://consent.cookiebot.com/uc.js"></script>',
    `<script>footfall("Signup")</script>${snippet}`,
    tag(`${OURS} type="module" data-domain="example.com"`),
    tag(`${OURS} type="text/plain" data-domain="example.com"`),
    tag(OURS),
    tag(`${OURS} data-domain="other.example"`),
    tag(`${OURS} data-domain="example.com" data-manual`),
    tag(`${OURS} data-domain="example.com" data-api="https://other.example/api/event"`),
    tag(`${OURS} data-website-id="94db1cb1-74f4-4a40-ad6c-962362670409"`),
    tag(`${OURS} data-website-id="example.com" data-auto-track="false" data-domains="other.example"`),
    tag('src="https://stats.example.net/js/script.manual.js" data-domain="example.com"'),
    tag('src="https://stats.example.net/js/plausible.js" data-domain="other.example"'),
    tag('src="https://stats.example.net/js/pa-Ab1.js"'),
    tag('src="https://plausible.io/js/script.js" data-domain="example.com"'),
    tag('src="https://cloud.umami.is/script.js" data-website-id="example.com"'),
    `<meta http-equiv="Content-Security-Policy" content="script-src 'self'; connect-src 'self'">${snippet}`,
    `<script>analytics.load("x")</script>${tag(`${OURS} data-key="ffk_${"k".repeat(43)}"`)}`,
  ].flatMap((html) => findingsIn(html)),
  ...findingsOfVisit(NOTHING),
  ...findingsOfVisit({ ...NOTHING, stopped: "memory" }),
  ...findingsOfVisit({ ...NOTHING, refusal: "net::ERR_FAILED" }),
  ...[{ blocked: "csp" }, { status: 404 }, { status: 200 }].flatMap((script) =>
    findingsOfVisit({ ...NOTHING, script }),
  ),
  ...[{ blocked: "csp" }, { status: 400 }, { status: 202 }].flatMap((event) => findingsOfVisit({ ...NOTHING, event })),
];

test("a reader of German is told in German how to fix each finding of an installation test", () => {
  const fixes = ALL.flatMap(({ fix }) => fix ?? []);
  expect(new Set(fixes).size).toBeGreaterThan(30);
  expect(fixes.filter((fix) => inLanguage("de", () => fixInWords(fix)) === fix)).toEqual([]);
  expect(fixes.filter((fix) => fixInWords(fix) !== fix)).toEqual([]);
});

test("a fix keeps the snippet and the file of its guide in every language", () => {
  const [missing] = findingsIn("");
  const fix = inLanguage("de", () => fixInWords(missing?.fix ?? ""));
  expect(fix).toBe(
    `Fügen Sie das Snippet in den <head> jeder Seite oder der gemeinsamen Vorlage ein. index.html: ${snippet}`,
  );
});

test("evidence in our words is translated, and what a page says stays as it is", () => {
  const german = (text: string) => inLanguage("de", () => evidenceInWords(text));
  expect(german("https://example.com/ responds with 404")).toBe("https://example.com/ antwortet mit 404");
  expect(german("<script> mentions https://stats.example.net/script")).toContain("<script> erwähnt https://stats");
  expect(german("Content-Type: text/plain")).toBe("Content-Type: text/plain");
});

test.each(Object.keys(FRAMEWORKS))("each step and note of the guide for %s is German for a reader of German", (key) => {
  const site = { baseUrl: "https://stats.example.net", domain: "example.com", name: "example.com" };
  const { steps, notes } = installationFor(key as Framework, site);
  const texts = [...steps, ...notes];
  expect(texts.filter((text) => inLanguage("de", () => guideInWords(text)) === text)).toEqual([]);
});
