/** Tells random text from words, names, numbers and identifiers by its shape. */

/**
 * The letters that follow each letter in words: pairs that are at least 0.04 % of all pairs in the names of countries,
 * languages and currencies in 16 languages (CLDR) and in English prose. They are 44 % of the possible ones.
 */
const FOLLOWING =
  "a:abcdefghijklmnoprstuvwyz b:aeiloruw c:acehikorstu d:adeinosuyz e:abcdegiklmnoprstuvwxyz f:aioru g:aehioru h:aeimotu i:abcdegijklmnoprstuvyz j:aeiosu k:aehikmorstuwy l:abdegiklostu m:abeiopsuy n:acdeghijklnostuvyz o:abcdefgijklmnoprstuvwz p:aeiloprstu q:u r:abcdegiklmnorstuvwy s:acehikloprstuvwyz t:acehinorstuy u:abcdegiklmnprstvyz v:aeio w:aehio x:e y:aceinorsu z:aeiosu";
/** 1 at `first * 26 + second` for letters that follow each other in words. */
const COMMON = new Uint8Array(26 * 26);
for (const group of FOLLOWING.split(" ")) {
  for (const letter of group.slice(2)) COMMON[(group.charCodeAt(0) - 97) * 26 + letter.charCodeAt(0) - 97] = 1;
}

const [DIGIT, LOWER, UPPER] = [0, 1, 2];
const classOf = (code: number): number => (code < 58 ? DIGIT : code < 91 ? UPPER : LOWER);

/**
 * Returns how much ASCII letters and digits look random, 0 to 1: the share of neighbours that words do not have. Random
 * text has about 0.7, words and names of products at most 0.45.
 */
export function randomness(text: string): number {
  let odd = 0;
  let before = text.charCodeAt(0);
  for (let index = 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const [first, second] = [classOf(before), classOf(code)];
    if (first === DIGIT || second === DIGIT) odd += first === second ? 0 : 1;
    // A new word begins between a small and a capital letter, which random text does too often.
    else if (first === LOWER && second === UPPER) odd++;
    else odd += 1 - (COMMON[((before | 32) - 97) * 26 + (code | 32) - 97] ?? 0);
    before = code;
  }
  return text.length > 1 ? odd / (text.length - 1) : 0;
}

const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text);
const HEX = /^(?:[0-9a-f]+|[0-9A-F]+)$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The parts between hyphens, underscores, dots and the like: each is judged by itself, because slugs join words so. */
const piecesOf = (text: string): string[] => text.match(/[A-Za-z0-9]+/g) ?? [];

/** Eight characters tell where a short secret is expected and they have small and capital letters and digits. */
const isShortRandom = (piece: string, least: number): boolean =>
  least <= 10 && piece.length >= 8 && isMixed(piece) && /\d/.test(piece) && randomness(piece) >= 0.6;

function isRandomPiece(piece: string, least: number): boolean {
  if (piece.length < least) return isShortRandom(piece, least);
  const isHex = HEX.test(piece);
  if (isHex && piece.length >= 16) return /\d.*\d/.test(piece) && /[a-f].*[a-f]/i.test(piece);
  if (isHex) return (piece.match(/\d(?=[a-f])|[a-f](?=\d)/gi)?.length ?? 0) >= 3;
  if (!/\d/.test(piece) && !isMixed(piece)) return randomness(piece) >= 0.6;
  return randomness(piece) >= (piece.length < 10 ? 0.6 : piece.length < 16 ? 0.5 : 0.45);
}

/** Serial numbers and vouchers have capital letters and digits. */
const isSerial = (piece: string): boolean => piece.length < 16 && !/[a-z]/.test(piece);

/**
 * Returns whether a text can be a secret where one is expected, as under the key `code` or after `/reset/`: a UUID, or
 * random text, also hexadecimal.
 *
 * @param least the length from which a part is long enough to tell.
 */
export function mayBeSecret(text: string, least: number): boolean {
  if (UUID.test(text)) return true;
  const pieces = piecesOf(text);
  if (pieces.some((piece) => isRandomPiece(piece, least) && !isSerial(piece))) return true;
  const random = pieces.filter((piece) => isRandomPiece(piece, 6) && !isSerial(piece));
  return random.reduce((sum, { length }) => sum + length, 0) >= Math.max(16, least);
}

/** Identifiers as long and random as secrets: of Google documents, playlists, IPFS objects, and hashes by name. */
const PUBLIC_ID =
  /^(?:(?:PL|UU|FL|OLAK5uy_)[\w-]{32,33}|1[\w-]{43}|1[\w-]{32}|Qm[1-9A-HJ-NP-Za-km-z]{44}|baf[a-z2-7]{50,}|(?:sha(?:1|256|384|512)|diff)-.*)$/;

/**
 * Returns whether a word is random beyond what identifiers are: at least 32 characters with capital and small letters, as
 * of 24 random bytes in base64. Git's hashes, UUIDs, ULIDs, KSUIDs, CUIDs and object ids are not.
 */
export function isLongRandom(word: string): boolean {
  if (word.length < 32 || !(/[A-Z]/.test(word) || /[a-z\d]{33}/.test(word)) || PUBLIC_ID.test(word)) return false;
  const pieces = piecesOf(word).filter((piece) => isRandomPiece(piece, 6) && !HEX.test(piece));
  if (pieces.some((piece) => piece.length >= 33 && /\d/.test(piece))) return true;
  const all = pieces.join("");
  const longest = Math.max(0, ...pieces.map(({ length }) => length));
  return isMixed(all) && /\d/.test(all) && (all.length >= 36 || (all.length >= 28 && longest >= 16));
}

/** Secrets that providers mark by a prefix, as they and secret scanners publish them. */

const WORD = "[A-Za-z0-9_-]";
const PREFIXES: readonly string[] = [
  // Amazon Web Services
  "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
  // GitHub, GitLab, npm, PyPI, Docker Hub, RubyGems
  "gh[opusr]_[A-Za-z0-9]{20,}",
  `github_pat_${WORD}{20,}`,
  `gl(?:pat|ptt|dt|rt|cbt|ft|soat|oas|agent|imt)-${WORD}{16,}`,
  "npm_[A-Za-z0-9]{30,}",
  `pypi-${WORD}{30,}`,
  `dckr_(?:pat|oat)_${WORD}{20,}`,
  "rubygems_[a-f0-9]{40,}",
  // Stripe, Square, Razorpay, Shopify, Braintree
  "(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,}",
  "whsec_[A-Za-z0-9]{16,}",
  `sq0(?:atp|csp)-${WORD}{20,}`,
  "rzp_(?:live|test)_[A-Za-z0-9]{14,}",
  "shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}",
  // Slack, Discord, Telegram
  `xox[abeoprsc]-${WORD}{10,}`,
  `xapp-${WORD}{10,}`,
  // Google, Firebase, OpenAI, Anthropic, Hugging Face
  `AIza${WORD}{30,}`,
  `GOCSPX-${WORD}{20,}`,
  `ya29\\.${WORD}{16,}`,
  `sk-(?:proj-|ant-|svcacct-|admin-|or-)${WORD}{16,}`,
  "sk-[A-Za-z0-9]{20,}",
  "hf_[A-Za-z]{30,}",
  // SendGrid, Mailgun, Mailchimp, Twilio, Postmark
  `SG\\.${WORD}{12,}\\.${WORD}{12,}`,
  "key-[a-f0-9]{32}",
  "[a-f0-9]{32}-us\\d{1,2}(?![a-z0-9])",
  "SK[a-f0-9]{32}(?![A-Za-z0-9])",
  // DigitalOcean, Databricks, HashiCorp, Grafana, Sentry, Figma, Linear, Notion, Supabase, Postman, Atlassian, Doppler
  "do[opr]_v1_[a-f0-9]{40,}",
  "dapi[a-f0-9]{32}",
  `hv[sbr]\\.${WORD}{20,}`,
  `gl(?:sa|c)_${WORD}{20,}`,
  `sntry[su]_${WORD}{20,}`,
  `fig[do]r?_${WORD}{20,}`,
  "lin_(?:api|oauth)_[A-Za-z0-9]{20,}",
  "(?:ntn|secret)_[A-Za-z0-9]{40,}",
  "sb[ps]_[a-f0-9]{40}",
  `PMAK-${WORD}{30,}`,
  `ATATT3${WORD}{30,}`,
  "dp\\.(?:pt|st|ct|sa)\\.[A-Za-z0-9]{20,}",
  "AGE-SECRET-KEY-1[A-Z0-9]{50,}",
];
export const PROVIDER_KEY = new RegExp(`^(?:${PREFIXES.join("|")})`);
