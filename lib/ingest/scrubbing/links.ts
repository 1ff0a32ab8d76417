import { decoded } from "@/lib/ingest/scrubbing/keys";
import type { Replace } from "@/lib/ingest/scrubbing/kinds";
import { mayBeSecret } from "@/lib/ingest/scrubbing/secrets";

/** Secrets in links that stand for a person: the segments of a path after a word such as `reset` or `invite`. */

/** Words that announce a secret. */
const ANNOUNCING = new Set(
  [
    "reset resets resetting password passwordless validate validation verify verification verified confirm confirmation",
    "confirmed activate activation accept approve invite invited invites invitation invitations join magic magiclink",
    "unsubscribe optout optin onetime preferences recover recovery signin login logins auth oauth authenticate authorize",
    "token tokens sso session otp mfa sign-in opt-out opt-in one-time",
  ].flatMap((line) => line.split(" ")),
);
const LONGEST_WORDS = 40;
const MOST_WORDS = 4;

/** A segment that is long enough to be a secret, and what can be one. */
const LONG_SEGMENT = /(?<=\/)[^/?#&;]{16,}/g;
const MAY_BE_SECRET = /\d|[a-z][A-Z]/;
/** A secret that stands for a person has at least this many characters. */
const LEAST = 16;
/** How many segments before a secret may announce it: `/reset/MQ/c7x-8d2f…/`. */
const REACH = 3;

/** Returns whether a segment is one or few words of which one announces a secret. */
function announces(segment: string): boolean {
  if (segment.length > LONGEST_WORDS) return false;
  const text = segment.toLowerCase();
  if (ANNOUNCING.has(text)) return true;
  const words = text.split(/[-_]/);
  return words.length <= MOST_WORDS && words.some((word) => ANNOUNCING.has(word));
}

/** Returns whether one of the segments that end at a position announces a secret. */
function isAnnounced(text: string, at: number): boolean {
  let end = at - 1;
  for (let back = 0; back < REACH && end > 0; back++) {
    const start = text.lastIndexOf("/", end - 1) + 1;
    if (end - start > 0 && announces(text.slice(start, Math.min(end, start + LONGEST_WORDS + 1)))) return true;
    end = start - 1;
  }
  return false;
}

/** Replaces secrets in the segments of a path. */
export function replaceInLinks(text: string, replace: Replace): string {
  return text.replace(LONG_SEGMENT, (segment, at: number) => {
    if (!MAY_BE_SECRET.test(segment) || !isAnnounced(text, at)) return segment;
    const plain = decoded(segment);
    // Addresses of contracts are public.
    return !plain.startsWith("0x") && mayBeSecret(plain, LEAST) ? replace("token") : segment;
  });
}
