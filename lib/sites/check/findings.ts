import { z } from "zod";
import { clip } from "@/lib/platform/text";
import { msg } from "@/lib/texts/translate";

/** `error`: no events arrive. `warning`: some events may be lost. `note` and `good` are informational. */
const SEVERITIES = ["error", "warning", "note", "good"] as const;
type Severity = (typeof SEVERITIES)[number];

/** All findings of an installation test, with their severity and message. The list is closed. */
const FINDINGS = {
  page_unreachable: ["error", msg("The page could not be read from the public internet.")],
  page_error: ["error", msg("The page responds with an error.")],
  page_refused: ["warning", msg("The page blocks automated requests like this test. It may still work in browsers.")],
  page_truncated: ["note", msg("The page is very long; only its beginning was read.")],
  not_html: ["error", msg("The URL does not return an HTML page.")],
  left_domain: ["error", msg("The page redirects to a domain that is not one of this site.")],
  no_https: ["warning", msg("The page is served over http only.")],
  snippet_found: ["good", msg("The snippet is installed once, with the correct URL and domain.")],
  plausible_found: [
    "good",
    msg("Plausible’s tag is installed once and sends to this server, for a domain of this site."),
  ],
  umami_found: ["good", msg("Umami’s tag is installed once and sends to this server, with a website id of this site.")],
  snippet_missing: ["error", msg("The snippet is not on the page.")],
  snippet_in_program: [
    "note",
    msg("The page has no snippet tag, but one of its scripts mentions the tracker and may load it."),
  ],
  snippet_doubled: ["warning", msg("The snippet is on the page more than once. Only the first one counts.")],
  snippet_inert: ["error", msg("The snippet is in a part of the page that browsers do not run.")],
  snippet_held: ["warning", msg("Another script delays the loading of the snippet.")],
  snippet_is_module: [
    "error",
    msg("The snippet has type=module, and modules cannot read the attributes of their own tag."),
  ],
  snippet_proxied: ["note", msg("The script is loaded through a proxy on the site itself.")],
  domain_missing: ["error", msg("The snippet has no data-domain, so nothing is counted.")],
  wrong_domain: ["error", msg("The domain that the tag names is not a domain of this site.")],
  website_unmapped: ["error", msg("Umami’s tag has a website id that is not mapped to this site.")],
  domains_exclude: ["error", msg("The data-domains of Umami’s tag leave out this page, so nothing is counted.")],
  not_started: [
    "warning",
    msg("Plausible’s script waits for plausible.init(), which was not found in the HTML of the page."),
  ],
  wrong_address: ["error", msg("A snippet is on the page, but it loads its script from another server.")],
  events_elsewhere: ["error", msg("The tag loads the script, but sends its events to another server.")],
  mixed_content: ["error", msg("The page uses https and the script URL http, which browsers block.")],
  csp_script: ["error", msg("The page’s Content-Security-Policy blocks the script.")],
  csp_connect: ["error", msg("The page’s Content-Security-Policy blocks sending events.")],
  consent_needed: ["warning", msg("A consent manager may block the script until the visitor agrees.")],
  tag_manager: ["note", msg("Google Tag Manager is on the page and may load the snippet.")],
  called_early: ["warning", msg("The page calls footfall() before the script is loaded, which fails.")],
  manual: ["warning", msg("The tag counts no pageviews by itself: they are counted only when the page sends them.")],
  segment_in_page: [
    "warning",
    msg("Segment’s snippet is on the page. What it sends from browsers is not counted here, only calls from servers."),
  ],
  key_in_page: ["error", msg("An ingest key stands in the page, where everybody can read it and send events with it.")],
  browser_used: ["note", msg("A browser on this server opened the page.")],
  no_browser: ["note", msg("No browser is available on this server, so only the HTML of the page was checked.")],
  browser_busy: [
    "note",
    msg("Another test of this account waits for the browser, so only the HTML of the page was checked."),
  ],
  page_too_heavy: ["error", msg("The browser on this server was stopped, because the page used too much of it.")],
  page_not_opened: ["error", msg("A browser could not open the page.")],
  script_not_asked: ["error", msg("A real browser opened the page, but the page did not request the script.")],
  script_blocked: ["error", msg("A real browser opened the page, but could not load the script.")],
  event_not_sent: ["error", msg("A real browser loaded the script, but it sent no event.")],
  event_refused: ["error", msg("The event was sent, but it was refused.")],
  event_filtered: [
    "warning",
    msg("The event arrived, but the site’s own exclusion rules would leave it out for visitors."),
  ],
  event_arrived: ["good", msg("An event from the page arrived.")],
  event_missing: ["error", msg("No event from the page arrived in time.")],
} as const satisfies Record<string, readonly [Severity, string]>;
export type FindingCode = keyof typeof FINDINGS;

const codes = Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]];

export const findingShape = z
  .object({
    code: z.enum(codes),
    severity: z.enum(SEVERITIES),
    message: z.string(),
    evidence: z.string().nullable().meta({ description: "What was found on the page; untrusted text" }),
    fix: z.string().nullable().meta({ description: "How to fix it, for the framework that the site appears to use" }),
  })
  .meta({
    id: "InstallationFinding",
    examples: [
      { code: "snippet_found", severity: "good", message: FINDINGS.snippet_found[1], evidence: null, fix: null },
    ],
  });
export type Finding = z.infer<typeof findingShape>;

const MAX_EVIDENCE_LENGTH = 300;

export function finding(code: FindingCode, evidence: string | null = null, fix: string | null = null): Finding {
  const [severity, message] = FINDINGS[code];
  return { code, severity, message, evidence: evidence === null ? null : clip(evidence, MAX_EVIDENCE_LENGTH), fix };
}

export const isError = ({ severity }: Finding): boolean => severity === "error";
