import { z } from "zod";
import { clip } from "@/lib/platform/text";

/** How much a finding weighs: with an `error` no event comes, a `warning` may cost some, `good` and `note` only tell. */
export const SEVERITIES = ["error", "warning", "note", "good"] as const;
type Severity = (typeof SEVERITIES)[number];

/** Everything that a test can find, each with its weight and the sentence for it. The list is closed. */
export const FINDINGS = {
  page_unreachable: ["error", "The page could not be read from the public Internet."],
  page_error: ["error", "The page answers with an error."],
  page_refused: ["warning", "The page does not answer programs like this test. Visitors’ browsers may still get it."],
  page_truncated: ["note", "The page is very long; only its beginning was read."],
  not_html: ["error", "The address does not answer with a page."],
  left_domain: ["error", "The page leads to a domain that is not one of this site."],
  no_https: ["warning", "The page answers over plain http only."],
  snippet_found: ["good", "The snippet is on the page, once, with the right address and domain."],
  snippet_missing: ["error", "The snippet is not on the page."],
  snippet_in_program: ["note", "No tag is on the page, but a program of the page names the script and may load it."],
  snippet_doubled: ["warning", "The snippet is on the page more than once. Only the first one counts."],
  snippet_inert: ["error", "The snippet is on the page, but where browsers do not run it."],
  snippet_held: ["warning", "The snippet waits for another program before it is loaded."],
  snippet_is_module: ["error", "The snippet has type=module, and a module cannot read its own tag."],
  snippet_proxied: ["note", "The script is loaded from an address of the site itself."],
  domain_missing: ["error", "The snippet has no data-domain, so it counts nothing."],
  wrong_domain: ["error", "The snippet names a domain that is not one of this site."],
  wrong_address: ["error", "A snippet is on the page, but it loads its script from somewhere else."],
  mixed_content: ["error", "The page is https and the script’s address is http, which browsers block."],
  csp_script: ["error", "The page’s Content-Security-Policy forbids the script."],
  csp_connect: ["error", "The page’s Content-Security-Policy forbids sending events."],
  consent_needed: ["warning", "A consent manager may hold the script back until the visitor agrees."],
  tag_manager: ["note", "Google Tag Manager is on the page; the snippet may come from it."],
  called_early: ["warning", "The page calls footfall() before the script is there, which fails."],
  manual: ["warning", "The snippet has data-manual: pageviews are counted only when the page asks for it."],
  browser_used: ["note", "A browser on this server opened the page."],
  no_browser: ["note", "This server has no browser that it may use: only what stands in the page was looked at."],
  page_not_opened: ["error", "A browser could not open the page."],
  script_not_asked: ["error", "In a real browser the page never asked for the script."],
  script_blocked: ["error", "In a real browser the script could not be loaded."],
  event_not_sent: ["error", "In a real browser the script was loaded, but no event was sent."],
  event_refused: ["error", "The event was sent, and refused."],
  event_filtered: ["warning", "The event arrived; as a visitor’s it would have been left out by the site’s own rules."],
  event_arrived: ["good", "An event of the page arrived."],
  event_missing: ["error", "No event of the page arrived in time."],
} as const satisfies Record<string, readonly [Severity, string]>;
export type FindingCode = keyof typeof FINDINGS;

const codes = Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]];

export const findingShape = z
  .object({
    code: z.enum(codes),
    severity: z.enum(SEVERITIES),
    message: z.string(),
    evidence: z.string().nullable().meta({ description: "What was seen; strangers may have written it" }),
    fix: z
      .string()
      .nullable()
      .meta({ description: "What to do, for the framework that the site seems to be built with" }),
  })
  .meta({ id: "InstallationFinding" });
export type Finding = z.infer<typeof findingShape>;

const LONGEST_EVIDENCE = 300;

export function finding(code: FindingCode, evidence: string | null = null, fix: string | null = null): Finding {
  const [severity, message] = FINDINGS[code];
  return { code, severity, message, evidence: evidence === null ? null : clip(evidence, LONGEST_EVIDENCE), fix };
}

export const isError = ({ severity }: Finding): boolean => severity === "error";
