import { isAddress } from "@/lib/ingest/scrubbing/addresses";
import { decoded } from "@/lib/ingest/scrubbing/keys";
import type { Replace } from "@/lib/ingest/scrubbing/kinds";
import { mayBeSecret } from "@/lib/ingest/scrubbing/random-text";

/** Secrets in links that stand for a person: the segments of a path after a word such as `reset` or `invite`. */

const WORDS =
  /^(?:reset(?:ting|s)?|password(?:less)?|verify|verification|verified|confirm|confirmation|confirmed|activate|activation|invite[sd]?|invitations?|join|magic|magiclink|unsubscribe|optout|recover|recovery|signin|login|logins|auth|oauth|authenticate|authorize|tokens?|sso|session|otp|mfa)$/;
const CHEAP =
  /reset|passw|verif|confirm|activat|invit|join|magic|unsubsc|opt-?out|recover|sign-?in|login|auth|token|sso|session|otp|mfa|\bips?\b|ip-/i;
const IP_WORDS = /^(?:ips?|ipv[46]|ip-?(?:address(?:es)?|lookup|info))$/;

/** How many segments after such a word may be secrets: `/reset/MQ/c7x-8d2f…/`. */
const REACH = 3;
/** A secret that stands for a person has at least this many characters. */
const LEAST = 16;

/** Returns whether a segment is one or few words of which one announces a secret. Addresses of contracts are no secrets. */
function announces(segment: string): boolean {
  const words = segment.toLowerCase().split(/[-_]/);
  return words.length <= 4 && (words.some((word) => WORDS.test(word)) || /^(?:sign-in|opt-out)$/i.test(segment));
}

/** Replaces secrets and addresses in the segments of a path. */
export function replaceInLinks(text: string, replace: Replace): string {
  if (!/[\w-]{16}|\.\d+\.|:/.test(text) || !CHEAP.test(text)) return text;
  const segments = text.split("/");
  let left = 0;
  let afterIp = false;
  return segments
    .map((segment) => {
      const [value = ""] = segment.split(/[?#&;]/, 1);
      const plain = decoded(value);
      let clean = segment;
      if (left > 0 && !plain.startsWith("0x") && mayBeSecret(plain, LEAST)) {
        clean = replace("token") + segment.slice(value.length);
      } else if (afterIp && isAddress(plain)) {
        clean = replace("ip") + segment.slice(value.length);
      }
      left = announces(value) ? REACH : left - 1;
      afterIp = IP_WORDS.test(value.toLowerCase());
      return clean;
    })
    .join("/");
}
