/** The kinds of personal data and secrets that are replaced before anything is stored, and counted. */
export const SCRUBBED = {
  email: "an email address",
  card: "a number like a payment card's",
  token: "a long random token, such as a session's or a reset link's",
  secret: "the value of something named like a secret, such as password, token or phone",
} as const;
export type ScrubbedKind = keyof typeof SCRUBBED;

/** Called for each piece that was replaced. */
type OnScrubbed = (kind: ScrubbedKind) => void;

// Every repetition is bounded or has one possible start: the text is untrusted and must be matched in linear time.
const AT_HOST = /(?:@|%(?:25){0,3}40)(?:[\p{L}\p{N}-]{1,63}\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,63})/giu;
const LOCAL_PART = /[^\s@/?&=#:;,<>()[\]"\\\p{Cs}]{1,64}["']?$/u;
const LONGEST_LOCAL_PART = 66;
// Does not match the digits of a UUID.
const CARD = /(?<![a-z0-9])\d(?:(?:[ +-]|%20)?\d){13,18}(?!-?[a-z0-9])/gi;
const JWT = /(?<![\w-])eyJ[\w-]{10,}(?:\.[\w-]+){1,4}/g;
const WORD = /[\w-]{24,}/g;
// Identifiers rather than secrets: a UUID, a MongoDB ObjectId, a ULID.
const PUBLIC_ID =
  /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24}|[0-9A-HJKMNP-TV-Z]{26}|[0-9a-hjkmnp-tv-z]{26})$/i;
const PAIR = /([?&#;])([\w.-]{1,100})=([^&#;\s]+)/g;

type Replace = (kind: ScrubbedKind) => string;

/** Replaces personal data and secrets by `(email)`, `(card)`, `(token)` or `(secret)`. */
export function scrub(text: string, note: OnScrubbed): string {
  const replace: Replace = (kind) => {
    note(kind);
    return `(${kind})`;
  };
  // Most text contains none of these, so a cheap check comes before each regular expression.
  let clean = text;
  if (clean.includes("="))
    clean = clean.replace(PAIR, (whole, mark, key) => (isSecret(key) ? `${mark}${key}=${replace("secret")}` : whole));
  if (clean.includes("eyJ")) clean = clean.replace(JWT, () => replace("token"));
  if (clean.includes("@") || clean.includes("40")) clean = replaceEmails(clean, replace);
  // Digits that are all apart are no card.
  if (/\d{4}/.test(clean)) clean = clean.replace(CARD, (digits) => (isCard(digits) ? replace("card") : digits));
  if (clean.length >= 24) clean = clean.replace(WORD, (word) => (isToken(word) ? replace("token") : word));
  return clean;
}

/** Finds hosts after an at sign first, because they are rare, and then the local part before them. */
function replaceEmails(text: string, replace: Replace): string {
  let clean = "";
  let done = 0;
  for (const { 0: host, index } of text.matchAll(AT_HOST)) {
    const local = LOCAL_PART.exec(text.slice(Math.max(done, index - LONGEST_LOCAL_PART), index))?.[0];
    if (!local) continue;
    clean += text.slice(done, index - local.length) + replace("email");
    done = index + host.length;
  }
  return clean + text.slice(done);
}

/** Scrubs a URL; its scheme and host stay as they are. */
export function scrubUrl(url: string, note: OnScrubbed): string {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? "";
  return authority + scrub(url.slice(authority.length), note);
}

/** Properties of an event. Those from servers may be nested, to a depth that is checked before. */
export type Props = Record<string, unknown>;

/** Scrubs property names and values. A name can also show that its value is a secret. */
export function scrubProps(props: Props, note: OnScrubbed): Props {
  return Object.fromEntries(
    Object.entries(props).map(([key, value]) => [scrub(key, note), scrubValue(key, value, note)]),
  );
}

function scrubValue(key: string, value: unknown, note: OnScrubbed): unknown {
  if (value === null || value === undefined || typeof value === "boolean" || value === "") return value;
  if (isSecret(key)) {
    note("secret");
    return "(secret)";
  }
  if (typeof value === "string") return scrub(value, note);
  if (Array.isArray(value)) return value.map((item) => scrubValue(key, item, note));
  if (typeof value !== "number") return scrubProps(value as Props, note);
  if (value < 1e13 || !isCard(`${value}`)) return value;
  note("card");
  return "(card)";
}

// Words that mark a secret anywhere in a name, and names that mark one only as a whole: `country_code` is not a secret.
const SECRET_WORDS =
  /^(?:token|jwt|e?mails?|password|passwd|passphrase|pwd|secret|phone|telephone|mobile|iban|ssn|cvv|cvc)$/;
const SECRET_NAMES =
  /^(?:code|key|auth|session|sid|otp|pin|tel|signature|sig|nonce|credentials?|authorization|(?:api|access|private|session|auth|user)_(?:key|code|id_hash|session)|apikey|session_?id|phpsessid|jsessionid|card_?number|e_mail)$/;

function isSecret(key: string): boolean {
  const name = key
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[.-]/g, "_");
  return SECRET_NAMES.test(name) || name.split("_").some((word) => SECRET_WORDS.test(word));
}

/**
 * Checks length, first digits of the card networks and Luhn's checksum, so that timestamps and article numbers do not
 * match.
 */
function isCard(text: string): boolean {
  const digits = text.replace(/%20|\D/g, "");
  if (!/^(?:3\d{13,14}|[2-6]\d{15,18})$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/**
 * Random text switches often between letters and digits and between lower and upper case; a title does not. UUIDs are
 * identifiers more often than secrets.
 */
function isToken(word: string): boolean {
  if ((word.match(/\d/g)?.length ?? 0) < 2 || PUBLIC_ID.test(word)) return false;
  return (word.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0) >= 5;
}
