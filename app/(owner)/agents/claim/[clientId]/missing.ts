import type { Look } from "@/lib/identity/claims";

/** In words: what was found where a record should be, and what to do about it. */
export function whatIsMissing({ reason, temporary, instead = [] }: Look["missing"][number]): string {
  if (reason === "dns_no_match") {
    if (temporary) return "The name servers did not answer just now. Try again in a moment.";
    if (instead.length === 0) {
      return "There is no TXT record of that name yet. If you have just added it, give it a few minutes; if not, see whether the domain stands twice in its name.";
    }
    const found = instead.map((text) => `“${text}”`).join(", ");
    return `There is a TXT record of that name, but it says something else: ${found}. Its value must be exactly the one given.`;
  }
  if (reason === "https_mismatch") {
    return "The website answered, but not with the file: its address must answer with status 200, without a redirect, and hold the given text and nothing else.";
  }
  return temporary
    ? "The website did not answer in time. Try again in a moment."
    : "The website could not be reached over https. It needs a public address, port 443 and a valid certificate.";
}
