import { isBareAddress, replaceAddresses, replaceExpected, replaceIpv6 } from "@/lib/ingest/scrubbing/addresses";
import { replaceEmails, replacePhones } from "@/lib/ingest/scrubbing/contacts";
import { decoded, isVersionKey, kindByKey } from "@/lib/ingest/scrubbing/keys";
import type { OnScrubbed, Replace, ScrubbedKind } from "@/lib/ingest/scrubbing/kinds";
import { isCard, replaceCards, replaceIbans } from "@/lib/ingest/scrubbing/payment-numbers";
import { isLongRandom, mayBeSecret, PROVIDER_KEY, randomness } from "@/lib/ingest/scrubbing/secrets";
import { NO_RULES, type ScrubRules } from "@/lib/ingest/scrubbing/site-rules";

/** What scrubbing can know of the event. */
export interface ScrubContext {
  /** The site's own rules. */
  rules: ScrubRules;
  /** Returns where national phone numbers are dialled, ISO 3166-1; '' if unknown. */
  country: () => string;
}

const NO_CONTEXT: ScrubContext = { rules: NO_RULES, country: () => "" };

// Every repetition is bounded or has one possible start: the text is untrusted and must be matched in linear time.
const JWT = /(?:(?<=%[0-9A-Fa-f]{2})|(?<![\w-]))eyJ[\w-]{10,}(?:\.[\w-]*){1,4}/g;
const LONG_WORD = /(?:(?<=%[0-9A-Fa-f]{2})|(?<![\w%-]))[\w-]{16,}/g;
/** Keys of providers whose first part is short. */
const DOTTED_KEY = /(?:(?<=%[0-9A-Fa-f]{2})|(?<![\w-]))(?:SG|ya29|hv[sbr]|dp)\.[\w.-]{16,}/g;
const PAIR = /(?<![\w.%[\]-])((?:[\w.[\]-]|%5[BD]){1,100})(=|%3D)([^&#;\s"']+)/gi;
const JSON_PAIR = /("([\w.-]{1,100})"\s{0,4}:\s{0,4})("[^"\\]{1,500}"|\d{3,20}\b)/g;
/** How many URLs in a URL are looked into. */
const DEEPEST = 2;
const USER_INFO = /(:\/\/|%3A%2F%2F)(?!git@)[^\s/?#@]{1,256}@/gi;
/** An access key of 40 characters in base64, as Amazon's secret ones. */
const BASE64_KEY = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;
/** The value of an `Authorization` header. */
const AUTHORIZATION = /\b((?:bearer|basic)(?: |%20))([\w.~+/=-]{8,512})/gi;
const LEAST_KEYED = 10;

/** Text without any of these holds nothing that is looked for. */
const SUSPICIOUS = /[\d@=%"]|BEGIN|[a-z][A-Z]/;

/** Replaces personal data and secrets by their kind in brackets, such as `(email)`, and notes each piece. */
export function scrub(text: string, note: OnScrubbed, context: ScrubContext = NO_CONTEXT): string {
  const { rules } = context;
  if (rules === NO_RULES) return scrubAll(text, note, context, 0);
  const own = rules.patterns(text, note);
  const kept = rules.keptPairs(own);
  if (kept === null) return scrubAll(own, note, context, 0);
  return kept.map((part, index) => (index % 2 === 0 ? scrubAll(part, note, context, 0) : part)).join("");
}

const replacing =
  (note: OnScrubbed): Replace =>
  (kind) => {
    note(kind);
    return `(${kind})`;
  };

/** Most text is clean, so a cheap check comes before each regular expression. @param depth of a URL in a URL. */
function scrubAll(text: string, note: OnScrubbed, context: ScrubContext, depth: number): string {
  if (!SUSPICIOUS.test(text)) return text;
  const replace = replacing(note);
  let clean = text;
  if (clean.includes("BEGIN")) clean = replacePem(clean, replace);
  if (clean.includes("@") && /:\/\/|%3A%2F%2F/i.test(clean))
    clean = clean.replace(USER_INFO, (_, scheme: string) => `${scheme}${replace("secret")}@`);
  if (clean.includes("=") || clean.includes("%3D")) clean = replacePairs(clean, note, context, depth);
  if (clean.includes('"')) clean = replaceJsonPairs(clean, note, context);
  if (clean.includes("earer") || clean.includes("asic")) clean = replaceAuthorization(clean, replace);
  if (clean.includes("eyJ")) clean = clean.replace(JWT, () => replace("token"));
  if (clean.includes("@") || clean.includes("40") || clean.includes("&#64")) clean = replaceEmails(clean, replace);
  if (/\d\D{0,3}\d/.test(clean)) clean = replaceNumbers(clean, replace);
  // Only a long text has a key in base64, whose slashes make shorter words of it.
  if ((clean.length < 40 ? /[\w-]{16}/ : /[\w-]{12}/).test(clean))
    clean = replaceTokens(replaceInLinks(clean, replace), replace);
  return clean;
}

const replaceAuthorization = (text: string, replace: Replace): string =>
  text.replace(AUTHORIZATION, (whole, scheme: string, value: string) =>
    mayBeSecret(value, LEAST_KEYED) ? scheme + replace("token") : whole,
  );

function replaceNumbers(text: string, replace: Replace): string {
  let clean = text;
  if (/\d{4}[^\d/]{0,3}\d{3}/.test(clean)) clean = replaceIbans(replaceCards(clean, replace), replace);
  if (/[+(:]|%2B|%3A|\.me|\.com/i.test(clean)) clean = replacePhones(clean, replace);
  if (/\d\.\d+\./.test(clean)) clean = replaceExpected(clean, replace);
  if (clean.includes(":") || clean.includes("%3A")) clean = replaceIpv6(clean, replace);
  return clean;
}

function replaceTokens(text: string, replace: Replace): string {
  let clean = text;
  if (/G\.|9\.|hv|dp\./.test(clean))
    clean = clean.replace(DOTTED_KEY, (word) => (PROVIDER_KEY.test(word) ? replace("token") : word));
  const before = clean;
  clean = clean.replace(LONG_WORD, (word, at: number) => {
    if (!/[\dA-Z]/.test(word)) return word;
    if (PROVIDER_KEY.test(word)) return replace("token");
    return isLongRandom(word) && !isDocument(before, at) ? replace("token") : word;
  });
  if (clean.length < 40) return clean;
  return clean.replace(BASE64_KEY, (key) => (isBase64Key(key) ? replace("token") : key));
}

/** Paths to documents, files and commits have ids that are as random as secrets. */
const DOCUMENTS =
  /(?:^|\/)(?:d|docs?|documents?|files?|folders?|spreadsheets?|presentation|forms|commits?|blobs?|assets|static|chunks|images?|media|ipfs)\/$/i;
const isDocument = (text: string, at: number): boolean => DOCUMENTS.test(text.slice(Math.max(0, at - 20), at));

function isBase64Key(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text) || !/[/+]/.test(text)) return false;
  return randomness(text.replace(/[/+]/g, "")) >= 0.45;
}

/** Replaces blocks from `-----BEGIN` to the end of their last line, or of the text. */
function replacePem(text: string, replace: Replace): string {
  let clean = "";
  let at = 0;
  for (let start = text.indexOf("-----BEGIN"); start >= 0; start = text.indexOf("-----BEGIN", at)) {
    clean += text.slice(at, start) + replace("secret");
    const end = text.indexOf("-----END", start);
    const close = end < 0 ? -1 : text.indexOf("-----", end + 8);
    at = close < 0 ? text.length : close + 5;
  }
  return clean + text.slice(at);
}

/** Replaces the values of pairs such as `key=value` in queries, fragments and text. */
const replacePairs = (text: string, note: OnScrubbed, context: ScrubContext, depth: number): string =>
  text.replace(PAIR, (whole: string, key: string, is: string, value: string) => {
    const plain = decoded(value.replaceAll("+", " "));
    const clean = scrubNamed(key, plain, note, context);
    if (clean !== null) return `${key}${is}${clean}`;
    // A URL in a URL, such as the page to open after signing in.
    if (depth === DEEPEST || !/%(?:2F|3D|3F)/i.test(value)) return whole;
    const inner = scrubAll(plain, note, context, depth + 1);
    return inner === plain ? whole : `${key}${is}${encodeURIComponent(inner)}`;
  });

/** Replaces the values of pairs as JSON has them. */
const replaceJsonPairs = (text: string, note: OnScrubbed, context: ScrubContext): string =>
  text.replace(JSON_PAIR, (whole: string, name: string, key: string, value: string) => {
    const clean = scrubNamed(key, value.replaceAll('"', ""), note, context);
    return clean === null ? whole : `${name}"${clean}"`;
  });

/** Returns what stands for the value of a name; null when neither the name nor the whole value shows what it is. */
function scrubNamed(key: string, value: string, note: OnScrubbed, { rules, country }: ScrubContext): string | null {
  const kind = rules.isNamed(key) ? "custom" : kindByKey(key, value, country);
  if (kind === "ip") return replaceAddresses(value, replacing(note));
  if (kind === null && (!isBareAddress(value) || isVersionKey(key))) return null;
  return replacing(note)(kind ?? "ip");
}

/** Properties of an event. Those from servers may be nested, to a depth that is checked before. */
export type Props = Record<string, unknown>;

/** Called for each piece that is replaced, with the name of the property as it is stored; '' for a piece of a name. */
type OnScrubbedProp = (kind: ScrubbedKind, name: string) => void;

/** Scrubs property names and values. A name can also show what its value is. */
export function scrubProps(props: Props, note: OnScrubbedProp, context: ScrubContext = NO_CONTEXT): Props {
  let name = "";
  const noteIn = (kind: ScrubbedKind) => note(kind, name);
  return Object.fromEntries(
    Object.entries(props).map(([key, value]) => {
      name = "";
      name = scrub(key, noteIn, context);
      return [name, scrubValue(key, "", value, noteIn, context)];
    }),
  );
}

/** @param above the name of the object that holds the value, which can say what it is: `user.name`; '' without one. */
function scrubValue(key: string, above: string, value: unknown, note: OnScrubbed, context: ScrubContext): unknown {
  if (value === null || value === undefined || typeof value === "boolean" || value === "") return value;
  if (context.rules.isKept(key)) return value;
  if (Array.isArray(value)) return value.map((item) => scrubValue(key, above, item, note, context));
  if (typeof value === "object") {
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([name, inner]) => [scrub(name, note, context), scrubValue(name, key, inner, note, context)]),
    );
  }
  const text = `${value}`;
  const named = scrubNamed(key, text, note, context) ?? (above && scrubNamed(`${above}_${key}`, text, note, context));
  if (named) return named;
  if (typeof value === "string") return scrub(value, note, context);
  if (typeof value !== "number" || value < 1e13 || !isCard(text)) return value;
  return replacing(note)("card");
}

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
function replaceInLinks(text: string, replace: Replace): string {
  return text.replace(LONG_SEGMENT, (segment, at: number) => {
    if (!MAY_BE_SECRET.test(segment) || !isAnnounced(text, at)) return segment;
    const plain = decoded(segment);
    // Addresses of contracts are public.
    return !plain.startsWith("0x") && mayBeSecret(plain, LEAST) ? replace("token") : segment;
  });
}
