/** What personal data and secrets are replaced by, and counted as, before anything is stored. */
export const SCRUBBED = {
  email: "an e-mail address",
  card: "a number like a payment card's",
  token: "a long random token, such as a session's or a reset link's",
  secret: "the value of something named like a secret, such as password, token or phone",
} as const;
export type ScrubbedKind = keyof typeof SCRUBBED;

/** Reports each piece that was replaced. */
export type Noted = (kind: ScrubbedKind) => void;

// Every repetition is bounded, or begins at one place only: strangers choose the text, and it must cost no more than a look.
const AT_HOST = /(?:@|%(?:25){0,3}40)(?:[\p{L}\p{N}-]{1,63}\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,63})/giu;
const LOCAL_PART = /[^\s@/?&=#:;,<>()[\]"\\\p{Cs}]{1,64}["']?$/u;
const LONGEST_LOCAL_PART = 66;
// Not the digits of a UUID.
const CARD = /(?<![a-z0-9])\d(?:(?:[ +-]|%20)?\d){13,18}(?!-?[a-z0-9])/gi;
const JWT = /(?<![\w-])eyJ[\w-]{10,}(?:\.[\w-]+){1,4}/g;
const WORD = /[\w-]{24,}/g;
// Names of things, not keys to them: a UUID, a MongoDB ObjectId, a ULID.
const PUBLIC_ID =
  /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24}|[0-9A-HJKMNP-TV-Z]{26}|[0-9a-hjkmnp-tv-z]{26})$/i;
const PAIR = /([?&#;])([\w.-]{1,100})=([^&#;\s]+)/g;

type Put = (kind: ScrubbedKind) => string;

/** Replaces what names a person or opens a door by `(email)`, `(card)`, `(token)` or `(secret)`. */
export function scrub(text: string, note: Noted): string {
  const put: Put = (kind) => {
    note(kind);
    return `(${kind})`;
  };
  // Most text holds none of these: a quick look before each thorough one.
  let clean = text;
  if (clean.includes("="))
    clean = clean.replace(PAIR, (whole, mark, key) => (isSecret(key) ? `${mark}${key}=${put("secret")}` : whole));
  if (clean.includes("eyJ")) clean = clean.replace(JWT, () => put("token"));
  if (clean.includes("@") || clean.includes("40")) clean = replaceEmails(clean, put);
  if (/\d{4}/.test(clean)) clean = clean.replace(CARD, (digits) => (isCard(digits) ? put("card") : digits));
  if (clean.length >= 24) clean = clean.replace(WORD, (word) => (isToken(word) ? put("token") : word));
  return clean;
}

/** Looks for hosts after an at sign first, because those are rare, and then back for whose they are. */
function replaceEmails(text: string, put: Put): string {
  let clean = "";
  let done = 0;
  for (const { 0: host, index } of text.matchAll(AT_HOST)) {
    const local = LOCAL_PART.exec(text.slice(Math.max(done, index - LONGEST_LOCAL_PART), index))?.[0];
    if (!local) continue;
    clean += text.slice(done, index - local.length) + put("email");
    done = index + host.length;
  }
  return clean + text.slice(done);
}

/** The same for an address: its scheme and host stay as they are. */
export function scrubUrl(url: string, note: Noted): string {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? "";
  return authority + scrub(url.slice(authority.length), note);
}

/** Properties of an event; those that servers send may nest, to a depth that is checked before. */
export type Props = Record<string, unknown>;

/** The same for properties, where also the name tells what a value is. */
export function scrubProps(props: Props, note: Noted): Props {
  return Object.fromEntries(
    Object.entries(props).map(([key, value]) => [scrub(key, note), scrubValue(key, value, note)]),
  );
}

function scrubValue(key: string, value: unknown, note: Noted): unknown {
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

// Words that name a secret wherever they stand in a name, and those that do only alone: a `country_code` is none.
const TELLING =
  /^(?:token|jwt|e?mails?|password|passwd|passphrase|pwd|secret|phone|telephone|mobile|iban|ssn|cvv|cvc)$/;
const TELLING_ALONE =
  /^(?:code|key|auth|session|sid|otp|pin|tel|signature|sig|nonce|credentials?|authorization|(?:api|access|private|session|auth|user)_(?:key|code|id_hash|session)|apikey|session_?id|phpsessid|jsessionid|card_?number|e_mail)$/;

function isSecret(key: string): boolean {
  const name = key
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[.-]/g, "_");
  return TELLING_ALONE.test(name) || name.split("_").some((word) => TELLING.test(word));
}

/** Lengths and first digits of the card networks, and Luhn's checksum: times and article numbers are none. */
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
 * Random text changes between letters and digits, and between small and large, within its words; the title of an
 * article does not. UUIDs are names of things more often than secrets.
 */
function isToken(word: string): boolean {
  if ((word.match(/\d/g)?.length ?? 0) < 2 || PUBLIC_ID.test(word)) return false;
  return (word.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0) >= 5;
}
