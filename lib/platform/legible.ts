/** Percent-encoded characters: of one byte, and of two, three and four bytes in UTF-8. */
const CHARACTER =
  /%[2-7][0-9A-F]|%[CD][0-9A-F]%[89AB][0-9A-F]|%E[0-9A-F](?:%[89AB][0-9A-F]){2}|%F[0-4](?:%[89AB][0-9A-F]){3}/gi;

/**
 * Reserved characters, which mean something else when they are not encoded (RFC 3986 section 2.2), and those that nobody
 * sees. Persian and Hindi words need the joiners.
 */
const KEPT_ENCODED = /[!$&'()*+,;=:@/?#%\\\p{Cc}\p{Cn}\p{Co}\p{Zl}\p{Zp}]|(?! )\p{Zs}|(?![\u200c\u200d])\p{Cf}/u;

/**
 * Returns a path for people to read: `/%D8%B3` as `/س`. What cannot be decoded stays encoded, and so do slashes, control
 * characters, bidirectional marks, spaces at the end and all other characters that look like none or like a part of the
 * address.
 */
export const legiblePath = (path: string): string =>
  path.includes("%") ? path.replace(CHARACTER, decodedCharacter).replace(/ +$/, encodeURIComponent) : path;

function decodedCharacter(encoded: string): string {
  try {
    const character = decodeURIComponent(encoded);
    return KEPT_ENCODED.test(character) ? encoded : character;
  } catch {
    return encoded;
  }
}
