import type { ClaimCheck } from "@/lib/identity/claims";

/** Describes what was found instead of the expected record, and what to do about it. */
export function whatIsMissing({ reason, temporary, instead = [] }: ClaimCheck["missing"][number]): string {
  if (reason === "dns_no_match") {
    if (temporary) return "The name servers did not respond. Try again in a moment.";
    if (instead.length === 0) {
      return "There is no TXT record of that name yet. If you have just added it, wait a few minutes; if not, check that its name does not contain the domain twice.";
    }
    const found = instead.map((text) => `“${text}”`).join(", ");
    return `There is a TXT record of that name, but its value is different: ${found}. It must be exactly the value shown here.`;
  }
  if (reason === "https_mismatch") {
    return "The website answered, but not with the file: the address must answer with status 200, without a redirect, and the file must contain only the text shown here.";
  }
  return temporary
    ? "The website did not respond in time. Try again in a moment."
    : "The website could not be reached over https. It needs a public address, port 443 and a valid certificate.";
}
