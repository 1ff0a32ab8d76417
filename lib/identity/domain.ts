import { normalDomain } from "@/lib/platform/domain-names";
import { invalidInput } from "@/lib/platform/errors";
import { proofPlaces } from "@/lib/platform/outbound/domain-proof";

const LONGEST_NAME = 253;
/** Names that mean something else on every network, or nothing anywhere (RFC 6761, 6762, 7686, 9476). */
const SPECIAL = ["arpa", "internal", "invalid", "local", "localhost", "onion", "test"];

/**
 * The normal form of a domain that somebody can prove before the whole world.
 *
 * @throws Refusal `invalid_input` naming `domain`.
 */
export function provableDomain(typed: string): string {
  const domain = normalDomain(typed);
  const last = domain.slice(domain.lastIndexOf(".") + 1);
  if (SPECIAL.includes(last))
    throw fault(`ends in .${last}, which nobody can own; give a domain of the public Internet`);
  if (proofPlaces(domain, "").dns_name.length > LONGEST_NAME) {
    throw fault("is too long: with _footfall-challenge. before it, it has at most 253 characters");
  }
  return domain;
}

const fault = (message: string) => invalidInput([{ path: "domain", message }]);
