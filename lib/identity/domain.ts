import { normalDomain } from "@/lib/platform/domain-names";
import { invalidInput } from "@/lib/platform/errors";
import { proofPlaces } from "@/lib/platform/outbound/domain-proof";

const MAX_NAME_LENGTH = 253;
/** Special-use top-level domains (RFC 6761, 6762, 7686, 9476). */
const SPECIAL_USE = ["arpa", "internal", "invalid", "local", "localhost", "onion", "test"];

/**
 * Normalises a domain and checks that its ownership can be verified publicly.
 *
 * @throws Refusal `invalid_input` naming `domain`.
 */
export function provableDomain(typed: string): string {
  const domain = normalDomain(typed);
  const last = domain.slice(domain.lastIndexOf(".") + 1);
  if (SPECIAL_USE.includes(last))
    throw fault(`ends in .${last}, which is reserved; use a domain of the public Internet`);
  if (proofPlaces(domain, "").dns_name.length > MAX_NAME_LENGTH) {
    throw fault("is too long: prefixed with _footfall-challenge. it must have at most 253 characters");
  }
  return domain;
}

const fault = (message: string) => invalidInput([{ path: "domain", message }]);
