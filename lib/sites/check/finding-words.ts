import { FRAMEWORKS, type Framework, guideInWords, installationFor } from "@/lib/sites/installation";
import { translatorOf } from "@/lib/texts/known-texts";
import { currentLanguage, msg } from "@/lib/texts/translate";

/** Evidence and fixes of installation tests in the reader's language: tests are stored as English sentences. */

/** Returns what was found in the reader's language. What the page itself says stays as it is. */
export const evidenceInWords = translatorOf([
  msg("{url} responds with {status}"),
  msg("{count} bytes were read"),
  msg("<{tag}> mentions {script}"),
  msg("{domain} did not respond in time."),
  msg("{domain} has no public address, does not respond, or has no valid certificate for this domain."),
  msg("The browser could not be started"),
  msg("The event got the response {status}"),
  msg("The page used too much memory"),
  msg("The page started too many processes"),
  msg("The page crashed"),
]);

const fixes = translatorOf([
  msg(
    "Add {host} to the domains of the site if it is the same site, or serve the page on {domain} without a redirect.",
  ),
  msg("Open the URL of the test in your own browser, or allow requests from this server."),
  msg("Publish the page at this URL, then test again."),
  msg("Serve the page with Content-Type: text/html."),
  msg("Serve the site over https. Browsers show a warning otherwise."),
  msg(
    "Footfall stores nothing on the visitor’s device. If your legal requirements allow it, classify it as strictly necessary in {manager}.",
  ),
  msg("Add this before the first call: {code}"),
  msg("Keep one of them and remove the others."),
  msg("Change its src to {url}, and keep the rest."),
  msg('Remove type="module" from the tag.'),
  msg("Exclude script.js from the optimisation or consent plugin."),
  msg("Set BASE_URL of this service to an https URL, then use the new snippet."),
  msg("Allow {origin} in {directive} of the Content-Security-Policy."),
  msg("Let it send to {url}, or to a proxy on {domain}."),
  msg("Add {host} to data-domains."),
  msg("Fill in data-website-id, or use {snippet}"),
  msg("Use the snippet exactly as shown."),
  msg("Use {snippet}"),
  msg("Name {domain} there."),
  msg("Keep the call of plausible.init() that came with the script, after its tag."),
  msg("Enter this website id on the installation page of the site, under Coming from Umami, or write {attribute}."),
  msg("Remove data-auto-track, or call umami.track() for each page."),
  msg('Remove .manual from the name of the script, or call plausible("pageview").'),
  msg('Remove data-manual, or call footfall("pageview").'),
  msg(
    "Add the snippet of this page for visitors. Segment’s libraries on servers can send here with an ingest key: see /docs/from-segment.",
  ),
  msg(
    "Revoke the key in the settings of the site, under Measurement Protocol, and create another one for your servers only.",
  ),
  msg(
    "Find the script or frame that uses so much, for example in the task manager of Chrome. If visitors need it, open the URL of the next test in your own browser while the test waits.",
  ),
  msg(
    "Open the page in Chrome to see the error. The certificate or the server may be faulty, or the server blocks this browser.",
  ),
  msg("Make sure that the page served to visitors contains the tag, and that no cache or consent manager removes it."),
  msg("Allow this service in the page’s Content-Security-Policy, and make sure that its URL is reachable."),
  msg("Allow this service in connect-src of the page’s Content-Security-Policy."),
  msg("Check the browser console on that page for errors of the script."),
  msg("Compare the snippet on the page with the one shown here, especially its data-domain or data-website-id."),
  msg("Make sure that the domain points to a public server with a valid certificate, then test again."),
  msg("Open the URL of the test in a browser without a content blocker."),
]);

/** Returns how to fix a finding in the reader's language. The steps of a guide are followed by its file and the snippet. */
export function fixInWords(english: string): string {
  if (currentLanguage() === "en") return english;
  for (const framework of Object.keys(FRAMEWORKS) as Framework[]) {
    const steps = stepsOf(framework);
    const start = steps.join(" ");
    if (english.startsWith(`${start} `)) return `${steps.map(guideInWords).join(" ")}${english.slice(start.length)}`;
  }
  return fixes(english);
}

const ANY_SITE = { baseUrl: "https://example.com", domain: "example.com", name: "example.com" };

/** The steps that a test repeats: all but that of opening a page. */
const stepsOf = (framework: Framework): string[] => installationFor(framework, ANY_SITE).steps.slice(0, -1);
